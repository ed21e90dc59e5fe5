// Codes: numbers that stand for the names of a game, which are its players, event, site, opening
// code and termination, and the opening that it reached. Stored in columns, in chunks of
// kGamesPerChunk games, so that filters compare them in bulk. Do not change: on disk
// (schema/FORMAT.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codec/columns.hpp"

namespace fendex::codec {

/// 0: the game has no such name.
inline constexpr std::uint32_t kNoCode = 0;
/// The name has no number: it is in the game's row.
inline constexpr std::uint32_t kCodeInRow = 1;

/// Returns the code of a name with this id in its table.
constexpr std::uint32_t code_of_id(std::int64_t id) {
    return id > 0 && id < 0xFFFF'FFFF ? static_cast<std::uint32_t>(id) + 1 : kCodeInRow;
}

/// Returns the id; empty for the two special codes.
constexpr std::optional<std::int64_t> id_of_code(std::uint32_t code) {
    return code > kCodeInRow ? std::optional(std::int64_t{code} - 1) : std::nullopt;
}

/// "A00" to "E99" have the codes 2 to 501; anything else is in the row.
inline constexpr std::uint32_t kEcoCodes = 502;
std::uint32_t code_of_eco(std::string_view eco);
/// `code` is from 2 to kEcoCodes - 1.
std::string eco_of_code(std::uint32_t code);

/// The codes of one game in one of these tables.
template <std::size_t kColumns>
using CodeRow = std::array<std::uint32_t, kColumns>;
enum PlayerColumn : std::uint8_t { kWhitePlayer, kBlackPlayer, kPlayerColumns };
enum NameColumn : std::uint8_t { kEventName, kSiteName, kEcoName, kTerminationName, kNameColumns };
enum OpeningColumn : std::uint8_t { kOpeningName, kOpeningColumns };
/// Not a name, but kept in the same way: the swings of both players (codec/swing.hpp).
enum SwingColumn : std::uint8_t { kBothSwings, kSwingColumns };
using PlayerCodes = CodeRow<kPlayerColumns>;
using NameCodes = CodeRow<kNameColumns>;
using OpeningCodes = CodeRow<kOpeningColumns>;
using SwingCodes = CodeRow<kSwingColumns>;

struct GameCodes {
    PlayerCodes players{};
    NameCodes names{};
    OpeningCodes opening{};

    bool operator==(const GameCodes&) const = default;
};

/// Each column is as wide as its largest code needs.
template <std::size_t kColumns>
[[nodiscard]] std::string encode_codes(std::span<const CodeRow<kColumns>> rows);

/// Random access to an encoded chunk, without copying.
template <std::size_t kColumns>
class CodeChunk {
  public:
    /// If the bytes are not a chunk, it has no games.
    explicit CodeChunk(std::string_view bytes);
    std::size_t size() const { return size_; }
    CodeRow<kColumns> operator[](std::size_t i) const;
    /// Decodes out.size() codes of a column, from row `first` on. All these rows must be less than
    /// size().
    void column(std::size_t which, std::size_t first, std::span<std::uint32_t> out) const;

  private:
    struct Place {
        std::size_t begin = 0;
        unsigned width = 0;
    };
    std::string_view bytes_;
    std::array<Place, kColumns> columns_;
    std::size_t size_ = 0;
};

extern template std::string encode_codes(std::span<const PlayerCodes>);
extern template std::string encode_codes(std::span<const NameCodes>);
extern template std::string encode_codes(std::span<const OpeningCodes>);
extern template class CodeChunk<kPlayerColumns>;
extern template class CodeChunk<kNameColumns>;
extern template class CodeChunk<kOpeningColumns>;

}  // namespace fendex::codec
