#include "ingest/game_replay.hpp"

#include <algorithm>
#include <utility>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "codec/move_list.hpp"
#include "codec/posting.hpp"
#include "ingest/tag_facts.hpp"
#include "pgn/lexer.hpp"

namespace fendex::ingest {

namespace {

/// Up to this length of a run without capture or pawn move, looking back position by position is
/// cheaper than a hash table; real games stay far below.
constexpr std::uint32_t kLongRun = 1024;
/// What the halfmove clock shows after fifty, and seventy-five, moves of each side.
constexpr std::uint32_t kFiftyMoves = 100;
constexpr std::uint32_t kSeventyFiveMoves = 150;
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
    shortest_return_ = 4;
    facts_ = {};
    signatures_.clear();
    keys_.clear();
    moves_.clear();
    packed_.clear();
    problems_.clear();
    repetitions_.clear();
    quiet_runs_.clear();
    in_quiet_run_ = false;
    repetition_of_.clear();
    last_seen_.clear();
    last_seen_plies_ = 0;
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
        {where, static_cast<std::uint32_t>(moves_.size()), std::string(reason), {}});
}

/// Sets up the start; false where the game cannot be replayed.
bool GameReplay::begin_moves() {
    begun_ = true;
    std::string_view fen;
    for (std::size_t i = first_tag_; i < tags_->size(); ++i) {
        const store::TagPair& pair = (*tags_)[i];
        if (pair.name == "FEN") fen = pair.value;
        if (pair.name == "Variant") {
            facts_.variant = variant_of(pair.value);
            if (facts_.variant == chess::Variant::kOther) {
                problems_.push_back({variant_where_, 0,
                                     "variant not supported: game kept, not indexed",
                                     std::string(pair.value)});
                return false;
            }
        }
    }
    static const chess::Position standard;
    start_ = standard;
    if (!fen.empty()) {
        chess::FenResult parsed = chess::parse_fen(fen, chess::FenMode::kLenient);
        if (!parsed.position) {
            facts_.variant = chess::Variant::kOther;
            problems_.push_back({fen_where_, 0,
                                 "FEN tag, " + std::string(parsed.error.field) + ": " +
                                     parsed.error.reason + ": game kept, not indexed",
                                 std::string(fen)});
            return false;
        }
        for (const chess::FenError& dropped : parsed.dropped) {
            problems_.push_back(
                {fen_where_, 0,
                 "FEN tag, " + std::string(dropped.field) + ": " + dropped.reason + ": left out",
                 std::string(fen)});
        }
        if (parsed.chess960) facts_.variant = chess::Variant::kChess960;
        start_ = *parsed.position;
        starts_elsewhere_ = !start_.same_as(standard) || start_.halfmove_clock() != 0 ||
                            start_.fullmove_number() != 1 ||
                            start_.en_passant_square() != chess::kNoSquare;
    }
    position_ = start_;
    keys_.push_back(position_.key());
    signatures_.start(position_);
    if (position_.halfmove_clock() >= kFiftyMoves) note_clock(0);
    return true;
}

bool GameReplay::move(std::string_view san, const char* where) {
    if (!begun_ && !begin_moves()) return false;
    const auto stop = [&](std::string_view reason) {
        problems_.push_back({where, static_cast<std::uint32_t>(moves_.size()), std::string(reason),
                             std::string(san.substr(0, kMaxErrorText))});
        return false;
    };
    chess::SanMove parsed;
    if (const auto error = chess::parse_san(san, parsed); error != chess::SanParseError::kNone) {
        return stop(chess::describe(error));
    }
    chess::Move move;
    if (const auto error = chess::resolve_san(position_, parsed, move);
        error != chess::SanResolveError::kNone) {
        return stop(chess::describe(error));
    }
    if (moves_.size() == codec::Posting::kMaxPly) return stop("game too long");
    if (move.kind() == chess::MoveKind::kNull) shortest_return_ = 2;
    codec::encode_move(position_, move, packed_);
    position_.play(move);
    signatures_.next(position_);
    moves_.push_back(move);
    note_key();
    return true;
}

