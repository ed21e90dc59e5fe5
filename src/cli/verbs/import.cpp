#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "cli/options/arguments.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/say.hpp"
#include "cli/options/spelling.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/space.hpp"
#include "cli/output/stop_signal.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "pgn/member_path.hpp"
#include "query/database_summary.hpp"
#include "store/sqlite/file_store.hpp"
#include "upkeep/materialize.hpp"

namespace fendex::cli {

namespace {

void show_progress(ProgressLine& line, const ingest::ImportProgress& progress) {
    if (!line.due()) return;
    const bool of_records = progress.records != 0;
    if (progress.phase == ingest::ImportProgress::Phase::kIndexing) {
        line.show(of_records ? grouped(progress.records) + " records read, merging"
                             : grouped(progress.games) + " games read, indexing");
        return;
    }
    std::string text;
    if (progress.total_bytes != 0) {
        text = line.share_text(static_cast<double>(progress.bytes) /
                               static_cast<double>(progress.total_bytes));
    }
    const double seconds = line.seconds();
    const std::uint64_t count = of_records ? progress.records : progress.games;
    const char* const what = of_records ? "records" : "games";
    line.show(text +
              fmt::format("{:.0f} MB/s, {} {}/s, {} {}",
                          static_cast<double>(progress.text_bytes) / 1e6 / seconds,
                          grouped(static_cast<std::uint64_t>(static_cast<double>(count) / seconds)),
                          what, grouped(count), what));
}

bool is_named_like_archive(const std::string& path) {
    return pgn::is_archive_name(path) || path.ends_with(".zst") || path.ends_with(".gz") ||
           path.ends_with(".bz2");
}

/// Throws UsageError for `import games.pgn my.db`, which would write to the archive.
void refuse_swapped(const std::string& database, const std::vector<std::string>& inputs) {
    if (is_named_like_archive(database) || database == "-") {
        throw UsageError(
            "'" + database + "' is named like an archive, but the database comes first: " +
            "fendex import " + (inputs.empty() ? "my.db" : inputs.front()) + " " + database);
    }
}

/// Throws if an input is the database, by whatever name.
void refuse_database_as_input(const std::string& database, const std::vector<std::string>& files) {
    std::error_code error;
    for (const std::string& file : files) {
        if (std::filesystem::equivalent(database, pgn::file_of(file), error)) {
            throw UsageError("'" + file + "' is the database itself");
        }
    }
}

/// Reads "auto", or a list of codes like "pt,fr".
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
    options.only_known = arguments.has("only-known");
    options.again = arguments.has("again");
    options.refuse_doubles = !arguments.has("yes");
    options.as_given = arguments.given();
    options.skip_duplicates = arguments.has("skip-duplicates");
    if (const auto log = arguments.number("zstd-window")) {
        if (*log < 10 || *log > 31) throw UsageError("--zstd-window takes a number from 10 to 31");
        options.zstd_window_log = static_cast<int>(*log);
    }
    return options;
}

/// Prints what ply rows cost if an import is so large that `auto` would not store them. The first
/// import made that choice, and it may have been small.
class PlyRowsNotice {
  public:
    PlyRowsNotice(std::string database, ingest::PlyRowChoice choice)
        : database_(std::move(database)), wanted_(choice == ingest::PlyRowChoice::kYes) {}

    void before_import(const std::vector<std::string>& files) const {
        std::error_code error;
        if (wanted_ || std::filesystem::file_size(database_, error) == 0 || error) return;
        const store::Reader reader = store::file_store(database_)->reader();
        const store::StoreInfo info = reader->info();
        if (info.ply_rows != store::PlyRows::kYes || info.positions == 0 ||
            ingest::expected_text(files) <= ingest::kPlyRowsUpTo) {
            return;
        }
        say(fmt::format(
            "this database stores a row of some {} bytes for every ply, as its first import chose",
            upkeep::ply_rows_bytes(*reader) / info.positions));
    }

    void after_import(store::StoreReader& reader, std::uint64_t text_bytes) const {
        if (wanted_ || text_bytes <= ingest::kPlyRowsUpTo) return;
        const store::StoreInfo info = reader.info();
        if (info.ply_rows != store::PlyRows::kYes) return;
        say(fmt::format(
            "ply rows take about {} of the {} on disk; fendex materialize {} --drop "
            "removes them",
            size_text(upkeep::ply_rows_bytes(reader)), size_text(info.bytes), database_));
    }

