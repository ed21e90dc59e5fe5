#include "query/novelty.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <deque>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "base/ordered_pipeline.hpp"
#include "chess/fen.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/say.hpp"
#include "cli/output/numbered_move.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/novelty_remark.hpp"
#include "emit/pgn_game.hpp"
#include "ingest/pgn_input.hpp"
#include "pgn/inputs.hpp"
#include "pgn/lexer.hpp"
#include "query/novelty_json.hpp"
#include "store/game_identity.hpp"
#include "store/kept_headers.hpp"
#include "store/store.hpp"

namespace fendex::cli {

namespace {

/// A game of the input.
struct AskedGame {
    std::uint64_t number = 0;  // in its file
    store::StoredGame game;
    std::optional<query::Novelty> novelty;  // empty: the page does not show the game
};

/// The games of a batch with their novelties, in the order of the text.
struct AnsweredBatch {
    ingest::PgnInputBatch batch;
    store::NewGames read;
    std::vector<AskedGame> games;
};

/// A batch and its place in the whole input.
struct PlacedBatch {
    ingest::PgnInputBatch batch;
    std::uint64_t games_before = 0;
};

/// Reads batches and looks for novelties. One for each thread.
class Worker {
  public:
    Worker(store::Store& store, const query::GameFilter& filter, const Paging& page)
        : reader_(store.reader()),
          matcher_(*reader_, filter),
          finder_(*reader_, matcher_),
          page_(page) {}

    AnsweredBatch answer(PlacedBatch placed) {
        AnsweredBatch out{std::move(placed.batch), {}, {}};
        out.read = ingest::read_batch(out.batch.task, replay_);
        for (const store::NewGame& game : out.read.games) {
            const std::size_t i = out.games.size();
            AskedGame& asked = out.games.emplace_back();
            if (!is_shown(placed.games_before + i)) continue;
            asked.number = out.batch.first_game + i;
            asked.game = ingest::stored_game(out.read, game);
            asked.novelty = finder_.find(asked.game, game.facts.date);
        }
        return out;
    }

  private:
    bool is_shown(std::uint64_t place) const {
        return place >= page_.offset && place - page_.offset < page_.limit;
    }

    store::Reader reader_;
    query::GameMatcher matcher_;
    query::NoveltyFinder finder_;
    Paging page_;
    ingest::GameReplay replay_;
};

/// Reports the first errors of the input, and how many there are.
class ErrorReport {
  public:
    explicit ErrorReport(const std::vector<std::string>& files) : files_(files) {}

    void add(const AnsweredBatch& answered) {
        for (const store::NewError& each : answered.read.errors) {
            if (each.error.warning || errors_++ >= kMostReported) continue;
            const store::ImportError& error = each.error;
            std::string message = files_[answered.batch.input] + ": ";
            if (each.game) {
                message += fmt::format("game {}, ", answered.batch.first_game + *each.game);
            }
            message += fmt::format("line {}: {}", error.line, error.reason);
            if (!error.text.empty()) message += " (" + error.text + ")";
            say(message);
        }
    }
    void finish() const {
        if (errors_ > kMostReported) {
            say("... and " + counted(errors_ - kMostReported, "more error"));
        }
    }

  private:
    static constexpr std::uint64_t kMostReported = 10;

