#include <fmt/core.h>

#include <filesystem>

#include "ask/fields.hpp"
#include "base/unfinished.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/spelling.hpp"
#include "cli/options/store_at.hpp"
#include "cli/options/tag_changes.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/verbs/export_evals.hpp"
#include "cli/verbs/export_format.hpp"
#include "cli/verbs/export_parts.hpp"
#include "cli/verbs/export_selection.hpp"
#include "cli/verbs/export_tree.hpp"
#include "cli/verbs/left_out.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/byte_sink.hpp"
#include "emit/game_rows.hpp"
#include "emit/pgn_game.hpp"
#include "emit/ply_rows.hpp"
#include "emit/polyglot_book.hpp"
#include "emit/sample.hpp"
#include "store/store.hpp"

namespace fendex::cli {

namespace {

/// Passes bytes on and counts them.
class CountingSink final : public emit::ByteSink {
  public:
    explicit CountingSink(std::unique_ptr<emit::ByteSink> output) : output_(std::move(output)) {}

    void write(std::string_view bytes) override {
        output_->write(bytes);
        bytes_ += bytes.size();
    }
    void finish() override { output_->finish(); }
    double megabytes() const { return static_cast<double>(bytes_) / 1e6; }

  private:
    std::unique_ptr<emit::ByteSink> output_;
    std::uint64_t bytes_ = 0;
};

std::vector<emit::PlyColumn> columns_of(const Arguments& arguments) {
    const auto names = arguments.find("columns");
    if (!names) return emit::default_ply_columns();
    try {
        return emit::ply_columns_of(*names);
    } catch (const std::invalid_argument& error) {
        throw UsageError("--columns: " + std::string(error.what()));
    }
}

class Exporter {
  public:
    explicit Exporter(const Arguments& arguments)
        : database_(arguments.database()),
          format_(export_format_of(arguments)),
          rows_(arguments.get("rows")),
          columns_(columns_of(arguments)),
          min_games_(arguments.number("min-games").value_or(1)),
          memory_(memory_of(arguments)),
          header_(!arguments.has("no-header")) {
        max_ply_ = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(arguments.number("max-ply").value_or(kNoPly), kNoPly));
        spelling_ = spelling_of(arguments);
        const bool has_rows = format_ == "json" || format_ == "csv";
        const bool of_positions = is_of_positions(arguments);
        if (!has_rows && rows_ != "games") {
            throw UsageError("--rows is for --format json and csv");
        }
        if (arguments.has("columns") && rows_ != "plies") {
            throw UsageError("--columns is for --rows plies");
        }
        for (const char* option : {"language", "figurine"}) {
            if (arguments.has(option) && format_ != "pgn" && rows_ != "plies") {
                throw UsageError("--" + std::string(option) + " is for moves: --format pgn, or " +
                                 "--rows plies");
            }
        }
        tags_ = tag_choice_of(arguments);
        if (arguments.has("fill") && format_ != "pgn") throw UsageError("--fill is for PGN");
        if (tags_.canonical_names && format_ != "pgn" && (!has_rows || rows_ != "games")) {
            throw UsageError("--names is for games: --format pgn, or --rows games");
        }
        refuse_dialect_unless(format_ == "epd" || format_ == "fen" || rows_ != "games", arguments,
                              "--format epd or fen, or --rows plies or positions");
        for (const char* option : {"min-games", "max-ply"}) {
            if (arguments.has(option) && !of_positions) {
                throw UsageError("--" + std::string(option) + " is for positions and books: " +
                                 "--format epd, fen, polyglot, or --rows positions");
            }
        }
    }

    bool writes_plies() const { return rows_ == "plies"; }
    const std::string& format() const { return format_; }
    std::size_t memory() const { return memory_; }
    const emit::TagChoice& tags() const { return tags_; }

