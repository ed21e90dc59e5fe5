// PGN text for the benchmarks: from files into memory, and from memory through Splitter, Reader and
// rules, as in an import, but without storing anything.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "chess/fen.hpp"
#include "chess/plain_san.hpp"
#include "chess/san.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/reader.hpp"
#include "pgn/splitter.hpp"

namespace fendex::bench {

/// Reads text that is already in memory.
class MemorySource final : public pgn::ByteSource {
  public:
    explicit MemorySource(std::string_view text) : text_(text) {}
    std::size_t read(std::span<char> out) override {
        const std::size_t n = text_.copy(out.data(), out.size(), offset_);
        offset_ += n;
        return n;
    }
    std::uint64_t compressed_offset() const override { return offset_; }

  private:
    std::string_view text_;
    std::size_t offset_ = 0;
};

/// Returns the whole text of an archive, compressed or not.
std::string read_text(const std::string& path);
void write_text(const std::string& path, std::string_view text);

struct Census {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t broken = 0;  // games that could not be read to their end
};

/// Replays every game of a stream of PGN text, checks that each move is legal, and calls
/// on_position(position, game, ply) for every position, including the start. Games are counted from
/// 1; at most `max_games` are replayed.
template <typename OnPosition>
Census replay_games(pgn::ByteSource& source, OnPosition on_position,
                    std::uint64_t max_games = ~std::uint64_t{0});

/// Counts the games and plies of a file.
Census take_census(const std::string& path);

namespace detail {

/// The visitor of the PGN reader that replay_games() uses.
template <typename OnPosition>
class Replay {
  public:
    Replay(Census& census, OnPosition& on_position) : census_(census), on_position_(on_position) {}

    void start() {
        begun_ = false;
        broken_ = false;
        fen_.reset();
    }
    void finish() {
        if (!begun_) begin();
        ++census_.games;
        census_.broken += broken_ ? 1U : 0U;
    }

    void tag(std::string_view name, std::string_view value) {
        if (name == "FEN") fen_ = value;
    }
    bool move(std::string_view text, const char*) {
        if (!begun_ && !begin()) return false;
        chess::SanMove san;
        chess::Move move;
        if (chess::parse_san(text, san) != chess::SanError::kNone ||
            chess::resolve_san(position_, san, move) != chess::SanError::kNone) {
            broken_ = true;
            return false;
        }
        play(move);
        return true;
    }
    std::size_t plain_move(std::string_view text) {
        if (!begun_) return 0;
        chess::SanMove san;
        chess::Move move;
        const std::size_t size = chess::parse_plain_san(text, san);
        if (size == 0 || chess::resolve_san(position_, san, move) != chess::SanError::kNone) {
            return 0;
        }
        play(move);
        return size;
    }
    void result(std::string_view) {}
    void problem(const char*, std::string_view) { broken_ = true; }

  private:
    void play(chess::Move move) {
        position_.play(move);
        ++ply_;
        ++census_.plies;
        on_position_(std::as_const(position_), census_.games + 1, ply_);
    }
    bool begin() {
        static const chess::Position standard;
        begun_ = true;
        ply_ = 0;
        position_ = standard;
        if (fen_) {
            const chess::FenResult fen = chess::parse_fen(*fen_, chess::FenMode::kLenient);
            broken_ = !fen.position;
            if (broken_) return false;
            position_ = *fen.position;
        }
        on_position_(std::as_const(position_), census_.games + 1, ply_);
        return true;
    }

    Census& census_;
    OnPosition& on_position_;
    chess::Position position_;
    std::uint32_t ply_ = 0;
    std::optional<std::string_view> fen_;
    bool begun_ = false;
    bool broken_ = false;
};

}  // namespace detail

template <typename OnPosition>
Census replay_games(pgn::ByteSource& source, OnPosition on_position, std::uint64_t max_games) {
    Census census;
    detail::Replay<OnPosition> replay(census, on_position);
    pgn::Splitter splitter(source);
    pgn::Batch batch;
    while (census.games < max_games && splitter.next(batch)) {
        for (const pgn::Extent& extent : batch.extents) {
            if (extent.kind != pgn::Extent::Kind::kGame || census.games == max_games) continue;
            replay.start();
            pgn::read_game(std::string_view(batch.text).substr(extent.offset, extent.size),
                           extent.truncated, replay);
            replay.finish();
        }
    }
    return census;
}

}  // namespace fendex::bench
