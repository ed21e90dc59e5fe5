#include "clickhouse/game_tags.hpp"

#include <algorithm>
#include <array>

#include "clickhouse/answer_row.hpp"
#include "codec/bits.hpp"
#include "store/tag_values.hpp"

namespace fendex::clickhouse {

namespace {

/// Names of tags that are stored as a number, which is the place in this list, from 1. Stored: only
/// append to the list.
constexpr std::string_view kNames[] = {
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "FEN",
    "Termination",
    "SetUp",
    "Variant",
    "UTCDate",
    "UTCTime",
    "Opening",
    "TimeControl",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "WhiteTitle",
    "BlackTitle",
    "WhiteFideId",
    "BlackFideId",
    "WhiteTeam",
    "BlackTeam",
    "EventDate",
    "EventType",
    "EventRounds",
    "EventCountry",
    "EventCategory",
    "Source",
    "SourceTitle",
    "SourceDate",
    "SourceVersion",
    "SourceVersionDate",
    "SourceQuality",
    "PlyCount",
    "Annotator",
    "Mode",
    "Variation",
    "SubVariation",
    "NIC",
    "WhiteNA",
    "BlackNA",
    "WhiteType",
    "BlackType",
    "Section",
    "Stage",
    "Board",
    "Time",
    "StartTime",
    "EndTime",
    "EndDate",
    "Link",
    "GameId",
    "ECOUrl",
    "CurrentPosition",
    "Timezone",
    "Tournament",
    "WhiteClock",
    "BlackClock",
    "Clock",
    "BroadcastName",
    "BroadcastURL",
    "GameURL",
    "StudyName",
    "ChapterName",
    "ChapterURL",
    "WhiteTeamCountry",
    "BlackTeamCountry",
    "GameDuration",
};

/// The last bit of a pair's head.
constexpr std::uint64_t kInColumn = 0;
constexpr std::uint64_t kSpelledOut = 1;

std::uint64_t number_of_name(std::string_view name) {
    const auto* const found = std::ranges::find(kNames, name);
    return found == std::end(kNames) ? 0
                                     : static_cast<std::uint64_t>(found - std::begin(kNames)) + 1;
}

/// Returns the text that the columns have for a tag; empty if there is no column for it.
std::optional<std::string> text_of_column(std::string_view name, const TagColumns& columns) {
    if (name == "White") return std::string(columns.white);
    if (name == "Black") return std::string(columns.black);
    if (name == "Event") return std::string(columns.event);
    if (name == "Site") return std::string(columns.site);
    if (name == "Round") return std::string(columns.round);
    if (name == "ECO") return std::string(columns.eco);
    if (name == "Termination") return std::string(columns.termination);
    if (name == "FEN") return std::string(columns.start);
    if (name == "Date") return store::date_text(columns.facts.date);
    if (name == "Result") return std::string(codec::result_text(columns.facts.result));
    if (name == "WhiteElo") return std::to_string(columns.facts.white_elo);
    if (name == "BlackElo") return std::to_string(columns.facts.black_elo);
    return std::nullopt;
}

}  // namespace

void set_tag_columns(const TagPairs& tags, TagColumns& columns, std::string& termination) {
    struct Text {
        std::string_view name;
        std::string_view& column;
        bool seen = false;
    };
    Text texts[] = {{"White", columns.white}, {"Black", columns.black}, {"Event", columns.event},
                    {"Site", columns.site},   {"Round", columns.round}, {"ECO", columns.eco}};
    for (Text& text : texts) text.column = {};
    columns.termination = {};
    unsigned terminations = 0;
    for (const auto& [name, value] : tags) {
        for (Text& text : texts) {
            if (text.seen || name != text.name) continue;
            text.column = value;
            text.seen = true;
        }
        if (name != "Termination") continue;
        if (++terminations == 1) {
            columns.termination = value;
            continue;
        }
        if (terminations == 2) termination = columns.termination;
        termination += '\n';
        termination += value;
        columns.termination = termination;
    }
}

void encode_tags(const TagPairs& tags, const TagColumns& columns, std::string& out) {
    for (const auto& [name, value] : tags) {
        const std::uint64_t number = number_of_name(name);
        const bool in_column = text_of_column(name, columns) == value;
        codec::put_varint(number << 1 | (in_column ? kInColumn : kSpelledOut), out);
        if (number == 0) {
            codec::put_varint(name.size(), out);
            out += name;
        }
        if (in_column) continue;
        codec::put_varint(value.size(), out);
        out += value;
    }
}

bool decode_tags(std::string_view bytes, const TagColumns& columns, TagPairs& out) {
    codec::ByteReader reader(bytes);
    std::size_t size = 0;
    while (!reader.done()) {
        const std::uint64_t head = reader.varint();
        const std::uint64_t number = head >> 1;
        if (number > std::size(kNames)) return false;
        if (out.size() == size) out.emplace_back();
        auto& [name, value] = out[size++];
        name = number == 0 ? reader.bytes(reader.varint()) : kNames[number - 1];
        if ((head & 1) == kSpelledOut) {
            value = reader.bytes(reader.varint());
        } else if (std::optional<std::string> text = text_of_column(name, columns)) {
            value = std::move(*text);
        } else {
            return false;
        }
    }
    out.resize(size);
    return !reader.failed();
}

void read_tags(AnswerRow& row, std::string_view start, const codec::GameFacts& facts,
               TagPairs& out) {
    std::string texts[8];
    for (std::string& text : texts) text = row.text();
    const TagColumns columns{.white = texts[0],
                             .black = texts[1],
                             .event = texts[2],
                             .site = texts[3],
                             .round = texts[4],
                             .eco = texts[5],
                             .termination = texts[6],
                             .start = start,
                             .facts = facts};
    if (!decode_tags(texts[7], columns, out)) row.refuse("tags");
}

store::GameHeader header_of(store::GameId id, const TagPairs& tags, const codec::GameFacts& facts) {
    store::GameHeader header;
    header.id = id;
    header.result = facts.result;
    header.plies = facts.plies;
    header.variant = facts.variant;
    std::optional<std::string_view> white_elo;
    std::optional<std::string_view> black_elo;
    const std::pair<std::string_view, std::optional<std::string_view>*> texts[] = {
        {"White", &header.white}, {"Black", &header.black}, {"Event", &header.event},
        {"Site", &header.site},   {"Date", &header.date},   {"Round", &header.round},
        {"ECO", &header.eco},     {"WhiteElo", &white_elo}, {"BlackElo", &black_elo}};
    for (const auto& [name, value] : tags) {
        for (const auto& [of, text] : texts) {
            if (name == of && !*text) *text = value;
        }
    }
    if (white_elo) header.white_elo = store::exact_number(*white_elo);
    if (black_elo) header.black_elo = store::exact_number(*black_elo);
    return header;
}

}  // namespace fendex::clickhouse
