#include "sqlite_ext/annotation_table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "codec/posting.hpp"
#include "sqlite_ext/plan.hpp"

namespace fendex::sqlite_ext {

namespace {

struct AnnotationColumn {
    enum : int { kGameId, kPly, kNags, kComment, kEval, kMate, kClock, kElapsed, kVariations };
};

/// Limits of reading ahead.
constexpr std::size_t kGamesAhead = 256;
constexpr std::size_t kBytesAhead = 4 * 1024 * 1024;

/// Returns whole seconds as an integer, others as a real.
void result_seconds(sqlite3_context* context, const std::optional<double>& seconds) {
    if (!seconds) return;
    if (std::floor(*seconds) == *seconds) {
        sqlite3_result_int64(context, static_cast<sqlite3_int64>(*seconds));
    } else {
        sqlite3_result_double(context, *seconds);
    }
}

}  // namespace

int AnnotationTable::best_index(sqlite3_index_info& info) const {
    const unsigned uses = take_game_range(info);
    info.idxNum = static_cast<int>(uses);
    const bool one_game = (uses & kGameEqual) != 0;
    info.estimatedRows = one_game ? 85 : 100'000'000;
    info.estimatedCost = one_game ? 100 : 1e8;
    if (!one_game && uses != 0) info.estimatedCost /= 4;
    info.orderByConsumed = in_game_order(info, one_game) ? 1 : 0;
    return SQLITE_OK;
}

void AnnotationTable::Cursor::filter(int plan, std::span<sqlite3_value*> arguments) {
    ids_ = game_range(static_cast<unsigned>(plan), arguments);
    games_.clear();
    game_ = 0;
    read_ahead_ = 1;
    last_games_ = ids_.empty();
    plies_.clear();
    next_game();
}

void AnnotationTable::Cursor::next() {
    if (++ply_ == plies_.size()) next_game();
}

/// Goes to the next game that has rows; an annotation stream may give none.
void AnnotationTable::Cursor::next_game() {
    plies_.clear();
    ply_ = 0;
    while (plies_.empty()) {
        if (game_ == games_.size()) {
            if (last_games_) return;
            read_games();
            continue;
        }
        const Game& game = games_[game_++];
        id_ = game.id;
        plies_ = query::annotated_plies(game.id, game.stream);
    }
}

/// Reads games from ids_.first on; each call reads more games than the last one.
void AnnotationTable::Cursor::read_games() {
    games_.clear();
    game_ = 0;
    last_games_ = true;
    std::size_t bytes = 0;
    session_.reader().for_each_annotation(
        static_cast<store::GameId>(ids_.first), [&](store::GameId id, std::string_view stream) {
            if (static_cast<std::int64_t>(id) > ids_.last) return false;
            games_.push_back({id, std::string(stream)});
            bytes += stream.size();
            if (static_cast<std::int64_t>(id) == ids_.last) return false;
            ids_.first = static_cast<std::int64_t>(id) + 1;
            last_games_ = games_.size() < read_ahead_ && bytes < kBytesAhead;
            return last_games_;
        });
    read_ahead_ = std::min(kGamesAhead, 2 * read_ahead_);
}

void AnnotationTable::Cursor::column(sqlite3_context* context, int number) const {
    const query::AnnotatedPly& row = plies_[ply_];
    const std::string_view comment =
        row.comment ? std::string_view(*row.comment) : std::string_view();
    switch (number) {
        case AnnotationColumn::kGameId:
            sqlite3_result_int64(context, static_cast<sqlite3_int64>(id_));
            break;
        case AnnotationColumn::kPly: sqlite3_result_int64(context, row.ply); break;
        case AnnotationColumn::kNags:
            if (!row.nags.empty()) result_text(context, row.nags);
            break;
        case AnnotationColumn::kComment:
            if (row.comment) result_text(context, *row.comment);
            break;
        case AnnotationColumn::kEval:
            if (const auto eval = query::eval_pawns(comment)) sqlite3_result_double(context, *eval);
            break;
        case AnnotationColumn::kMate:
            if (const auto mate = query::eval_mate(comment)) sqlite3_result_int64(context, *mate);
            break;
        case AnnotationColumn::kClock:
            result_seconds(context, query::clock_seconds(comment));
            break;
        case AnnotationColumn::kElapsed:
            result_seconds(context, query::elapsed_seconds(comment));
            break;
        case AnnotationColumn::kVariations:
            if (!row.variations.empty()) result_text(context, row.variations);
            break;
        default: break;
    }
}

std::int64_t AnnotationTable::Cursor::rowid() const {
    return static_cast<std::int64_t>(id_ << codec::Posting::kPlyBits | plies_[ply_].ply);
}

}  // namespace fendex::sqlite_ext
