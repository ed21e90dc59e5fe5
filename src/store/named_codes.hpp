// From whole names to codes (codec/game_codes.hpp), with those of the names that are joined with
// them, and from codes to names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/joined_names.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

/// Stands for an unknown name in PGN; so does an empty text.
inline constexpr std::string_view kUnknownName = "?";
inline bool is_unknown_name(std::string_view name) { return name.empty() || name == kUnknownName; }

/// Returns the codes of exactly these names, and of all names that are joined with one of them;
/// ascending. Names that the database does not have are left out.
[[nodiscard]] std::vector<std::uint32_t> codes_named(LocalReader& reader, NameKind kind,
                                                     std::span<const std::string> names);
/// Returns the codes of games whose name is unknown, ascending: there is none, it says that it is
/// unknown, or it is joined to a name that says so.
[[nodiscard]] std::vector<std::uint32_t> codes_unknown(LocalReader& reader, NameKind kind);

/// Returns the names with these codes, in the order of the codes; empty for a missing one. Reads
/// all names, unless only a few are wanted.
[[nodiscard]] std::vector<std::optional<std::string>> names_of_codes(
    LocalReader& reader, NameKind kind, std::span<const std::uint32_t> codes);

}  // namespace fendex::store
