// Follows the moves of a game and collects what is stored of it besides its tags: packed moves,
// keys, signature, repetitions (verified by comparing positions), runs without capture or pawn
// move. Imports pass moves that they read, checks pass stored moves. One object is used for one
// game after the other; nothing is allocated per move once warm.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chess/any_position.hpp"
#include "codec/bits.hpp"
#include "codec/game_signature.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// The results for a game, for any kind of position.
class GameRecord {
  public:
    const codec::GameSignature& signature() const { return signatures_.signature(); }
    /// keys()[n] is the position after n plies; one more than moves(). Empty before start().
    const std::vector<std::uint64_t>& keys() const { return keys_; }
    const std::vector<chess::Move>& moves() const { return moves_; }
    const codec::BitWriter& packed_moves() const { return packed_; }
    /// Positions that occurred more than once; they were compared, not only their keys.
    const std::vector<store::RepeatedPosition>& repetitions() const { return repetitions_; }
    /// Runs that made the halfmove clock reach 100.
    const std::vector<store::QuietPlies>& quiet_runs() const { return quiet_runs_; }

  protected:
    void clear();
    std::optional<std::uint32_t> previous_occurrence(std::uint32_t ply, std::uint32_t run);
    void note_repetition(std::uint32_t ply, std::uint32_t run);
    void note_clock(std::uint32_t ply, std::uint32_t clock);

    std::uint32_t shortest_return_ = 4;  // plies until a position can recur: 2 with null moves
    codec::SignatureFinder signatures_;
    std::vector<std::uint64_t> keys_;
    std::vector<chess::Move> moves_;
    codec::BitWriter packed_;
    std::vector<store::RepeatedPosition> repetitions_;
    std::vector<store::QuietPlies> quiet_runs_;
    bool in_quiet_run_ = false;  // the last of quiet_runs_ has not ended

  private:
    std::unordered_map<std::uint64_t, std::size_t> repetition_of_;  // key -> index
    std::unordered_map<std::uint64_t, std::uint32_t> last_seen_;    // for very long reversible runs
    std::size_t last_seen_plies_ = 0;
};

template <typename Position>
class BasicGameTrace : public GameRecord {
  public:
    /// Forgets the previous game. Until start() there are no positions.
    using GameRecord::clear;
    void start(const Position& start);
    /// Plays a legal move, or the null move.
    void play(chess::Move move);
    /// Plays a move whose code and signature are known: neither is collected.
    void play_known(chess::Move move);
    /// Must be called after the last move.
    void finish();

    const Position& start_position() const { return start_; }
    const Position& position() const { return position_; }

  private:
    void note_key();
    void verify_repetitions();
    void give_mate_precedence();

    Position start_;
    Position position_;
};

using GameTrace = BasicGameTrace<chess::Position>;
using VariantTrace = BasicGameTrace<chess::VariantPosition>;

/// A trace of the kind that the game needs, chosen when it starts.
class AnyTrace {
  public:
    /// Forgets the previous game; there are no positions then.
    void clear();
    void start(const chess::AnyPosition& start);
    /// Must be called after the last move.
    void finish();
    /// Does all steps. Plays `plies` of the packed moves, or fewer if a move is damaged or illegal.
    void replay(const chess::AnyPosition& start, std::string_view packed_moves,
                std::uint32_t plies);

    /// Does all steps with moves that were compared with their checksum, but collects neither
    /// packed moves nor the signature.
    void replay_known(const chess::AnyPosition& start, std::string_view packed_moves,
                      std::uint32_t plies);

    bool is_variant() const { return record_ == &variant_; }
    GameTrace& standard() { return standard_; }
    VariantTrace& of_variant() { return variant_; }
    const GameTrace& standard() const { return standard_; }
    const VariantTrace& of_variant() const { return variant_; }

    const GameRecord& record() const { return *record_; }
    chess::AnyPosition start_position() const {
        if (is_variant()) return variant_.start_position();
        return standard_.start_position();
    }

  private:
    /// Plays moves until play() returns false.
    template <typename Play>
    void replay_while(const chess::AnyPosition& start, std::string_view packed_moves,
                      std::uint32_t plies, Play play);

    template <typename Use>
    void with_trace(Use&& use) {
        if (is_variant()) {
            use(variant_);
        } else {
            use(standard_);
        }
    }

    GameTrace standard_;
    VariantTrace variant_;
    const GameRecord* record_ = &standard_;
};

}  // namespace fendex::replay
