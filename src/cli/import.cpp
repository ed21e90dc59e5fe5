#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/progress_line.hpp"
#include "cli/questions.hpp"
#include "cli/resources.hpp"
#include "cli/space.hpp"
#include "cli/spelling.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "ingest/importer.hpp"
#include "ingest/materialize.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/inputs.hpp"
#include "query/json.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

namespace {

void show_progress(ProgressLine& line, const ingest::ImportProgress& progress) {
    if (!line.due()) return;
    if (progress.phase == ingest::ImportProgress::Phase::kIndexing) {
        line.show(grouped(progress.games) + " games read, indexing");
        return;
    }
    std::string text;
    if (progress.total_bytes != 0) {
        text = line.share_text(static_cast<double>(progress.bytes) /
                               static_cast<double>(progress.total_bytes));
    }
    const double seconds = line.seconds();
    line.show(text + fmt::format("{:.0f} MB/s, {} games/s, {} games",
                                 static_cast<double>(progress.text_bytes) / 1e6 / seconds,
                                 grouped(static_cast<std::uint64_t>(
                                     static_cast<double>(progress.games) / seconds)),
                                 grouped(progress.games)));
}

bool is_named_like_archive(const std::string& path) {
    return pgn::is_archive_name(path) || path.ends_with(".zst") || path.ends_with(".gz") ||
           path.ends_with(".bz2");
}

/// `import games.pgn my.db` would write to the archive.
void refuse_swapped(const std::string& database, const std::vector<std::string>& inputs) {
    if (is_named_like_archive(database) || database == "-") {
        throw UsageError(
            "'" + database + "' is named like an archive, but the database comes first: " +
            "fendex import " + (inputs.empty() ? "my.db" : inputs.front()) + " " + database);
    }
}

/// An input is never written to, by whatever name it is reached.
void refuse_database_as_input(const std::string& database, const std::vector<std::string>& files) {
    std::error_code error;
    for (const std::string& file : files) {
        if (std::filesystem::equivalent(database, file, error)) {
            throw UsageError("'" + file + "' is the database itself");
        }
    }
}

/// "auto", or "pt,fr".
ingest::Languages languages_of(const std::string& list) {
    ingest::Languages languages;
    if (list == "auto") return languages;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        languages.push_back(&language_of(list.substr(begin, end - begin)));
        begin = end + 1;
    }
    return languages;
}

ingest::ImportOptions import_options(const Arguments& arguments) {
    ingest::ImportOptions options;
    options.threads = threads_of(arguments);
    options.memory_bytes = memory_of(arguments);
    const std::string& rows = arguments.get("ply-rows");
    options.ply_rows = rows == "yes"  ? ingest::PlyRowChoice::kYes
                       : rows == "no" ? ingest::PlyRowChoice::kNo
                                      : ingest::PlyRowChoice::kAuto;
    options.annotations = arguments.has("annotations");
    options.variations = arguments.has("variations");
    options.variant = variant_asked(arguments).value_or(chess::Variant::kStandard);
    options.languages = languages_of(arguments.find("language").value_or("auto"));
    options.strict = arguments.has("strict");
    options.keep_damaged = arguments.has("keep-damaged");
    options.again = arguments.has("again");
    options.as_given = arguments.given();
    options.skip_duplicates = arguments.has("skip-duplicates");
    if (const auto log = arguments.number("zstd-window")) {
        if (*log < 10 || *log > 31) throw UsageError("--zstd-window takes a number from 10 to 31");
        options.zstd_window_log = static_cast<int>(*log);
    }
    return options;
}

/// Says what ply rows cost if more is imported than `auto` would store them for: that choice was
/// made by the first import, maybe of a few games.
class PlyRowsNotice {
  public:
    PlyRowsNotice(std::string database, const std::vector<std::string>& files,
                  ingest::PlyRowChoice choice)
        : database_(std::move(database)), wanted_(choice == ingest::PlyRowChoice::kYes) {
        for (const std::string& file : files) bytes_ += pgn::source_size(file).value_or(0);
    }

    void before_import() const {
        if (wanted_ || bytes_ <= ingest::kPlyRowsUpTo) return;
        std::error_code error;
        if (std::filesystem::file_size(database_, error) == 0 || error) return;
        const std::unique_ptr<store::StoreReader> reader = store::open_reader(database_);
        const store::StoreInfo info = reader->info();
        if (info.ply_rows != store::PlyRows::kYes || info.positions == 0) return;
        fmt::print(stderr,
                   "fendex: this database stores a row of some {} bytes for every ply, as its "
                   "first import chose\n",
                   ingest::ply_rows_bytes(*reader) / info.positions);
    }

