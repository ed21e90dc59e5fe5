// Rows as CSV and JSON, with all kinds of text.
#include "emit/rows.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace {

using fendex::emit::Cell;

std::string csv(std::vector<Cell> cells) {
    std::string out;
    fendex::emit::append_csv_row(cells, out);
    return out;
}

}  // namespace

TEST_CASE("In CSV, texts that look like formulas are escaped, and numbers are not") {
    for (const char* const formula :
         {"=1+1", "+1", "-1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "=", "--1", "-a"}) {
        CAPTURE(formula);
        CHECK(csv({std::string_view(formula)}) == "'" + std::string(formula) + "\r\n");
    }
    CHECK(csv({std::string_view("=\"a\"")}) == "\"'=\"\"a\"\"\"\r\n");
    CHECK(csv({std::string_view("=1,2")}) == "\"'=1,2\"\r\n");
    CHECK(csv({std::string_view("\t=1")}) == "\\x09=1\r\n");
    CHECK(csv({std::string_view("\r=1")}) == "\\x0d=1\r\n");
    for (const char* const text : {"1-0", "1/2-1/2", "*", "-", "--", "a=b", "e2e4", "", "'=1"}) {
        CAPTURE(text);
        CHECK(csv({std::string_view(text)}) == std::string(text) + "\r\n");
    }
    CHECK(csv({std::int64_t{-3}, -0.5, 7.25, std::int64_t{12}}) == "-3,-0.5,7.25,12\r\n");
    std::string header;
    const std::vector<std::string> names{"=name"};
    fendex::emit::append_csv_header(names, header);
    CHECK(header == "'=name\r\n");
}

TEST_CASE(
    "Whatever the bytes of a text, a JSON row is valid, in UTF-8 without control characters") {
    const std::vector<std::string> names{"text"};
    for (const std::string text : {"\x1b[31m", "\u009b31m", "\u202Eabc", "\xff\xfe", "\xED\xA0\x80",
                                   "\xE0\x80\x80", "\xF4\x90\x80\x80", "a\"\\\x7f", "\xC3"}) {
        std::string out;
        fendex::emit::append_json_row(names, std::vector<Cell>{std::string_view(text)}, out);
        CAPTURE(out);
        const nlohmann::json row = nlohmann::json::parse(out, nullptr, false);
        REQUIRE(row.is_object());
        CHECK(out.find_first_of("\x1b\x7f") == std::string::npos);
        CHECK(out.find("\xC2\x9b") == std::string::npos);
        CHECK(out.find("\u202E") == std::string::npos);
        if (nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore) ==
            nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {
            CHECK(row["text"] == text);
        }
    }
}
