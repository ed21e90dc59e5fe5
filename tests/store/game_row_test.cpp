// A column may hold a tag's value only if it gives exactly the same text back.
#include "store/sqlite/tables/game_row.hpp"

#include <catch2/catch.hpp>

using namespace fendex::store;

TEST_CASE("A number is stored instead of a text only if the text is its one spelling") {
    CHECK(exact_number("0") == 0);
    CHECK(exact_number("7") == 7);
    CHECK(exact_number("2851") == 2851);
    CHECK(exact_number("999999999") == 999'999'999);
    for (const char* text : {"", " ", "?", "-", "00", "020", "-1", "+1", "1.", "1.0", "20?", "2 ",
                             " 2", "1e3", "1000000000", "99999999999999999999", "\xD9\xA1"}) {
        CAPTURE(text);
        CHECK_FALSE(exact_number(text));
    }
}

TEST_CASE("A date is stored as a number only if that gives its text back") {
    CHECK(exact_date("1851.06.21") == 18'510'621);
    CHECK(exact_date("1998.??.??") == 19'980'000);
    CHECK(exact_date("????.??.??") == 0);
    CHECK(exact_date("????.05.??") == 500);
    CHECK(exact_date("0987.01.02") == 9'870'102);
    CHECK(exact_date("9999.99.99") == 99'999'999);
    for (const char* text :
         {"", "2014", "2014.3.1", "2014-03-01", "2014.03.1", "2014.03.01 ", " 2014.03.01",
          "2014.03.0?", "201?.03.01", "2014.00.01", "2014.03.00", "0000.03.01", "2014.+3.01",
          "2014.-1.01", "2014.03.01.", "abcd.ef.gh"}) {
        CAPTURE(text);
        CHECK_FALSE(exact_date(text));
    }
    SECTION("dates are written as they were read") {
        for (const char* text : {"1851.06.21", "1998.??.??", "????.??.??", "0001.01.01",
                                 "2024.12.31", "????.??.31", "2000.??.09", "9999.99.99"}) {
            CHECK(date_text(exact_date(text).value()) == text);
        }
    }
}

TEST_CASE("Only exact names of tags have a column") {
    CHECK(column_of("White") == Column::kWhite);
    CHECK(column_of("Black") == Column::kBlack);
    CHECK(column_of("Event") == Column::kEvent);
    CHECK(column_of("Site") == Column::kSite);
    CHECK(column_of("Date") == Column::kDate);
    CHECK(column_of("Round") == Column::kRound);
    CHECK(column_of("Result") == Column::kResult);
    CHECK(column_of("WhiteElo") == Column::kWhiteElo);
    CHECK(column_of("BlackElo") == Column::kBlackElo);
    CHECK(column_of("ECO") == Column::kEco);
    CHECK(column_of("FEN") == Column::kFen);
    for (const char* text : {"", "white", "WHITE", "White ", "Opening", "SetUp", "Eco"}) {
        CHECK(column_of(text) == Column::kNone);
    }
}

TEST_CASE("Values that games probably share get an id") {
    CHECK(is_shared_value("Opening", "Sicilian"));
    CHECK(is_shared_value("TimeControl", "300+0"));
    CHECK_FALSE(is_shared_value("Opening", ""));
    CHECK_FALSE(is_shared_value("Opening", "1"));
    CHECK_FALSE(is_shared_value("UTCTime", "12:00:00"));
    CHECK_FALSE(is_shared_value("Link", "https://www.chess.com/1"));
    CHECK_FALSE(is_shared_value("Opening", std::string(101, 'x')));
    CHECK(is_web_address("https://lichess.org/abc"));
    CHECK(is_web_address("http://a"));
    CHECK_FALSE(is_web_address("London"));
    CHECK_FALSE(is_web_address("see https://lichess.org"));
}

TEST_CASE("A shape lists the tags in their order") {
    const std::vector<ShapeEntry> entries = parse_shape("White\n+Opening\n+White\nBlack");
    REQUIRE(entries.size() == 4);
    CHECK(entries[0].name == "White");
    CHECK_FALSE(entries[0].packed);
    CHECK(entries[1].name == "Opening");
    CHECK(entries[1].packed);
    CHECK(entries[2].name == "White");
    CHECK(entries[2].packed);
    CHECK(entries[3].name == "Black");
    CHECK_FALSE(entries[3].packed);
    CHECK(parse_shape("").empty());
    CHECK(parse_shape("White").size() == 1);
}
