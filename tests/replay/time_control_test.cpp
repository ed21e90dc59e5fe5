#include "replay/time_control.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "replay/tag_facts.hpp"

using fendex::codec::TimeClass;
using namespace fendex::replay;

namespace {

TimeClass on_a_board(std::string_view value) { return time_class_of(value, false); }
TimeClass on_a_server(std::string_view value) { return time_class_of(value, true); }

}  // namespace

TEST_CASE("A time control of the standard has a class") {
    for (const bool on_server : {false, true}) {
        const std::vector<std::pair<const char*, TimeClass>> cases{
            {"60+0", TimeClass::kBullet},
            {"60", TimeClass::kBullet},
            {"179+0", TimeClass::kBullet},
            {"180+0", TimeClass::kBlitz},
            {"60+3", TimeClass::kBlitz},
            {"300+4", TimeClass::kBlitz},
            {"300+5", TimeClass::kRapid},
            {"600+10", TimeClass::kRapid},
            {"1500+0", TimeClass::kClassical},
            {"5400+30", TimeClass::kClassical},
            {"40/7200:3600", TimeClass::kClassical},
            {"40/300", TimeClass::kBlitz},
            {"20/60:20/400", TimeClass::kBlitz},
            {"1/86400", TimeClass::kCorrespondence},
            {"1/259200", TimeClass::kCorrespondence},
            {"1/4294967295", TimeClass::kCorrespondence},
            // Programs that play each other.
            {"10+0.1", TimeClass::kUltraBullet},
            {"10.931+0.109", TimeClass::kUltraBullet},
            {"95.26+0.953", TimeClass::kBullet},
            {"240/10+0.1", TimeClass::kUltraBullet},
        };
        for (const auto& [text, expected] : cases) {
            CAPTURE(text, on_server);
            CHECK(time_class_of(text, on_server) == expected);
        }
        for (const char* text : {"", " ", "?", "*60", "0", "0+0", "0/0", "0/60", "40/", "x",
                                 "300/x", "60+", "+2", ":", "60:", "99999999999999999999+1"}) {
            CAPTURE(text, on_server);
            CHECK(time_class_of(text, on_server) == TimeClass::kUnknown);
        }
    }
}

TEST_CASE("Small numbers in a time control mean seconds only for servers") {
    for (const char* text : {"3+2", "5", "10+0", "15+10", "25+10", "90+30", "40/2"}) {
        CAPTURE(text);
        CHECK(on_a_board(text) == TimeClass::kUnknown);
    }
    CHECK(on_a_server("15+0") == TimeClass::kUltraBullet);
    CHECK(on_a_server("0+1") == TimeClass::kBullet);
    CHECK(on_a_board("0+1") == TimeClass::kBullet);
    CHECK(on_a_server("15+10") == TimeClass::kBlitz);
}