    /// Writes the games of the job in the chosen format. For rows of plies, `plies` chooses which.
    /// Returns the beginning of the summary, such as "5 plies of "; empty for games.
    std::string run(emit::ExportJob& job, emit::PlyRowChoice plies, emit::ByteSink& sink) const {
        job.spelling = spelling_;
        job.header = header_;
        const emit::PositionChoice positions{min_games_, max_ply_, memory_,
                                             spill_directory(database_)};
        if (format_ == "epd" || format_ == "fen") {
            const auto record =
                format_ == "epd" ? emit::RecordFormat::kEpd : emit::RecordFormat::kFen;
            return counted(emit::export_position_records(job, positions, record, sink),
                           "position") +
                   " of ";
        }
        if (format_ == "polyglot") {
            return counted(emit::export_polyglot_book(job, positions, sink), "book entry",
                           "book entries") +
                   " of ";
        }
        if (format_ == "pgn") {
            emit::export_pgn(job, sink);
            return {};
        }
        const auto rows = format_ == "json" ? emit::RowFormat::kJson : emit::RowFormat::kCsv;
        if (rows_ == "positions") {
            return counted(emit::export_position_rows(job, positions, rows, sink), "position") +
                   " of ";
        }
        if (rows_ == "plies") {
            plies.columns = columns_;
            plies.format = rows;
            return counted(emit::export_ply_rows(job, plies, sink), "ply", "plies") + " of ";
        }
        emit::export_games(job, rows, sink);
        return {};
    }

  private:
    static constexpr std::uint32_t kNoPly = std::numeric_limits<std::uint32_t>::max();

    std::string database_;
    std::string format_;
    std::string rows_;
    std::vector<emit::PlyColumn> columns_;
    chess::SanSpelling spelling_;
    emit::TagChoice tags_;
    std::uint64_t min_games_;
    std::uint32_t max_ply_ = kNoPly;
    std::size_t memory_;
    bool header_;
};

/// Throws if the file of --test cannot be written beside the output.
void require_test_output(const Arguments& arguments, const PartChoice& parts,
                         const std::string& output, const std::string& format) {
    if (!parts.training_share) return;
    const std::string& test = parts.test_output;
    refuse_database_as_output(arguments.database(), test);
    if (std::filesystem::path(test).lexically_normal() ==
        std::filesystem::path(output).lexically_normal()) {
        throw UsageError("--test '" + test + "' is the output of the training part");
    }
    const std::string of_name = format_of_name(test);
    if (!of_name.empty() && of_name != format) {
        throw UsageError("--test '" + test + "': both parts are written as " + format);
    }
}

/// Writes a job to an output. The file is created at once and gets its name in finish().
class PartWriter {
  public:
    PartWriter(const std::string& output, emit::ExportJob job)
        : job_(std::move(job)), sink_(emit::open_sink(output, job_.threads)) {}

    void run(const Exporter& exporter, const emit::PlyRowChoice& plies, ProgressLine& progress) {
        job_.progress = [&](std::uint64_t games) {
            if (!progress.due()) return;
            const double share =
                static_cast<double>(games) / static_cast<double>(job_.games.size());
            progress.show(progress.share_text(share) + grouped(games) + " games, " +
                          fmt::format("{:.0f} MB", sink_.megabytes()));
        };
        what_ = exporter.run(job_, plies, sink_);
    }
    void finish(ProgressLine& progress) {
        sink_.finish();
        const double seconds = progress.seconds();
        progress.say(fmt::format("{}{}, {:.1f} MB in {:.2f} s ({:.1f} MB/s)", what_,
                                 counted(job_.games.size(), "game"), sink_.megabytes(), seconds,
                                 sink_.megabytes() / seconds));
    }
    const emit::ExportJob& job() const { return job_; }

