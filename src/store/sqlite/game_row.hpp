// How a game's tag pairs are laid out in a row of table `game`, and read back exactly: values and
// order. Tags that everybody asks for have a column; the others are packed. tag_shape lists the
// names in order and says which is where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/records.hpp"

namespace fendex::store {

/// The tags that have a column, by the order of TagColumns' members.
enum class Column {
    kWhite,
    kBlack,
    kEvent,
    kSite,
    kDate,
    kRound,
    kResult,
    kWhiteElo,
    kBlackElo,
    kEco,
    kFen,
    kNone,
};
inline constexpr std::size_t kColumns = static_cast<std::size_t>(Column::kNone);

Column column_of(std::string_view tag);

/// A number that stands for exactly this text: "20", but not "020" or "20?".
std::optional<std::int64_t> exact_number(std::string_view text);
/// yyyymmdd for exactly "1998.??.??" and the like.
std::optional<std::int64_t> exact_date(std::string_view text);
std::string date_text(std::int64_t date);

/// Whether games share values of this tag, so that they are worth an id.
bool is_shared_value(std::string_view tag, std::string_view value);
/// Whether a site is an address, one for each game.
bool is_web_address(std::string_view site);

/// A line of a shape: '+' before a name whose value is packed.
struct ShapeEntry {
    std::string name;
    bool packed = false;
};
std::vector<ShapeEntry> parse_shape(std::string_view shape);

}  // namespace fendex::store