TEST_CASE("Time controls written in words have the class that they mean") {
    const std::vector<std::pair<const char*, TimeClass>> cases{
        {"15 min. + 10 s. per move", TimeClass::kRapid},
        {"15 minutes + 10 seconds per move", TimeClass::kRapid},
        {"15 min. + 10 s. je Zug", TimeClass::kRapid},
        {"3 min + 2 sec", TimeClass::kBlitz},
        {"3 min + 2", TimeClass::kBlitz},
        {"3'+2\"", TimeClass::kBlitz},
        {"1'", TimeClass::kBullet},
        {"90'+30''", TimeClass::kClassical},
        {"90’ + 30”", TimeClass::kClassical},
        {"25′+10″/move", TimeClass::kClassical},
        {"90'/40+30'+30''", TimeClass::kClassical},
        {"90m+30s", TimeClass::kClassical},
        {"40 moves in 100 minutes", TimeClass::kClassical},
        {"100 mins for 40 moves, then 50 mins for 20 moves, then 15 mins + 30 secs from move 1",
         TimeClass::kClassical},
        {"40/120, 20/60", TimeClass::kClassical},
        {"40/2, 20/1, G/30", TimeClass::kClassical},
        {"40/90, SD/30; inc 30", TimeClass::kClassical},
        {"40/2h", TimeClass::kClassical},
        {"2h/40+1h/20+30'", TimeClass::kClassical},
        {"1h30 + 30s", TimeClass::kClassical},
        {"1 h 30 min for the whole game", TimeClass::kClassical},
        {"G/60", TimeClass::kClassical},
        {"G5;d0", TimeClass::kBlitz},
        {"Game in 10", TimeClass::kRapid},
        {"5 min per player", TimeClass::kBlitz},
        {"15 minutes per side with an increment of 10 seconds", TimeClass::kRapid},
        {"10 minutes", TimeClass::kRapid},
        {"10 minutes plus a 5-second increment", TimeClass::kRapid},
        {"90 Minuten für 40 Züge + 30 Minuten für den Rest + 30 Sekunden pro Zug",
         TimeClass::kClassical},
        {"5 Min. + 3 Sek. pro Zug", TimeClass::kBlitz},
        {"15 minutes + 10 secondes par coup", TimeClass::kRapid},
        {"90 minutes pour 40 coups puis 30 minutes", TimeClass::kClassical},
        {"3 minutos + 2 segundos por jugada", TimeClass::kBlitz},
        {"90 minutos para 40 movimientos y 30 minutos para el resto", TimeClass::kClassical},
        {"15 минут + 10 секунд на ход", TimeClass::kRapid},
        {"15 МИН + 10 СЕК НА ХОД", TimeClass::kRapid},
        {"3 мин + 2 с", TimeClass::kBlitz},
        {"90 минут на 40 ходов, затем 30 минут до конца партии с добавлением 30 секунд",
         TimeClass::kClassical},
        {"3 days per move", TimeClass::kCorrespondence},
        {"1 Tag pro Zug", TimeClass::kCorrespondence},
        {"10 moves in 30 days", TimeClass::kCorrespondence},
        {"3d", TimeClass::kUnknown},  // for the game, or for a move
    };
    for (const auto& [text, expected] : cases) {
        CAPTURE(text);
        CHECK(on_a_board(text) == expected);
        CHECK(on_a_server(text) == expected);
    }
}

TEST_CASE("A time control that is not fully understood has an unknown class") {
    for (const char* text :
         {"rapid", "15", "90 + 30", "15 min without increment", "5 min, Armageddon 4 for Black",
          "Moves 1-40: 100 minutes", "round 5", "10 min or 15 min?", "40 moves", "30 moves 2",
          "half an hour", "90 30", "G/", "inc", "5 minutes 5 rounds", "1 minute\x01", "\xFF\xFE",
          "5 мин\xD0"}) {
        CAPTURE(text);
        CHECK(on_a_board(text) == TimeClass::kUnknown);
    }
    CHECK(on_a_board(std::string(100'000, '5')) == TimeClass::kUnknown);
    CHECK(on_a_board(std::string(100'000, '(')) == TimeClass::kUnknown);
}

TEST_CASE("A server's game with the time control - is a correspondence game") {
    CHECK(on_a_server("-") == TimeClass::kCorrespondence);
    CHECK(on_a_board("-") == TimeClass::kUnknown);
    CHECK(names_server("https://lichess.org/abcdefgh"));
    CHECK(names_server("Chess.com"));
    CHECK(names_server("lichess.org INT"));
    CHECK_FALSE(names_server("Moscow RUS"));
    CHECK_FALSE(names_server("?"));

    using fendex::store::TagPair;
    fendex::codec::GameFacts facts;
    const std::vector<TagPair> tags{{"TimeControl", "-"}, {"Site", "https://lichess.org/abcdefgh"}};
    read_facts(tags, fendex::codec::Result::kUnknown, facts);
    CHECK(facts.time_class == TimeClass::kCorrespondence);
}
