#include <span>

#include "cli/options/filters.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/game_columns.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/pgn_game.hpp"

namespace fendex::cli {

namespace {

int run_games(const Arguments& arguments) {
    const Format format = format_of(arguments);
    const Paging paging = paging_of(arguments, format);
    const store::Reader reader = store_at(arguments, arguments.only_database())->reader();
    const query::GameFilter filter = filter_of(arguments);
    query::GameMatcher matcher(*reader, filter);
    const std::size_t found = matcher.count();
    const std::size_t first = std::min<std::size_t>(paging.offset, found);
    const std::size_t last = first + std::min<std::size_t>(paging.limit, found - first);
    const std::vector<store::GameId> games =
        query::select_games(*reader, matcher, order_of(arguments), last);

    Output output(arguments);
    GameLister lister(*reader, output, format);
    emit::KeptTexts kept;
    const auto page = std::span<const store::GameId>(games).subspan(first, last - first);
    if (format == Format::kPgn) {
        reader->games(page, [&](store::GameId id, const store::StoredGame& game) {
            output.append_data(
                [&](std::string& out) { emit::append_pgn(*reader, kept, id, game, out); });
            output.maybe_flush();
        });
    } else {
        lister.print(page);
    }
    lister.finish();
    if (format == Format::kTable && last < found) {
        output.buffer() += more_line(found - last, "game");
    }
    output.flush();
    if (games.empty()) explain_nothing(arguments, *reader, filter);
    return last > first ? kFound : kNothingFound;
}

}  // namespace

Verb games_verb() {
    return {"games",
            "DB",
            "Lists games by player, event, date, rating, result and more.",
            "fendex games my.db --player fischer --since 1970 --sort date",
            joined({{format_option({"table", "json", "csv", "pgn"}), sort_option(),
                     password_file_option()},
                    paging_options(),
                    filter_options()}),
            run_games,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
