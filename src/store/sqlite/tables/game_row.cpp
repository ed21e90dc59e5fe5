#include "store/sqlite/tables/game_row.hpp"

#include <algorithm>
#include <array>

#include "base/cut.hpp"

namespace fendex::store {

namespace {

constexpr std::array<std::string_view, kColumns> kColumnTags = {
    "White",  "Black",    "Event",    "Site", "Date", "Round",
    "Result", "WhiteElo", "BlackElo", "ECO",  "FEN",
};

/// Tags whose values differ from game to game. An id for each value would cost more than the text.
constexpr std::string_view kUniqueTags[] = {
    "UTCTime", "StartTime",     "EndTime",     "GameId",       "Link",
    "Time",    "GameStartTime", "GameEndTime", "GameDuration", "PlyCount",
};
constexpr std::size_t kMaxSharedValue = 100;

}  // namespace

Column column_of(std::string_view tag) {
    const auto is = [&](Column column) {
        return tag == kColumnTags[static_cast<std::size_t>(column)];
    };
    switch (tag.size()) {
        using enum Column;
        case 3: return is(kEco) ? kEco : is(kFen) ? kFen : kNone;
        case 4: return is(kDate) ? kDate : is(kSite) ? kSite : kNone;
        case 5:
            switch (tag.front()) {
                case 'W': return is(kWhite) ? kWhite : kNone;
                case 'B': return is(kBlack) ? kBlack : kNone;
                case 'E': return is(kEvent) ? kEvent : kNone;
                case 'R': return is(kRound) ? kRound : kNone;
                default: return kNone;
            }
        case 6: return is(kResult) ? kResult : kNone;
        case 8: return is(kWhiteElo) ? kWhiteElo : is(kBlackElo) ? kBlackElo : kNone;
        default: return kNone;
    }
}

bool is_shared_value(std::string_view tag, std::string_view value) {
    return value.size() <= kMaxSharedValue && value.size() > 1 &&
           std::find(std::begin(kUniqueTags), std::end(kUniqueTags), tag) == std::end(kUniqueTags);
}

bool is_web_address(std::string_view site) {
    return site.starts_with("https://") || site.starts_with("http://");
}

void put_packed(const PackedValue& value, std::string& packed) {
    if (value.id) {
        codec::put_varint(static_cast<std::uint64_t>(*value.id) << 1 | 1, packed);
    } else {
        codec::put_varint(value.text.size() << 1, packed);
        packed += value.text;
    }
}

std::vector<ShapeEntry> parse_shape(std::string_view shape) {
    std::vector<ShapeEntry> entries;
    while (!shape.empty()) {
        std::string_view line = base::cut(shape, '\n');
        const bool packed = line.starts_with('+');
        if (packed) line.remove_prefix(1);
        entries.push_back({std::string(line), packed});
    }
    return entries;
}

std::vector<bool> packed_terminations(std::string_view shape) {
    std::vector<bool> out;
    for (const ShapeEntry& entry : parse_shape(shape)) {
        if (entry.packed) out.push_back(entry.name == kTerminationTag);
    }
    return out;
}

}  // namespace fendex::store