    void after_import(store::StoreReader& reader, std::uint64_t text_bytes) const {
        if (wanted_ || std::max(bytes_, text_bytes) <= ingest::kPlyRowsUpTo) return;
        const store::StoreInfo info = reader.info();
        if (info.ply_rows != store::PlyRows::kYes) return;
        fmt::print(stderr,
                   "fendex: ply rows take about {} of the {} on disk; fendex materialize {} --drop "
                   "takes them away\n",
                   size_text(ingest::ply_rows_bytes(reader)), size_text(info.bytes),
                   printable(database_));
    }

  private:
    std::string database_;
    bool wanted_;
    std::uint64_t bytes_ = 0;
};

/// Of a directory that was imported before there may be thousands.
void print_notices(const std::vector<std::string>& notices) {
    constexpr std::size_t kMaxPrinted = 10;
    for (std::size_t i = 0; i < std::min(notices.size(), kMaxPrinted); ++i) {
        fmt::print(stderr, "fendex: {}\n", printable(notices[i]));
    }
    if (notices.size() > kMaxPrinted) {
        fmt::print(stderr, "fendex: ... and {} more inputs like these\n",
                   grouped(notices.size() - kMaxPrinted));
    }
}

double bytes_per_ply(const store::StoreInfo& info) {
    return info.plies == 0 ? 0.0
                           : static_cast<double>(info.bytes) / static_cast<double>(info.plies);
}

void append_database(const ingest::ImportSummary& summary, const store::StoreInfo& info,
                     std::string& out) {
    query::JsonObject database(out);
    database.number("games", info.games);
    database.number("plies", info.plies);
    database.number("errors", info.errors);
    database.number("warnings", info.warnings);
    database.number("bytes", info.bytes);
    database.decimal("bytes_per_ply", bytes_per_ply(info), 3);
    database.text("fingerprint", query::hex_key(info.fingerprint));
    database.text("ply_rows", summary.ply_rows == store::PlyRows::kYes ? "yes" : "no");
    database.end();
}

/// What this import did, then the state of the database under the names that `info` has for it.
/// `info` is null if there is no database.
void print_imported(const ingest::ImportSummary& summary, const store::StoreInfo* info,
                    double seconds, Output output) {
    std::string& out = output.buffer();
    query::JsonObject object(out);
    object.number("games", summary.games);
    object.number("plies", summary.plies);
    object.number("errors", summary.errors);
    object.number("warnings", summary.warnings);
    object.number("duplicates", summary.duplicates);
    object.number("known_sources", summary.known_sources);
    object.number("text_bytes", summary.text_bytes);
    object.decimal("seconds", seconds, 3);
    object.boolean("interrupted", summary.stopped);
    object.texts("failures", summary.failures);
    object.texts("oddities", summary.oddities);
    object.texts("notices", summary.notices);
    if (info == nullptr) {
        object.null("database");
    } else {
        object.name("database");
        append_database(summary, *info, out);
    }
    object.end();
    out += '\n';
    output.flush();
}

int status_of(const ingest::ImportSummary& summary) {
    if (summary.stopped) return StopSignal::exit_status();
    return summary.failures.empty() ? kFound : kError;
}

void say_what_is_stored(const ingest::ImportSummary& summary, const store::StoreInfo& info,
                        bool skip_duplicates, ProgressLine& line) {
    const double seconds = line.seconds();
    line.say(fmt::format(
        "{}, {}, {}{}{} in {:.2f} s ({:.1f} MB/s, {} plies/s); "
        "database: {}, {:.1f} bytes per ply, ply rows: {}{}",
        counted(summary.games, "game"), counted(summary.plies, "ply", "plies"),
        counted(summary.errors, "error"),
        summary.warnings == 0 ? "" : ", " + counted(summary.warnings, "warning"),
        skip_duplicates ? ", " + counted(summary.duplicates, "duplicate") + " left out" : "",
        seconds, static_cast<double>(summary.text_bytes) / 1e6 / seconds,
        grouped(static_cast<std::uint64_t>(static_cast<double>(summary.plies) / seconds)),
        counted(info.games, "game"), bytes_per_ply(info),
        summary.ply_rows == store::PlyRows::kYes ? "yes" : "no",
        summary.known_sources == 0
            ? ""
            : "; inputs imported before: " + grouped(summary.known_sources)));
}

