#include "ingest/leave_out.hpp"

#include <algorithm>

namespace fendex::ingest {

namespace {

void keep_notes(const std::vector<store::GameId>& equal, store::NewGames& batch) {
    for (std::size_t i = 0; i < equal.size(); ++i) {
        const store::NewGame& game = batch.games[i];
        if (equal[i] == kNewGame || equal[i] == kLeftOut || game.annotation.size == 0) continue;
        batch.notes.push_back({equal[i], game.annotation, game.swings});
    }
    std::ranges::stable_sort(batch.notes, {}, &store::NewNotes::game);
    const auto is_same = [](const auto& a, const auto& b) { return a.game == b.game; };
    batch.notes.erase(std::unique(batch.notes.begin(), batch.notes.end(), is_same),
                      batch.notes.end());
}

}  // namespace

bool leave_out(const std::vector<store::GameId>& equal, store::NewGames& batch) {
    const auto new_games = static_cast<std::uint64_t>(std::ranges::count(equal, kNewGame));
    batch.duplicates = equal.size() - new_games;
    if (batch.duplicates == 0) return false;
    batch.copied.reset();
    keep_notes(equal, batch);
    std::erase_if(batch.errors,
                  [&](const auto& each) { return each.game && equal[*each.game] != kNewGame; });
    for (store::NewError& each : batch.errors) {
        if (!each.game) continue;
        const auto end = equal.begin() + static_cast<std::ptrdiff_t>(*each.game);
        *each.game = static_cast<std::size_t>(std::count(equal.begin(), end, kNewGame));
    }
    std::size_t i = 0;
    std::erase_if(batch.games, [&](const auto&) { return equal[i++] != kNewGame; });
    return equal.back() != kNewGame;
}

}  // namespace fendex::ingest