    const std::vector<std::string>& files_;
    std::uint64_t errors_ = 0;
};

/// Returns the moves that were played, with White's wins, draws and losses: "Nf3 9 (+4=3-2)".
std::string moves_text(const std::vector<query::NoveltyMove>& moves) {
    std::string out;
    for (const query::NoveltyMove& move : moves) {
        const auto of = [&](codec::Result result) {
            return move.tally.results[static_cast<std::size_t>(result)];
        };
        out += fmt::format("{}{} {} (+{}={}-{})", out.empty() ? "" : ", ", move.san,
                           move.tally.games, of(codec::Result::kWhiteWins),
                           of(codec::Result::kDraw), of(codec::Result::kBlackWins));
    }
    return out;
}

Cell text_or_null(std::string_view text) { return text.empty() ? Cell{Null{}} : Cell{text}; }

/// Prints novelties as a table, CSV, JSON lines or PGN.
class NoveltyPrinter {
  public:
    NoveltyPrinter(const Arguments& arguments, const std::vector<std::string>& files,
                   store::StoreReader& reader)
        : annotates_(arguments.has("annotate")),
          format_(format_of(arguments)),
          dialect_(dialect_of(arguments)),
          files_(files),
          reader_(reader),
          output_(arguments) {
        if (!annotates_ && format_ != Format::kJson) rows_.emplace(output_, format_, columns());
    }

    void print(const AnsweredBatch& answered) {
        std::vector<store::GameId> last;
        for (const AskedGame& asked : answered.games) {
            ++games_;
            if (!asked.novelty) continue;
            ++shown_;
            if (!asked.novelty->known) continue;
            ++known_;
            last.push_back(asked.novelty->known->last);
        }
        headers_ = {reader_, last};
        std::size_t i = 0;
        for (const pgn::Extent& extent : answered.batch.task.batch.extents) {
            if (extent.kind == pgn::Extent::Kind::kJunk) continue;
            const AskedGame& asked = answered.games[i];
            if (annotates_) {
                annotate(answered, i, extent);
            } else if (asked.novelty && format_ == Format::kJson) {
                print_json(asked, files_[answered.batch.input]);
            } else if (asked.novelty) {
                print_row(asked, files_[answered.batch.input]);
            }
            ++i;
            output_.maybe_flush();
        }
    }

    /// Also called before an error.
    void finish(std::uint64_t skipped) {
        if (rows_) rows_->finish();
        if (rows_ && format_ == Format::kTable && skipped + shown_ < games_) {
            output_.buffer() += more_line(games_ - skipped - shown_, "game");
        }
        output_.flush();
    }
    bool any_known() const { return known_ != 0; }

  private:
    std::vector<ColumnSpec> columns() const {
        std::vector<ColumnSpec> columns;
        if (files_.size() > 1) columns.push_back({.name = "file", .cut = Cut::kStart});
        if (format_ == Format::kTable) {
            columns.insert(columns.end(), {{"game"},
                                           {.name = "white", .max_width = 24},
                                           {.name = "black", .max_width = 24},
                                           {.name = "date", .spare = 1},
                                           {.name = "novelty", .cut = Cut::kNever},
                                           {"games"},
                                           {.name = "last", .max_width = 60},
                                           {.name = "played", .max_width = 60}});
            return columns;
        }
        for (const char* const name :
             {"game",       "white",       "black",       "date",        "result",
              "ply",        "fen",         "key",         "games",       "last_game_id",
              "last_white", "last_black",  "last_result", "last_date",   "last_event",
              "last_site",  "novelty_ply", "novelty_san", "novelty_uci", "played"}) {
            columns.push_back({name});
        }
        return columns;
    }

    const store::GameHeader& header_of_last(const query::KnownPosition& known) const {
        const store::GameHeader* const header = headers_.find(known.last);
        if (header == nullptr) {
            throw store::StoreError(store::StoreError::kDamaged,
                                    "damaged database: no game " + std::to_string(known.last));
        }
        return *header;
    }

    static std::string_view tag(const AskedGame& asked, const char* name) {
        return store::tag_of(asked.game, name);
    }

    void print_row(const AskedGame& asked, const std::string& file) {
        std::vector<Cell> cells;
        if (files_.size() > 1) cells.emplace_back(std::string_view(file));
        cells.emplace_back(static_cast<std::int64_t>(asked.number));
        for (const char* const name : {"White", "Black", "Date"}) {
            cells.push_back(text_or_null(tag(asked, name)));
        }
        const query::Novelty& novelty = *asked.novelty;
        std::deque<std::string> texts;
        if (format_ == Format::kTable) {
            add_table_cells(novelty, texts, cells);
        } else {
            cells.emplace_back(codec::result_text(asked.game.moves.facts.result));
            add_csv_cells(novelty, texts, cells);
        }
        cells.resize(rows_->columns(), Null{});
        rows_->row(cells);
    }

