// Columns of game facts: all fields come back, and bytes of another length are rejected.
#include "codec/game_facts.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "codec/codec_fixtures.hpp"
#include "support/first_wrong.hpp"

namespace {

using namespace fendex;
using namespace fendex::codec;
using test::Random;

GameFacts random_facts(Random& random, std::uint32_t max_plies) {
    GameFacts facts;
    facts.result = static_cast<Result>(random() % 4);
    facts.variant = static_cast<chess::Variant>(random() % chess::kVariants);
    facts.time_class = static_cast<TimeClass>(random() % 6);
    facts.white_elo = static_cast<std::uint16_t>(random());
    facts.black_elo = static_cast<std::uint16_t>(random());
    facts.date = static_cast<std::uint32_t>(random());
    facts.plies = static_cast<std::uint32_t>(random() % (std::uint64_t{max_plies} + 1));
    return facts;
}

std::vector<GameFacts> random_chunk(Random& random, std::size_t size, std::uint32_t max_plies) {
    std::vector<GameFacts> facts;
    while (facts.size() < size) facts.push_back(random_facts(random, max_plies));
    return facts;
}

}  // namespace

TEST_CASE("Facts are read back unchanged, whatever the number of games and their length") {
    Random random(41);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{255},
                                   std::size_t{256}, kGamesPerChunk - 1, kGamesPerChunk}) {
        for (const std::uint32_t max_plies : {300U, 0xFFFFU, 0x10000U, 0xFFFFFFFFU}) {
            std::vector<GameFacts> facts = random_chunk(random, size, max_plies);
            if (size > 0) facts[random() % size].plies = max_plies;
            const std::string bytes = encode_facts(facts);
            const FactsChunk chunk(bytes);
            REQUIRE(chunk.size() == size);
            test::FirstWrong wrong;
            for (std::size_t i = 0; i < size; ++i) {
                wrong.check(chunk[i] == facts[i], [&] {
                    return "game " + std::to_string(i) + " of " + std::to_string(size);
                });
            }
            CHECK(wrong.text() == "");
            CHECK(bytes.size() == 3 + size * (size > 0 && max_plies > 0xFFFF ? 14 : 12));
        }
    }
}

TEST_CASE("A chunk of facts with a wrong length is refused") {
    Random random(42);
    const std::string bytes = encode_facts(random_chunk(random, 40, 300));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        CHECK(FactsChunk(std::string_view(bytes).substr(0, size)).size() == 0);
    }
    CHECK(FactsChunk(bytes + '\0').size() == 0);
    CHECK(FactsChunk(std::string_view{}).size() == 0);
    const std::string too_many = encode_facts(random_chunk(random, kGamesPerChunk + 1, 300));
    CHECK(FactsChunk(too_many).size() == 0);
}

TEST_CASE("Damaged facts are refused or misread, and never do harm") {
    Random random(43);
    const std::string bytes = encode_facts(random_chunk(random, 30, 300));
    for (int round = 0; round < 20'000; ++round) {
        const std::string damaged = test::damage(bytes, random);
        const FactsChunk chunk(damaged);
        if (chunk.size() == 0) continue;
        for (std::size_t i = 0; i < chunk.size(); ++i) {
            REQUIRE(static_cast<unsigned>(chunk[i].result) < 4);
        }
    }
}

TEST_CASE("A draw is read from 1/2-1/2 and 1/2, and written in one way") {
    for (const Result result :
         {Result::kUnknown, Result::kWhiteWins, Result::kBlackWins, Result::kDraw}) {
        CHECK(result_of(result_text(result)) == result);
    }
    CHECK(result_of("1/2") == Result::kDraw);
    for (const char* text : {"", "*", "?", "1-0 ", "0-0", "1/2-1", "1:0"}) {
        CHECK(result_of(text) == Result::kUnknown);
    }
}
