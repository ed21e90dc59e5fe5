// The games that `export` writes, and whose positions `evaluate` takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chess/any_position.hpp"
#include "cli/options/arguments.hpp"
#include "emit/game_batches.hpp"
#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

/// The games to export, and the conditions that selected them.
struct Selection {
    query::GameFilter filter;
    std::optional<chess::AnyPosition> position;
    emit::GameList games;
};

std::vector<Option> selection_options();

/// Returns the FEN that the words after the database are, if there are such words. Throws
/// UsageError.
std::optional<std::string> fen_of_words(const Arguments& arguments);
/// Returns the position of a FEN, --fen or --moves, if one is given. Throws UsageError.
std::optional<chess::AnyPosition> position_asked(const Arguments& arguments);
/// Returns the games that fit the filter and, if a position is given, have reached it.
emit::GameList games_selected(const query::GameFilter& filter,
                              const std::optional<chess::AnyPosition>& position,
                              query::GameOrder order, store::StoreReader& reader);

/// Returns the games that the filters and the position select, in the order of --sort. Throws
/// UsageError.
Selection selection_of(const Arguments& arguments, store::StoreReader& reader);

}  // namespace fendex::cli
