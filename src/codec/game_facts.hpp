// The values of a game that filters and sums need, in a few bytes of fixed width: result, ratings,
// date, length, variant, time class. Stored in columns, in chunks of kGamesPerChunk games.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "chess/types.hpp"
#include "codec/columns.hpp"
#include "codec/date.hpp"

namespace fendex::codec {

/// Do not change the numbers: on disk.
enum class Result : std::uint8_t { kUnknown = 0, kWhiteWins = 1, kBlackWins = 2, kDraw = 3 };
enum class TimeClass : std::uint8_t {
    kUnknown = 0,
    kBullet = 1,  // without the games of kUltraBullet
    kBlitz = 2,
    kRapid = 3,
    kClassical = 4,
    kCorrespondence = 5,
    kUltraBullet = 6,  // since version 6 of the format
};
/// Whether a game counts for the players' ratings, as servers state it in the Event tag.
enum class Mode : std::uint8_t { kUnknown = 0, kRated = 1, kCasual = 2 };

/// Return and read "1-0", "0-1", "1/2-1/2"; "*" for an unknown result. "1/2" is also read as a
/// draw.
std::string_view result_text(Result result);
Result result_of(std::string_view text);

/// Numbers of games by result.
struct ResultCounts {
    std::array<std::uint64_t, 4> by_code{};

    std::uint64_t& operator[](Result result) { return by_code[static_cast<unsigned>(result)]; }
    std::uint64_t operator[](Result result) const { return by_code[static_cast<unsigned>(result)]; }
    std::uint64_t white() const { return (*this)[Result::kWhiteWins]; }
    std::uint64_t draws() const { return (*this)[Result::kDraw]; }
    std::uint64_t black() const { return (*this)[Result::kBlackWins]; }
    std::uint64_t wins_of(chess::Color side) const {
        return side == chess::Color::kWhite ? white() : black();
    }
    /// Returns the number of games with a known result.
    std::uint64_t decided() const { return white() + draws() + black(); }

    bool operator==(const ResultCounts&) const = default;
};

struct GameFacts {
    Result result = Result::kUnknown;
    chess::Variant variant = chess::Variant::kStandard;
    TimeClass time_class = TimeClass::kUnknown;
    Mode mode = Mode::kUnknown;
    std::uint16_t white_elo = 0;  // 0: unknown
    std::uint16_t black_elo = 0;
    Date date;
    std::uint32_t plies = 0;

    bool operator==(const GameFacts&) const = default;
};

enum class FactColumn { kResult, kTimeClass, kMode, kVariant, kWhiteElo, kBlackElo, kDate, kPlies };

[[nodiscard]] std::string encode_facts(std::span<const GameFacts> facts);

/// The bytes before the columns of a chunk.
inline constexpr std::size_t kFactsHeader = 3;

/// Random access to an encoded chunk, without copying.
class FactsChunk {
  public:
    /// If the bytes are not a chunk, it has no games.
    explicit FactsChunk(std::string_view bytes);
    std::size_t size() const { return size_; }
    GameFacts operator[](std::size_t i) const;
    // Single values of a game, which must be less than size().
    unsigned result_code(std::size_t i) const { return number<std::uint8_t>(0, i) & 3U; }
    std::uint32_t white_elo(std::size_t i) const { return number<std::uint16_t>(2, i); }
    std::uint32_t black_elo(std::size_t i) const { return number<std::uint16_t>(4, i); }
    std::uint32_t date(std::size_t i) const { return number<std::uint32_t>(6, i); }
    /// Decodes one value of out.size() games, from game `first` on. All these games must be less
    /// than size(). Values that no version of the program writes are returned unchanged.
    void column(FactColumn which, std::size_t first, std::span<std::uint32_t> out) const;

  private:
    /// Returns a value of a column. A game has `bytes_before` bytes in the columns before.
    template <typename Number>
    Number number(std::size_t bytes_before, std::size_t i) const {
        Number value;
        const std::size_t at = kFactsHeader + bytes_before * size_ + i * sizeof value;
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(&value, &bytes_[at], sizeof value);
        } else {
            value = static_cast<Number>(get_fixed(bytes_, at, sizeof value));
        }
        return value;
    }

    std::string_view bytes_;
    std::size_t size_ = 0;
    unsigned ply_bytes_ = 0;
};

}  // namespace fendex::codec
