#include <fmt/core.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>

#include "base/unfinished.hpp"
#include "chess/variant_names.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/spelling.hpp"
#include "cli/options/typed_moves.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/byte_sink.hpp"
#include "emit/game_rows.hpp"
#include "emit/pgn_game.hpp"
#include "emit/polyglot_book.hpp"
#include "store/store.hpp"

namespace fendex::cli {

namespace {

/// Throws if the output is the database, by whatever name.
void refuse_database_as_output(const std::string& database, const std::string& output) {
    for (const char* part : {"", "-wal", "-shm", "-journal"}) {
        std::error_code error;
        if (std::filesystem::equivalent(database + part, output, error)) {
            throw UsageError("'" + output + "' is the database itself");
        }
    }
}

struct ExportFormat {
    const char* name;
    std::vector<const char*> endings;  // endings of file names
};

const std::vector<ExportFormat>& export_formats() {
    static const std::vector<ExportFormat> formats{
        {"pgn", {".pgn"}}, {"epd", {".epd"}},
        {"fen", {".fen"}}, {"json", {".json", ".jsonl", ".ndjson"}},
        {"csv", {".csv"}}, {"polyglot", {".bin"}},
    };
    return formats;
}

/// Returns the format that --format names, else the format of the output's name, compressed or not,
/// else PGN.
std::string export_format_of(const Arguments& arguments) {
    if (const auto given = arguments.find("format")) return *given;
    std::string name = arguments.find("output").value_or("");
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view compressed : {".zst", ".gz"}) {
        if (name.ends_with(compressed)) name.resize(name.size() - compressed.size());
    }
    for (const ExportFormat& format : export_formats()) {
        for (const char* const ending : format.endings) {
            if (name.ends_with(ending)) return format.name;
        }
    }
    return "pgn";
}

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

/// Returns the position that --fen or --moves give, if any.
std::optional<chess::AnyPosition> position_asked(const Arguments& arguments) {
    const auto fen = arguments.find("fen");
    const auto moves = arguments.find("moves");
    if (!fen && !moves) return std::nullopt;
    const std::optional<chess::Variant> variant = variant_asked(arguments);
    chess::AnyPosition position = start_asked(variant);
    if (fen) position = position_of(*fen, variant);
    if (moves) position = position_after(position, "--moves", *moves);
    return position;
}

/// The games to export, and the conditions that selected them.
struct Selection {
    query::GameFilter filter;
    std::optional<chess::AnyPosition> position;
    emit::GameList games;
};

/// Returns whether positions are exported. They must all be of one variant, because a FEN need not
/// name it.
bool is_of_positions(const Arguments& arguments) {
    const std::string format = export_format_of(arguments);
    const bool has_rows = format == "json" || format == "csv";
    return format == "epd" || format == "fen" || format == "polyglot" ||
           (has_rows && arguments.get("rows") == "positions");
}

Selection selection_of(const Arguments& arguments, store::StoreReader& reader) {
    const query::GameOrder order = order_of(arguments);
    query::GameFilter filter = filter_of(arguments);
    const std::optional<chess::AnyPosition> position = position_asked(arguments);
    if (is_of_positions(arguments) && !filter.variant) {
        filter.variant = position ? position->variant() : chess::Variant::kStandard;
    }
    if (export_format_of(arguments) == "polyglot" && !chess::has_standard_rules(*filter.variant)) {
        throw UsageError("a Polyglot book is of standard chess and Chess960, not of " +
                         std::string(chess::name_of(*filter.variant)));
    }
    query::GameMatcher matcher(reader, filter);
    if (!position) {
        const store::GameId last = reader.last_game();
        const bool all_there = reader.info().games == last;
        if (matcher.takes_all() && order == query::GameOrder::kId && all_there) {
            return {filter, position, emit::GameList::up_to(last)};
        }
        return {filter, position, emit::GameList(query::select_games(reader, matcher, order))};
    }
    std::vector<store::GameId> games;
    query::PositionSearch(reader, matcher)
        .find(query::Question::of(*position), [&](const query::Hit& hit) {
            games.push_back(hit.game);
            return true;
        });
    query::sort_games(reader, order, games);
    return {filter, position, emit::GameList(std::move(games))};
}

/// Returns the directory for the sorter's temporary files: the database's, which has room for files
/// of its size, or the system's if that is not writable.
std::string spill_directory(const std::string& database) {
    const std::filesystem::path beside = std::filesystem::absolute(database).parent_path();
    return ::access(beside.c_str(), W_OK) == 0 ? beside.string()
                                               : std::filesystem::temp_directory_path().string();
}

class Exporter {
  public:
    explicit Exporter(const Arguments& arguments)
        : database_(arguments.database()),
          format_(export_format_of(arguments)),
          rows_(arguments.get("rows")),
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
        for (const char* option : {"language", "figurine"}) {
            if (arguments.has(option) && format_ != "pgn" && rows_ != "plies") {
                throw UsageError("--" + std::string(option) + " is for moves: --format pgn, or " +
                                 "--rows plies");
            }
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

    /// Returns what was written, for the summary.
    std::string run(emit::ExportJob& job, emit::ByteSink& sink) const {
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
            emit::export_plies(job, rows, sink);
            return "plies of ";
        }
        emit::export_games(job, rows, sink);
        return {};
    }

