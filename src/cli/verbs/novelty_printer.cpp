#include "cli/verbs/novelty_printer.hpp"

#include <fmt/core.h>

#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/json.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/say.hpp"
#include "emit/novelty_remark.hpp"
#include "emit/numbered_move.hpp"
#include "emit/pgn_game.hpp"
#include "emit/verdict_cells.hpp"
#include "query/novelty_json.hpp"
#include "store/game_identity.hpp"

namespace fendex::cli {

namespace {

/// Returns the moves that were played, with White's wins, draws and losses: "Nf3 9 (+4=3-2)".
std::string played_text(const std::vector<query::NoveltyMove>& moves) {
    return base::joined(", ", moves, [](const query::NoveltyMove& move) {
        const codec::ResultCounts& results = move.tally.results;
        return fmt::format("{} {} (+{}={}-{})", move.san, move.tally.games, results.white(),
                           results.draws(), results.black());
    });
}

std::optional<std::string_view> asked_tag(const GameRequest& asked, const char* name) {
    const std::string_view value = store::tag_of(asked.game, name);
    return value.empty() ? std::nullopt : std::optional(value);
}

}  // namespace

NoveltyPrinter::NoveltyPrinter(const Arguments& arguments, const std::vector<std::string>& files,
                               const std::vector<std::string>& databases)
    : annotates_(arguments.has("annotate")),
      format_(format_of(arguments)),
      dialect_(dialect_of(arguments)),
      files_(files),
      databases_(databases),
      output_(arguments) {
    if (!annotates_ && format_ != Format::kJson) rows_.emplace(output_, format_, columns());
}

std::vector<ColumnSpec> NoveltyPrinter::columns() const {
    std::vector<ColumnSpec> columns;
    if (files_.size() > 1) columns.push_back({.name = "source", .cut = Cut::kStart});
    if (format_ == Format::kTable) {
        columns.insert(columns.end(), {{"game"},
                                       {.name = "white", .max_width = 24},
                                       {.name = "black", .max_width = 24},
                                       {.name = "date", .spare = 1},
                                       {.name = "novelty", .cut = Cut::kNever},
                                       {.name = "eval before", .spare = 2},
                                       {.name = "eval after", .spare = 3},
                                       {"games"},
                                       {.name = "last", .max_width = 60},
                                       {.name = "played", .max_width = 60}});
        if (databases_.size() > 1) {
            columns.insert(columns.end() - 2, {.name = "database", .cut = Cut::kStart});
        }
        return columns;
    }
    for (const char* const name :
         {"game",         "white",       "black",       "date",        "result",
          "ply",          "fen",         "key",         "games",       "last_game_id",
          "last_white",   "last_black",  "last_result", "last_date",   "last_event",
          "last_site",    "novelty_ply", "novelty_san", "novelty_uci", "played",
          "cp",           "mate",        "depth",       "novelty_cp",  "novelty_mate",
          "novelty_depth"}) {
        if (databases_.size() > 1 && name == std::string_view("last_game_id")) {
            columns.push_back({"last_database"});
        }
        columns.push_back({name});
    }
    return columns;
}

void NoveltyPrinter::print(const AnsweredGames& answered) {
    const std::string& file = files_[answered.file];
    for (const GameRequest& asked : answered.games) {
        if (const auto& known = asked.novelty.known) {
            any_known_ = true;
            const store::GameHeader* const header =
                answered.headers->find({known->database, known->last});
            if (header == nullptr) {
                store::throw_no_game(known->last);
            }
            last_ = *header;
        } else {
            ++(asked.is_dated ? unknown_dated_ : unknown_undated_);
        }
        if (annotates_) {
            output_.append_data([&](std::string& out) { annotate(asked, out); });
        } else if (rows_) {
            print_row(asked, file);
        } else {
            print_json(asked, file);
        }
        output_.maybe_flush();
    }
}

void NoveltyPrinter::finish(std::uint64_t left_out) {
    if (rows_) rows_->finish();
    if (format_ == Format::kTable && left_out != 0) {
        output_.buffer() += more_line(left_out, "game");
    }
    output_.flush();
}

void NoveltyPrinter::explain_unknown() const {
    if (unknown_dated_ != 0) {
        say(counted(unknown_dated_, "game") +
            " without a known position: only games with an earlier tag Date count; for a game "
            "without this tag all do");
    }
    if (unknown_undated_ != 0) {
        say(counted(unknown_undated_, "game") +
            " without a known position: games with the same moves and names (tags White and Black) "
            "do not count");
    }
}

void NoveltyPrinter::add(std::string text) {
    cells_.emplace_back(std::string_view(texts_.emplace_back(std::move(text))));
}

void NoveltyPrinter::add_score(const std::optional<query::Verdict>& verdict) {
    if (verdict) {
        add(query::score_text(verdict->score));
    } else {
        cells_.emplace_back(Null{});
    }
}

void NoveltyPrinter::print_row(const GameRequest& asked, const std::string& file) {
    cells_.clear();
    texts_.clear();
    if (files_.size() > 1) cells_.emplace_back(std::string_view(file));
    add(asked.number);
    for (const char* const name : {"White", "Black", "Date"}) {
        cells_.push_back(cell(asked_tag(asked, name)));
    }
    if (format_ == Format::kTable) {
        add_table_cells(asked.novelty);
    } else {
        cells_.emplace_back(codec::result_text(asked.game.moves.facts.result));
        add_csv_cells(asked.novelty);
    }
    cells_.resize(rows_->columns(), Null{});
    rows_->row(cells_);
}

void NoveltyPrinter::add_table_cells(const query::Novelty& novelty) {
    if (!novelty.known) return add("(nothing known)");
    const query::KnownPosition& known = *novelty.known;
    add(emit::numbered(known.position, novelty.move ? novelty.move->san : "(end)"));
    add_score(known.verdict);
    add_score(novelty.move ? novelty.move->verdict : std::nullopt);
    add(known.total.games);
    if (databases_.size() > 1) add(databases_[known.database]);
    add(emit::game_in_words(last_));
    add(played_text(known.played));
}

void NoveltyPrinter::add_csv_cells(const query::Novelty& novelty) {
    if (!novelty.known) {
        cells_.insert(cells_.end(), {Null{}, Null{}, Null{}});
        return add(std::uint64_t{0});
    }
    const query::KnownPosition& known = *novelty.known;
    add(std::uint64_t{known.ply});
    add(chess::to_fen(known.position, dialect_));
    add(base::hex_key(known.position.key()));
    add(known.total.games);
    if (databases_.size() > 1) add(databases_[known.database]);
    add(known.last);
    cells_.insert(cells_.end(),
                  {cell(last_.white), cell(last_.black), codec::result_text(last_.result),
                   cell(last_.date), cell(last_.event), cell(last_.site)});
    if (novelty.move) {
        add(std::uint64_t{known.ply} + 1);
        add(novelty.move->san);
        add(novelty.move->uci);
    } else {
        cells_.insert(cells_.end(), {Null{}, Null{}, Null{}});
    }
    add(played_text(known.played));
    emit::append_verdict_cells(known.verdict, cells_);
    emit::append_verdict_cells(novelty.move ? novelty.move->verdict : std::nullopt, cells_);
}

void NoveltyPrinter::print_json(const GameRequest& asked, const std::string& file) {
    json::append_line(output_.buffer(), [&](json::Object& object) {
        if (files_.size() > 1) object.add("source", file);
        query::add_asked_game(asked.number, asked.game, object);
        const auto& known = asked.novelty.known;
        query::add_novelty(asked.novelty, last_,
                           known && databases_.size() > 1 ? &databases_[known->database] : nullptr,
                           dialect_, object);
    });
}

void NoveltyPrinter::annotate(const GameRequest& asked, std::string& out) {
    if (asked.broken) {
        out += *asked.broken + "\n\n";
        return;
    }
    const query::Novelty& novelty = asked.novelty;
    if (!novelty.move) return emit::append_pgn(asked.number, asked.game, asked.annotation, out);
    const std::string annotation =
        emit::with_remark(asked.annotation, novelty.known->ply + 1, emit::kNoveltyGlyph,
                          emit::novelty_comment(*novelty.known, last_));
    emit::append_pgn(asked.number, asked.game, annotation, out);
}

}  // namespace fendex::cli
