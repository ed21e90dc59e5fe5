// Long questions end soon after a stop was requested, and report that they have no answer.
#include <catch2/catch.hpp>

#include "ask/filter_fields.hpp"
#include "base/stop_check.hpp"
#include "query/duplicate_games.hpp"
#include "query/games_by_variant.hpp"
#include "query/near_names.hpp"
#include "query/novelty.hpp"
#include "query/opening_tree.hpp"
#include "query/pattern_scan.hpp"
#include "query/pattern_text.hpp"
#include "query/repetition_summary.hpp"
#include "query/replayed_games.hpp"
#include "store/sqlite/file_store.hpp"

namespace {

using namespace fendex;
using test::ReplayedDatabase;

std::stop_token stopped() {
    std::stop_source source;
    source.request_stop();
    return source.get_token();
}

query::GameFilter filter_of(const std::string& field, const std::string& value) {
    query::GameFilter filter;
    ask::set_field(filter, field, value);
    return filter;
}

}  // namespace

TEST_CASE("A stop that was requested ends every query that may take long", "[full]") {
    const auto store = store::file_store(ReplayedDatabase::instance().path());
    const store::Reader reader = store->reader();
    query::GameMatcher all(*reader);
    query::GameMatcher some(*reader, filter_of("min-plies", "1"));
    query::PositionSearch search(*reader, all);
    query::PositionSearch filtered(*reader, some);
    const chess::AnyPosition start{chess::Position()};
    const query::Question question = query::Question::of(start);
    const auto ignore = [](const auto&) { return true; };
    store::StoreReader* const readers[] = {&*reader};
    const query::SummarySource summed{&*reader, &all};
    const std::stop_token stop = stopped();
    using base::Stopped;
    CHECK_THROWS_AS(search.find(question, ignore, stop), Stopped);
    CHECK_THROWS_AS(search.find_with_variations(question, ignore, stop), Stopped);
    CHECK_THROWS_AS(search.count(question, true, stop), Stopped);
    CHECK_THROWS_AS(filtered.count(question, false, stop), Stopped);
    CHECK_THROWS_AS(filtered.ranked_games(question, query::GameOrder::kDate, 9, stop), Stopped);
    CHECK_THROWS_AS(query::opening_tree(*reader, filtered, start, {}, stop), Stopped);
    CHECK_THROWS_AS(
        query::select_games(*reader, some, query::GameOrder::kId, query::kAllGames, stop), Stopped);
    CHECK_THROWS_AS(query::GameMatcher(*reader, filter_of("player", "a"), stop), Stopped);
    CHECK_THROWS_AS(query::games_by_variant(*reader, stop), Stopped);
    CHECK_THROWS_AS(query::unmet_names(readers, filter_of("player", "qqqq"), stop), Stopped);
    CHECK_THROWS_AS(query::summarize_repetitions({&summed, 1}, 3, 10, stop), Stopped);
    query::RepetitionAnalysis analysis(*reader, all);
    CHECK_THROWS_AS(analysis.for_each({}, ignore, stop), Stopped);
    CHECK_THROWS_AS(analysis.for_each_run({}, ignore, stop), Stopped);
    const query::DuplicateKind kinds[]{query::DuplicateKind::kIdentical};
    CHECK_THROWS_AS(query::find_duplicates(*reader, all, kinds, {.stop = stop}), Stopped);
    const query::PatternResult pattern = query::parse_pattern({"*/*/*/*/*/*/*/*", {}, false});
    query::ScanOptions options;
    options.stop = stop;
    CHECK_THROWS_AS(query::count_pattern(*store, *pattern.pattern, options), Stopped);
    CHECK_THROWS_AS(query::find_pattern(*store, *pattern.pattern, options, ignore), Stopped);
    query::NoveltyFinder novelties(*reader, all);
    store::StoredGame game;
    REQUIRE(reader->game(1, game));
    CHECK_THROWS_AS(novelties.find(game, 0, stop), Stopped);
    // A stop does not affect the reader.
    CHECK(search.count(question, true).games == search.count(question, false).games);
}

TEST_CASE("A stop that is requested half-way ends a query early", "[full]") {
    const auto store = store::file_store(ReplayedDatabase::instance().path());
    const store::Reader reader = store->reader();
    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    const query::Question question = query::Question::of(chess::AnyPosition{chess::Position()});
    const std::uint64_t games = search.count(question, false).games;
    std::stop_source source;
    std::uint64_t seen = 0;
    const auto stop_at_third = [&](const query::Hit&) {
        if (++seen == 3) source.request_stop();
        return true;
    };
    CHECK_THROWS_AS(search.find(question, stop_at_third, source.get_token()), base::Stopped);
    CHECK(seen >= 3);
    CHECK(seen < std::min<std::uint64_t>(games, 100));
}
