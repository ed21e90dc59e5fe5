#include "ingest/game_replay.hpp"

#include <utility>

#include "chess/san.hpp"
#include "codec/posting.hpp"
#include "ingest/game_start.hpp"
#include "ingest/tag_facts.hpp"
#include "pgn/lexer.hpp"

namespace fendex::ingest {

namespace {

constexpr std::size_t kMaxErrorText = 60;
/// Problems kept of one game. A binary that looks like one can have millions.
constexpr std::size_t kMaxProblems = 100;

}  // namespace

void GameReplay::start(std::vector<store::TagPair>& tags, std::deque<std::string>& owned) {
    tags_ = &tags;
    owned_ = &owned;
    first_tag_ = tags.size();
    marker_ = codec::Result::kUnknown;
    starts_elsewhere_ = false;
    begun_ = false;
    fen_where_ = nullptr;
    variant_where_ = nullptr;
    facts_ = {};
    trace_.clear();
    problems_.clear();
}

void GameReplay::tag(std::string_view name, std::string_view value) {
    if (name == "FEN") fen_where_ = value.data();
    if (name == "Variant") variant_where_ = value.data();
    if (pgn::needs_cleaning(value)) value = owned_->emplace_back(pgn::clean_value(value));
    tags_->push_back({name, value});
}

void GameReplay::result(std::string_view marker) {
    std::string plain(marker);
    std::erase_if(plain, pgn::is_blank);  // 1/2 - 1/2
    marker_ = codec::result_of(plain);
}

void GameReplay::problem(const char* where, std::string_view reason) {
    if (problems_.size() > kMaxProblems) return;
    if (problems_.size() == kMaxProblems)
        reason = "too many errors in this game: no more are listed";
    problems_.push_back(
        {where, static_cast<std::uint32_t>(moves().size()), std::string(reason), {}});
}

/// Sets up the start; false where the game cannot be replayed.
bool GameReplay::begin_moves() {
    begun_ = true;
    GameStart start = start_of(tags());
    facts_.variant = start.variant;
    for (GameStart::Problem& problem : start.problems) {
        problems_.push_back({problem.tag == "FEN" ? fen_where_ : variant_where_, 0,
                             std::move(problem.reason), std::move(problem.text)});
    }
    if (!start.position) return false;
    starts_elsewhere_ = start.elsewhere;
    trace_.start(*start.position);
    return true;
}

bool GameReplay::move(std::string_view san, const char* where) {
    if (!begun_ && !begin_moves()) return false;
    const auto stop = [&](std::string_view reason) {
        problems_.push_back({where, static_cast<std::uint32_t>(moves().size()), std::string(reason),
                             std::string(san.substr(0, kMaxErrorText))});
        return false;
    };
    chess::SanMove parsed;
    if (const auto error = chess::parse_san(san, parsed); error != chess::SanParseError::kNone) {
        return stop(chess::describe(error));
    }
    chess::Move move;
    if (const auto error = chess::resolve_san(trace_.position(), parsed, move);
        error != chess::SanResolveError::kNone) {
        return stop(chess::describe(error));
    }
    if (moves().size() == codec::Posting::kMaxPly) return stop("game too long");
    trace_.play(move);
    return true;
}

void GameReplay::finish() {
    if (!begun_) begin_moves();
    facts_.plies = static_cast<std::uint32_t>(moves().size());
    read_facts(tags(), marker_, facts_);
    trace_.finish();
}

}  // namespace fendex::ingest
