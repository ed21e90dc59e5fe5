// Information about a database besides its games: counts, sources, errors of imports, joined names.
// Functions of a session. Numbers of sources and errors are made unique in the cluster like those
// of games (ids.hpp): origin * 2^40 + the number in the database.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/snapshot.hpp"
#include "store/game_column.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

/// Returns sums of the ledger. Numbers that only a file has are 0: pieces of the index, distinct
/// positions, bytes. `id` is that of the database; empty if several databases were pushed.
[[nodiscard]] store::StoreInfo read_info(ReadSession& session);
[[nodiscard]] std::uint64_t count_players(ReadSession& session);
[[nodiscard]] std::vector<store::StoredSource> read_sources(ReadSession& session);
/// Calls visit(name, canonical) with the joined names of a kind.
void for_each_joined_name(ReadSession& session, store::NameKind kind,
                          const std::function<void(std::string_view, std::string_view)>& visit);
/// Visits the errors in the order of ids, until visit() returns false. visit() may use the session.
void for_each_error(ReadSession& session,
                    const std::function<bool(const store::StoredError&)>& visit);
/// Returns the text of the game that has the error; empty for an error outside any game.
[[nodiscard]] std::optional<std::string> read_broken_game(ReadSession& session, std::int64_t error);

}  // namespace fendex::clickhouse
