// The engine of a file gives the answers of one that replays all games. What query/ makes of these
// answers is the same for a remote database, and no question makes a call for each game.
#include "store/engine.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "ask/filter_fields.hpp"
#include "chess/fen.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "query/database_summary.hpp"
#include "query/duplicate_games.hpp"
#include "query/hit_cursor.hpp"
#include "query/novelty.hpp"
#include "query/opening_sums.hpp"
#include "query/opening_tree.hpp"
#include "query/player_list.hpp"
#include "query/preparation.hpp"
#include "query/probable_persons.hpp"
#include "query/repetition_analysis.hpp"
#include "query/repetition_summary.hpp"
#include "query/replayed_games.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/brute_store.hpp"
#include "support/delete_games.hpp"
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
        const ingest::ImportOptions options{.threads = 2,
                                            .ply_rows = ingest::PlyRowChoice::kNo,
                                            .variations = true,
                                            .segment_postings = 20'000};
        const std::string data = FENDEX_TEST_DATA;
        ingest::import_files(database, {data + "/variants/games.pgn"}, options);
        ingest::import_files(database, pgn::expand_inputs({FENDEX_SAMPLES}), options);
        ingest::import_files(database, pgn::expand_inputs({test::corpus_cut() + "/annotated"}),
                             options);
        std::vector<GameId> gone;
        for (GameId game = 5; game < 300; game += 13) gone.push_back(game);
        test::delete_games(database, gone);
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

/// A file, and a remote database of the same games, with numbers of another origin.
struct Pair {
    Pair(store::Store& sqlite, store::Store& brute, const query::GameFilter& filter)
        : file(sqlite, 0, filter), remote(brute, kOtherOrigin, filter) {}

    /// Compares the answers of both.
    template <typename Ask>
    void same(const char* what, Ask ask) {
        const std::string expected = ask(file);
        INFO(what);
        CHECK(ask(remote) == expected);
        answers += expected.size();
    }

    Asked file;
    Asked remote;
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
        }
        const query::Question key = query::Question::of_key(position.key());
        pair.same("key", [&](Asked& a) { return a.found(key, false); });
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
    const query::RepetitionQuery query{.min_count = 2};
    analysis.for_each(query, [&](const query::RepeatedPosition& each) {
        out.push_back(analysis.position(each.repetition.game, each.repetition.plies.front()));
        return out.size() < 6;
    });
    return out;
}

void compare(const std::string& path) {
    const auto sqlite = store::file_store(path);
    const auto brute = test::brute_store(path, kOtherOrigin);
    const auto positions = positions_of(path, test::at_size<std::size_t>(4, 10));
    const auto repeated = repeated_positions(path);
    query::GameFilter drawn;
    ask::set_field(drawn, "result", "1/2-1/2");
    for (const query::GameFilter& filter : {query::GameFilter{}, drawn}) {
        Pair pair(*sqlite, *brute, filter);
        compare_positions(pair, positions);
        compare_repetitions(pair, repeated);
        CHECK(pair.answers > 10'000);
    }
}

}  // namespace

TEST_CASE("A remote database gives the same answers as a file", "[full]") {
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
    using enum query::GameOrder;
    auto& search = asked.search();
    CHECK(calls([&] { return search.ranked_games(question, kDate, 500); }) == 1);
    CHECK(calls([&] { return search.count(question, false); }) == 1);
    CHECK(calls([&] { return query::opening_tree(asked.reader(), search, start, {}); }) == 2);

    CHECK(calls([&] {
              return asked.reader().engine().months(question.keys(), asked.matcher().filter(), {});
          }) == 1);
    CHECK(calls([&] {
              return query::select_games(asked.reader(), asked.matcher(), kElo, query::kAllGames);
          }) == 1);
    const query::RepetitionQuery repeated{.min_count = 2};
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
    CHECK_THROWS_WITH(query::probable_persons(*reader), refused("questions about all names"));
    CHECK_THROWS_WITH(query::NoveltyFinder(*reader, all, true),
                      refused("searches that replay all games of a position"));
    const query::DuplicateKind kinds[]{query::DuplicateKind::kIdentical};
    CHECK_THROWS_WITH(query::find_duplicates(*reader, all, kinds),
                      refused("questions about all names"));
    const query::SummarySource sources[]{{&*reader, &all}, {&*reader, &all}};
    CHECK_THROWS_WITH(query::summarize_repetitions(sources, 3, 10),
                      refused("repeats --summary over several databases"));
}