  private:
    std::string database_;
    bool wanted_;
};

/// Prints only the first notices; a directory that was imported before may give thousands.
void print_notices(const std::vector<std::string>& notices) {
    constexpr std::size_t kMaxPrinted = 10;
    for (std::size_t i = 0; i < std::min(notices.size(), kMaxPrinted); ++i) {
        say(notices[i]);
    }
    if (notices.size() > kMaxPrinted) {
        say("... and " + grouped(notices.size() - kMaxPrinted) + " more inputs like these");
    }
}

double bytes_per_ply(const store::StoreInfo& info) {
    return info.plies == 0 ? 0.0
                           : static_cast<double>(info.bytes) / static_cast<double>(info.plies);
}

void add_database(const ingest::ImportSummary& summary, const store::StoreInfo& info,
                  json::Object& database) {
    database.add("games", info.games);
    database.add("plies", info.plies);
    database.add("errors", info.errors);
    database.add("warnings", info.warnings);
    database.add("records", info.records);
    database.add("bytes", info.bytes);
    database.add("bytes_per_ply", json::Fixed{bytes_per_ply(info), 3});
    database.add("fingerprint", base::hex_key(info.fingerprint));
    database.add("ply_rows", summary.ply_rows == store::PlyRows::kYes ? "yes" : "no");
}

/// Prints what this import did, then the state of the database under the names that the verb info
/// uses. `info` is null if there is no database.
void print_imported(const ingest::ImportSummary& summary, const store::StoreInfo* info,
                    double seconds, Output output) {
    json::append_line(output.buffer(), [&](json::Object& object) {
        object.add("games", summary.games);
        object.add("plies", summary.plies);
        object.add("errors", summary.errors);
        object.add("warnings", summary.warnings);
        object.add("duplicates", summary.duplicates);
        object.add("annotated", summary.annotated);
        object.add("records", summary.records);
        object.add("unknown_records", summary.unknown);
        object.add("comments_left_out", summary.left_out.comments);
        object.add("nags_left_out", summary.left_out.glyphs);
        object.add("variations_left_out", summary.left_out.variations);
        object.add("known_sources", summary.known_sources);
        object.add("text_bytes", summary.text_bytes);
        object.add("seconds", json::Fixed{seconds, 3});
        object.add("interrupted", summary.stopped);
        object.add("failures", summary.failures);
        object.add("oddities", summary.oddities);
        object.add("notices", summary.notices);
        if (info == nullptr) return object.add_null("database");
        object.add_object("database",
                          [&](json::Object& database) { add_database(summary, *info, database); });
    });
    output.flush();
}

int status_of(const ingest::ImportSummary& summary) {
    if (summary.stopped) return StopSignal::exit_status();
    return summary.failures.empty() ? kFound : kError;
}

/// Returns the part of the summary about annotations that were not kept; empty if there were none.
std::string left_out_text(const ingest::AnnotationCounts& left_out) {
    std::vector<std::string> parts;
    if (left_out.comments != 0) {
        parts.push_back(counted(left_out.comments, "comment") +
                        (left_out.timed ? " (clocks or evaluations among them)" : ""));
    }
    if (left_out.glyphs != 0) parts.push_back(counted(left_out.glyphs, "NAG"));
    if (left_out.variations != 0) parts.push_back(counted(left_out.variations, "variation"));
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    }
    return text.empty() ? text : "; " + text + " left out; --annotations keeps them";
}

/// Returns the part of the summary about records of positions; empty if none were read.
std::string records_text(const ingest::ImportSummary& summary) {
    if (summary.records + summary.unknown == 0) return {};
    std::string text = ", " + counted(summary.records, "record");
    if (summary.unknown != 0) {
        text += ", " + counted(summary.unknown, "record") + " of other positions left out";
    }
    return text;
}

/// Returns how fast the import was. Games of another database are not text.
std::string speed_text(const ingest::ImportSummary& summary, double seconds) {
    const auto per_second = [&](std::uint64_t count) {
        return grouped(static_cast<std::uint64_t>(static_cast<double>(count) / seconds));
    };
    return (summary.text_bytes == 0
                ? per_second(summary.games) + " games/s, "
                : fmt::format("{:.1f} MB/s, ",
                              static_cast<double>(summary.text_bytes) / 1e6 / seconds)) +
           per_second(summary.plies) + " plies/s";
}

void say_what_is_stored(const ingest::ImportSummary& summary, const store::StoreInfo& info,
                        bool skip_duplicates, ProgressLine& line) {
    const double seconds = line.seconds();
    line.say(fmt::format(
        "{}, {}, {}{}{}{}{} in {:.2f} s ({}); "
        "database: {}{}, ply rows: {}{}{}{}",
        counted(summary.games, "game"), counted(summary.plies, "ply", "plies"),
        counted(summary.errors, "error"),
        summary.warnings == 0 ? "" : ", " + counted(summary.warnings, "warning"),
        records_text(summary),
        skip_duplicates ? ", " + counted(summary.duplicates, "duplicate") + " left out" : "",
        summary.annotated == 0
            ? ""
            : ", comments added to " +
                  counted(summary.annotated, "game that was", "games that were") + " there",
        seconds, speed_text(summary, seconds), counted(info.games, "game"),
        info.plies < query::kPliesOfSizes
            ? ""
            : fmt::format(", {:.1f} bytes per ply", bytes_per_ply(info)),
        summary.ply_rows == store::PlyRows::kYes ? "yes" : "no",
        info.records == 0 ? "" : ", " + counted(info.records, "record"),
        summary.known_sources == 0 ? ""
                                   : "; inputs imported before: " + grouped(summary.known_sources),
        left_out_text(summary.left_out)));
}

