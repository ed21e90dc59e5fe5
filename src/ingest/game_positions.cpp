#include "ingest/game_positions.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "codec/posting.hpp"
#include "replay/opening_names.hpp"
#include "replay/ply_rows.hpp"

namespace fendex::ingest {

namespace {

template <typename Value>
store::Range append(const std::vector<Value>& values, std::vector<Value>& out) {
    out.insert(out.end(), values.begin(), values.end());
    return {out.size() - values.size(), values.size()};
}

}  // namespace

void add_opening(const replay::GameRecord& record, store::NewGame& game) {
    if (const auto opening = replay::opening_of_game(record.keys())) game.opening = opening->text;
}

void add_positions(const replay::GameRecord& record, const chess::AnyPosition& start, bool ply_rows,
                   store::NewGames& out) {
    store::NewGame& game = out.games.back();
    const std::vector<std::uint64_t>& keys = record.keys();
    const std::vector<chess::Move>& moves = record.moves();
    game.positions = {out.positions.size(), keys.size()};
    for (std::size_t ply = 0; ply < moves.size(); ++ply) {
        out.positions.push_back({keys[ply], moves[ply]});
    }
    out.positions.push_back({keys.back(), codec::kGameEndsHere});
    game.repetitions = append(record.repetitions(), out.repetitions);
    // In the order of the table's key, as a signed number, so that SQLite appends each row.
    std::ranges::sort(std::span(out.repetitions).subspan(game.repetitions.begin), {},
                      [](const auto& each) { return static_cast<std::int64_t>(each.key); });
    game.quiet_runs = append(record.quiet_runs(), out.quiet_runs);
    if (!ply_rows) return;
    game.ply_rows.begin = out.ply_rows.rows.size();
    replay::append_ply_rows(start, moves, store::Occurrences(record.repetitions()),
                            game.facts.variant, out.ply_rows);
    game.ply_rows.size = out.ply_rows.rows.size() - game.ply_rows.begin;
}

}  // namespace fendex::ingest