  private:
    static constexpr std::uint32_t kNoPly = std::numeric_limits<std::uint32_t>::max();

    std::string database_;
    std::string format_;
    std::string rows_;
    chess::SanSpelling spelling_;
    std::uint64_t min_games_;
    std::uint32_t max_ply_ = kNoPly;
    std::size_t memory_;
    bool header_;
};

int run_export(const Arguments& arguments) {
    const std::string& database = arguments.database();
    if (arguments.words().size() > 1) {
        throw UsageError("'" + arguments.words()[1] + "': a file to write to is given with -o");
    }
    const Exporter exporter(arguments);
    const std::string output = arguments.find("output").value_or("-");
    refuse_database_as_output(database, output);
    ProgressLine progress(arguments);
    const std::shared_ptr<store::Store> store = store::Store::at(database);
    const store::Reader reader = store->reader();
    const Paging paging = paging_of(arguments, Format::kPgn);
    const Selection selection = selection_of(arguments, *reader);
    emit::ExportJob job{store, selection.games.page(paging.offset, paging.limit),
                        threads_of(arguments), dialect_of(arguments)};
    std::string what;
    const base::RemoveFileOnSignal tidy;
    CountingSink sink(emit::open_sink(output, job.threads));
    job.progress = [&](std::uint64_t games) {
        if (!progress.due()) return;
        const double share = static_cast<double>(games) / static_cast<double>(job.games.size());
        progress.show(progress.share_text(share) + grouped(games) + " games, " +
                      fmt::format("{:.0f} MB", sink.megabytes()));
    };
    try {
        what = exporter.run(job, sink);
        sink.finish();
    } catch (const emit::SinkClosed&) {
        throw BrokenPipe{};
    }
    const double seconds = progress.seconds();
    progress.say(fmt::format("{}{}, {:.1f} MB in {:.2f} s ({:.1f} MB/s)", what,
                             counted(job.games.size(), "game"), sink.megabytes(), seconds,
                             sink.megabytes() / seconds));
    if (selection.games.size() == 0) {
        explain_nothing(arguments, *reader, selection.filter, {selection.position});
    }
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
    return {
        "export",
        "DB",
        "Writes PGN, EPD, FEN, CSV, JSON or a Polyglot book.\n"
        "PGN is written in the export format of the standard; importing it gives the same\n"
        "database. EPD and FEN have a line for each distinct position, and EPD says how\n"
        "many games reached it and how often. JSON and CSV have rows of games, plies or\n"
        "positions. A Polyglot book has the moves played, weighted 2 for a win and 1 for a\n"
        "draw. Books are of standard chess and Chess960. So are positions, unless --variant\n"
        "or the variant of --fen says otherwise.",
        "fendex export my.db --player fischer -o fischer.pgn.zst\n"
        "fendex export my.db --min-games 3 --max-ply 40 -o book.bin",
        joined({{format, choice("rows", {"games", "plies", "positions"}, "rows of json and csv"),
                 output,
                 valued("min-games", "N",
                        "only positions that N games reached, and moves that N games played "
                        "(default: 1)"),
                 valued("max-ply", "N", "only positions and moves up to this ply"),
                 valued("fen", "FEN", "only games that reached this position"),
                 valued("moves", "MOVES",
                        "only games that reached the position after these moves, from the start or "
                        "from --fen"),
                 dialect_option(), sort_option(), progress_option()},
                spelling_options(),
                paging_options(),
                filter_options(),
                resource_options()}),
        run_export,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