int run_import(const Arguments& arguments) {
    const std::string& database = arguments.database();
    const Format format = format_of(arguments);
    const std::vector<std::string> inputs(arguments.words().begin() + 1, arguments.words().end());
    refuse_swapped(database, inputs);
    if (inputs.empty()) throw UsageError("which games? Give archives, directories, or -");
    ingest::ImportOptions options = import_options(arguments);
    std::vector<std::string> left_out;
    const std::vector<std::string> files = pgn::expand_inputs(inputs, &left_out);
    refuse_database_as_input(database, files);
    const PlyRowsNotice ply_rows(database, options.ply_rows);
    const bool quiet = arguments.has("quiet");
    if (!quiet) ply_rows.before_import(files);

    const StopSignal signal;
    options.stop = StopSignal::requested;
    ProgressLine progress(arguments);
    options.progress = [&](const ingest::ImportProgress& p) { show_progress(progress, p); };
    ingest::ImportSummary summary = ingest::import_files(database, files, options);
    std::move(left_out.begin(), left_out.end(), std::back_inserter(summary.notices));
    const double seconds = progress.seconds();
    progress.clear();

    if (!quiet) print_notices(summary.notices);
    for (const auto* messages : {&summary.failures, &summary.oddities}) {
        for (const std::string& message : *messages) {
            say(message);
        }
    }
    if (!summary.has_database) {
        progress.say("nothing was imported, and no database was made");
        if (format == Format::kJson) print_imported(summary, nullptr, seconds, Output(arguments));
        return status_of(summary);
    }
    const store::Reader reader = store::file_store(database)->reader();
    const store::StoreInfo info = reader->info();
    say_what_is_stored(summary, info, arguments.has("skip-duplicates"), progress);
    if (!quiet) ply_rows.after_import(*reader, summary.text_bytes);
    if (format == Format::kJson) print_imported(summary, &info, seconds, Output(arguments));
    if (summary.stopped) {
        say(options.strict
                ? "interrupted: nothing was imported (--strict)"
                : "interrupted: these games are stored; the same command continues from here");
    }
    return status_of(summary);
}

}  // namespace

Verb import_verb() {
    return {
        "import",
        "DB INPUT...",
        "Adds the games of archives, directories or standard input.\n"
        "Reads .pgn, .pgn.zst, .pgn.gz, .pgn.bz2, the .pgn files in .zip and .7z archives,\n"
        "directories, and - for standard input, and stores the games with an index of every\n"
        "position. A second import appends. If an import was interrupted, run it again: it\n"
        "continues. An input that was imported before is skipped, even under another name;\n"
        "if it has grown, the new part is imported.\n"
        "Another fendex database is an input, too: its sources are taken with comments, errors "
        "and\n"
        "evaluations, except those that are known.\n"
        "Records of positions are recognised, too: Lichess's evaluations (a JSON object with fen\n"
        "and evals in each line) and EPD. For each number of PVs the deepest search is kept.\n"
        "A game longer than an eighth of --memory (8 MiB at least, 64 MiB at most) is cut off "
        "there.",
        "fendex import my.db samples/classics.pgn samples/tournament.pgn.zst",
        joined(
            {resource_options(),
             {choice("ply-rows", {"auto", "yes", "no"},
                     "store a row with FEN and key for every ply (auto: if the input is up to 16 "
                     "MiB of text); the first import decides"),
              flag(
                  "annotations",
                  "keep comments, NAGs and variations; of an input that was imported without them, "
                  "add them to its games"),
              flag("variations",
                   "the same, and index the positions of variations for find --variations"),
              valued("variant", "NAME",
                     "variant of games without a tag Variant, which is added to them: "
                     "crazyhouse, 3check, kingofthehill, atomic, antichess, suicide, losers, "
                     "horde, racingkings, chess960"),
              valued("language", "auto|LIST",
                     "languages of the moves, preferred first, as in pt,en (default auto: "
                     "English, else any in which the game can be played): " +
                         chess::language_codes()),
              flag("again",
                   "import inputs that were imported before, too; one whose games are still stored "
                   "is refused without --yes"),
              flag("yes", "with --again: store games a second time"),
              flag("strict", "undo the import at the first error"),
              flag("keep-damaged",
                   "keep the games of an archive even if its checksum shows that they are wrong"),
              flag("skip-duplicates",
                   "leave out games that are identical to a stored or an earlier game: the same "
                   "players, date, result and moves (see fendex duplicates)"),
              flag("only-known",
                   "of records, keep those of positions that games of the database have reached"),
              valued("zstd-window", "LOG",
                     "largest zstd window accepted, as a power of two (default 27: 128 MiB; "
                     "archives made with zstd --long=31 need 31)"),
              format_option({"table", "json"}), progress_option()}}),
        run_import};
}

}  // namespace fendex::cli
