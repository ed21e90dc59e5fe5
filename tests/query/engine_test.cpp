// The engine of a file gives the answers of one that replays all games, for games of origin 0 and,
// after subtracting the origin, for those of another; and no answer makes a call for each game.
#include "store/engine.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <sstream>

#include "ask/filter_fields.hpp"
#include "chess/fen.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "query/database_summary.hpp"
#include "query/duplicate_games.hpp"
#include "query/hit_cursor.hpp"
#include "query/month_results.hpp"
#include "query/novelty.hpp"
#include "query/opening_sums.hpp"
#include "query/opening_tree.hpp"
#include "query/player_list.hpp"
#include "query/preparation.hpp"
#include "query/repetition_analysis.hpp"
#include "query/repetition_summary.hpp"
#include "query/replayed_games.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/brute_store.hpp"
#include "support/engine_comparison.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using store::GameId;

constexpr GameId kOtherOrigin = GameId{8191} << 40;

/// A database with indexed variations, variants and deleted games, imported in parts.
const std::string& mixed_database() {
    static const test::TemporaryDirectory directory;
    static const std::string path = [] {
        const std::string database = directory / "mixed.db";
        ingest::ImportOptions options;
        options.threads = 2;
        options.ply_rows = ingest::PlyRowChoice::kNo;
        options.variations = true;
        options.segment_postings = 20'000;
        const std::string data = FENDEX_TEST_DATA;
        ingest::import_files(database, {data + "/variants/games.pgn"}, options);
        ingest::import_files(database, pgn::expand_inputs({FENDEX_SAMPLES}), options);
        ingest::import_files(database, pgn::expand_inputs({test::corpus_cut() + "/annotated"}),
                             options);
        const auto writer = store::file_store(database)->writer();
        std::vector<GameId> gone;
        for (GameId game = 5; game < 300; game += 13) gone.push_back(game);
        writer->remove_games(gone);
        writer->commit();
        writer->close();
        return database;
    }();
    return path;
}

/// A database and a filter. Answers become text, with the numbers of games in their origin.
class Asked {
  public:
    Asked(store::Store& store, GameId offset, const query::GameFilter& filter)
        : offset_(offset),
          reader_(store.reader()),
          matcher_(*reader_, filter),
          search_(*reader_, matcher_) {}

    store::StoreReader& reader() { return *reader_; }
    query::GameMatcher& matcher() { return matcher_; }
    query::PositionSearch& search() { return search_; }

