#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/json.hpp"
#include "cli/options/duplicates.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/game_ranges.hpp"
#include "cli/options/say.hpp"
#include "cli/output/columns.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/byte_sink.hpp"
#include "emit/game_rows.hpp"
#include "emit/pgn_game.hpp"
#include "query/duplicate_games.hpp"
#include "query/near_names.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

namespace {

using store::GameId;

bool has(const GameRanges& ranges, GameId game) {
    return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
        return game >= range.first && game <= range.second;
    });
}

bool has_filter(const Arguments& arguments) {
    const std::vector<Option> options = filter_options();
    return std::any_of(options.begin(), options.end(),
                       [&](const Option& each) { return arguments.has(each.name); });
}

/// Returns the games to delete: those that fit the filter and are in the list, or that are
/// superfluous duplicates.
std::vector<GameId> selected(const Arguments& arguments, store::SnapshotReaders& readers) {
    query::GameMatcher matcher(readers[0], filter_of(arguments));
    if (const auto kind = arguments.find("duplicates")) {
        return query::superfluous_games(duplicates_of(arguments, readers, matcher, *kind));
    }
    std::vector<GameId> games = query::select_games(readers[0], matcher);
    if (const auto list = arguments.find("games")) {
        const GameRanges ranges = parse_games("--games", *list);
        std::erase_if(games, [&](GameId game) { return !has(ranges, game); });
    }
    return games;
}

/// A word may fit more names than expected, so this prints the names whose games are deleted.
void say_names(const query::GameFilter& filter, const std::vector<GameId>& games,
               store::StoreReader& reader) {
    constexpr std::size_t kShown = 20;
    for (const query::MetNames& met : query::met_names(reader, filter, games)) {
        std::string text = "--" + met.field + " '" + met.words + "' fits ";
        for (std::size_t i = 0; i < std::min(kShown, met.names.size()); ++i) {
            text += fmt::format("{}'{}' ({})", i == 0 ? "" : ", ", met.names[i].name,
                                counted(met.names[i].games, "game"));
        }
        if (met.names.size() > kShown) {
            text += " and " + counted(met.names.size() - kShown, "more name");
        }
        say(text);
    }
}

/// Lists the games that would be deleted, like the verb games.
void list_games(const std::vector<GameId>& games, Format format, store::StoreReader& reader,
                Output output) {
    const Paging paging = paging_by_default(format);
    const std::size_t shown = std::min<std::size_t>(paging.limit, games.size());
    RowPrinter printer(output, format, columns_of(List::kGames, emit::columns_of_games()));
    std::vector<Cell> cells;
    reader.headers(std::span(games).first(shown), [&](const store::GameHeader& header) {
        emit::set_cells(header, cells);
        printer.row(cells);
    });
    printer.finish();
    if (shown < games.size()) {
        output.buffer() += "... and " + counted(games.size() - shown, "more game") +
                           " (all: --format csv or json)\n";
    }
    output.flush();
}

/// Opens the file of --save; empty without that option. Refuses a file that exists: it may have
/// games that were deleted before.
std::unique_ptr<emit::ByteSink> save_file_of(const Arguments& arguments) {
    const auto path = arguments.find("save");
    if (!path) return nullptr;
    if (arguments.has("dry-run")) throw UsageError("--save and --dry-run exclude each other");
    if (*path == "-" || std::filesystem::exists(*path)) {
        throw UsageError("--save takes the name of a new file: " + *path);
    }
    return emit::open_sink(*path, 1);
}

/// Writes the games as PGN. When it returns, they are on the disk.
void save_games(const std::vector<GameId>& games, store::StoreReader& reader,
                emit::ByteSink& sink) {
    constexpr std::size_t kBytesAtOnce = std::size_t{1} << 20;
    emit::KeptTexts kept;
    std::string text;
    for (const GameId game : games) {
        if (!emit::append_pgn(reader, kept, game, text)) store::throw_no_game(game);
        if (text.size() < kBytesAtOnce) continue;
        sink.write(text);
        text.clear();
    }
    sink.write(text);
    sink.finish();
}

/// Prints what was deleted and, even if that is nothing, how many games are left.
void print_deleted(const store::GameSums& removed, std::uint64_t left, double seconds,
                   Output output) {
    json::append_line(output.buffer(), [&](json::Object& object) {
        object.add("games", removed.games);
        object.add("plies", removed.plies);
        object.add("games_left", left);
        object.add("seconds", json::Fixed{seconds, 3});
    });
    output.flush();
}

