// Follows the moves of a game and finds what is stored of it besides its tags: packed moves, keys,
// signature, repetitions (each compared), runs without capture or pawn move. The import shows it
// moves that were read, whoever checks a database those that are stored. One object is used for one
// game after the other; nothing is allocated per move once warm.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "chess/position.hpp"
#include "codec/bits.hpp"
#include "codec/game_signature.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

class GameTrace {
  public:
    /// Forgets the game before. Until start() there are no positions.
    void clear();
    void start(const chess::Position& start);
    /// A legal move, or the null move.
    void play(chess::Move move);
    /// To be called behind the last move.
    void finish();

    const chess::Position& start_position() const { return start_; }
    const chess::Position& position() const { return position_; }
    const codec::GameSignature& signature() const { return signatures_.signature(); }
    /// keys()[n] is the position after n plies; one more than moves().
    const std::vector<std::uint64_t>& keys() const { return keys_; }
    const std::vector<chess::Move>& moves() const { return moves_; }
    const codec::BitWriter& packed_moves() const { return packed_; }
    /// Positions that occurred more than once, each compared; game is 0.
    const std::vector<store::Repetition>& repetitions() const { return repetitions_; }
    /// Runs that made the halfmove clock reach 100; game is 0.
    const std::vector<store::QuietRun>& quiet_runs() const { return quiet_runs_; }

  private:
    void note_key();
    std::optional<std::uint32_t> previous_occurrence(std::uint32_t ply);
    void verify_repetitions();
    void note_clock(std::uint32_t ply);
    void give_mate_precedence();

    chess::Position start_;
    chess::Position position_;
    std::uint32_t shortest_return_ = 4;  // plies until a position can come again: 2 with null moves
    codec::SignatureFinder signatures_;
    std::vector<std::uint64_t> keys_;
    std::vector<chess::Move> moves_;
    codec::BitWriter packed_;
    std::vector<store::Repetition> repetitions_;
    std::vector<store::QuietRun> quiet_runs_;
    bool in_quiet_run_ = false;  // the last of quiet_runs_ goes on
    std::unordered_map<std::uint64_t, std::size_t> repetition_of_;  // key -> index
    std::unordered_map<std::uint64_t, std::uint32_t> last_seen_;    // for very long reversible runs
    std::size_t last_seen_plies_ = 0;
};

}  // namespace fendex::ingest
