// Records of positions in a database: whatever the order, the commits and the merges, they are what
// brute force has; others cost nothing; damage is noticed.
#include "store/position_records.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>

#include "codec/record_block.hpp"
#include "codec/record_fixtures.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/records/record_merge.hpp"
#include "store/store_fixtures.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using test::Random;
using test::TemporaryDirectory;

struct Entry {
    chess::AnyPosition position;
    codec::PositionRecord record;
};

/// The records by their EPD, merged one after the other.
using Brute = std::map<std::string, Entry>;

std::string name_of(const chess::AnyPosition& position) {
    return std::string(chess::name_of(position.variant())) + ' ' + chess::to_epd(position);
}

void add_to(Brute& brute, const Entry& entry) {
    const auto [place, is_new] = brute.emplace(name_of(entry.position), entry);
    if (!is_new) codec::merge_record(entry.record, place->second.record);
}

store::NewGames batch_of(const std::vector<Entry>& entries) {
    store::NewGames batch;
    batch.is_of_records = true;
    codec::BitWriter scratch;
    for (const Entry& each : entries) {
        const std::size_t begin = batch.record_bits.size();
        codec::pack_record(each.position, each.record, scratch, batch.record_bits);
        batch.records.push_back({each.position.key(), {begin, batch.record_bits.size() - begin}});
    }
    return batch;
}

std::vector<Entry> random_entries(Random& random, std::size_t count, std::size_t variety) {
    std::vector<Entry> out;
    for (std::size_t i = 0; i < count; ++i) {
        Random positions(random() % variety);
        const chess::AnyPosition position =
            test::random_any_position(positions, static_cast<unsigned>(positions() % 1000));
        out.push_back({position, test::random_record(position, random)});
    }
    return out;
}

store::SourceProgress progress_to(std::uint64_t byte, bool complete) {
    store::SourceProgress progress;
    progress.bytes = byte;
    progress.resume.byte = byte;
    progress.complete = complete;
    return progress;
}

std::unique_ptr<store::StoreWriter> open_writer(store::Store& store) {
    std::unique_ptr<store::StoreWriter> writer = store.writer();
    if (!writer->ply_rows()) writer->choose_ply_rows(store::PlyRows::kNo);
    return writer;
}

void require_equal(store::Store& store, const Brute& brute) {
    const store::Reader reader = store.reader();
    store::PositionRecords& records = *reader->local()->records();
    codec::PositionRecord found;
    for (const auto& [name, entry] : brute) {
        CAPTURE(name);
        REQUIRE(records.find(entry.position, found));
        CHECK(found == entry.record);
    }
    std::size_t count = 0;
    std::uint64_t last = 0;
    records.for_each([&](const chess::AnyPosition& position, const codec::PositionRecord& record) {
        const auto entry = brute.find(name_of(position));
        REQUIRE(entry != brute.end());
        CHECK(entry->second.record == record);
        CHECK(position.key() >= last);
        last = position.key();
        ++count;
        return true;
    });
    CHECK(count == brute.size());
    CHECK(reader->info().records >= brute.size());
    Random random(99);
    for (int i = 0; i < test::at_size(6, 20); ++i) {
        // From a key that is there, and from one that is not.
        const std::uint64_t key =
            i % 2 == 0 || brute.empty()
                ? random()
                : std::next(brute.begin(), static_cast<std::ptrdiff_t>(random() % brute.size()))
                      ->second.position.key();
        const auto expected = std::ranges::count_if(
            brute, [&](const auto& each) { return each.second.position.key() >= key; });
        std::ptrdiff_t found_from = 0;
        bool all_from_key = true;
        records.for_each_from(key, [&](const chess::AnyPosition& position, const auto&) {
            all_from_key &= position.key() >= key;
            ++found_from;
            return true;
        });
        CHECK(all_from_key);
        CHECK(found_from == expected);
    }
    for (int i = 0; i < 100; ++i) {
        const chess::AnyPosition position = test::random_position(random, 1);
        CHECK(records.find(position, found) == brute.contains(name_of(position)));
    }
}

}  // namespace

