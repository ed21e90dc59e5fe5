// Lists and counts of games, in any order: games that fit a filter, and games that reached
// positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "clickhouse/filter_sql.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/engine.hpp"

namespace fendex::clickhouse {

// The functions of store::Engine with these names.

[[nodiscard]] std::uint64_t count_games(ReadSession& session, const FilterSql& filter);
[[nodiscard]] std::vector<std::uint64_t> count_by_variant(ReadSession& session,
                                                          const FilterSql& filter);
[[nodiscard]] std::vector<store::RankedGame> list_games(ReadSession& session,
                                                        const FilterSql& filter,
                                                        store::GameOrder order,
                                                        std::optional<store::RankedGame> after,
                                                        std::size_t most);
[[nodiscard]] std::vector<store::RankedGame> rank_games(ReadSession& session,
                                                        const FilterSql& filter,
                                                        store::GameOrder order,
                                                        std::span<const GameId> games);
[[nodiscard]] std::vector<GameId> games_at_site(ReadSession& session, const FilterSql& filter,
                                                std::string_view part, std::size_t most);
[[nodiscard]] std::vector<GameId> possible_games(ReadSession& session, const FilterSql& filter,
                                                 std::span<const codec::SignatureCondition> any_of,
                                                 const store::GameRange& games, std::size_t most);
[[nodiscard]] std::vector<GameId> games_for_clock(ReadSession& session, const FilterSql& filter,
                                                  std::uint32_t clock, GameId after,
                                                  std::size_t most);
[[nodiscard]] std::vector<store::Engine::Reached> games_that_reached(
    ReadSession& session, const FilterSql& filter, store::Engine::Targets targets,
    store::GameOrder order, std::optional<store::RankedGame> after, std::size_t most);
[[nodiscard]] std::vector<GameId> games_with_variations(ReadSession& session,
                                                        const FilterSql& filter,
                                                        store::Engine::Targets targets,
                                                        GameId after, std::size_t most);

}  // namespace fendex::clickhouse
