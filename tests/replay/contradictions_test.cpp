// What the tags of a game say that cannot be.
#include "replay/contradictions.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace fendex;
using replay::Contradiction;
using replay::GameEnd;
using Tags = std::vector<store::TagPair>;

namespace {

/// Returns "tag: reason" of each.
std::vector<std::string> found(const Tags& tags, const GameEnd& end = {}) {
    std::vector<Contradiction> contradictions;
    replay::find_contradictions(tags, end, contradictions);
    std::vector<std::string> out;
    for (const Contradiction& each : contradictions) {
        CHECK(each.reason.starts_with(replay::kContradiction));
        out.push_back((each.tag != nullptr ? std::string(each.tag->name) : "-") + ": " +
                      each.reason.substr(replay::kContradiction.size()));
    }
    return out;
}

using Found = std::vector<std::string>;

}  // namespace

TEST_CASE("An impossible date is a contradiction, and an unknown date is not") {
    for (const char* name : {"Date", "UTCDate", "EventDate"}) {
        for (const char* date : {"1999.02.31", "2023.02.29", "1900.02.29", "1999.13.01",
                                 "1999.04.31", "1999.??.32", "1999-02-31"}) {
            CAPTURE(date);
            CHECK(found({{name, date}}) == Found{std::string(name) + ": there is no such date"});
        }
        for (const char* date : {"31.12.1999", "12/31/1999", "1-2-1999"}) {
            CAPTURE(date);
            CHECK(found({{name, date}}) ==
                  Found{std::string(name) +
                        ": the date does not begin with the year, so it is not known"});
        }
        for (const char* date :
             {"1999.12.31", "2024.02.29", "2000.02.29", "????.02.29", "1999.??.??", "????.??.??",
              "1999", "1999.02", "?", "", "19??.??.??", "spring 1999", "1999.00.00", "1.2.3"}) {
            CAPTURE(date);
            CHECK(found({{name, date}}).empty());
        }
    }
    CHECK(found({{"SourceDate", "1999.02.31"}}).empty());
}

TEST_CASE("A rating above 4000, equal players or a wrong ply count is a contradiction") {
    CHECK(found({{"WhiteElo", "4001"}}) == Found{"WhiteElo: no player has such a rating"});
    CHECK(found({{"BlackElo", "28510"}}) == Found{"BlackElo: no player has such a rating"});
    for (const char* elo : {"4000", "2851", "0", "", "?", "-", "2851?"}) {
        CHECK(found({{"WhiteElo", elo}}).empty());
    }

    CHECK(found({{"White", "Réti, R"}, {"Black", "Réti, R"}}) ==
          Found{"Black: a player plays against himself"});
    CHECK(found({{"White", "Réti, R"}, {"Black", "Reti, R"}}).empty());
    for (const char* nobody : {"", "?", "-", "NN", "N.N.", "N. N.", "Anonymous", "unknown"}) {
        CAPTURE(nobody);
        CHECK(found({{"White", nobody}, {"Black", nobody}}).empty());
    }

    CHECK(found({{"PlyCount", "4"}}, {.plies = 5}) == Found{"PlyCount: the game has 5 plies"});
    CHECK(found({{"PlyCount", "5"}}, {.plies = 5}).empty());
    CHECK(found({{"PlyCount", "?"}}, {.plies = 5}).empty());
    CHECK(found({{"PlyCount", "4"}}).empty());  // the moves could not all be read
}

TEST_CASE("A result that contradicts the end of the moves or the last position is reported") {
    using enum codec::Result;
    CHECK(found({{"Result", "1-0"}}, {.marker = kBlackWins}) ==
          Found{"Result: the moves end with 0-1"});
    CHECK(found({{"Result", "1:0"}}, {.marker = kDraw}) ==
          Found{"Result: the moves end with 1/2-1/2"});
    CHECK(found({{"Result", "*"}}, {.marker = kDraw}).empty());
    CHECK(found({{"Result", "1-0"}}, {.marker = kUnknown}).empty());
    CHECK(found({{"Result", "½"}}, {.marker = kDraw}).empty());

    CHECK(found({{"Result", "0-1"}}, {.marker = kBlackWins, .by_rules = "1-0"}) ==
          Found{"Result: the result is 0-1, but by the last position it is 1-0"});
    CHECK(found({}, {.marker = kWhiteWins, .by_rules = "1/2-1/2"}) ==
          Found{"-: the result is 1-0, but by the last position it is 1/2-1/2"});
    CHECK(found({{"Result", "1-0"}}, {.marker = kWhiteWins, .by_rules = "1-0"}).empty());
    CHECK(found({{"Result", "*"}}, {.by_rules = "1-0"}).empty());
    // One contradiction is enough.
    CHECK(found({{"Result", "1-0"}}, {.marker = kBlackWins, .by_rules = "0-1"}).size() == 1);
}
