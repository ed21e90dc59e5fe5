#include "cli/verbs/export_selection.hpp"

#include <span>

#include "base/joined.hpp"
#include "chess/variant_names.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/pasted.hpp"
#include "cli/options/typed_moves.hpp"
#include "cli/verbs/export_format.hpp"
#include "cli/verbs/questions.hpp"
#include "emit/polyglot_book.hpp"
#include "query/position_search.hpp"

namespace fendex::cli {

std::optional<std::string> fen_of_words(const Arguments& arguments) {
    const std::vector<std::string>& words = arguments.words();
    if (words.size() == 1) return std::nullopt;
    const std::string text = base::joined(" ", std::span(words).subspan(1));
    if (!begins_position(words[1]) || !format_of_name(words[1]).empty()) {
        throw UsageError("'" + text + "' is not a position: the file to write follows -o, and " +
                         "moves follow --moves");
    }
    if (arguments.has("fen")) throw UsageError("--fen and a position after the database: give one");
    return text;
}

std::optional<chess::AnyPosition> position_asked(const Arguments& arguments) {
    const auto of_words = fen_of_words(arguments);
    const auto fen = of_words ? of_words : arguments.find("fen");
    const auto moves = arguments.find("moves");
    if (!fen && !moves) return std::nullopt;
    const std::optional<chess::Variant> variant = variant_asked(arguments);
    chess::AnyPosition position = start_asked(variant);
    if (fen) position = position_of(*fen, variant);
    if (moves) position = position_after(position, "--moves", *moves);
    return position;
}

std::vector<Option> selection_options() {
    return {valued("fen", "FEN", "only games that reached this position"),
            valued("moves", "MOVES",
                   "only games that reached the position after these moves, from the start or "
                   "from the FEN")};
}

emit::GameList games_selected(const query::GameFilter& filter,
                              const std::optional<chess::AnyPosition>& position,
                              query::GameOrder order, store::StoreReader& reader) {
    query::GameMatcher matcher(reader, filter);
    if (!position) {
        const store::GameId last = reader.last_game();
        const bool all_there = reader.info().games == last;
        if (matcher.takes_all() && order == query::GameOrder::kId && all_there) {
            return emit::GameList::up_to(last);
        }
        return emit::GameList(query::select_games(reader, matcher, order));
    }
    std::vector<store::GameId> games;
    const auto ranked = query::PositionSearch(reader, matcher)
                            .ranked_games(query::Question::of(*position), order, query::kAllGames);
    for (const query::RankedGame& each : ranked) games.push_back(each.game);
    return emit::GameList(std::move(games));
}

Selection selection_of(const Arguments& arguments, store::StoreReader& reader) {
    query::GameFilter filter = filter_of(arguments);
    const std::optional<chess::AnyPosition> position = position_asked(arguments);
    if (is_of_positions(arguments) && !filter.variant) {
        filter.variant = position ? position->variant() : chess::Variant::kStandard;
    }
    if (export_format_of(arguments) == "polyglot" && !chess::has_standard_rules(*filter.variant)) {
        throw UsageError("a Polyglot book is of standard chess and Chess960, not of " +
                         std::string(chess::name_of(*filter.variant)));
    }
    emit::GameList games = games_selected(filter, position, order_of(arguments), reader);
    return {filter, position, std::move(games)};
}

}  // namespace fendex::cli
