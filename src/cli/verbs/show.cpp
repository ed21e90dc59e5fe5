#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "ask/fields.hpp"
#include "chess/diagram.hpp"
#include "chess/san.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/game_ranges.hpp"
#include "cli/options/spelling.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/columns.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/game_json.hpp"
#include "emit/game_rows.hpp"
#include "emit/pgn_game.hpp"
#include "emit/ply_columns.hpp"
#include "query/game_filter.hpp"
#include "replay/stored_walk.hpp"
#include "store/game_range.hpp"
#include "store/kept_headers.hpp"

namespace fendex::cli {

namespace {

/// Games that are read at once.
constexpr std::uint64_t kGamesAtOnce = 256;

void require_replayable(store::GameId id, const store::StoredGame& game) {
    if (!replay::has_positions(game.moves)) {
        throw std::runtime_error("game " + std::to_string(id) +
                                 " is of a variant, or from a position, that fendex does not know: "
                                 "its moves were not replayed");
    }
}

void print_board(store::GameId id, const store::StoredGame& game, std::optional<std::uint64_t> ply,
                 chess::FenDialect dialect, const chess::SanSpelling& spelling, Output& output) {
    require_replayable(id, game);
    replay::AnyWalk walk(id, game.moves);
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

Format show_format(const Arguments& arguments) {
    if (arguments.has("plies")) {
        return format_of(arguments, {Format::kTable, Format::kJson, Format::kCsv});
    }
    if (arguments.has("board")) return format_of(arguments, {Format::kTable});
    return format_of(arguments, {Format::kTable, Format::kJson, Format::kPgn});
}

class Shower {
  public:
    Shower(const Arguments& arguments, bool several, store::StoreReader& reader)
        : format_(show_format(arguments)),
          all_plies_(arguments.has("plies")),
          board_(arguments.has("board")),
          ply_(arguments.number("ply")),
          dialect_(dialect_of(arguments)),
          spelling_(spelling_of(arguments)),
          with_game_(several && format_ != Format::kTable),
          reader_(reader),
          evaluations_(readers_),
          output_(arguments) {}

    /// Shows games; returns false if none of them exists.
    bool show(std::span<const store::GameId> games) {
        if (format_ == Format::kJson && !all_plies_) headers_ = {reader_, games};
        bool any = false;
        reader_.games(games, [&](store::GameId id, const store::StoredGame& game) {
            any = true;
            show(id, game);
        });
        return any;
    }
    /// Writes out all rows so far. Call it before an error, too.
    void flush() { output_.flush(); }

  private:
    void show(store::GameId id, const store::StoredGame& game) {
        if (all_plies_) {
            print_plies(id, game);
        } else if (board_) {
            print_board(id, game, ply_, dialect_, spelling_, output_);
        } else if (format_ == Format::kJson) {
            json::append_line(output_.buffer(), [&](json::Object& object) {
                emit::add_game(id, game, *headers_.find(id), dialect_, spelling_, evaluations_,
                               object);
            });
        } else if (format_ == Format::kPgn) {
            output_.append_data([&](std::string& out) {
                emit::append_pgn(reader_, kept_, id, game, out, spelling_);
            });
        } else {
            std::string pgn;
            emit::append_pgn(reader_, kept_, id, game, pgn, spelling_);
            base::append_printable_lines(pgn, output_.buffer());
        }
        output_.maybe_flush();
    }

    /// Prints the plies of a game; each game has a table of its own.
    void print_plies(store::GameId id, const store::StoredGame& game) {
        require_replayable(id, game);
        std::vector<Cell> first;
        if (with_game_) first.emplace_back(static_cast<std::int64_t>(id));
        if (!plies_) {
            std::vector<std::string> names;
            if (with_game_) names.emplace_back("game_id");
            for (const emit::PlyColumn column : emit::shown_ply_columns()) {
                names.emplace_back(emit::name_of(column));
            }
            plies_.emplace(output_, format_, columns_of(List::kPlies, names));
        }
        emit::for_each_ply_row(reader_, id, game.moves, dialect_, spelling_, first,
                               [&](const std::vector<Cell>& cells) { plies_->row(cells); });
        if (format_ != Format::kTable) return;
        plies_->finish();
        plies_.reset();
    }

    Format format_;
    bool all_plies_;
    bool board_;
    std::optional<std::uint64_t> ply_;
    chess::FenDialect dialect_;
    chess::SanSpelling spelling_;
    bool with_game_;  // rows of plies begin with the game
    store::StoreReader& reader_;
    store::StoreReader* readers_[1] = {&reader_};
    query::Evaluations evaluations_;
    Output output_;
    std::optional<RowPrinter> plies_;
    store::KeptHeaders headers_;  // of the games that are shown now
    emit::KeptTexts kept_;
};

/// Calls visit() with the games of a range, in batches. Some of the games may not exist.
template <typename Visit>
void for_each_piece(store::GameRange left, store::StoreReader& reader, Visit visit) {
    if (reader.is_remote() && left.first < left.last) {
        // The numbers of a cluster have large gaps.
        query::GameMatcher all(reader);
        store::GameId after = left.first - 1;
        while (true) {
            std::vector<store::GameId> ids = query::games_after(reader, all, after, kGamesAtOnce);
            std::erase_if(ids, [&](store::GameId id) { return id > left.last; });
            if (ids.empty()) return;
            visit(ids);
            after = ids.back();
        }
    }
    while (const auto games = store::take_front(left, kGamesAtOnce)) {
        std::vector<store::GameId> ids(games->last - games->first + 1);
        std::iota(ids.begin(), ids.end(), games->first);
        visit(ids);
    }
}

int run_show(const Arguments& arguments) {
    const std::string& database = arguments.database();
    if (arguments.words().size() < 2) throw UsageError("which game? Give its number");
    const Format format = show_format(arguments);
    if (arguments.has("ply") && !arguments.has("board")) {
        throw UsageError("--ply goes with --board; all plies: --plies");
    }
    refuse_dialect_unless(
        arguments.has("plies") || arguments.has("board") || format == Format::kJson, arguments,
        "--plies, --board or --format json");
    GameRanges ranges;
    for (std::size_t i = 1; i < arguments.words().size(); ++i) {
        const GameRanges more = parse_games("GAME", arguments.words()[i]);
        ranges.insert(ranges.end(), more.begin(), more.end());
    }
    const bool several = ranges.size() > 1 || ranges[0].first != ranges[0].second;
    const store::Reader reader = store_at(arguments, database)->reader();
    Shower shower(arguments, several, *reader);
    for (const auto& [first, last] : ranges) {
        bool any = false;
        // Some games of a range may have been deleted.
        for_each_piece({first, std::min(last, reader->last_game())}, *reader,
                       [&](const std::vector<store::GameId>& ids) { any |= shower.show(ids); });
        if (any) continue;
        shower.flush();
        const std::string games =
            first == last ? "is no game " + std::to_string(first)
                          : "are no games " + std::to_string(first) + "-" + std::to_string(last);
        throw std::runtime_error(fmt::format("there {} in {}", games, database));
    }
    shower.flush();
    return kFound;
}

}  // namespace

Verb show_verb() {
    return {
        "show",
        "DB GAME...",
        "Shows games as PGN, JSON, every ply or a diagram.\n"
        "GAME is a number or a list, 1,5,10-20. With --plies, san and uci are the move that\n"
        "led to the position. --format json prints an object for each game: the columns of\n"
        "fendex games, then variant, fen (of the start), moves, record_evals (evaluations of\n"
        "the positions after the moves, from records) and tags.",
        "fendex show my.db 1 --board --ply 45\n"
        "fendex show my.db 1-3 --format json",
        joined({{flag("plies", "print every ply: SAN, UCI, key, FEN, EPD"),
                 flag("board", "print a diagram of the last position, or of the position at --ply"),
                 valued("ply", "N", "with --board: the position after N plies"),
                 option_of(ask::dialect_field()), password_file_option(),
                 format_option({"table", "json", "csv", "pgn"},
                               "csv only with --plies, which has no pgn")},
                spelling_options()}),
        run_show,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
