// Where text meets board: a visitor of the PGN reader that replays a game's moves and collects what
// is stored of it: packed moves, keys, repetitions, facts, and the first thing that could not be
// read. One object per worker, used for one game after the other; nothing is allocated per move
// once warm.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chess/position.hpp"
#include "chess/types.hpp"
#include "codec/bits.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

class GameReplay {
  public:
    struct Problem {
        const char* where = nullptr;
        std::uint32_t ply = 0;
        std::string reason;
        std::string text;
    };

    /// Forgets the game before. Tag pairs go to `tags`, texts that had to be converted to `owned`.
    void start(std::vector<store::TagPair>& tags, std::deque<std::string>& owned);

    // The reader's visitor.
    void tag(std::string_view name, std::string_view value);
    bool move(std::string_view san, const char* where);
    void result(std::string_view marker);
    void problem(const char* where, std::string_view reason);

    /// To be called at the end of the game's text.
    void finish();

    /// False for a game whose rules or start are not known: it has no positions.
    bool replayed() const { return facts_.variant != chess::Variant::kOther; }
    const codec::GameFacts& facts() const { return facts_; }
    const codec::GameSignature& signature() const { return signatures_.signature(); }
    const chess::Position& start_position() const { return start_; }
    bool starts_elsewhere() const { return starts_elsewhere_; }
    /// keys()[n] is the position after n plies; one more than moves().
    const std::vector<std::uint64_t>& keys() const { return keys_; }
    const std::vector<chess::Move>& moves() const { return moves_; }
    const codec::BitWriter& packed_moves() const { return packed_; }
    const std::vector<Problem>& problems() const { return problems_; }
    /// Positions that occurred more than once, each compared; game is 0.
    const std::vector<store::Repetition>& repetitions() const { return repetitions_; }
    /// Runs that made the halfmove clock reach 100; game is 0.
    const std::vector<store::QuietRun>& quiet_runs() const { return quiet_runs_; }

  private:
    bool begin_moves();
    void note_key();
    std::optional<std::uint32_t> previous_occurrence(std::uint32_t ply);
    void verify_repetitions();
    void note_clock(std::uint32_t ply);
    void give_mate_precedence();
    void read_facts();

    std::vector<store::TagPair>* tags_ = nullptr;
    std::deque<std::string>* owned_ = nullptr;
    std::size_t first_tag_ = 0;
    codec::Result marker_ = codec::Result::kUnknown;
    chess::Position start_;
    chess::Position position_;
    bool starts_elsewhere_ = false;
    bool begun_ = false;
    const char* fen_where_ = nullptr;      // the tag's value
    const char* variant_where_ = nullptr;  // the tag's value
    std::uint32_t shortest_return_ = 4;  // plies until a position can come again: 2 with null moves
    codec::GameFacts facts_;
    codec::SignatureFinder signatures_;
    std::vector<std::uint64_t> keys_;
    std::vector<chess::Move> moves_;
    codec::BitWriter packed_;
    std::vector<Problem> problems_;
    std::vector<store::Repetition> repetitions_;
    std::vector<store::QuietRun> quiet_runs_;
    bool in_quiet_run_ = false;  // the last of quiet_runs_ goes on
    std::unordered_map<std::uint64_t, std::size_t> repetition_of_;  // key -> index
    std::unordered_map<std::uint64_t, std::uint32_t> last_seen_;    // for very long reversible runs
    std::size_t last_seen_plies_ = 0;
};

}  // namespace fendex::ingest
