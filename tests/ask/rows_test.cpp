// Rows of answers: they can be read in pieces of any size, skipped, and continued at any place.
#include "ask/rows.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "ask/questions.hpp"
#include "base/seeded.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

/// Two databases: the samples, and those of one folder of them.
class SampleDatabases {
  public:
    SampleDatabases() {
        add("all.db", FENDEX_SAMPLES);
        add("some.db", std::string(FENDEX_SAMPLES) + "/curiosities.pgn");
    }
    [[nodiscard]] std::shared_ptr<ask::Sources> sources(const store::GameFilter& filter) const {
        std::vector<ask::OpenDatabase> open;
        for (const auto& store : stores_) {
            open.push_back(ask::open_database(store->location(), open.size(), store));
        }
        return std::make_shared<ask::Sources>(std::move(open), filter);
    }

  private:
    void add(const std::string& name, const std::string& input) {
        stores_.push_back(store::file_store(directory_ / name));
        ingest::import_files(*stores_.back(), pgn::expand_inputs({input}), {});
    }

    TemporaryDirectory directory_;
    std::vector<std::shared_ptr<store::Store>> stores_;
};

ask::Given given(std::initializer_list<std::pair<const char*, const char*>> values) {
    ask::Given out;
    for (const auto& [name, value] : values) out.add(name, value);
    return out;
}

/// Opens the rows of a question from a page on.
using Open = std::function<std::unique_ptr<ask::Rows>(const ask::Page&)>;

/// Lists of every kind.
std::map<std::string, Open> all_kinds(const SampleDatabases& databases) {
    std::map<std::string, Open> kinds;
    const auto add = [&](const std::string& name, std::string_view question,
                         const ask::Given& asked) {
        const ask::Plan plan = ask::question_named(question).plan(asked);
        kinds.emplace(name, [=, &databases](const ask::Page& page) {
            return plan.rows({databases.sources(plan.filter), {}, {.refs = true}, page});
        });
    };
    for (const char* const sort : {"id", "date", "elo", "plies"}) {
        const std::string by = std::string(" by ") + sort;
        add("find" + by, "find", given({{"moves", "1.e4 e5"}, {"sort", sort}}));
        add("material" + by, "find", given({{"material", "R=1 r=1 Q=0 q=0"}, {"sort", sort}}));
        add("repeats" + by, "repeats", given({{"min", "2"}, {"sort", sort}}));
        add("rule50" + by, "repeats",
            given({{"rule50", "true"}, {"claims", "true"}, {"sort", sort}}));
        add("games" + by, "games", given({{"sort", sort}}));
    }
    add("repeats of a position", "repeats",
        given({{"fen", "startpos"}, {"min", "2"}, {"moves", ""}}));
    add("claims", "repeats", given({{"claims", "true"}}));
    add("players", "players", {});
    add("openings", "openings", given({{"sort", "eco"}}));
    for (const char* const sort : {"games", "name", "date", "players", "rating"}) {
        add(std::string("events by ") + sort, "events", given({{"sort", sort}}));
    }
    return kinds;
}

class Collected {
  public:
    /// Reads up to `most` rows; returns false after the last one.
    bool read(ask::Rows& rows, std::uint64_t most) {
        return rows.read(most, [&](const std::vector<ask::Cell>& cells) {
            emit::append_json_row(rows.columns(), cells, lines_.emplace_back());
        });
    }
    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
    void add_gap(std::uint64_t rows) { lines_.resize(lines_.size() + rows); }

  private:
    std::vector<std::string> lines_;
};

std::vector<std::string> whole(const Open& open) {
    const auto rows = open({});
    Collected all;
    while (all.read(*rows, ask::kAllRows)) {
    }
    return all.lines();
}

}  // namespace

TEST_CASE("Rows read in pieces, with rows skipped between, are those of the whole") {
    const SampleDatabases databases;
    base::SeededNumbers numbers(28);
    for (const auto& [name, open] : all_kinds(databases)) {
        const std::vector<std::string> expected = whole(open);
        CAPTURE(name, expected.size());
        for (int time = 0; time < 6; ++time) {
            const auto rows = open({});
            Collected found;
            bool more = true;
            while (more) {
                if (numbers.below(3) == 0) {
                    const std::uint64_t wanted = numbers.below(40);
                    const std::uint64_t skipped = rows->skip(wanted);
                    CHECK(skipped <= wanted);
                    found.add_gap(skipped);
                } else {
                    more = found.read(*rows, 1 + numbers.below(70));
                }
            }
            REQUIRE(found.lines().size() == expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                if (!found.lines()[i].empty()) CHECK(found.lines()[i] == expected[i]);
            }
        }
        const auto rows = open({});
        if (const auto total = rows->total()) CHECK(*total == expected.size());
        CHECK(rows->skip(ask::kAllRows) == expected.size());
        CHECK(rows->skip(1) == 0);
    }
}

TEST_CASE("Rows continue at the place of any row") {
    const SampleDatabases databases;
    base::SeededNumbers numbers(5);
    for (const auto& [name, open] : all_kinds(databases)) {
        if (name == "plies") continue;  // they have no pages
        const std::vector<std::string> expected = whole(open);
        CAPTURE(name, expected.size());
        for (int time = 0; time < 8; ++time) {
            ask::Page page{{}, 1 + numbers.below(30)};
            std::vector<std::string> found;
            while (found.size() < expected.size()) {
                const auto rows = open(page);
                Collected piece;
                while (piece.lines().size() < page.limit &&
                       piece.read(*rows, page.limit - piece.lines().size())) {
                }
                REQUIRE(!piece.lines().empty());
                found.insert(found.end(), piece.lines().begin(), piece.lines().end());
                page = {rows->place(), 1 + numbers.below(30)};
            }
            CHECK(found == expected);
        }
    }
}
