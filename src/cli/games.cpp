#include "cli/game_columns.hpp"
#include "cli/verbs.hpp"
#include "emit/pgn_game.hpp"

namespace fendex::cli {

namespace {

int run_games(const Arguments& arguments) {
    const Format format = format_of(arguments);
    const Paging paging = paging_of(arguments, format);
    const std::unique_ptr<store::StoreReader> reader = store::open_reader(arguments.database());
    const std::uint64_t total = reader->info().games;
    const std::uint64_t first = std::min(paging.offset, total);
    const std::uint64_t last = first + std::min(paging.limit, total - first);

    Output output;
    std::vector<ColumnSpec> columns{{"game_id"}};
    append_game_columns(columns);
    columns.push_back({"plies"});
    RowPrinter printer(output, format, std::move(columns));
    std::vector<Cell> cells;
    store::GameHeader header;
    for (store::GameId id = first + 1; id <= last; ++id) {
        if (format == Format::kPgn) {
            store::StoredGame game;
            if (reader->game(id, game)) emit::append_pgn(id, game, output.buffer());
            output.maybe_flush();
            continue;
        }
        if (!reader->header(id, header)) continue;
        cells.assign(1, static_cast<std::int64_t>(id));
        append_game_cells(header, cells);
        cells.push_back(std::int64_t{header.plies});
        printer.row(cells);
    }
    printer.finish();
    if (format == Format::kTable && last < total) {
        output.buffer() +=
            "... and " + grouped(total - last) + " more games (--limit N, --offset N)\n";
    }
    output.flush();
    return last > first ? kFound : kNothingFound;
}

}  // namespace

Verb games_verb() {
    return {"games",
            "DB",
            "Lists the games, in the order of the input.",
            "fendex games my.db --offset 100 --limit 10",
            joined({{format_option({"table", "json", "csv", "pgn"})}, paging_options()}),
            run_games};
}

}  // namespace fendex::cli