int run_import(const Arguments& arguments) {
    const std::string& database = arguments.database();
    const Format format = format_of(arguments);
    const std::vector<std::string> inputs(arguments.words().begin() + 1, arguments.words().end());
    refuse_swapped(database, inputs);
    if (inputs.empty()) throw UsageError("which games? Give archives, directories, or -");
    ingest::ImportOptions options = import_options(arguments);
    const std::vector<std::string> files = pgn::expand_inputs(inputs);
    refuse_database_as_input(database, files);
    const PlyRowsNotice ply_rows(database, files, options.ply_rows);
    const bool quiet = arguments.has("quiet");
    if (!quiet) ply_rows.before_import();

    const StopSignal signal;
    options.stop = StopSignal::requested;
    ProgressLine progress(arguments);
    options.progress = [&](const ingest::ImportProgress& p) { show_progress(progress, p); };
    const ingest::ImportSummary summary = ingest::import_files(database, files, options);
    const double seconds = progress.seconds();
    progress.clear();

    if (!quiet) print_notices(summary.notices);
    for (const auto* messages : {&summary.failures, &summary.oddities}) {
        for (const std::string& message : *messages) {
            fmt::print(stderr, "fendex: {}\n", printable(message));
        }
    }
    if (!summary.has_database) {
        progress.say("nothing was imported, and no database was made");
        if (format == Format::kJson) print_imported(summary, nullptr, seconds, Output(arguments));
        return status_of(summary);
    }
    const std::unique_ptr<store::StoreReader> reader = store::open_reader(database);
    const store::StoreInfo info = reader->info();
    say_what_is_stored(summary, info, arguments.has("skip-duplicates"), progress);
    if (!quiet) ply_rows.after_import(*reader, summary.text_bytes);
    if (format == Format::kJson) print_imported(summary, &info, seconds, Output(arguments));
    if (summary.stopped) {
        fmt::print(stderr, "fendex: interrupted: {}\n",
                   options.strict ? "nothing was imported (--strict)"
                                  : "these games are stored; the same command goes on from here");
    }
    return status_of(summary);
}

}  // namespace

Verb import_verb() {
    return {
        "import",
        "DB INPUT...",
        "Indexes PGN archives.\n"
        "Reads .pgn, .pgn.zst, .pgn.gz, .pgn.bz2, directories, - for standard input, and stores "
        "their games\nwith an index of every position. A second import appends.\n"
        "An import that was interrupted goes on when it is run again. An input that has been "
        "imported is left\nalone, whatever its name is now; of one that has grown, the new part is "
        "imported.\n"
        "A game longer than an eighth of --memory (8 MiB at least, 64 MiB at most) is cut off "
        "there.",
        "fendex import my.db samples/classics.pgn samples/tournament.pgn.zst",
        joined({resource_options(),
                {choice("ply-rows", {"auto", "yes", "no"},
                        "store a row with FEN and key for every ply (auto: yes up to 16 MiB of "
                        "input; fixed with the first import)"),
                 flag("annotations", "keep comments, NAGs and variations"),
                 flag("variations", "and index the positions of variations, for find --variations"),
                 valued("variant", "NAME",
                        "games without the tag Variant are of this one, and get it: crazyhouse, "
                        "3check, kingofthehill, atomic, antichess, suicide, losers, horde, "
                        "racingkings, chess960"),
                 valued("language", "auto|LIST",
                        "languages that moves may be written in, by preference, as in pt,en "
                        "(default auto: English, else any in which the game can be played): " +
                            chess::language_codes()),
                 flag("again", "import also what has been imported before"),
                 flag("strict", "the first error undoes the import"),
                 flag("keep-damaged",
                      "keep what was read of an archive's part whose checksum is wrong"),
                 flag("skip-duplicates",
                      "leave out games that are stored already, or came before: the same players, "
                      "date, result and moves (see fendex duplicates)"),
                 valued("zstd-window", "LOG",
                        "largest zstd window accepted, as a power of two (default 27: 128 MiB; "
                        "--long=31 needs 31)"),
                 format_option({"table", "json"}), progress_option()}}),
        run_import};
}

}  // namespace fendex::cli
