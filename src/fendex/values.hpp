// Converts between the library's values and those of the layers below.
#pragma once

#include "ask/given.hpp"
#include "fendex/fendex.hpp"
#include "query/game_filter.hpp"
#include "query/opening_tree.hpp"
#include "query/position_search.hpp"
#include "query/repetition_analysis.hpp"
#include "store/store_reader.hpp"

namespace fendex {

ask::Given given_of(const Question& question);
ask::Given given_of(const RepeatQuestion& question);
store::GameOrder order_of(Order order);

/// Throws Error(kAbsent) if there is no such game.
Game game_of(store::StoreReader& reader, store::GameId id);
Hit hit_of(store::StoreReader& reader, const query::Hit& hit);
Tree tree_of(store::StoreReader& reader, const query::Tree& tree);
Repeat repeat_of(store::StoreReader& reader, query::RepetitionAnalysis& analysis,
                 const query::RepeatedPosition& row);
std::vector<Ply> plies_of(store::StoreReader& reader, store::GameId id,
                          const store::StoredMoves& moves);

}  // namespace fendex
