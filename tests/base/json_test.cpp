// JSON text: every kind of value, nested as in real output, and read back by another library.
#include "base/json.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace fendex;

template <typename Value>
std::string written(const Value& value) {
    std::string out;
    json::append_value(value, out);
    return out;
}

}  // namespace

TEST_CASE("JSON: each kind of value is written as valid JSON") {
    CHECK(written(true) == "true");
    CHECK(written(false) == "false");
    CHECK(written(-7) == "-7");
    CHECK(written(std::uint8_t{200}) == "200");
    CHECK(written(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    CHECK(written(0.1) == "0.1");
    CHECK(written(std::numeric_limits<double>::infinity()) == "null");
    CHECK(written(json::Fixed{2.0 / 3, 3}) == "0.667");
    CHECK(written("text") == "\"text\"");
    CHECK(written(std::string("text")) == "\"text\"");
    CHECK(written(std::optional<int>()) == "null");
    CHECK(written(std::optional<std::string>("x")) == "\"x\"");
    CHECK(written(std::vector<int>()) == "[]");
    CHECK(written(std::vector<std::uint32_t>{1, 20}) == "[1,20]");
    CHECK(written(std::vector<std::string>{"a", "b"}) == "[\"a\",\"b\"]");
}

TEST_CASE("JSON: characters that a terminal or a reader would misread are escaped") {
    CHECK(written("a\"b\\c") == R"("a\"b\\c")");
    CHECK(written("\n\x1b\x7f") == R"("\u000a\u001b\u007f")");
    CHECK(written("\xC2\x9B") == R"("\u009b")");
    CHECK(written("Réti") == "\"Réti\"");
    CHECK(written("R\xE9ti") == "\"R\xEF\xBF\xBDti\"");
}

TEST_CASE("JSON: whether a byte is escaped does not depend on its place in the text") {
    for (unsigned byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        std::string expected(1, c);
        if (c == '"' || c == '\\') expected.insert(0, 1, '\\');
        if (byte < 0x20 || byte == 0x7F) {
            constexpr char kDigits[] = "0123456789abcdef";
            expected = std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15U];
        }
        if (byte > 0x7F) expected = "\xEF\xBF\xBD";
        for (std::size_t before = 0; before < 20; ++before) {
            for (const std::size_t after : {0U, 3U, 20U}) {
                CAPTURE(byte, before, after);
                const std::string head(before, 'a');
                const std::string tail(after, '~');
                REQUIRE(written(head + c + tail) == '"' + head + expected + tail + '"');
            }
        }
    }
}

TEST_CASE("JSON: names may have any length") {
    for (std::size_t length = 0; length < 100; ++length) {
        const std::string name(length, 'n');
        std::string out;
        json::append_object(out, [&](json::Object& object) {
            object.add(name, 1);
            object.add(name, 2);
        });
        REQUIRE(out == "{\"" + name + "\":1,\"" + name + "\":2}");
    }
}

TEST_CASE("JSON: objects may hold objects and lists of objects") {
    std::string out;
    json::append_line(out, [](json::Object& object) {
        object.add("n", 1);
        object.add_null("none");
        object.add_object("empty", [](json::Object&) {});
        object.add_objects("rows", std::vector<int>{1, 2}, [](json::Object& row, int n) {
            row.add("n", n);
            row.add_object("twice", [&](json::Object& twice) { twice.add("n", 2 * n); });
        });
    });
    CHECK(out == R"({"n":1,"none":null,"empty":{},"rows":[{"n":1,"twice":{"n":2}},)"
                 R"({"n":2,"twice":{"n":4}}]})"
                 "\n");
    CHECK(nlohmann::json::accept(out));
}
