// A visitor of the PGN reader that replays a game's moves and collects what is stored of it: packed
// moves, keys, repetitions, facts, and the first thing that could not be read. One object per
// worker, used for one game after the other; nothing is allocated per move once warm.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/any_position.hpp"
#include "chess/types.hpp"
#include "codec/swing.hpp"
#include "ingest/annotation_counts.hpp"
#include "pgn/reader.hpp"
#include "replay/contradictions.hpp"
#include "replay/game_trace.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

class GameReplay {
  public:
    struct Problem {
        const char* where = nullptr;
        std::uint32_t ply = 0;
        std::string reason;
        std::string text;
        bool warning = false;  // nothing is lost
    };

    /// Begins another game. Tag pairs go to `tags`, converted texts to `owned`. If the tags do not
    /// name the variant, the game is of `variant`, and gets a Variant tag unless that is standard
    /// chess.
    void start(std::vector<store::TagPair>& tags, std::deque<std::string>& owned,
               chess::Variant variant = chess::Variant::kStandard);

    // The reader's visitor.
    void tag(std::string_view name, std::string_view value);
    bool move(std::string_view san, const char* where);
    std::size_t plain_move(std::string_view text);
    void result(std::string_view marker);
    void problem(const char* where, std::string_view reason);
    void left_out(pgn::Annotation what, std::string_view text);

    /// Reads the evaluation in a comment of the main line, which follows the moves so far.
    void read_score(std::string_view comment);
    /// Plays a legal move that the caller has read from `text`.
    bool play(chess::Move move, std::string_view text, const char* where);
    /// Ends the game before a move that cannot be read. Returns false, like move().
    bool stop(std::string_view reason, std::string_view san, const char* where);
    bool stopped() const { return stopped_; }
    /// Returns the word of the first move in the text; null if there is none.
    const char* first_move() const { return first_move_; }

    /// Must be called at the end of the game's text.
    void finish();

    /// False if the game's rules or start are unknown; it has no positions then.
    bool replayed() const { return facts_.variant != chess::Variant::kOther; }
    const codec::GameFacts& facts() const { return facts_; }
    const replay::GameRecord& record() const { return trace_.record(); }
    chess::AnyPosition start_position() const { return trace_.start_position(); }
    bool starts_elsewhere() const { return starts_elsewhere_; }
    /// keys()[n] is the position after n plies; one more than moves().
    const std::vector<std::uint64_t>& keys() const { return trace_.record().keys(); }
    const std::vector<chess::Move>& moves() const { return trace_.record().moves(); }
    /// Returns the swings by the game's own evaluations, after finish().
    const codec::GameSwings& swings() const { return swings_; }
    const std::vector<Problem>& problems() const { return problems_; }
    /// Returns how many annotations were not kept in the games finished since the last call. They
    /// are counted only if this object itself is the reader's visitor.
    AnnotationCounts take_left_out() { return std::exchange(all_left_out_, {}); }
    /// Returns how the moves ended, after finish().
    replay::GameEnd end() const;

  private:
    /// How the next move is read.
    enum class State { kNotBegun, kStandard, kVariant, kNoPositions };

    void begin_moves();
    bool other_move(std::string_view san, const char* where);
    template <typename Trace>
    bool play_san(Trace& trace, std::string_view san, const char* where);
    std::span<const store::TagPair> tags() const { return std::span(*tags_).subspan(first_tag_); }

    std::vector<store::TagPair>* tags_ = nullptr;
    std::deque<std::string>* owned_ = nullptr;
    std::size_t first_tag_ = 0;
    codec::Result marker_ = codec::Result::kUnknown;
    bool starts_elsewhere_ = false;
    State state_ = State::kNotBegun;
    bool stopped_ = false;
    const char* first_move_ = nullptr;
    chess::Variant variant_ = chess::Variant::kStandard;  // if no tag names it
    const char* fen_where_ = nullptr;                     // the tag's value
    const char* variant_where_ = nullptr;                 // the tag's value
    codec::GameFacts facts_;
    replay::AnyTrace trace_;
    std::vector<Problem> problems_;
    std::vector<codec::PlyScore> scores_;
    codec::GameSwings swings_;
    AnnotationCounts left_out_;  // of the game
    AnnotationCounts all_left_out_;
};

}  // namespace fendex::ingest