    std::string found(const query::Question& question, bool variations) {
        std::ostringstream out;
        const auto print = [&](const query::Hit& hit) {
            append(hit, out);
            return true;
        };
        variations ? search_.find_with_variations(question, print) : search_.find(question, print);
        return out.str();
    }
    std::string found_after(const query::Question& question, GameId after, unsigned most) {
        std::ostringstream out;
        query::HitCursor hits(search_, question, {}, after + offset_);
        query::Hit hit;
        for (unsigned n = 0; n < most && hits.next(hit); ++n) append(hit, out);
        return out.str();
    }
    std::string ranked(const query::Question& question, query::GameOrder order, std::size_t most) {
        std::ostringstream out;
        std::vector<GameId> games;
        for (const auto& each : search_.ranked_games(question, order, most)) {
            games.push_back(each.game);
        }
        search_.find_in(question, games, [&](const query::Hit& hit) { append(hit, out); });
        return out.str();
    }
    std::string counted(const query::Question& question, bool verify) {
        const query::Count count = search_.count(question, verify);
        return std::to_string(count.games) + '/' + std::to_string(count.occurrences);
    }
    std::string months(const chess::AnyPosition& position) {
        query::MonthResults months;
        query::add_month_results(*reader_, search_, position, months);
        std::ostringstream out;
        for (const auto& [month, results] : months) {
            out << month << ':' << results.white << '/' << results.draws << '/' << results.black
                << ' ';
        }
        return out.str();
    }
    std::string tree(const chess::AnyPosition& position, const query::TreeOptions& options) {
        return text_of(query::opening_tree(*reader_, search_, position, options));
    }
    std::string text_of(const query::Tree& tree) const {
        std::ostringstream out;
        append(tree.total, out);
        append(tree.ended, out);
        append(tree.top_games, out);
        append(tree.recent_games, out);
        for (const query::TreeMove& move : tree.moves) {
            out << '\n' << move.san << ' ' << move.uci << ' ';
            append(move.tally, out);
            append(move.top_games, out);
            if (move.reached) out << "reached " << *move.reached;
        }
        return out.str();
    }
    std::string games(query::GameOrder order, std::size_t most) {
        std::ostringstream out;
        for (const GameId game : query::select_games(*reader_, matcher_, order, most)) {
            out << game - offset_ << ' ';
        }
        if (order != query::GameOrder::kId) {
            for (const auto& each : query::select_ranked_games(*reader_, matcher_, order, most)) {
                out << each.game - offset_ << ':' << each.rank << ' ';
            }
        }
        return out.str();
    }
    std::string games_after(GameId after, std::size_t most) {
        std::ostringstream out;
        for (const GameId game : query::games_after(*reader_, matcher_, after + offset_, most)) {
            out << game - offset_ << ' ';
        }
        return out.str();
    }
    std::string repetitions(query::RepetitionQuery query, std::size_t most = SIZE_MAX) {
        query.first_game += offset_;
        if (query.game) *query.game += offset_;
        std::ostringstream out;
        query::RepetitionAnalysis analysis(*reader_, matcher_);
        analysis.for_each(query, [&](const query::RepeatedPosition& each) {
            out << each.repetition.game - offset_ << ' ' << each.repetition.key << ' '
                << store::plies_text(each.repetition.plies) << ' ' << each.played_on.value_or(999)
                << (each.claim ? std::to_string(each.claim->ply) : "") << ' '
                << chess::to_fen(analysis.position(each.repetition.game, each.repetition.plies[1]))
                << ' '
                << analysis.move_before(each.repetition.game, each.repetition.plies[1])
                       .second.bits()
                << '\n';
            return --most != 0;
        });
        return out.str();
    }
    std::string runs(query::ClockQuery query) {
        if (query.game) *query.game += offset_;
        std::ostringstream out;
        query::RepetitionAnalysis analysis(*reader_, matcher_);
        analysis.for_each_run(query, [&](const query::ClockRun& each) {
            out << each.game - offset_ << ' ' << each.ply.value_or(0) << ' ' << each.longest << ' '
                << each.played_on.value_or(0) << ' ' << (each.claim ? each.claim->ply : 0) << ' '
                << (each.announced_claim ? each.announced_claim->move : "") << ' '
                << chess::to_fen(analysis.position(each.game, each.shown_ply())) << '\n';
            return true;
        });
        return out.str();
    }
    std::string summary(std::uint32_t min_count, std::size_t top) {
        const query::SummarySource source{&*reader_, &matcher_};
        const auto sums = query::summarize_repetitions({&source, 1}, min_count, top);
        std::ostringstream out;
        out << sums.games << ' ' << sums.twofold << ' ' << sums.threefold << ' ' << sums.fivefold
            << ' ' << sums.draws << ' ' << sums.draws_by_repetition << ' ' << sums.fifty_moves
            << ' ' << sums.seventy_five_moves << '\n';
        for (const auto& each : sums.positions) {
            out << each.key << ' ' << each.epd << ' ' << each.games << ' ' << each.game - offset_
                << '\n';
        }
        for (const auto& each : sums.shuffles) {
            out << each.repetition.game - offset_ << ' ' << each.epd << ' ' << each.length()
                << '\n';
        }
        return out.str();
    }

  private:
    void append(const query::Hit& hit, std::ostringstream& out) const {
        out << hit.game - offset_;
        for (const std::uint32_t ply : hit.plies) out << ' ' << ply;
        out << ' ' << chess::to_fen(hit.position) << ' ' << (hit.next ? hit.next->bits() : 0) << ' '
            << hit.line << '\n';
    }
    void append(const std::vector<query::NamedGame>& games, std::ostringstream& out) const {
        for (const query::NamedGame& each : games) {
            out << each.game - offset_ << ' ' << each.uci << ' ' << each.rank << ';';
        }
        out << ' ';
    }
    static void append(const codec::Tally& tally, std::ostringstream& out) {
        out << tally.games << '/' << tally.occurrences;
        for (const std::uint64_t result : tally.results.by_code) out << ',' << result;
        out << ' ' << tally.white_elo_sum << '/' << tally.white_elo_games << ' '
            << tally.black_elo_sum << '/' << tally.black_elo_games << ' '
            << tally.first_date.number() << '-' << tally.last_date.number() << ' ';
    }

    GameId offset_;
    store::Reader reader_;
    query::GameMatcher matcher_;
    query::PositionSearch search_;
};