TEST_CASE("Records are found in any order of imports, commits and merges", "[full]") {
    const TemporaryDirectory directory;
    for (unsigned seed = 0; seed < test::fewer(test::at_size(3U, 6U), 6); ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const std::shared_ptr<store::Store> store =
            store::file_store(directory.path() + "/" + std::to_string(seed) + ".db");
        Brute brute;
        for (unsigned import = 0; import < 3; ++import) {
            const std::unique_ptr<store::StoreWriter> writer = open_writer(*store);
            test::begin_source(*writer, "evals " + std::to_string(import));
            std::uint64_t byte = 0;
            for (unsigned part = 0; part < 5; ++part) {
                const std::vector<Entry> entries =
                    random_entries(random, test::fewer(random() % 600, 8U), test::fewer(1200U));
                for (const Entry& each : entries) add_to(brute, each);
                writer->add(batch_of(entries));
                writer->update_source(progress_to(++byte, part == 4));
                if (random() % 2 == 0) writer->commit();
            }
            writer->commit();
            require_equal(*store, brute);
            if (random() % 3 != 0) {
                writer->records()->merge([] { return true; });
                require_equal(*store, brute);
                CHECK(store->reader()->info().records == brute.size());
            }
            writer->close();
            require_equal(*store, brute);
        }
        CHECK(store->reader()->sources().front().records.has_value());
    }
}

TEST_CASE("Records are found after each piece of a merge", "[full]") {
    const TemporaryDirectory directory;
    const std::string path = directory.path() + "/my.db";
    const std::shared_ptr<store::Store> store = store::file_store(path);
    Random random(7);
    Brute brute;
    // A second round merges into what the first one has merged.
    for (unsigned round = 0; round < 2; ++round) {
        const std::unique_ptr<store::StoreWriter> writer = open_writer(*store);
        test::begin_source(*writer, "evals " + std::to_string(round));
        for (unsigned part = 0; part < 4; ++part) {
            const std::vector<Entry> entries =
                random_entries(random, test::fewer(400U), test::fewer(test::at_size(1500U, 3000U)));
            for (const Entry& each : entries) add_to(brute, each);
            writer->add(batch_of(entries));
            writer->update_source(progress_to(part + 1, part == 3));
            writer->commit();
        }
        writer->close();
        store::Connection connection(path, store::Connection::Mode::kReadWrite);
        std::vector<store::RecordRun> runs = store::record_runs(connection);
        REQUIRE(runs.size() == 4);
        unsigned pieces = 0;
        for (bool more = true; more; ++pieces) {
            store::RecordMerge merge(connection, test::fewer(8000U));
            std::int64_t added = 0;
            connection.run("BEGIN IMMEDIATE");
            more = merge.merge_piece(runs, added);
            store::Statement(connection,
                             "INSERT INTO meta(name, value) VALUES ('records', ?1)"
                             " ON CONFLICT(name) DO UPDATE SET value = value + excluded.value")
                .run(added);
            connection.run("COMMIT");
            require_equal(*store, brute);
        }
        CHECK(pieces > 2);
        CHECK(store->reader()->info().records == brute.size());
    }
}

TEST_CASE("What is rolled back, retracted or removed is gone, and nothing else") {
    const TemporaryDirectory directory;
    const std::shared_ptr<store::Store> store = store::file_store(directory.path() + "/my.db");
    Random random(8);
    Brute first;
    const std::unique_ptr<store::StoreWriter> writer = open_writer(*store);
    writer->commit();
    CHECK(store->reader()->info().records == 0);
    CHECK_FALSE(store->reader()->local()->records()->count());
    const auto add = [&](std::uint64_t byte, Brute* brute) {
        const std::vector<Entry> entries = random_entries(random, 50, 5000);
        for (const Entry& each : entries) {
            if (brute != nullptr) add_to(*brute, each);
        }
        writer->add(batch_of(entries));
        writer->update_source(progress_to(byte, false));
    };
    test::begin_source(*writer, "evals");
    add(10, &first);
    writer->commit();
    const store::SourceCounts counts = writer->source_counts();
    add(20, nullptr);
    writer->commit();
    add(30, nullptr);
    writer->retract(counts, progress_to(10, false));
    writer->commit();
    require_equal(*store, first);
    CHECK(store->reader()->sources().front().records == 50);
    add(40, nullptr);
    writer->rollback();
    require_equal(*store, first);
    CHECK(writer->records()->remove_all() == first.size());
    writer->commit();
    require_equal(*store, {});
    writer->close();
    require_equal(*store, {});
}
