// Changed bytes of stored blobs and game rows: each query returns the same result as before or an
// error, never another result.
#include <random>

#include "chess/fen.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

/// Values that query results depend on. `key`: columns that identify a row.
constexpr DamageTarget kMutated[] = {
    {"block", "id", "data"},         {"block", "id", "first_key"},
    {"block", "id", "part"},         {"block", "id", "segment"},
    {"segment", "id", "first_game"}, {"segment", "id", "last_game"},
    {"segment", "id", "key_bits"},   {"segment", "id", "kind"},
    {"fact", "chunk", "data"},       {"signature", "chunk", "data"},
    {"deleted", "chunk", "games"},   {"annotation", "game_id", "data"},
    {"dictionary", "id", "data"},    {"game", "id", "moves"},
    {"game", "id", "plies"},         {"game", "id", "variant"},
    {"game", "id", "fen"},           {"game", "id", "result"},
    {"game", "id", "white"},         {"game", "id", "black"},
    {"game", "id", "event"},         {"game", "id", "site"},
    {"game", "id", "date"},          {"game", "id", "round"},
    {"game", "id", "white_elo"},     {"game", "id", "black_elo"},
    {"game", "id", "eco"},           {"game", "id", "shape"},
    {"game", "id", "tags"},          {"game", "id", "tags_sum"},
    {"game", "id", "moves_sum"},
};

/// The result of each kind of query, or that it failed.
std::vector<std::string> separate_answers(const std::string& path) {
    std::vector<std::string> out;
    const auto add = [&](auto ask) {
        try {
            Answers answers(path);
            out.push_back(ask(answers));
        } catch (const store::StoreError& error) {
            const std::string what = error.what();
            CHECK(what.find(path) != std::string::npos);
            out.emplace_back("error");
        }
    };
    add([](Answers& answers) { return answers.games(); });
    add([](Answers& answers) { return answers.repetitions(); });
    add([](Answers& answers) { return answers.info(); });
    for (const chess::Position& position : asked_positions()) {
        add([&](Answers& answers) { return answers.position(position); });
    }
    add([&](Answers& answers) { return answers.signatures(); });
    // Positions that one game or none reached.
    for (const char* fen : {"rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1",
                            "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq - 0 1",
                            "3k4/8/8/8/8/8/8/3RRK2 w - - 103 63"}) {
        const auto position = chess::parse_fen(fen).position;
        add([&](Answers& answers) { return answers.position(*position); });
    }
    return out;
}

}  // namespace

TEST_CASE("A changed byte changes no query result", "[full]") {
    const std::vector<std::string> expected = separate_answers(Damaged::intact());
    for (const std::string& each : expected) REQUIRE(each != "error");
    const Damaged damaged;
    std::mt19937_64 random(11);
    unsigned changed = 0;
    unsigned refused = 0;
    for (unsigned i = 0; i < 12 * std::size(kMutated); ++i) {
        if (left_out(i, 7) || left_to_full_size(i, 5)) continue;
        const DamageTarget& target = kMutated[i % std::size(kMutated)];
        DamageStep step;
        step.kind = i / std::size(kMutated) % 4 == 3 ? DamageKind::kSetByte : DamageKind::kFlipBit;
        step.row = static_cast<std::uint32_t>(random() >> 32);
        step.number = random();
        damaged.restore();
        if (damage(damaged.path(), target, step) == 0) continue;
        ++changed;
        INFO(target.table << "." << target.column << " kind " << static_cast<int>(step.kind)
                          << " row " << step.row << " number " << step.number);
        const std::vector<std::string> answers = separate_answers(damaged.path());
        REQUIRE(answers.size() == expected.size());
        bool has_error = false;
        for (std::size_t n = 0; n < answers.size(); ++n) {
            INFO("answer " << n);
            if (answers[n] == "error") {
                has_error = true;
            } else {
                CHECK(answers[n] == expected[n]);
            }
        }
        refused += has_error ? 1U : 0U;
    }
    CHECK(changed > (kSanitized ? fewer(200U, 7) : at_size(40U, 200U)));
    CHECK(refused > changed / 2);
}

TEST_CASE("A checksum error names the table, the row and what to do") {
    const Damaged damaged;
    damaged.sql("UPDATE game SET moves = x'00' || substr(moves, 2) WHERE id = 5");
    store::StoredMoves moves;
    CHECK_THROWS_WITH(store::file_store(damaged.path())->reader()->moves(5, moves),
                      Catch::Contains("game 5") && Catch::Contains("fendex check") &&
                          Catch::Contains("fendex repair"));
}
