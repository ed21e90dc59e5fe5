#include "ingest/game_replay.hpp"

#include <algorithm>
#include <utility>

#include "chess/movegen.hpp"
#include "chess/plain_san.hpp"
#include "chess/position_status.hpp"
#include "chess/san.hpp"
#include "chess/variant_names.hpp"
#include "codec/posting.hpp"
#include "ingest/printable_text.hpp"
#include "pgn/lexer.hpp"
#include "replay/game_start.hpp"
#include "replay/tag_facts.hpp"

namespace fendex::ingest {

namespace {

constexpr std::string_view kTooLong = "game too long";
/// Problems kept for one game. A binary file that looks like a game can have millions.
constexpr std::size_t kMaxProblems = 100;

}  // namespace

void GameReplay::start(std::vector<store::TagPair>& tags, std::deque<std::string>& owned,
                       chess::Variant variant) {
    variant_ = variant;
    tags_ = &tags;
    owned_ = &owned;
    first_tag_ = tags.size();
    marker_ = codec::Result::kUnknown;
    starts_elsewhere_ = false;
    state_ = State::kNotBegun;
    stopped_ = false;
    first_move_ = nullptr;
    fen_where_ = nullptr;
    variant_where_ = nullptr;
    facts_ = {};
    trace_.clear();
    problems_.clear();
    scores_.clear();
    left_out_ = {};
}

void GameReplay::tag(std::string_view name, std::string_view value) {
    if (name == "FEN") fen_where_ = value.data();
    if (name == "Variant") variant_where_ = value.data();
    if (pgn::needs_cleaning(value)) value = owned_->emplace_back(pgn::clean_value(value));
    tags_->push_back({name, value});
}

void GameReplay::result(std::string_view marker) {
    marker_ = codec::result_of(pgn::plain_result(marker));
}

void GameReplay::problem(const char* where, std::string_view reason) {
    if (problems_.size() > kMaxProblems) return;
    if (problems_.size() == kMaxProblems)
        reason = "too many errors in this game: no more are listed";
    problems_.push_back(
        {where, static_cast<std::uint32_t>(moves().size()), std::string(reason), {}});
}

void GameReplay::left_out(pgn::Annotation what, std::string_view text) {
    using enum pgn::Annotation;
    switch (what) {
        case kGlyph: ++left_out_.glyphs; break;
        case kVariation: ++left_out_.variations; break;
        case kComment:
            ++left_out_.comments;
            read_score(text);
            while (text.starts_with(' ')) text.remove_prefix(1);
            left_out_.timed |= text.starts_with("[%clk") || text.starts_with("[%eval") ||
                               text.starts_with("[%emt");
            break;
    }
}

void GameReplay::read_score(std::string_view comment) {
    if (comment.find("[%eval") == std::string_view::npos) return;
    const auto ply = static_cast<std::uint32_t>(moves().size());
    // Nothing else in the text of a command changes what it says.
    if (comment.find('\0') == std::string_view::npos) {
        return codec::add_score_of_comment(comment, ply, scores_);
    }
    codec::add_score_of_comment(pgn::clean_text(comment), ply, scores_);
}

/// Sets up the start, if the game can be replayed.
void GameReplay::begin_moves() {
    if (variant_ != chess::Variant::kStandard && !replay::say_variant(tags())) {
        // Replaces a Variant tag without a value.
        tags_->erase(
            std::remove_if(tags_->begin() + static_cast<std::ptrdiff_t>(first_tag_), tags_->end(),
                           [](const auto& t) { return t.name == "Variant"; }),
            tags_->end());
        tags_->push_back({"Variant", chess::name_of(variant_)});
    }
    replay::GameStart start = replay::start_of(tags());
    facts_.variant = start.variant;
    for (replay::GameStart::Problem& problem : start.problems) {
        problems_.push_back({problem.tag == "FEN" ? fen_where_ : variant_where_, 0,
                             std::move(problem.reason), std::move(problem.text), problem.warning});
    }
    if (!start.position) {
        state_ = State::kNoPositions;
        return;
    }
    starts_elsewhere_ = start.elsewhere;
    trace_.start(*start.position);
    state_ = trace_.is_variant() ? State::kVariant : State::kStandard;
}

bool GameReplay::stop(std::string_view reason, std::string_view san, const char* where) {
    stopped_ = true;
    problems_.push_back({where, static_cast<std::uint32_t>(moves().size()), std::string(reason),
                         std::string(san.substr(0, kMaxErrorText))});
    return false;
}

template <typename Trace>
bool GameReplay::play_san(Trace& trace, std::string_view san, const char* where) {
    chess::Move move;
    if (const chess::SanError error = chess::read_san(trace.position(), san, move);
        error != chess::SanError::kNone) {
        return stop(chess::describe(error), san, where);
    }
    if (trace.moves().size() == codec::Posting::kMaxPly) return stop(kTooLong, san, where);
    trace.play(move);
    return true;
}

bool GameReplay::move(std::string_view san, const char* where) {
    if (state_ != State::kStandard) return other_move(san, where);
    return play_san(trace_.standard(), san, where);
}

std::size_t GameReplay::plain_move(std::string_view text) {
    if (state_ != State::kStandard) return 0;
    replay::GameTrace& trace = trace_.standard();
    chess::SanMove san;
    chess::Move move;
    const std::size_t size = chess::parse_plain_san(text, san);
    if (size == 0 || trace.moves().size() == codec::Posting::kMaxPly ||
        chess::resolve_san(trace.position(), san, move) != chess::SanError::kNone) {
        return 0;
    }
    trace.play(move);
    return size;
}

/// Reads the first move of a game, and moves of variants.
bool GameReplay::other_move(std::string_view san, const char* where) {
    if (state_ == State::kNotBegun) {
        first_move_ = where;
        begin_moves();
        return move(san, where);
    }
    if (state_ == State::kNoPositions) return false;
    return play_san(trace_.of_variant(), san, where);
}

bool GameReplay::play(chess::Move move, std::string_view text, const char* where) {
    if (state_ == State::kNotBegun) {
        first_move_ = where;
        begin_moves();
    }
    if (state_ == State::kNoPositions) return false;
    if (moves().size() == codec::Posting::kMaxPly) return stop(kTooLong, text, where);
    if (state_ == State::kStandard) {
        trace_.standard().play(move);
    } else {
        trace_.of_variant().play(move);
    }
    return true;
}

void GameReplay::finish() {
    if (state_ == State::kNotBegun) begin_moves();
    facts_.plies = static_cast<std::uint32_t>(moves().size());
    replay::read_facts(tags(), marker_, facts_);
    trace_.finish();
    swings_ = {};
    if (!scores_.empty() && replayed()) {
        swings_ = codec::swings_of(scores_, trace_.start_position().side_to_move());
    }
    all_left_out_ += left_out_;
}

replay::GameEnd GameReplay::end() const {
    replay::GameEnd end{.marker = marker_};
    if (stopped_ || !replayed()) return end;
    end.plies = facts_.plies;
    if (trace_.is_variant()) {
        end.by_rules = chess::status_of(trace_.of_variant().position()).result;
    } else if (!chess::has_legal_move(trace_.standard().position())) {
        end.by_rules = chess::status_of(trace_.standard().position()).result;
    }
    return end;
}

}  // namespace fendex::ingest
