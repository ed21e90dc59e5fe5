#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ask/fields.hpp"
#include "ask/game_rows.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/lister.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/pgn_game.hpp"

namespace fendex::cli {

namespace {

/// Prints the page of the games as PGN.
Lister::Printed print_pgn(ask::Source& database, store::GameOrder order, Lister& lister) {
    const Paging paging = lister.paging();
    const std::vector<store::GameId> games =
        query::select_games(*database.reader, database.matcher, order, lister.page().limit);
    const std::size_t first = std::min<std::size_t>(paging.offset, games.size());
    emit::KeptTexts kept;
    Output& output = lister.output();
    database.reader->games(
        std::span(games).subspan(first), [&](store::GameId id, const store::StoredGame& game) {
            output.append_data(
                [&](std::string& out) { emit::append_pgn(*database.reader, kept, id, game, out); });
            output.maybe_flush();
        });
    return {games.size() - first, !games.empty()};
}

int run_games(const Arguments& arguments) {
    Lister lister(arguments, format_of(arguments), List::kGames);
    std::vector<ask::OpenDatabase> database = open_only_database(arguments);
    const query::GameFilter filter = filter_of(arguments);
    const auto databases = std::make_shared<ask::Sources>(std::move(database), filter);
    const query::GameOrder order = order_of(arguments);
    ask::Source& source = (*databases)[0];
    const Lister::Printed printed =
        lister.format() == Format::kPgn
            ? print_pgn(source, order, lister)
            : lister.print(*ask::game_rows(databases, order, lister.page(), {}), "game");
    lister.flush();
    if (!printed.any) explain_nothing(arguments, *source.reader, filter);
    return printed.rows == 0 ? kNothingFound : kFound;
}

}  // namespace

Verb games_verb() {
    return {"games",
            "DB",
            "Lists games by player, event, date, rating, result and more.",
            "fendex games my.db --player fischer --since 1970 --sort date",
            joined({{format_option({"table", "json", "csv", "pgn"}), option_of(ask::sort_field()),
                     password_file_option()},
                    paging_options(),
                    filter_options()}),
            run_games,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
