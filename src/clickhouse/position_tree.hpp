// The moves that were played from positions. The servers add them up.
#pragma once

#include <cstddef>

#include "clickhouse/filter_sql.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/engine.hpp"

namespace fendex::clickhouse {

/// store::Engine::tree()
[[nodiscard]] store::Engine::Tree position_tree(ReadSession& session, const FilterSql& filter,
                                                store::Engine::Targets targets,
                                                const store::Engine::TreeLists& lists);

}  // namespace fendex::clickhouse
