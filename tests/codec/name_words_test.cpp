#include "codec/name_words.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "base/text_fold.hpp"
#include "chess/random_play.hpp"

namespace {

using namespace fendex;
using test::Random;

std::string random_name(Random& random) {
    std::string out;
    for (auto words = 1 + random() % 3; words > 0; --words) {
        if (!out.empty()) out += ' ';
        for (auto letters = 1 + random() % 6; letters > 0; --letters) {
            out += static_cast<char>('a' + random() % 4);
        }
        if (random() % 20 == 0) out += "\xD0\xB6";
    }
    return out;
}

}  // namespace

TEST_CASE("Names are found by the beginnings of their words") {
    Random random(5);
    std::vector<std::string> names;
    codec::NameWordEncoder encoder;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        names.push_back(i % 50 == 0 ? std::string() : random_name(random));
        REQUIRE(encoder.add(i, names.back()));
    }
    names.push_back(std::string(10'000, 'a') + " b");
    REQUIRE(encoder.add(70'000, names.back()));
    const auto rows = encoder.rows();
    REQUIRE(rows.size() > 5);
    CHECK(std::ranges::is_sorted(rows, {}, &codec::NameWordRow::first_word));
    for (const std::string& beginning : std::vector<std::string>{
             "", "a", "ab", "abc d", "d", "\xD0", "zz", "b", std::string(9000, 'a')}) {
        CAPTURE(beginning);
        std::multiset<std::string> expected;
        for (const std::string& name : names) {
            for (std::size_t at = 0; at < name.size();) {
                // A word may be followed by others.
                if (name.substr(at).starts_with(beginning)) expected.insert(name);
                const std::size_t blank = name.find(' ', at);
                at = blank == std::string::npos ? name.size() : blank + 1;
            }
        }
        std::multiset<std::string> found;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].data.size() < 5000) CHECK(rows[i].data.size() < 4000);
            const auto next = codec::decode_name_words(
                rows[i].data, beginning, [&](std::uint32_t number, std::string_view folded) {
                    CHECK(names[number == 70'000 ? 3000 : number] == folded);
                    found.emplace(folded);
                });
            REQUIRE(next);
            CHECK(*next == (i + 1 < rows.size() ? rows[i + 1].first_word : ""));
            // What a reader leaves out: rows before the last one that begins before the words, and
            // rows that begin after them.
            const bool is_left_out =
                (i + 1 < rows.size() && rows[i + 1].first_word < beginning) ||
                (rows[i].first_word > beginning && !rows[i].first_word.starts_with(beginning));
            if (!is_left_out) continue;
            static_cast<void>(codec::decode_name_words(
                rows[i].data, beginning,
                [](std::uint32_t, std::string_view) { FAIL_CHECK("left out"); }));
        }
        CHECK(found == expected);
    }
}

TEST_CASE("Damaged rows of names' words are refused, or are other names") {
    Random random(6);
    codec::NameWordEncoder encoder;
    for (std::uint32_t i = 0; i < 400; ++i) REQUIRE(encoder.add(i, random_name(random)));
    const std::string whole = encoder.rows().front().data;
    for (int i = 0; i < 3000; ++i) {
        std::string data = whole.substr(0, 1 + random() % whole.size());
        data[random() % data.size()] = static_cast<char>(random());
        std::size_t found = 0;
        static_cast<void>(
            codec::decode_name_words(data, "", [&](std::uint32_t, std::string_view) { ++found; }));
        CHECK(found <= data.size());
    }
    CHECK_FALSE(codec::decode_name_words("\x01", "", [](std::uint32_t, std::string_view) {}));
}