using Conditions = std::vector<std::pair<std::string, std::string>>;

const std::vector<Conditions>& filters() {
    static const std::vector<Conditions> all{
        {},
        {{"result", "1-0"}},
        {{"min-elo", "1500"}, {"since", "1980"}},
        {{"player", "a"}, {"max-plies", "90"}},
        {{"result", "1/2-1/2"}, {"variant", "standard"}},
        {{"white", "nobody at all"}},
    };
    return all;
}

/// Both readers of a database for one filter.
struct Pair {
    Pair(store::Store& sqlite, store::Store& brute, GameId offset, const Conditions& conditions) {
        query::GameFilter filter;
        for (const auto& [field, value] : conditions) ask::set_field(filter, field, value);
        sqlite_.emplace(sqlite, 0, filter);
        brute_.emplace(brute, offset, filter);
    }

    /// Compares the answers of both.
    template <typename Ask>
    void same(const char* what, Ask ask) {
        const std::string expected = ask(*sqlite_);
        INFO(what);
        CHECK(ask(*brute_) == expected);
        answers += expected.size();
    }

    std::optional<Asked> sqlite_;
    std::optional<Asked> brute_;
    std::size_t answers = 0;  // bytes
};

/// Positions of the database: of early plies and of some games.
std::vector<chess::AnyPosition> positions_of(const std::string& path, std::size_t most) {
    std::vector<chess::AnyPosition> out;
    std::mt19937_64 random(17);
    const auto reader = store::file_store(path)->reader();
    store::StoredMoves moves;
    while (out.size() < most) {
        const GameId game = 1 + random() % reader->last_game();
        if (!reader->moves(game, moves) || !replay::has_positions(moves)) continue;
        replay::AnyWalk walk(game, moves);
        for (std::size_t ply = random() % (out.size() % 2 == 0 ? 5 : 60); ply != 0; --ply) {
            if (!walk.at_end()) walk.advance();
        }
        out.push_back(walk.position());
    }
    return out;
}