void GameReplay::note_key() {
    const auto ply = static_cast<std::uint32_t>(keys_.size());
    const std::uint64_t key = position_.key();
    keys_.push_back(key);
    if (position_.halfmove_clock() < shortest_return_) {
        in_quiet_run_ = false;
        return;
    }
    if (position_.halfmove_clock() >= kFiftyMoves) note_clock(ply);
    const std::optional<std::uint32_t> earlier = previous_occurrence(ply);
    if (!earlier) return;
    const auto [known, added] = repetition_of_.try_emplace(key, repetitions_.size());
    if (added) {
        repetitions_.push_back({0, key, {*earlier, ply}});
    } else {
        repetitions_[known->second].plies.push_back(ply);
    }
}

/// The last ply before with the same key, within the moves that can be taken back.
std::optional<std::uint32_t> GameReplay::previous_occurrence(std::uint32_t ply) {
    const std::uint32_t run = std::min(position_.halfmove_clock(), ply);
    const std::uint64_t key = keys_[ply];
    if (run <= kLongRun) {
        for (std::uint32_t back = shortest_return_; back <= run; back += 2) {
            if (keys_[ply - back] == key) return ply - back;
        }
        return std::nullopt;
    }
    for (; last_seen_plies_ < ply; ++last_seen_plies_) {
        last_seen_[keys_[last_seen_plies_]] = static_cast<std::uint32_t>(last_seen_plies_);
    }
    const auto found = last_seen_.find(key);
    if (found == last_seen_.end()) return std::nullopt;
    return found->second;
}

void GameReplay::finish() {
    if (!begun_) begin_moves();
    facts_.plies = static_cast<std::uint32_t>(moves_.size());
    read_facts();
    if (!repetitions_.empty()) verify_repetitions();
    if (in_quiet_run_) give_mate_precedence();
}

void GameReplay::read_facts() {
    std::uint32_t utc_date = 0;
    codec::Result tagged = codec::Result::kUnknown;
    for (std::size_t i = first_tag_; i < tags_->size(); ++i) {
        const auto& [name, value] = (*tags_)[i];
        if (name == "Result") tagged = codec::result_of(value);
        if (name == "WhiteElo") facts_.white_elo = elo_of(value);
        if (name == "BlackElo") facts_.black_elo = elo_of(value);
        if (name == "Date") facts_.date = date_of(value);
        if (name == "UTCDate") utc_date = date_of(value);
        if (name == "TimeControl") facts_.time_class = time_class_of(value);
    }
    if (facts_.date == 0) facts_.date = utc_date;
    facts_.result = tagged != codec::Result::kUnknown ? tagged : marker_;
}

void GameReplay::note_clock(std::uint32_t ply) {
    if (!in_quiet_run_) quiet_runs_.push_back({0, ply, std::nullopt, 0});
    in_quiet_run_ = true;
    store::QuietRun& run = quiet_runs_.back();
    run.longest = position_.halfmove_clock();
    if (run.longest >= kSeventyFiveMoves && !run.ply75) run.ply75 = ply;
}

/// A game that ended by mate was not drawn by the clock in the same move.
void GameReplay::give_mate_precedence() {
    store::QuietRun& run = quiet_runs_.back();
    const std::uint32_t last = facts_.plies;
    if (run.ply50 != last && run.ply75 != last) return;
    if (!position_.in_check() || chess::has_legal_move(position_)) return;
    if (run.ply75 == last) run.ply75.reset();
    if (run.ply50 == last) quiet_runs_.pop_back();
}

/// Equal keys brought the plies together; only equal positions (FIDE 9.2) keep them so.
void GameReplay::verify_repetitions() {
    std::vector<std::pair<std::uint32_t, std::size_t>> order;  // ply, index of the repetition
    for (std::size_t i = 0; i < repetitions_.size(); ++i) {
        for (const std::uint32_t ply : repetitions_[i].plies) order.emplace_back(ply, i);
        repetitions_[i].plies.clear();
    }
    std::sort(order.begin(), order.end());
    std::vector<std::optional<chess::Position>> firsts(repetitions_.size());
    chess::Position position = start_;
    std::uint32_t played = 0;
    for (const auto& [ply, i] : order) {
        while (played < ply) position.play(moves_[played++]);
        if (!firsts[i]) firsts[i] = position;
        if (firsts[i]->same_as(position)) repetitions_[i].plies.push_back(ply);
    }
    std::erase_if(repetitions_, [](const auto& r) { return r.plies.size() < 2; });
}

}  // namespace fendex::ingest
