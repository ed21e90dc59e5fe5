#include "sqlite_ext/annotation_table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/json.hpp"
#include "codec/comment_commands.hpp"
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

/// Sets whole seconds as an integer, others as a real.
void set_seconds(sqlite3_context* context, const std::optional<double>& seconds) {
    if (seconds && std::floor(*seconds) == *seconds) {
        set_result(context, static_cast<std::int64_t>(*seconds));
    } else {
        set_result(context, seconds);
    }
}

}  // namespace

int AnnotationTable::best_index(sqlite3_index_info& info) {
    const unsigned uses = take_game_range(info);
    info.idxNum = static_cast<int>(uses);
    const bool one_game = (uses & kGameEqual) != 0;
    info.estimatedRows = one_game ? 85 : 100'000'000;
    info.estimatedCost = one_game ? 100 : 1e8;
    if (!one_game && uses != 0) info.estimatedCost /= 4;
    info.orderByConsumed = in_game_order(info, one_game) ? 1 : 0;
    return SQLITE_OK;
}

void AnnotationTable::filter(int plan, std::span<sqlite3_value*> arguments) {
    ids_ = game_range(static_cast<unsigned>(plan), arguments);
    games_.clear();
    game_ = 0;
    read_ahead_ = 1;
    last_games_ = ids_.empty();
    plies_.clear();
    next_game();
}

void AnnotationTable::next() {
    if (++ply_ == plies_.size()) next_game();
}

/// Goes to the next game that has rows; an annotation stream may give none.
void AnnotationTable::next_game() {
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
void AnnotationTable::read_games() {
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

void AnnotationTable::column(sqlite3_context* context, int number) const {
    const query::AnnotatedPly& row = plies_[ply_];
    const std::string_view comment =
        row.comment ? std::string_view(*row.comment) : std::string_view();
    const auto text = [&](const std::string& of) { set_result(context, json::known(of)); };
    switch (number) {
        case AnnotationColumn::kGameId: return set_result(context, id_);
        case AnnotationColumn::kPly: return set_result(context, row.ply);
        case AnnotationColumn::kNags: return text(row.nags);
        case AnnotationColumn::kComment: return set_result(context, row.comment);
        case AnnotationColumn::kEval: return set_result(context, codec::eval_pawns(comment));
        case AnnotationColumn::kMate: return set_result(context, codec::eval_mate(comment));
        case AnnotationColumn::kClock: return set_seconds(context, codec::clock_seconds(comment));
        case AnnotationColumn::kElapsed:
            return set_seconds(context, codec::elapsed_seconds(comment));
        case AnnotationColumn::kVariations: return text(row.variations);
        default: break;
    }
}

std::int64_t AnnotationTable::rowid() const {
    return static_cast<std::int64_t>(id_ << codec::Posting::kPlyBits | plies_[ply_].ply);
}

}  // namespace fendex::sqlite_ext