  private:
    emit::ExportJob job_;
    CountingSink sink_;
    std::string what_;
};

/// Writes the training part to the output and the test part to its own file.
void write_split(const Exporter& exporter, const PartChoice& parts, const emit::ExportJob& job,
                 const emit::SampledPlies* sample, const std::string& output,
                 ProgressLine& progress) {
    emit::GameSplit split = emit::split_games(job.games, *parts.training_share, parts.seed);
    const auto of_games = [&](emit::GameList& games) {
        emit::ExportJob part = job;
        part.games = std::move(games);
        return part;
    };
    PartWriter training(output, of_games(split.training));
    PartWriter test(parts.test_output, of_games(split.test));
    std::optional<emit::KeyMarks> known;
    if (parts.drops_known) {
        known.emplace(emit::keys_of_ply_rows(test.job(), sample, exporter.memory()));
    }
    emit::PlyRowChoice plies;
    plies.sample = sample;
    plies.mark = known ? &*known : nullptr;
    training.run(exporter, plies, progress);
    plies.drop = std::exchange(plies.mark, nullptr);
    test.run(exporter, plies, progress);
    training.finish(progress);
    test.finish(progress);
}

int run_export(const Arguments& arguments) {
    const std::string& database = arguments.database();
    const std::string output = arguments.find("output").value_or("-");
    refuse_database_as_output(database, output);
    if (arguments.has("tree")) return run_export_tree(arguments);
    if (arguments.has("depth")) throw UsageError("--depth is for --tree");
    if (arguments.has("evals")) return run_export_evals(arguments);
    const Exporter exporter(arguments);
    const PartChoice parts = part_choice_of(arguments, exporter.writes_plies());
    require_test_output(arguments, parts, output, exporter.format());
    ProgressLine progress(arguments);
    const std::shared_ptr<store::Store> store = store_at(arguments, database);
    const store::Reader reader = store->reader();
    const Paging paging = paging_of(arguments, Format::kPgn);
    const Selection selection = selection_of(arguments, *reader);
    emit::ExportJob job{store, selection.games.page(paging.offset, paging.limit),
                        threads_of(arguments), dialect_of(arguments)};
    if (!exporter.tags().is_empty()) {
        job.tags = std::make_shared<emit::TagChanges>(*reader, exporter.tags());
    }
    const std::optional<emit::SampledPlies> sample = take_sample(parts, *reader, job);
    const emit::SampledPlies* const plies = sample ? &*sample : nullptr;
    const base::RemoveFileOnSignal tidy;
    try {
        if (parts.training_share) {
            write_split(exporter, parts, job, plies, output, progress);
        } else {
            PartWriter all(output, job);
            emit::PlyRowChoice choice;
            choice.sample = plies;
            all.run(exporter, choice, progress);
            all.finish(progress);
        }
    } catch (const emit::SinkClosed&) {
        throw BrokenPipe{};
    }
    if (selection.games.size() == 0) {
        explain_nothing(arguments, *reader, selection.filter, {selection.position});
    }
    store::StoreReader* const readers[] = {&*reader};
    say_left_out(arguments, readers, selection.filter);
    return job.games.size() != 0 ? kFound : kNothingFound;
}

}  // namespace

Verb export_verb() {
    Option output = valued("output", "FILE",
                           "write to this file, which appears when it is complete; a name that "
                           "ends with .zst or .gz is compressed (default: standard output)");
    output.letter = 'o';
    Option format = valued("format", "WHICH",
                           "what to write (default: by the end of the name of the output, .csv, "
                           ".jsonl, .epd, .fen, .bin; else pgn)");
    format.noted = false;
    for (const ExportFormat& each : export_formats()) format.choices.emplace_back(each.name);
    const Option columns =
        valued("columns", "NAMES",
               "columns of --rows plies, separated by commas (default: game_id,ply,san,uci,key,fen,"
               "epd,occurrence). A row is a position: san and uci led to it, next_san and next_uci "
               "were played from it. There are " +
                   emit::ply_column_names());
    return {
        "export",
        "DB [FEN]",
        "Writes PGN, EPD, FEN, CSV, JSON or a Polyglot book.\n"
        "PGN is written in the export format of the standard; importing it gives the same\n"
        "database. EPD and FEN have a line for each distinct position, and EPD says how\n"
        "many games reached it and how often. JSON and CSV have rows of games, plies or\n"
        "positions. A Polyglot book has the moves played, weighted 2 for a win and 1 for a\n"
        "draw. Books are of standard chess and Chess960. So are positions, unless --variant\n"
        "or the variant of the FEN says otherwise. Only games that reached the FEN count.\n"
        "--tree writes the moves that were played from there as one game with variations:\n"
        "each has a comment that says in how many games it was played and how these ended.",
        "fendex export my.db --player fischer -o fischer.pgn.zst\n"
        "fendex export my.db --fill eco,opening --names canonical -o clean.pgn\n"
        "fendex export my.db --min-games 3 --max-ply 40 -o book.bin\n"
        "fendex export my.db --tree --moves \"1.e4 e5 2.Nf3\" --depth 8 -o tree.pgn\n"
        "fendex export my.db --rows plies --columns fen,next_uci,result --split 0.9 "
        "-o train.csv.gz --test test.csv.gz",
        joined({{format, choice("rows", {"games", "plies", "positions"}, "rows of json and csv"),
                 columns, output, evals_option(),
                 valued("min-games", "N",
                        "only positions that N games reached, and moves that N games played "
                        "(default: 1; of --tree a thousandth of the games that reached the "
                        "position, but at least 2)"),
                 valued("max-ply", "N", "only positions and moves up to this ply"),
                 option_of(ask::dialect_field()), option_of(ask::sort_field()),
                 password_file_option(), progress_option()},
                tree_pgn_options(),
                selection_options(),
                part_options(),
                spelling_options(),
                tag_change_options(),
                paging_options(),
                filter_options(),
                resource_options()}),
        run_export,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