    /// The cells are views into `texts`.
    void add_table_cells(const query::Novelty& novelty, std::deque<std::string>& texts,
                         std::vector<Cell>& cells) const {
        const auto add = [&](std::string text) {
            cells.emplace_back(std::string_view(texts.emplace_back(std::move(text))));
        };
        if (!novelty.known) return;
        const query::KnownPosition& known = *novelty.known;
        add(numbered(known.position, novelty.move ? novelty.move->san : "(end)"));
        cells.emplace_back(static_cast<std::int64_t>(known.total.games));
        add(emit::game_in_words(header_of_last(known)));
        add(moves_text(known.played));
    }

    void add_csv_cells(const query::Novelty& novelty, std::deque<std::string>& texts,
                       std::vector<Cell>& cells) const {
        const auto add = [&](std::string text) {
            cells.emplace_back(std::string_view(texts.emplace_back(std::move(text))));
        };
        const auto add_number = [&](std::uint64_t number) {
            cells.emplace_back(static_cast<std::int64_t>(number));
        };
        if (!novelty.known) {
            cells.insert(cells.end(), {Null{}, Null{}, Null{}});
            return add_number(0);
        }
        const query::KnownPosition& known = *novelty.known;
        add_number(known.ply);
        add(chess::to_fen(known.position, dialect_));
        add(base::hex_key(known.position.key()));
        add_number(known.total.games);
        const store::GameHeader& last = header_of_last(known);
        add_number(known.last);
        cells.insert(cells.end(),
                     {cell(last.white), cell(last.black), codec::result_text(last.result),
                      cell(last.date), cell(last.event), cell(last.site)});
        if (novelty.move) {
            add_number(known.ply + 1);
            add(novelty.move->san);
            add(novelty.move->uci);
        } else {
            cells.insert(cells.end(), {Null{}, Null{}, Null{}});
        }
        add(moves_text(known.played));
    }

    void print_json(const AskedGame& asked, const std::string& file) {
        const auto text = [&](const char* name) {
            const std::string_view value = tag(asked, name);
            return value.empty() ? std::nullopt : std::optional(value);
        };
        json::append_line(output_.buffer(), [&](json::Object& object) {
            if (files_.size() > 1) object.add("file", file);
            object.add("game", asked.number);
            object.add("white", text("White"));
            object.add("black", text("Black"));
            object.add("date", text("Date"));
            object.add("result", codec::result_text(asked.game.moves.facts.result));
            query::add_novelty(*asked.novelty, dialect_, reader_, object);
        });
    }

    /// A game with errors is written as it stands, because its moves after the error were not read.
    void annotate(const AnsweredBatch& answered, std::size_t i, const pgn::Extent& extent) {
        std::string& out = output_.buffer();
        const auto is_its = [&](const store::NewError& each) {
            return each.game == i && !each.error.warning;
        };
        const auto& errors = answered.read.errors;
        if (std::any_of(errors.begin(), errors.end(), is_its)) {
            const std::string_view batch = answered.batch.task.batch.text;
            out += pgn::clean_text(batch.substr(extent.offset, extent.size)) + "\n\n";
            return;
        }
        const AskedGame& asked = answered.games[i];
        std::string annotation(answered.read.games[i].annotation.of(answered.read.annotations));
        if (const auto& known = asked.novelty->known; known && asked.novelty->move) {
            annotation = emit::with_remark(annotation, known->ply + 1, emit::kNoveltyGlyph,
                                           emit::novelty_comment(*known, header_of_last(*known)));
        }
        emit::append_pgn(asked.number, asked.game, annotation, out);
    }

