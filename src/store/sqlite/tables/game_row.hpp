// How the tag pairs of a game are stored in a row of table `game`. Values and order can be restored
// exactly. Common tags have a column; the others are packed. tag_shape lists the names in order and
// marks the packed ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bits.hpp"
#include "codec/game_codes.hpp"
#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/tag_values.hpp"

namespace fendex::store {

/// The tags that have a column, in the order of TagColumns' members.
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

/// Returns whether games share values of this tag, so that an id saves space.
bool is_shared_value(std::string_view tag, std::string_view value);
/// Returns whether a site is a web address, which differs from game to game.
bool is_web_address(std::string_view site);

/// A line of a shape, with '+' before a name whose value is packed.
struct ShapeEntry {
    std::string name;
    bool packed = false;
};
std::vector<ShapeEntry> parse_shape(std::string_view shape);

/// Returns for each packed tag of a shape whether it is the termination.
std::vector<bool> packed_terminations(std::string_view shape);

/// The value of a tag without a column: the id of a name in tag_value, or a text.
struct PackedValue {
    std::optional<std::int64_t> id;
    std::string_view text;
};
/// Reads the next value of column `tags`. If it is damaged, the reader has failed.
inline PackedValue read_packed(codec::ByteReader& packed) {
    const std::uint64_t code = packed.varint();
    if ((code & 1) != 0) return {static_cast<std::int64_t>(code >> 1), {}};
    return {std::nullopt, packed.bytes(code >> 1)};
}
void put_packed(const PackedValue& value, std::string& packed);
inline std::uint32_t code_of(const PackedValue& value) {
    return value.id ? codec::code_of_id(*value.id) : codec::kCodeInRow;
}

/// Returns the code of a name: the column has its id, its text, or NULL if the game has none.
inline std::uint32_t code_of_value(const RowValue& value) {
    if (value.type == ValueType::kNull) return codec::kNoCode;
    return value.type == ValueType::kInteger ? codec::code_of_id(value.integer) : codec::kCodeInRow;
}

inline constexpr std::string_view kTerminationTag = "Termination";
/// Adds the code of a tag Termination. If there are several, sets kCodeInRow: filters must read the
/// row.
inline void add_termination(std::uint32_t code, codec::NameCodes& names) {
    std::uint32_t& termination = names[codec::kTerminationName];
    termination = termination == codec::kNoCode ? code : codec::kCodeInRow;
}

}  // namespace fendex::store
