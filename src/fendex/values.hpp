// Converts between the library's values and those of the layers below.
#pragma once

#include "chess/any_position.hpp"
#include "fendex/fendex.hpp"
#include "query/game_filter.hpp"
#include "query/opening_tree.hpp"
#include "query/position_match.hpp"
#include "query/position_search.hpp"
#include "query/repetition_analysis.hpp"
#include "store/store_reader.hpp"

namespace fendex {

query::Match match_of(Match match);
query::GameOrder order_of(Order order);

/// The position that a question is about. Throws Error(kQuestion).
chess::AnyPosition position_of(const Question& question);
chess::AnyPosition position_of_fen(const std::string& fen, const std::string& variant);
/// Returns the filter for a question about a position. The position has a variant of its own, so
/// Question::variant filters games only if it is Chess960.
query::GameFilter filter_for_position(const Question& question);

/// Throws Error(kAbsent) if there is no such game.
Game game_of(store::StoreReader& reader, store::GameId id);
Hit hit_of(store::StoreReader& reader, const query::Hit& hit);
Tree tree_of(store::StoreReader& reader, const query::Tree& tree);
Repeat repeat_of(store::StoreReader& reader, query::RepetitionAnalysis& analysis,
                 const query::RepeatedPosition& row);
std::vector<Ply> plies_of(store::StoreReader& reader, store::GameId id,
                          const store::StoredMoves& moves);

}  // namespace fendex
