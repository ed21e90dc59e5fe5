// Names are found by their words whether they are read for one question or have been indexed.
#include "store/name_index.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/text_fold.hpp"
#include "codec/game_codes.hpp"
#include "ingest/importer.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/store.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using store::NameKind;
using Codes = std::vector<std::uint32_t>;

/// Returns the codes of all players whose folded name the condition takes.
template <typename Takes>
Codes players(store::LocalReader& reader, Takes takes) {
    Codes out;
    reader.for_each_name(NameKind::kPlayer, [&](std::int64_t id, std::string_view name) {
        if (takes(base::fold(name))) out.push_back(codec::code_of_id(id));
    });
    std::ranges::sort(out);
    return out;
}

}  // namespace

TEST_CASE(
    "Each question about names has the answer of a look at all of them, asked first or later") {
    const test::TemporaryDirectory folder;
    const std::string path = folder / "games.db";
    ingest::import_files(path, {FENDEX_SAMPLES "/classics.pgn"}, {});
    const store::Reader owner = store::file_store(path)->reader();
    store::LocalReader& reader = *owner->local();
    base::StopCheck stop({});
    const auto all = players(reader, [](const std::string&) { return true; });
    REQUIRE(all.size() > 50);
    // Each of them first, so that it is answered without an index, and after the others; once with
    // a cache that has no room for an index.
    const std::vector<std::string> typed{"a", "mor", "paul morphy", "e e", "nobody", "an"};
    for (const std::string& first : typed) {
        store::CacheSizes caches;
        if (first == "an") caches.snapshot_cache_bytes = 4096;
        const store::Reader other = store::file_store(path, caches)->reader();
        std::vector<std::string> order{first};
        order.insert(order.end(), typed.begin(), typed.end());
        for (const std::string& words : order) {
            CAPTURE(first, words);
            const base::NameWords fitting(words);
            CHECK(store::codes_with_words(*other->local(), NameKind::kPlayer, fitting, stop) ==
                  players(reader, [&](const std::string& name) { return fitting.fit(name); }));
        }
    }
    for (const int times : {1, 2, 3}) {
        CAPTURE(times);
        // Each time with another key: what was found is kept.
        const store::LikeNames test{
            std::to_string(times),
            [](std::string_view pair) { return pair == "mo" || pair == "st"; },
            [](std::string_view) { return true; }};
        const Codes expected = players(reader, [](const std::string& name) {
            const auto words = base::words_of(name);
            return std::ranges::any_of(words, [](std::string_view word) {
                return word.starts_with("mo") || word.starts_with("st");
            });
        });
        CHECK_FALSE(expected.empty());
        CHECK(store::codes_like(reader, NameKind::kPlayer, test, stop) == expected);
        CHECK(store::codes_beginning(reader, NameKind::kPlayer, "mo", stop) ==
              players(reader, [](const std::string& name) { return name.starts_with("mo"); }));
    }
}

TEST_CASE("Names like others are found after a look at all names for any words") {
    const test::TemporaryDirectory folder;
    const std::string path = folder / "games.db";
    ingest::import_files(path, {FENDEX_SAMPLES "/classics.pgn"}, {});
    base::StopCheck stop({});
    for (const std::string pairs : {"mo", "ka", "mo st", "an mo"}) {
        const store::LikeNames test{
            pairs, [&](std::string_view pair) { return pairs.find(pair) != std::string::npos; },
            [](std::string_view) { return true; }};
        for (const char* const words : {"morphy", "m", "paul morphy", "anderssen", "casablanca"}) {
            CAPTURE(pairs, words);
            const store::Reader owner = store::file_store(path)->reader();
            store::LocalReader& reader = *owner->local();
            const Codes expected = players(reader, [&](const std::string& name) {
                return std::ranges::any_of(base::words_of(name), [&](std::string_view word) {
                    return pairs.find(word.substr(0, 2)) != std::string::npos;
                });
            });
            const base::NameWords typed{words};
            static_cast<void>(store::codes_with_words(reader, NameKind::kPlayer, typed, stop));
            CHECK(store::codes_like(reader, NameKind::kPlayer, test, stop) == expected);
        }
    }
}