void compare_positions(Pair& pair, const std::vector<chess::AnyPosition>& positions) {
    using enum query::Match;
    for (const chess::AnyPosition& position : positions) {
        INFO(chess::to_fen(position));
        for (const query::Match match : {kExact, kBoard, kMirrored}) {
            if (!query::reason_against(match, position.variant()).empty()) continue;
            const query::Question question = query::Question::of(position, match);
            pair.same("find", [&](Asked& a) { return a.found(question, false); });
            pair.same("variations", [&](Asked& a) { return a.found(question, true); });
            pair.same("after", [&](Asked& a) { return a.found_after(question, 100, 7); });
            pair.same("count", [&](Asked& a) { return a.counted(question, false); });
            pair.same("verify", [&](Asked& a) { return a.counted(question, true); });
            for (const auto order :
                 {query::GameOrder::kDate, query::GameOrder::kElo, query::GameOrder::kPlies}) {
                pair.same("first", [&](Asked& a) { return a.ranked(question, order, 5); });
                pair.same("all", [&](Asked& a) { return a.ranked(question, order, 10'000); });
            }
            query::TreeOptions options;
            options.match = match;
            pair.same("tree", [&](Asked& a) { return a.tree(position, options); });
            options.transpositions = false;
            options.min_games = 2;
            options.named_games = 2;
            options.lists = query::GameLists::kOfTreeAndSingles;
            pair.same("small tree", [&](Asked& a) { return a.tree(position, options); });
        }
        const query::Question key = query::Question::of_key(position.key());
        pair.same("key", [&](Asked& a) { return a.found(key, false); });
        pair.same("months", [&](Asked& a) { return a.months(position); });
    }
}

void compare_games(Pair& pair) {
    using enum query::GameOrder;
    for (const auto order : {kId, kDate, kElo, kPlies}) {
        for (const std::size_t most : {std::size_t{0}, std::size_t{9}, query::kAllGames}) {
            pair.same("games", [&](Asked& a) { return a.games(order, most); });
        }
    }
    pair.same("count", [](Asked& a) { return std::to_string(a.matcher().count()); });
    for (const GameId after : {GameId{0}, GameId{20}, GameId{100'000'000}}) {
        pair.same("after", [&](Asked& a) { return a.games_after(after, 11); });
    }
}

void compare_repetitions(Pair& pair, const std::vector<chess::AnyPosition>& positions) {
    for (const std::uint32_t min_count : {2U, 3U, 4U}) {
        for (const bool missed : {false, true}) {
            const query::RepetitionQuery query{min_count, {}, {}, missed, missed, 1};
            pair.same("repetitions", [&](Asked& a) { return a.repetitions(query); });
            pair.same("some", [&](Asked& a) { return a.repetitions(query, 3); });
        }
        pair.same("summary", [&](Asked& a) { return a.summary(min_count, 5); });
        pair.same("summary", [&](Asked& a) { return a.summary(min_count, 1000); });
    }
    for (const chess::AnyPosition& position : positions) {
        for (const bool announced : {false, true}) {
            const query::RepetitionQuery query{
                .min_count = 2, .position = position, .announced = announced};
            pair.same("of a position", [&](Asked& a) { return a.repetitions(query); });
        }
    }
    pair.same("later", [&](Asked& a) {
        return a.repetitions({.min_count = 2, .announced = true, .first_game = 50});
    });
    pair.same("perpetual check",
              [](Asked& a) { return a.repetitions({.min_count = 2, .perpetual = true}); });
    for (const GameId game : {GameId{2}, GameId{40}, GameId{5}}) {
        pair.same("of a game", [&](Asked& a) {
            return a.repetitions({.min_count = 2, .game = game, .announced = true});
        });
        pair.same("runs", [&](Asked& a) { return a.runs({.game = game}); });
    }
    using Rule = query::ClockQuery::Rule;
    for (const Rule rule : {Rule::kFiftyMoves, Rule::kSeventyFiveMoves}) {
        for (const bool missed : {false, true}) {
            pair.same("runs", [&](Asked& a) { return a.runs({rule, {}, missed, true}); });
        }
    }
}

/// Positions that games of the database repeated.
std::vector<chess::AnyPosition> repeated_positions(const std::string& path) {
    std::vector<chess::AnyPosition> out;
    const auto reader = store::file_store(path)->reader();
    query::GameMatcher all(*reader);
    query::RepetitionAnalysis analysis(*reader, all);
    query::RepetitionQuery query;
    query.min_count = 2;
    analysis.for_each(query, [&](const query::RepeatedPosition& each) {
        out.push_back(analysis.position(each.repetition.game, each.repetition.plies.front()));
        return out.size() < 6;
    });
    return out;
}

void compare(const std::string& path) {
    const auto sqlite = store::file_store(path);
    const auto positions = positions_of(path, test::at_size<std::size_t>(4, 10));
    const auto repeated = repeated_positions(path);
    std::size_t answers = 0;
    std::size_t round = 0;
    for (const GameId offset : {GameId{0}, kOtherOrigin}) {
        const auto brute = test::brute_store(path, offset);
        for (const Conditions& conditions : filters()) {
            if (test::left_to_full_size(round++, 4)) continue;
            std::string shown;
            for (const auto& [field, value] : conditions) shown += field + '=' + value + ' ';
            INFO("with " << shown << ", from " << offset);
            Pair pair(*sqlite, *brute, offset, conditions);
            compare_positions(pair, positions);
            compare_games(pair);
            compare_repetitions(pair, repeated);
            answers += pair.answers;
        }
    }
    CHECK(answers > 100'000);
}

}  // namespace

TEST_CASE("The engine of a file gives the same answers as a replay of all games", "[full]") {
    SECTION("samples, standard chess and mirrored games") {
        compare(test::ReplayedDatabase::instance().path());
    }
    SECTION("variants, variations and deleted games") { compare(mixed_database()); }
}

TEST_CASE("The engine of a file answers random questions like a replay of all games", "[full]") {
    const std::string& path = mixed_database();
    test::Comparison comparison(store::file_store(path)->reader(), {{path, 0}});
    comparison.ask(7, test::at_size(6, 60));
    comparison.ask_of_the_whole();
}

TEST_CASE("A tree of two databases includes the games of one that is remote", "[full]") {
    const auto one = store::file_store(test::ReplayedDatabase::instance().path());
    const auto other = store::file_store(mixed_database());
    const auto brute = test::brute_store(mixed_database());
    Asked first(*one, 0, {});
    Asked without(*other, 0, {});
    Asked with(*brute, 0, {});
    const auto text = [&](Asked& second, const chess::AnyPosition& position) {
        const std::vector<query::TreeSource> sources{{&first.reader(), &first.search()},
                                                     {&second.reader(), &second.search()}};
        return first.text_of(query::opening_tree(sources, position, {}));
    };
    for (const chess::AnyPosition& position : positions_of(mixed_database(), 10)) {
        CHECK(text(with, position) == text(without, position));
    }
}

TEST_CASE("No query makes an engine call for each game", "[full]") {
    const std::string& path = test::ReplayedDatabase::instance().path();
    const auto brute = test::brute_store(path);
    query::GameFilter filter;
    ask::set_field(filter, "min-plies", "2");
    Asked asked(*brute, 0, filter);
    const chess::AnyPosition start{chess::Position()};
    const query::Question question = query::Question::of(start);
    REQUIRE(asked.matcher().count() > 300);
    const auto calls = [&](auto ask) {
        const std::uint64_t before = test::round_trips();
        ask();
        return test::round_trips() - before;
    };
    CHECK(calls([&] { asked.found(question, false); }) <= 40);
    CHECK(calls([&] { asked.found(question, true); }) <= 80);
    CHECK(calls([&] { asked.found_after(question, 10, 20); }) <= 2);
    CHECK(calls([&] { asked.ranked(question, query::GameOrder::kDate, 500); }) <= 2);
    CHECK(calls([&] { asked.counted(question, false); }) == 1);
    CHECK(calls([&] { asked.tree(start, {}); }) == 2);
    CHECK(calls([&] { asked.months(start); }) == 1);
    CHECK(calls([&] { asked.games(query::GameOrder::kElo, query::kAllGames); }) == 2);
    query::RepetitionQuery repeated;
    repeated.min_count = 2;
    CHECK(calls([&] { asked.repetitions(repeated); }) <= 20);
    CHECK(calls([&] { asked.summary(2, 10); }) == 2);
}

TEST_CASE("A summary has figures of the file only if the database is a file") {
    const std::string& path = mixed_database();
    const auto sqlite = store::file_store(path)->reader();
    const auto brute = test::brute_store(path)->reader();
    const query::DatabaseSummary of_file(*sqlite);
    const query::DatabaseSummary of_cluster(*brute);
    CHECK(of_file.file);
    CHECK(!of_cluster.file);
    CHECK(of_cluster.fingerprint == of_file.fingerprint);
    CHECK(of_cluster.games() == of_file.games());
    CHECK(of_cluster.plies() == of_file.plies());
    REQUIRE(of_cluster.variants.size() == of_file.variants.size());
    for (std::size_t i = 0; i < of_file.variants.size(); ++i) {
        CHECK(of_cluster.variants[i].variant == of_file.variants[i].variant);
        CHECK(of_cluster.variants[i].games == of_file.variants[i].games);
    }
    for (const auto& figure : of_cluster.figures) CHECK(std::string(figure.name) != "bytes");
}

TEST_CASE("A remote database refuses an unknown source, too") {
    const auto brute = test::brute_store(mixed_database());
    const auto reader = brute->reader();
    query::GameFilter filter;
    filter.source = "nosuch.pgn";
    CHECK_THROWS_AS(query::GameMatcher(*reader, filter), query::FilterError);
}

TEST_CASE("What only a scan of a database tells is refused by its name if the database is remote") {
    const auto store = test::brute_store(mixed_database());
    const auto reader = store->reader();
    query::GameMatcher all(*reader);
    const auto refused = [](const std::string& question) {
        return Catch::Equals("a cluster does not answer " + question +
                             ": ask the database that was pushed to it");
    };
    CHECK_THROWS_WITH(query::PlayerCounts(*reader, all), refused("questions about all games"));
    CHECK_THROWS_WITH(query::opening_sums(*reader, all, query::OpeningOrder::kGames),
                      refused("questions about all names"));
    CHECK_THROWS_WITH(query::NoveltyFinder(*reader, all),
                      refused("searches that replay all games of a position"));
    CHECK_THROWS_WITH(query::prepare(*reader, all, {"a"}, chess::Color::kWhite),
                      refused("questions about all names"));
    const query::DuplicateKind kinds[]{query::DuplicateKind::kIdentical};
    CHECK_THROWS_WITH(query::find_duplicates(*reader, all, kinds),
                      refused("questions about all names"));
    const query::SummarySource sources[]{{&*reader, &all}, {&*reader, &all}};
    CHECK_THROWS_WITH(query::summarize_repetitions(sources, 3, 10),
                      refused("repeats --summary over several databases"));
}
