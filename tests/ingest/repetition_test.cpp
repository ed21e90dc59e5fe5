// Repetition facts: positions (FIDE 9.2) that occurred more than once, at all of their plies.
#include <catch2/catch.hpp>
#include <deque>
#include <map>

#include "ingest/game_replay.hpp"
#include "ingest/ingest_fixtures.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using Plies = std::vector<std::uint32_t>;
using Repetitions = std::map<std::uint64_t, Plies>;

/// Replays one game as the importer does.
class Replay {
  public:
    explicit Replay(const std::vector<std::pair<std::string, std::string>>& tags = {}) {
        replay_.start(tags_, owned_);
        for (const auto& [name, value] : tags) {
            replay_.tag(texts_.emplace_back(name), texts_.emplace_back(value));
        }
    }
    void move(const std::string& san) { REQUIRE(replay_.move(san, nullptr)); }
    Repetitions finish() {
        replay_.finish();
        Repetitions out;
        for (const store::RepeatedPosition& each : replay_.record().repetitions()) {
            CHECK_FALSE(out.contains(each.key));
            out[each.key] = each.plies;
        }
        return out;
    }

  private:
    std::vector<store::TagPair> tags_;
    std::deque<std::string> owned_;
    std::deque<std::string> texts_;
    ingest::GameReplay replay_;
};

/// Finds the repetitions by comparing every position with every other.
Repetitions compared(const std::vector<chess::Position>& positions) {
    Repetitions out;
    std::map<std::uint64_t, std::vector<std::uint32_t>> by_key;
    for (std::uint32_t ply = 0; ply < positions.size(); ++ply) {
        by_key[positions[ply].key()].push_back(ply);
    }
    for (const auto& [key, plies] : by_key) {
        if (plies.size() < 2) continue;
        for (const std::uint32_t ply : plies) REQUIRE(positions[ply].same_as(positions[plies[0]]));
        out[key] = plies;
    }
    return out;
}

/// Plays SAN words, and checks the facts against the comparison.
Repetitions check_game(const std::vector<std::string>& words,
                       const std::vector<std::pair<std::string, std::string>>& tags = {}) {
    chess::Position position;
    for (const auto& [name, value] : tags) {
        if (name == "FEN") position = *chess::parse_fen(value).position;
    }
    std::vector<chess::Position> positions{position};
    Replay replay(tags);
    for (const std::string& word : words) {
        replay.move(word);
        chess::SanMove san;
        chess::Move move;
        REQUIRE(chess::parse_san(word, san) == chess::SanError::kNone);
        REQUIRE(chess::resolve_san(position, san, move) == chess::SanError::kNone);
        position.play(move);
        positions.push_back(position);
    }
    const Repetitions found = replay.finish();
    CHECK(found == compared(positions));
    return found;
}

}  // namespace

TEST_CASE("The repetitions of a known game are found") {
    const Repetitions found =
        check_game({"Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8", "e4"});
    REQUIRE(found.size() == 4);
    CHECK(found.at(chess::Position().key()) == Plies{0, 4, 8});
    CHECK(found.begin()->second.size() >= 2);
}

TEST_CASE("Lost castling rights make another position") {
    CHECK(check_game({"e4", "e5", "Ke2", "Ke7", "Ke1", "Ke8", "Ke2", "Ke7", "Ke1", "Ke8"}).size() ==
          3);
    const Repetitions found = check_game({"Nf3", "Nf6", "Rg1", "Rg8", "Rh1", "Rh8", "Ng1", "Ng8"});
    CHECK(found.empty());
}

TEST_CASE(
    "An en passant capture that was legal makes another position, and one that was not does not") {
    const Repetitions legal = check_game(
        {"e4", "a6", "e5", "d5", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"});
    for (const auto& [key, plies] : legal) CHECK(plies.front() != 4);
    const Repetitions other = check_game({"e4", "Nf6", "Nf3", "Ng8", "Ng1"});
    CHECK(other.size() == 1);
    CHECK(other.begin()->second == Plies{1, 5});
}

TEST_CASE("Two null moves repeat a position") {
    const Repetitions found = check_game({"e4", "--", "--", "e5", "--", "--", "--", "--"});
    CHECK(found.size() == 3);
}

TEST_CASE("The starting position counts as an occurrence, whatever its clock") {
    const Repetitions found =
        check_game({"Kb1", "Kb8", "Ka1", "Ka8", "Kb1"},
                   {{"FEN", "k7/8/8/8/8/8/7R/K7 w - - 77 100"}, {"SetUp", "1"}});
    CHECK(found.size() == 2);
    CHECK(found.begin()->second.size() == 2);
}

TEST_CASE("Repetitions in random games are those that comparing all positions finds") {
    test::Random random(111);
    std::size_t repetitions = 0;
    for (int round = 0; round < test::fewer(200, 5); ++round) {
        // Few pieces, so that positions recur, and pawns, so that runs end.
        const char* fens[] = {"k7/8/8/8/8/8/8/K6R w - - 0 1", "rk6/p7/8/8/8/8/P7/RK6 w - - 3 9",
                              "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                              "k7/p7/8/8/8/8/7P/K7 w - - 0 1"};
        const std::string fen = fens[random() % 4];
        chess::Position position = *chess::parse_fen(fen).position;
        std::vector<std::string> words;
        test::random_game(position, random, 300, [&](const chess::Position& p, chess::Move move) {
            words.push_back(chess::to_san(p, move));
        });
        repetitions += check_game(words, {{"FEN", fen}}).size();
    }
    CHECK(repetitions > test::fewer(1000U, 5));
}

TEST_CASE("Very long games without a capture are searched as well") {
    test::Random random(112);
    const std::string fen = "k7/8/8/8/8/8/8/K6R w - - 0 1";
    chess::Position position = *chess::parse_fen(fen).position;
    std::vector<std::string> words;
    test::random_game(position, random, 4000, [&](const chess::Position& p, chess::Move move) {
        words.push_back(chess::to_san(p, move));
    });
    REQUIRE(words.size() > 2000);
    const Repetitions found = check_game(words, {{"FEN", fen}});
    std::uint32_t farthest = 0;
    for (const auto& [key, plies] : found) {
        for (std::size_t i = 1; i < plies.size(); ++i)
            farthest = std::max(farthest, plies[i] - plies[i - 1]);
    }
    CHECK(farthest > 1024);
}

TEST_CASE("Repetitions are stored as rows of the database") {
    const test::TemporaryDirectory directory;
    const test::Imported imported({directory.write(
        "a.pgn", "1. e4 e5 *\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2\n")});
    CHECK(imported.rows("SELECT game_id || count || plies FROM repetition WHERE key = " +
                        std::to_string(static_cast<std::int64_t>(chess::Position().key()))) ==
          std::vector<std::string>{"23[0,4,8]"});
    CHECK(imported.rows("SELECT count(*) FROM repetition") == std::vector<std::string>{"4"});
}
