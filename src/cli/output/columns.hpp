// How tables show the columns of lists: one table for all verbs.
#pragma once

#include <string>
#include <vector>

#include "cli/output/row_printer.hpp"

namespace fendex::cli {

/// The kinds of lists. A column of one name may mean something else in another list.
enum class List {
    kGames,
    kHits,
    kRepetitions,
    kPlies,
    kMoves,
    kOpenings,
    kPlayers,
    kEvents,
    kNames,
    kDepartures,  // games that left a repertoire
    kRepertoire,  // its positions
};

/// Returns how a table shows these columns of a list.
std::vector<ColumnSpec> columns_of(List list, const std::vector<std::string>& names);

}  // namespace fendex::cli
