#include "clickhouse/game_tags.hpp"

#include <catch2/catch.hpp>

#include "store/store_error.hpp"

namespace {

using namespace fendex;
using namespace fendex::clickhouse;

/// The columns and packed tags of a game.
struct Stored {
    explicit Stored(const TagPairs& tags, codec::GameFacts facts = {},
                    std::string_view start = {}) {
        columns.facts = facts;
        columns.start = start;
        set_tag_columns(tags, columns, termination);
        encode_tags(tags, columns, bytes);
    }

    TagPairs tags() const {
        TagPairs out{{"left", "over"}};
        REQUIRE(decode_tags(bytes, columns, out));
        return out;
    }

    TagColumns columns;
    std::string termination;
    std::string bytes;
};

codec::GameFacts facts_of_fischer() {
    codec::GameFacts facts;
    facts.result = codec::Result::kDraw;
    facts.white_elo = 2785;
    facts.date = 19720711;
    return facts;
}

}  // namespace

TEST_CASE("Tags with usual names and values take a byte each") {
    const TagPairs tags{{"Event", "World Championship"},
                        {"Site", "Reykjavik"},
                        {"Date", "1972.07.11"},
                        {"Round", "1"},
                        {"White", "Fischer"},
                        {"Black", "Spassky"},
                        {"Result", "1/2-1/2"},
                        {"WhiteElo", "2785"},
                        {"ECO", "E56"},
                        {"Termination", "normal"}};
    const Stored stored(tags, facts_of_fischer());
    CHECK(stored.tags() == tags);
    CHECK(stored.bytes.size() == tags.size());
    CHECK(stored.columns.white == "Fischer");
    CHECK(stored.columns.termination == "normal");
}

TEST_CASE("Order, repeated tags, empty values and odd values are restored") {
    const TagPairs tags = GENERATE(
        TagPairs{}, TagPairs{{"Black", ""}, {"White", ""}},
        TagPairs{{"White", "A"}, {"White", "B"}, {"White", "A"}},
        TagPairs{{"Date", "1972.7.11"}, {"Date", "1972.07.11"}, {"UTCDate", "1972.07.11"}},
        TagPairs{{"WhiteElo", "02785"}, {"BlackElo", "0"}, {"BlackElo", "?"}, {"BlackElo", ""}},
        TagPairs{{"Result", "½-½"}, {"Result", "1/2-1/2"}},
        TagPairs{{"FEN", "x"}, {"SetUp", "1"}, {"FEN", "8/8 w"}},
        TagPairs{{"Termination", "normal"}, {"Termination", "time"}, {"Termination", ""}},
        TagPairs{{"", "nameless"}, {"Unheard of", std::string(300, 'v')}, {"white", "lower"}},
        TagPairs{{"GameDuration", "last of the names"}, {"Event", "first of them"}});
    CHECK(Stored(tags, facts_of_fischer(), "8/8 w").tags() == tags);
}

TEST_CASE("The column termination has the values of all Termination tags") {
    const Stored stored({{"Termination", "normal"}, {"Termination", "time"}});
    CHECK(stored.columns.termination == "normal\ntime");
}

TEST_CASE("Damaged tags are refused") {
    const Stored stored({{"Unheard of", "value"}, {"White", "A"}});
    const std::string bytes =
        GENERATE_COPY(stored.bytes.substr(0, 1), stored.bytes.substr(0, stored.bytes.size() - 2),
                      std::string("\xFF"), std::string("\xFE\x7F"), std::string("\x1A"),
                      std::string("\x00\x01x", 3));
    TagPairs out;
    CHECK_FALSE(decode_tags(bytes, stored.columns, out));
}

TEST_CASE("A header has the first tag of each name") {
    const TagPairs tags{{"White", "A"},       {"White", "B"},        {"Black", ""},
                        {"WhiteElo", "2785"}, {"BlackElo", "02785"}, {"Date", "1972.7"}};
    const store::GameHeader header = header_of(5, tags, facts_of_fischer());
    CHECK(header.id == 5);
    CHECK(header.white == "A");
    CHECK(header.black == "");
    CHECK_FALSE(header.event);
    CHECK(header.date == "1972.7");
    CHECK(header.white_elo == 2785);
    CHECK_FALSE(header.black_elo);
    CHECK(header.result == codec::Result::kDraw);
}