    bool annotates_;
    Format format_;
    chess::FenDialect dialect_;
    const std::vector<std::string>& files_;
    store::StoreReader& reader_;
    Output output_;
    std::optional<RowPrinter> rows_;
    store::KeptHeaders headers_;  // of the last games of a batch
    std::uint64_t games_ = 0;
    std::uint64_t shown_ = 0;
    std::uint64_t known_ = 0;  // games with a known position
};

int run_novelty(const Arguments& arguments) {
    const std::string& database = arguments.database();
    const bool annotates = arguments.has("annotate");
    const Format format = format_of(arguments);
    const Paging page = annotates ? paging_by_default(Format::kPgn) : paging_of(arguments, format);
    if (annotates &&
        (format != Format::kTable || arguments.has("limit") || arguments.has("offset"))) {
        throw UsageError(
            "--annotate writes all games as PGN, without --format, --limit or --offset");
    }
    refuse_dialect_unless(!annotates && format != Format::kTable, arguments,
                          "--format json or csv");
    const std::vector<std::string> files =
        pgn::expand_inputs({arguments.words().begin() + 1, arguments.words().end()});
    if (files.empty()) throw UsageError("which games? Give PGN files, or -");

    const auto store = store::Store::at(database);
    const store::Reader reader = store->reader();
    const query::GameFilter filter = filter_beside_position(arguments);
    std::deque<Worker> workers;
    for (unsigned i = 0; i < threads_of(arguments); ++i) workers.emplace_back(*store, filter, page);
    ingest::PgnInput input(
        files, {.annotations = annotates,
                .variant = variant_asked(arguments).value_or(chess::Variant::kStandard)});
    NoveltyPrinter printer(arguments, files, *reader);
    ErrorReport errors(files);
    std::uint64_t games = 0;
    try {
        base::run_ordered(
            static_cast<unsigned>(workers.size()), workers.size() + 2,
            [&]() -> std::optional<PlacedBatch> {
                auto batch = input.next();
                if (!batch) return std::nullopt;
                const std::uint64_t before = games;
                games += batch->task.batch.games();
                return PlacedBatch{std::move(*batch), before};
            },
            [&](unsigned thread, PlacedBatch batch) {
                return workers[thread].answer(std::move(batch));
            },
            [&](const AnsweredBatch& answered) {
                errors.add(answered);
                printer.print(answered);
            });
    } catch (const BrokenPipe&) {
        throw;
    } catch (...) {
        printer.finish(page.offset);
        throw;
    }
    printer.finish(page.offset);
    errors.finish();
    return printer.any_known() ? kFound : kNothingFound;
}

}  // namespace

Verb novelty_verb() {
    return {"novelty",
            "DB FILE...",
            "Finds where games left what was known.\n"
            "For each game of a file: its last position that games of the database had reached,\n"
            "in how many games, the latest of these, the move that was new, and what was played\n"
            "there before, with White's wins, draws and losses. Only games that are known to be\n"
            "earlier count: a game of 1999 is before one of January 2000, but not before one of\n"
            "May 1999, and games without a year do not count. If the game itself has no date,\n"
            "all do. The same moves by the same players are the game itself.\n"
            "FILE is as for import: .pgn, .pgn.zst, .pgn.gz, .pgn.bz2, a directory, or -.\n"
            "--annotate writes the games as PGN, with the glyph $146 and a comment at the move\n"
            "that was new. A game with errors is written as it stands.",
            "fendex novelty my.db samples/tournament.pgn.zst --format json\n"
            "fendex novelty my.db samples/classics.pgn --annotate > annotated.pgn",
            joined({{flag("annotate", "write the games as PGN, each with its novelty as a comment"),
                     format_option({"table", "json", "csv"}), dialect_option(), threads_option()},
                    paging_options(),
                    filter_options()}),
            run_novelty};
}

}  // namespace fendex::cli
