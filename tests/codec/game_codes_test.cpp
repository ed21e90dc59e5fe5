#include "codec/game_codes.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "chess/random_play.hpp"
#include "codec/game_facts.hpp"

using namespace fendex;
using test::Random;

TEST_CASE("Codes of games are read back from rows and from columns, at any width") {
    Random random(61);
    for (const std::uint32_t largest : {1U, 255U, 256U, 0xFFFFU, 0x10000U, 0xFFFFFFU, 0x1000000U,
                                        std::numeric_limits<std::uint32_t>::max()}) {
        CAPTURE(largest);
        std::vector<codec::NameCodes> rows(1 + random() % codec::kGamesPerChunk);
        for (auto& row : rows) {
            for (auto& code : row) code = static_cast<std::uint32_t>(random() % (largest + 1ULL));
        }
        rows.back()[codec::kSiteName] = largest;
        const std::string bytes = codec::encode_codes<codec::kNameColumns>(rows);
        const codec::CodeChunk<codec::kNameColumns> chunk(bytes);
        REQUIRE(chunk.size() == rows.size());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) wrong += chunk[i] == rows[i] ? 0U : 1U;
        CHECK(wrong == 0);
        const std::size_t first = random() % rows.size();
        std::vector<std::uint32_t> column(rows.size() - first);
        for (std::size_t which = 0; which < codec::kNameColumns; ++which) {
            chunk.column(which, first, column);
            for (std::size_t i = 0; i < column.size(); ++i) {
                wrong += column[i] == rows[first + i][which] ? 0U : 1U;
            }
        }
        CHECK(wrong == 0);
        for (const std::size_t size : {std::size_t{0}, std::size_t{5}, bytes.size() - 1}) {
            CHECK(codec::CodeChunk<codec::kNameColumns>(bytes.substr(0, size)).size() == 0);
        }
        CHECK(codec::CodeChunk<codec::kNameColumns>(bytes + '\0').size() == 0);
    }
}

TEST_CASE("Columns of facts have the same values as the rows") {
    Random random(62);
    std::vector<codec::GameFacts> games(1000);
    for (codec::GameFacts& facts : games) {
        facts.result = static_cast<codec::Result>(random() % 4);
        facts.time_class = static_cast<codec::TimeClass>(random() % 7);
        facts.mode = static_cast<codec::Mode>(random() % 3);
        facts.variant = static_cast<chess::Variant>(random() % chess::kVariants);
        facts.white_elo = static_cast<std::uint16_t>(random() % 4000);
        facts.black_elo = static_cast<std::uint16_t>(random() % 4000);
        facts.date = static_cast<std::uint32_t>(random() % 20'300'000);
        facts.plies = static_cast<std::uint32_t>(random() % 300);
    }
    for (const bool wide : {false, true}) {
        if (wide) games.front().plies = 70'000;
        const std::string bytes = codec::encode_facts(games);
        const codec::FactsChunk chunk(bytes);
        REQUIRE(chunk.size() == games.size());
        std::vector<std::uint32_t> column(games.size() - 7);
        const auto check = [&](codec::FactColumn which, auto value_of) {
            chunk.column(which, 7, column);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < column.size(); ++i) {
                const codec::GameFacts facts = chunk[i + 7];
                wrong += facts == games[i + 7] ? 0U : 1U;
                wrong += column[i] == static_cast<std::uint32_t>(value_of(facts)) ? 0U : 1U;
            }
            CAPTURE(static_cast<int>(which));
            CHECK(wrong == 0);
        };
        using enum codec::FactColumn;
        check(kResult, [](const auto& facts) { return facts.result; });
        check(kTimeClass, [](const auto& facts) { return facts.time_class; });
        check(kMode, [](const auto& facts) { return facts.mode; });
        check(kVariant, [](const auto& facts) { return facts.variant; });
        check(kWhiteElo, [](const auto& facts) { return facts.white_elo; });
        check(kBlackElo, [](const auto& facts) { return facts.black_elo; });
        check(kDate, [](const auto& facts) { return facts.date.number(); });
        check(kPlies, [](const auto& facts) { return facts.plies; });
    }
}

TEST_CASE("Each ECO code from A00 to E99 has its own number, in the same order") {
    std::uint32_t next = codec::kCodeInRow + 1;
    for (char letter = 'A'; letter <= 'E'; ++letter) {
        for (int number = 0; number < 100; ++number) {
            std::string eco(1, letter);
            eco += static_cast<char>('0' + number / 10);
            eco += static_cast<char>('0' + number % 10);
            REQUIRE(codec::code_of_eco(eco) == next);
            REQUIRE(codec::eco_of_code(next++) == eco);
        }
    }
    CHECK(next == codec::kEcoCodes);
    CHECK(codec::code_of_eco("") == codec::kNoCode);
    for (const char* other : {"B9", "F00", "b90", "C60a", "?", "A0x"}) {
        CHECK(codec::code_of_eco(other) == codec::kCodeInRow);
    }
    CHECK(codec::code_of_id(1) == 2);
    CHECK(codec::id_of_code(2) == 1);
    CHECK(codec::code_of_id(0) == codec::kCodeInRow);
    CHECK(codec::code_of_id(0xFFFF'FFFF) == codec::kCodeInRow);
    CHECK_FALSE(codec::id_of_code(codec::kCodeInRow));
}
