// Facts that independent programs have found about the archives of the corpus, and of its cut.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <deque>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "ingest/game_replay.hpp"
#include "ingest/importer.hpp"
#include "pgn/reader.hpp"
#include "query/opening_tree.hpp"
#include "query/position_search.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Json = nlohmann::json;

ingest::ImportSummary import_file(const std::string& database, const std::string& input) {
    return ingest::import_files(database, {input},
                                {.threads = 2, .ply_rows = ingest::PlyRowChoice::kNo});
}

/// Computes a line of human-facts.jsonl by replaying every game that a search finds.
Json facts_of(query::PositionSearch& search, store::StoreReader& reader, const std::string& fen) {
    const chess::FenResult parsed = chess::parse_fen(fen);
    REQUIRE(parsed.position);
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;
    std::map<codec::Result, std::uint64_t> results;
    std::vector<std::uint64_t> first;
    std::map<std::string, std::uint64_t> next;
    search.find(query::Question::of(*parsed.position), [&](const query::Hit& hit) {
        ++games;
        occurrences += hit.plies.size();
        store::GameHeader header;
        reader.header(hit.game, header);
        ++results[header.result];
        if (first.size() < 5) first.push_back(hit.game);
        if (hit.next) ++next[chess::to_san(hit.position, *hit.next)];
        return true;
    });
    const auto top = std::max_element(
        next.begin(), next.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const bool any = top != next.end();  // the facts have "" and 0 if there is none
    return {{"fen", fen},
            {"games", games},
            {"occurrences", occurrences},
            {"white", results[codec::Result::kWhiteWins]},
            {"draws", results[codec::Result::kDraw]},
            {"black", results[codec::Result::kBlackWins]},
            {"first_games", first},
            {"distinct_next", next.size()},
            {"top_next", any ? top->first : ""},
            {"top_next_games", any ? top->second : 0}};
}

/// Checks that the sums of the tree equal those of the facts.
void check_tree(const query::Tree& tree, const Json& expected) {
    const auto of = [&](codec::Result result) { return tree.total.results[result]; };
    CHECK(tree.total.games == expected["games"]);
    CHECK(tree.total.occurrences == expected["occurrences"]);
    CHECK(of(codec::Result::kWhiteWins) == expected["white"]);
    CHECK(of(codec::Result::kDraw) == expected["draws"]);
    CHECK(of(codec::Result::kBlackWins) == expected["black"]);
    // The facts count every game by the move it played the first time; the tree by each move it
    // played.
    CHECK(tree.moves.size() >= expected["distinct_next"]);
    const std::uint64_t top_games = expected["top_next_games"];
    CHECK((tree.moves.empty() ? 0 : tree.moves.front().tally.games) >= top_games);
    CHECK(std::any_of(tree.moves.begin(), tree.moves.end(), [&](const query::TreeMove& move) {
              return move.san == expected["top_next"];
          }) == (top_games != 0));
    if (tree.total.games == tree.total.occurrences && top_games != 0) {
        CHECK(tree.moves.size() == expected["distinct_next"]);
        CHECK(tree.moves.front().tally.games == top_games);
    }
}

/// Games of an archive, replayed without a database.
template <typename Visit>
void replay_all(const std::string& path, Visit visit) {
    ingest::GameReplay replay;
    std::uint64_t number = 0;
    for_each_game(path, [&](std::string_view text, bool truncated) {
        std::vector<store::TagPair> tags;
        std::deque<std::string> owned;
        replay.start(tags, owned);
        pgn::read_game(text, truncated, replay);
        replay.finish();
        visit(++number, replay, tags);
        return true;
    });
}

std::string final_fen(const ingest::GameReplay& replay) {
    chess::Position position = *replay.start_position().standard();
    for (const chess::Move move : replay.moves()) position.play(move);
    return chess::to_fen(position);
}

/// Numbers of an archive and its file of facts.
struct ArchiveFacts {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t errors = 0;
    std::uint64_t positions = 0;  // all occurrences
    std::uint64_t distinct_positions = 0;
    unsigned rows = 0;    // of the file of facts
    unsigned absent = 0;  // of these, positions that no game reaches
};

/// Imports human.pgn.zst of the corpus, or of its cut, and compares with its human-facts.jsonl.
/// Returns the path of the database, which is in `directory`.
std::string check_facts(const std::string& corpus, const TemporaryDirectory& directory,
                        const ArchiveFacts& known) {
    const std::string database = directory / "human.db";
    const ingest::ImportSummary summary = import_file(database, corpus + "/human.pgn.zst");
    CHECK(summary.games == known.games);
    CHECK(summary.plies == known.plies);
    CHECK(summary.errors == known.errors);
    CHECK(summary.failures.empty());

    const store::Reader reader = store::file_store(database)->reader();
    const store::StoreInfo info = reader->info();
    CHECK(info.positions == known.positions);
    CHECK(info.distinct_positions == known.distinct_positions);

    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    std::ifstream facts(corpus + "/human-facts.jsonl");
    unsigned rows = 0;
    unsigned absent = 0;
    for (std::string line; std::getline(facts, line); ++rows) {
        const Json expected = Json::parse(line);
        const std::string fen = expected["fen"];
        CAPTURE(fen);
        CHECK(facts_of(search, *reader, fen) == expected);
        absent += expected["games"] == 0;
        const query::Question question = query::Question::of(*chess::parse_fen(fen).position);
        check_tree(query::opening_tree(*reader, search, *question.targets.front().position, {}),
                   expected);
        for (const bool verify : {false, true}) {
            // Replaying half a million games for one answer proves no more than replaying
            // thousands.
            if (verify && expected["games"] > 20'000) continue;
            const query::Count count = search.count(question, verify);
            CHECK(count.games == expected["games"]);
            CHECK(count.occurrences == expected["occurrences"]);
        }
    }
    CHECK(rows == known.rows);
    CHECK(absent == known.absent);
    return database;
}

/// Counts the games in which a position occurred three times.
unsigned games_with_repetitions(const std::string& archive) {
    unsigned games = 0;
    replay_all(archive, [&](std::uint64_t, const ingest::GameReplay& replay, const auto&) {
        const auto& repetitions = replay.record().repetitions();
        games += std::any_of(repetitions.begin(), repetitions.end(),
                             [](const auto& repetition) { return repetition.plies.size() >= 3; });
    });
    return games;
}

struct PlyCounts {
    std::uint64_t games = 0;
    unsigned with_count = 0;
    std::map<std::uint64_t, std::string> different;  // game -> the position it ends with
};

/// Compares the length of each game with its tag PlyCount. No game has an error.
PlyCounts check_ply_counts(const std::string& archive) {
    PlyCounts counts;
    replay_all(archive,
               [&](std::uint64_t number, const ingest::GameReplay& replay, const auto& tags) {
                   counts.games = number;
                   INFO("game " << number);
                   CHECK(replay.problems().empty());
                   for (const store::TagPair& tag : tags) {
                       if (tag.name != "PlyCount") continue;
                       ++counts.with_count;
                       if (std::to_string(replay.facts().plies) != tag.value) {
                           counts.different[number] = final_fen(replay);
                       }
                   }
               });
    return counts;
}

/// Checks that every game is legal Chess960 and as long as PlyCount says. Returns their number.
std::uint64_t check_chess960(const std::string& archive) {
    std::uint64_t games = 0;
    replay_all(archive,
               [&](std::uint64_t number, const ingest::GameReplay& replay, const auto& tags) {
                   games = number;
                   INFO("game " << number);
                   CHECK(replay.problems().empty());
                   CHECK(replay.facts().variant == chess::Variant::kChess960);
                   for (const store::TagPair& tag : tags) {
                       if (tag.name == "PlyCount")
                           CHECK(std::to_string(replay.facts().plies) == tag.value);
                   }
               });
    return games;
}

}  // namespace

TEST_CASE("Positions, games, results and next moves agree with an independent program") {
    const TemporaryDirectory directory;
    check_facts(corpus_cut(), directory,
                {.games = 300,
                 .plies = 30'417,
                 .positions = 30'717,
                 .distinct_positions = 27'561,
                 .rows = 29,
                 .absent = 1});
}

TEST_CASE("human.pgn: positions, games, results and next moves agree with an independent program",
          "[.corpus]") {
    if (skip_when_sanitized()) return;
    const TemporaryDirectory directory;
    const std::string database = check_facts(whole_corpus(), directory,
                                             {.games = 148'464,
                                              .plies = 12'554'727,
                                              .errors = 1,
                                              .positions = 12'703'191,
                                              .distinct_positions = 9'320'442,
                                              .rows = 45,
                                              .absent = 1});
    store::GameHeader header;
    REQUIRE(store::file_store(database)->reader()->header(114'304, header));
    CHECK(header.plies == 60);  // 31. Qxe1 is illegal
}

TEST_CASE("pgn-extract finds as many games with a position that stood three times") {
    CHECK(games_with_repetitions(corpus_cut() + "/human.pgn.zst") == 36);
}

TEST_CASE("human.pgn: pgn-extract finds as many games with a position that stood three times",
          "[.corpus]") {
    if (skip_when_sanitized()) return;
    CHECK(games_with_repetitions(whole_corpus() + "/human.pgn.zst") == 7'932);
}

TEST_CASE("The length of engine games agrees with their PlyCount") {
    const PlyCounts counts = check_ply_counts(corpus_cut() + "/engine.pgn.zst");
    CHECK(counts.games == 10);
    CHECK(counts.with_count == 10);
    CHECK(counts.different.empty());
}

TEST_CASE("engine.pgn: the length of every game agrees with its PlyCount", "[.corpus]") {
    if (skip_when_sanitized()) return;
    const PlyCounts counts = check_ply_counts(whole_corpus() + "/engine.pgn.zst");
    // 17 of them begin in the middle of a line: }[Event "...
    CHECK(counts.games == 3'426);
    CHECK(counts.with_count == 3'396);
    // Two tags are wrong (116 for 167 plies, 172 for 173): the archive's own remarks behind these
    // games, "Finalposition 8/4r3/5R2/1pk4p/p2p4/3P4/2K5/8 b - - 3 84", have the positions we come
    // to.
    CHECK(counts.different == std::map<std::uint64_t, std::string>{
                                  {932, "8/4r3/5R2/1pk4p/p2p4/3P4/2K5/8 b - - 3 84"},
                                  {963, "5k2/5p2/3P1rp1/1BpK3p/8/1P6/8/8 b - - 1 87"}});
}

TEST_CASE("Every move of Chess960 games is legal") {
    CHECK(check_chess960(corpus_cut() + "/chess960.pgn.zst") == 8);
    CHECK(check_chess960(FENDEX_SAMPLES "/fischer-random.pgn") == 6);
}

TEST_CASE("chess960.pgn: every move of every game is legal", "[.corpus]") {
    if (skip_when_sanitized()) return;
    CHECK(check_chess960(whole_corpus() + "/chess960.pgn.zst") == 1'338);
}
