#include "store/sqlite/engine/record_swings.hpp"

#include <cstdint>

#include "replay/stored_walk.hpp"
#include "store/sqlite/engine/condition_games.hpp"

namespace fendex::store {

namespace {

bool reaches(const std::optional<std::uint32_t>& swing, std::uint32_t least) {
    return swing && *swing >= least;
}

}  // namespace

bool has_position_records(LocalReader& reader) {
    PositionRecords* const records = reader.records();
    return records != nullptr && records->count() != 0;
}

RecordSwings::RecordSwings(LocalReader& reader, const GameFilter& filter, base::StopCheck& stop)
    : reader_(reader), records_(*reader.records()), filter_(filter) {
    if (!filter.swing || !filter.is_swing_of_player()) return;
    is_white_ = player_condition(reader, filter.player, GameColumn::kWhite, stop);
    is_black_ = player_condition(reader, filter.player, GameColumn::kBlack, stop);
}

bool RecordSwings::fit(GameId game, base::StopCheck& stop) {
    for (const GameColumn column : {GameColumn::kWhiteSwing, GameColumn::kBlackSwing}) {
        // The game's own evaluations count, and they fit.
        if (value_in(reader_, column, game) != 0) return true;
    }
    const codec::GameSwings found = swings(game, stop);
    if (filter_.white_swing && !reaches(found.white, *filter_.white_swing)) return false;
    if (filter_.black_swing && !reaches(found.black, *filter_.black_swing)) return false;
    if (!filter_.swing) return true;
    const auto is_by = [&](const std::optional<GameCondition>& condition,
                           const std::optional<std::uint32_t>& swing) {
        return reaches(swing, *filter_.swing) && (!condition || fits(reader_, *condition, game));
    };
    return is_by(is_white_, found.white) || is_by(is_black_, found.black);
}

codec::GameSwings RecordSwings::swings(GameId game, base::StopCheck& stop) {
    scores_.clear();
    if (!reader_.moves(game, moves_) || !replay::has_positions(moves_)) return {};
    chess::Color first = chess::Color::kWhite;
    codec::PositionRecord record;
    replay::for_each_position(game, moves_, [&](const auto& at) {
        stop();
        if (at.ply() == 0) first = at.position().side_to_move();
        if (!records_.find(chess::AnyPosition(at.position()), record)) return;
        const codec::Evaluation* const best = record.best();
        if (best != nullptr && !best->pvs.empty()) {
            scores_.push_back({at.ply(), best->pvs.front().score});
        }
    });
    return codec::swings_of(scores_, first);
}

}  // namespace fendex::store
