#include "store/sqlite/engine/fitting_games.hpp"

#include <algorithm>

#include "base/key_text.hpp"
#include "store/named_sources.hpp"
#include "store/sqlite/engine/condition_games.hpp"

namespace fendex::store {

namespace {

/// Up to so many games are tested one by one; for more, the set of all that fit is made.
constexpr unsigned kSingleGames = 500;
/// A set with no more games is tested game by game.
constexpr std::uint64_t kFewGames = 100;

}  // namespace

FittingGames::FittingGames(LocalReader& reader, const GameFilter& filter, base::StopCheck& stop)
    : reader_(reader),
      filter_(filter),
      snapshot_(reader.snapshot()),
      takes_all_(filter == GameFilter{}),
      conditions_(conditions_of(reader, filter, stop)) {
    if (filter_.has_swing() && has_position_records(reader)) {
        record_swings_.emplace(reader, filter_, stop);
    }
    if (!takes_all_ && filter.source.empty() && filter.tags.empty() && !record_swings_) {
        fact_test_ = FactTest::of(reader, conditions_);
    }
    if (filter.source.empty()) return;
    for (const StoredSource& source : sources_named(reader, filter.source)) {
        source_games_.emplace_back(source.first_game, source.first_game + source.games);
    }
}

bool FittingGames::contain(GameId game, base::StopCheck& stop) {
    if (takes_all_) return true;
    if (games_) return games_->contains(game);
    if (by_columns_ || ++single_games_ > kSingleGames) {
        if (!record_swings_) return all(stop).contains(game);
        return by_columns(stop).contains(game) && fits_by_row(game, stop);
    }
    const auto is_of = [&](const auto& range) {
        return game >= range.first && game < range.second;
    };
    if (!filter_.source.empty() && std::ranges::none_of(source_games_, is_of)) {
        return false;
    }
    for (const GameCondition& condition : conditions_) {
        stop();
        if (!fits(reader_, condition, game)) return false;
    }
    return fits_by_row(game, stop);
}

/// Tests what is in no column: tags, and swings by the records of positions.
bool FittingGames::fits_by_row(GameId game, base::StopCheck& stop) {
    return (filter_.tags.empty() || has_tags(game)) &&
           (!record_swings_ || record_swings_->fit(game, stop));
}

bool FittingGames::has_tags(GameId game) {
    if (!reader_.game(game, game_)) return false;
    return std::ranges::all_of(filter_.tags, [&](const auto& tag) {
        return std::ranges::find(game_.tags, tag) != game_.tags.end();
    });
}

const GameSet& FittingGames::all(base::StopCheck& stop) {
    if (!games_) games_ = fitting(stop);
    return *games_;
}

const base::HugeVector<std::uint64_t>& FittingGames::bits(base::StopCheck& stop) {
    if (bits_.empty()) bits_ = all(stop).bits(reader_.last_game());
    return bits_;
}

bool FittingGames::prefers_bits(std::uint64_t games) const {
    return !record_swings_ && (games_ || games > kSingleGames);
}

bool FittingGames::prefers_fact_test() const {
    if (!fact_test_ || games_) return false;
    SnapshotCache& cache = reader_.snapshot_cache();
    const auto is_known = [&](const GameCondition& condition) {
        return cache.get<GameSet>(key_of(condition)) != nullptr;
    };
    return !cache.was_asked(key("tested")) && !std::ranges::all_of(conditions_, is_known);
}

void FittingGames::set_tested() { reader_.snapshot_cache().set_asked(key("tested")); }

const GameSet& FittingGames::by_columns(base::StopCheck& stop) {
    if (!by_columns_) by_columns_ = fitting_by_columns(stop);
    return *by_columns_;
}

std::shared_ptr<const GameSet> FittingGames::fitting_by_columns(base::StopCheck& stop) {
    std::shared_ptr<const GameSet> existing = existing_games(reader_);
    if (takes_all_) return existing;
    const auto games = std::make_shared<GameSet>(*existing);
    for (const auto& each : games_that_fit(reader_, conditions_, stop)) *games &= *each;
    if (!filter_.source.empty()) {
        GameSet of_sources;
        for (const auto& [first, end] : source_games_) of_sources.add_range(first, end);
        *games &= of_sources;
    }
    return games;
}

std::string FittingGames::key(std::string_view what) const {
    base::KeyText text(what);
    for (const auto& [name, value] : filter_.tags) text.add(name).add(value);
    for (const GameCondition& condition : conditions_) text.add(key_of(condition));
    return text.add(filter_.source).text();
}

std::shared_ptr<const GameSet> FittingGames::fitting(base::StopCheck& stop) {
    by_columns(stop);
    if (filter_.tags.empty() && !record_swings_) return by_columns_;
    const std::string name = key("games by row");
    if (auto known = reader_.snapshot_cache().get<GameSet>(name)) return known;
    const auto games = std::make_shared<GameSet>(*by_columns_);
    for (const std::uint32_t game : by_columns_->numbers()) {
        stop();
        if (!fits_by_row(game, stop)) games->remove(game);
    }
    reader_.snapshot_cache().put(name, games, games->bytes());
    return games;
}

std::vector<std::uint32_t> FittingGames::of(const GameSet& games, base::StopCheck& stop) {
    if (games.size() > kFewGames && (games_ || !record_swings_)) {
        return (games & all(stop)).numbers();
    }
    std::vector<std::uint32_t> out =
        games.size() > kFewGames ? (games & by_columns(stop)).numbers() : games.numbers();
    std::erase_if(out, [&](std::uint32_t game) { return !contain(game, stop); });
    return out;
}

}  // namespace fendex::store
