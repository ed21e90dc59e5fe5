#include "chess/diagram.hpp"
#include "chess/san.hpp"
#include "cli/dialect.hpp"
#include "cli/game_columns.hpp"
#include "cli/spelling.hpp"
#include "cli/verbs.hpp"
#include "emit/pgn_game.hpp"
#include "store/stored_walk.hpp"

namespace fendex::cli {

namespace {

void require_replayable(store::GameId id, const store::StoredGame& game) {
    if (!store::has_positions(game.moves)) {
        throw std::runtime_error("game " + std::to_string(id) +
                                 " is of a variant, or from a position, that fendex does not know: "
                                 "its moves were not replayed");
    }
}

void print_plies(store::StoreReader& reader, store::GameId id, const store::StoredGame& game,
                 Format format, chess::FenDialect dialect, const chess::SanSpelling& spelling,
                 Output& output) {
    require_replayable(id, game);
    RowPrinter printer(
        output, format,
        {{"ply"}, {"san"}, {"uci"}, {"key"}, {"fen"}, {"epd", false}, {"occurrence"}});
    emit::for_each_ply_row(id, game.moves, store::Occurrences(reader.repetitions(id)), dialect,
                           spelling, {},
                           [&](const std::vector<Cell>& cells) { printer.row(cells); });
    printer.finish();
}

void print_board(store::GameId id, const store::StoredGame& game, std::optional<std::uint64_t> ply,
                 chess::FenDialect dialect, const chess::SanSpelling& spelling, Output& output) {
    require_replayable(id, game);
    store::AnyWalk walk(id, game.moves);
    std::string san;
    while (!walk.at_end() && walk.ply() != ply) {
        san = chess::to_san(walk.position(), walk.next_move());
        walk.advance();
    }
    walk.require_intact();
    if (ply && walk.ply() != *ply) {
        throw UsageError("game " + std::to_string(id) + " has " + std::to_string(walk.ply()) +
                         " plies, there is no ply " + std::to_string(*ply));
    }
    std::string& out = output.buffer();
    out += "game " + std::to_string(id) + ", ply " + std::to_string(walk.ply());
    std::string spelled;
    if (!san.empty()) out.append(": ").append(spelling.spell(san, spelled));
    out += '\n' + chess::diagram(walk.position()) + chess::to_fen(walk.position(), dialect) + '\n';
}

int run_show(const Arguments& arguments) {
    const std::string& database = arguments.database();
    if (arguments.words().size() < 2) throw UsageError("which game? Give its number");
    const Format format = arguments.has("plies")
                              ? format_of(arguments, {Format::kTable, Format::kJson, Format::kCsv})
                              : format_of(arguments, {Format::kTable, Format::kPgn});
    if (arguments.has("ply") && !arguments.has("board")) {
        throw UsageError("--ply goes with --board; all plies: --plies");
    }
    refuse_dialect_unless(arguments.has("plies") || arguments.has("board"), arguments,
                          "--plies or --board");
    const chess::FenDialect dialect = dialect_of(arguments);
    const chess::SanSpelling spelling = spelling_of(arguments);
    const std::unique_ptr<store::StoreReader> reader = store::open_reader(database);
    Output output;
    emit::KeptTexts kept;
    for (std::size_t i = 1; i < arguments.words().size(); ++i) {
        const store::GameId id = parse_number("GAME", arguments.words()[i]);
        store::StoredGame game;
        if (!reader->game(id, game)) {
            output.flush();
            throw std::runtime_error("there is no game " + std::to_string(id) + " in " + database);
        }
        if (arguments.has("plies")) {
            print_plies(*reader, id, game, format, dialect, spelling, output);
        } else if (arguments.has("board")) {
            print_board(id, game, arguments.number("ply"), dialect, spelling, output);
        } else {
            std::string pgn;
            emit::append_pgn(*reader, kept, id, pgn, spelling);
            if (format == Format::kPgn) {
                output.buffer() += pgn;
            } else {
                base::append_printable_lines(pgn, output.buffer());
            }
        }
        output.maybe_flush();
    }
    output.flush();
    return kFound;
}

}  // namespace

Verb show_verb() {
    return {"show",
            "DB GAME...",
            "Shows games by their number: as PGN, ply by ply, or as a diagram.\n"
            "With --plies, san and uci are the move that led to the position.",
            "fendex show my.db 1 --board --ply 45",
            joined({{flag("plies", "every ply: SAN, UCI, key, FEN, EPD"),
                     flag("board", "a diagram of the last position, or of that at --ply"),
                     valued("ply", "N", "with --board: after so many plies"), dialect_option(),
                     format_option({"table", "json", "csv", "pgn"})},
                    spelling_options()}),
            run_show};
}

}  // namespace fendex::cli