/// Deletes all records of positions.
int delete_records(const Arguments& arguments) {
    for (const char* option : {"duplicates", "games", "dry-run", "save"}) {
        if (arguments.has(option)) {
            throw UsageError("--records and --" + std::string(option) + " exclude each other");
        }
    }
    if (has_filter(arguments)) {
        throw UsageError("--records deletes all evaluations: conditions are for games");
    }
    const Format format = format_of(arguments, {Format::kTable, Format::kJson});
    const std::shared_ptr<store::Store> store = store::file_store(arguments.only_database());
    store->require_readable();
    ProgressLine line(arguments);
    const std::unique_ptr<store::StoreWriter> writer = store->writer("delete");
    const std::uint64_t removed = writer->records()->remove_all();
    writer->commit();
    writer->close();
    line.say(fmt::format("{} deleted in {:.2f} s", counted(removed, "record"), line.seconds()));
    if (format == Format::kJson) {
        Output output(arguments);
        json::append_line(output.buffer(), [&](json::Object& object) {
            object.add("records", removed);
            object.add("seconds", json::Fixed{line.seconds(), 3});
        });
        output.flush();
    }
    return removed == 0 ? kNothingFound : kFound;
}

int run_delete(const Arguments& arguments) {
    if (arguments.has("records")) return delete_records(arguments);
    const bool duplicates = arguments.has("duplicates");
    const bool list = arguments.has("games");
    const bool dry_run = arguments.has("dry-run");
    if (!duplicates && !list && !has_filter(arguments)) {
        throw UsageError("which games? Give --duplicates, --games or a condition");
    }
    if (duplicates && list) throw UsageError("--games and --duplicates exclude each other");
    if (list) static_cast<void>(parse_games("--games", arguments.get("games")));  // throws
    const Format format =
        dry_run ? format_of(arguments) : format_of(arguments, {Format::kTable, Format::kJson});
    const std::unique_ptr<emit::ByteSink> save_file = save_file_of(arguments);
    // Refuses a file that is not a database; a writer would create one.
    const std::shared_ptr<store::Store> store = store_for_duplicates(arguments);
    store->require_readable();
    // Opened before the games are chosen, so that no other process writes in between.
    std::unique_ptr<store::StoreWriter> writer;
    if (!dry_run) writer = store->writer("delete");
    std::optional<store::SnapshotReaders> readers =
        readers_of(arguments, *store, arguments.find("duplicates").value_or(""));
    store::StoreReader& reader = (*readers)[0];
    ProgressLine line(arguments);
    const std::vector<GameId> games = selected(arguments, *readers);
    const std::uint64_t all = reader.info().games;
    const auto of_all = [&] {
        return fmt::format("{} of {}", grouped(games.size()), counted(all, "game"));
    };
    const query::GameFilter filter = filter_of(arguments);
    if (games.empty()) {
        explain_nothing(arguments, reader, filter);
    } else if (!arguments.has("quiet")) {
        say_names(filter, games, reader);
    }
    if (dry_run) list_games(games, format, reader, Output(arguments));
    if (save_file && !games.empty()) save_games(games, reader, *save_file);
    readers.reset();  // closed so that the writer can empty the log
    store::GameSums removed;
    if (games.empty()) {
        line.say("no game fits: nothing was deleted");
    } else if (dry_run) {
        line.say(of_all() + " would be deleted");
    } else {
        line.say("deleting " + of_all());
        removed = writer->remove_games(games);
        writer->commit();
        line.say(fmt::format("{}, {} deleted in {:.2f} s; database: {}",
                             counted(removed.games, "game"), counted(removed.plies, "ply", "plies"),
                             line.seconds(), counted(all - removed.games, "game")));
    }
    if (writer) {
        writer->close();
        if (format == Format::kJson)
            print_deleted(removed, all - removed.games, line.seconds(), Output(arguments));
    }
    return games.empty() ? kNothingFound : kFound;
}

}  // namespace

Verb delete_verb() {
    Option duplicates = valued(
        "duplicates", "KIND",
        "of each group of this kind, all games except the one to keep (see fendex duplicates)");
    duplicates.choices = duplicate_kinds();
    Option games = valued("games", "LIST", "these games: 1,5,10-20");
    return {
        "delete",
        "DB",
        "Removes duplicates, listed games or those that fit a filter.\n"
        "If several conditions are given, a game must fit all of them. Deleted games are in\n"
        "no answer, and the numbers of other games stay as they are. The space is used for\n"
        "games that are imported later.\n"
        "--format json prints an object: games, plies, games_left, seconds; with --dry-run\n"
        "it prints the games, as fendex games does.",
        "fendex delete my.db --duplicates similar --dry-run",
        joined({{duplicates, games,
                 flag("records", "all evaluations and other records of positions, and no games"),
                 flag("dry-run", "list the games, and delete nothing"),
                 valued("save", "FILE",
                        "write the games to a new file as PGN before they are deleted; an import "
                        "of it brings them back"),
                 format_option({"table", "json", "csv"})},
                duplicate_options(),
                filter_options()}),
        run_delete};
}

}  // namespace fendex::cli
