#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "cli/filters.hpp"
#include "cli/nothing_found.hpp"
#include "cli/output.hpp"
#include "cli/progress_line.hpp"
#include "cli/verbs.hpp"
#include "query/duplicate_games.hpp"
#include "store/store_writer.hpp"

namespace fendex::cli {

namespace {

using store::GameId;

/// First and last, both included.
using Ranges = std::vector<std::pair<GameId, GameId>>;

/// "1,5,10-20".
Ranges parse_games(const std::string& list) {
    Ranges ranges;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string part = list.substr(begin, end - begin);
        const std::size_t dash = part.find('-');
        const GameId first = parse_number("games", part.substr(0, dash));
        const GameId last =
            dash == std::string::npos ? first : parse_number("games", part.substr(dash + 1));
        if (first > last) throw UsageError("--games: '" + part + "' begins behind its end");
        ranges.emplace_back(first, last);
        begin = end + 1;
    }
    return ranges;
}

bool has(const Ranges& ranges, GameId game) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
        return game >= range.first && game <= range.second;
    });
}

bool has_filter(const Arguments& arguments) {
    const std::vector<Option> options = filter_options();
    return std::any_of(options.begin(), options.end(),
                       [&](const Option& each) { return arguments.has(each.name); });
}

/// What goes: of the games that fit those in the list, or those that are superfluous.
std::vector<GameId> selected(const Arguments& arguments, store::StoreReader& reader) {
    query::GameMatcher matcher(reader, filter_of(arguments));
    if (arguments.has("duplicates")) {
        const query::DuplicateKind identical[]{query::DuplicateKind::kIdentical};
        return query::superfluous_games(query::find_duplicates(reader, matcher, identical));
    }
    std::vector<GameId> games = query::select_games(reader, matcher);
    if (const auto list = arguments.find("games")) {
        const Ranges ranges = parse_games(*list);
        std::erase_if(games, [&](GameId game) { return !has(ranges, game); });
    }
    return games;
}

int run_delete(const Arguments& arguments) {
    const std::string& database = arguments.only_database();
    const bool duplicates = arguments.has("duplicates");
    const bool list = arguments.has("games");
    if (!duplicates && !list && !has_filter(arguments)) {
        throw UsageError("which games? Give --duplicates, --games or a condition");
    }
    if (duplicates && list) throw UsageError("--games and --duplicates exclude each other");
    if (list) parse_games(arguments.get("games"));
    // Refuses what is no database, before a writer creates one.
    std::unique_ptr<store::StoreReader> reader = store::open_reader(database);
    // Nobody else writes from the choice of the games to their end.
    std::unique_ptr<store::StoreWriter> writer;
    if (!arguments.has("dry-run")) {
        reader.reset();  // the writer changes how the file is journalled: nobody may read then
        writer = store::open_writer(database, "delete");
        reader = store::open_reader(database);
    }
    const ProgressLine clock;
    const std::vector<GameId> games = selected(arguments, *reader);
    const std::uint64_t all = reader->info().games;
    if (games.empty()) explain_nothing(*reader, filter_of(arguments));
    reader.reset();  // the writer leaves one file where nobody reads
    if (games.empty()) {
        fmt::print(stderr, "no such game: nothing to delete\n");
    } else if (!writer) {
        fmt::print(stderr, "{} of {} games would be deleted\n", grouped(games.size()),
                   grouped(all));
    } else {
        fmt::print(stderr, "deleting {} of {} games\n", grouped(games.size()), grouped(all));
        const store::RemovedGames removed = writer->remove_games(games);
        writer->commit();
        fmt::print(stderr, "{} games, {} plies deleted in {:.2f} s; database: {} games\n",
                   grouped(removed.games), grouped(removed.plies), clock.seconds(),
                   grouped(all - removed.games));
    }
    if (writer) writer->close();
    return games.empty() ? kNothingFound : kFound;
}

}  // namespace

Verb delete_verb() {
    Option games = valued("games", "LIST", "these games: 1,5,10-20");
    return {"delete",
            "DB",
            "Deletes games: those listed, those of which there is another, or those that fit.\n"
            "They are in no answer from then on; numbers of other games stay as they are. What "
            "several options\nsay must all hold. The space is free again for games to come.",
            "fendex delete my.db --duplicates --dry-run",
            joined({{flag("duplicates",
                          "all games but one of those that are identical (see "
                          "fendex duplicates)"),
                     games, flag("dry-run", "only say how many")},
                    filter_options()}),
            run_delete};
}

}  // namespace fendex::cli
