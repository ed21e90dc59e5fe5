#include <fmt/core.h>

#include <ctime>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "chess/variant_names.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/games_by_variant.hpp"
#include "store/store.hpp"

namespace fendex::cli {

namespace {

/// Returns "2026-11-21T21:24:20Z", which sorts by time.
std::string utc_time(std::int64_t seconds) {
    const auto time = static_cast<std::time_t>(seconds);
    std::tm utc{};
    ::gmtime_r(&time, &utc);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

/// Prints the ledger, one row per source.
int list_sources(const Arguments& arguments, Format format) {
    const auto reader = store::Store::at(arguments.only_database())->reader();
    Output output(arguments);
    RowPrinter printer(output, format,
                       {{"id"},
                        {.name = "path", .cut = Cut::kStart},
                        {.name = "size", .spare = 5},
                        {"modified", false},
                        {"first_byte", false},
                        {.name = "bytes", .spare = 1},
                        {"digest", false},
                        {"resume_byte", false},
                        {"resume_line", false},
                        {"open_game", false},
                        {.name = "first_game", .spare = 4},
                        {"games"},
                        {.name = "duplicates", .spare = 3},
                        {"plies"},
                        {"errors"},
                        {"complete"},
                        {"started", false},
                        {.name = "finished", .cut = Cut::kNever, .spare = 2},
                        {"options", false}});
    const auto number = [](auto value) { return Cell(static_cast<std::int64_t>(value)); };
    const auto optional = [](const auto& value) {
        return value ? Cell(static_cast<std::int64_t>(*value)) : Cell(Null{});
    };
    bool any = false;
    for (const store::StoredSource& source : reader->sources()) {
        any = true;
        const store::SourceProgress& progress = source.progress;
        const std::string started = utc_time(source.started);
        const std::string finished = source.finished ? utc_time(*source.finished) : "";
        const std::string modified =
            source.file.modified ? utc_time(*source.file.modified / 1'000'000'000) : "";
        const auto text = [](const std::string& value) {
            return value.empty() ? Cell(Null{}) : Cell(std::string_view(value));
        };
        printer.row({number(source.id), std::string_view(source.file.path),
                     optional(source.file.size), text(modified), number(source.first_byte),
                     number(progress.bytes), text(progress.digest), number(progress.resume.byte),
                     number(progress.resume.line), optional(progress.open_game),
                     number(source.first_game), number(source.games), number(source.duplicates),
                     number(source.plies), number(source.errors), progress.complete, text(started),
                     text(finished), text(source.options)});
    }
    printer.finish();
    output.flush();
    return any ? kFound : kNothingFound;
}

int run_info(const Arguments& arguments) {
    const Format format = format_of(arguments);
    if (arguments.has("sources")) return list_sources(arguments, format);
    const auto reader = store::Store::at(arguments.only_database())->reader();
    const store::StoreInfo info = reader->info();
    std::vector<query::VariantGames> variants = query::games_by_variant(*reader);
    if (variants.empty() || variants.front().variant != chess::Variant::kStandard) {
        variants.insert(variants.begin(), query::VariantGames{chess::Variant::kStandard, 0});
    }

    Output output(arguments);
    std::string& out = output.buffer();
    const double per_ply =
        info.plies == 0 ? 0 : static_cast<double>(info.bytes) / static_cast<double>(info.plies);
    const double amplification = info.postings == 0 ? 0
                                                    : static_cast<double>(info.postings_written) /
                                                          static_cast<double>(info.postings);
    const char* rows = !info.ply_rows                           ? "not chosen yet"
                       : *info.ply_rows == store::PlyRows::kYes ? "yes"
                                                                : "no";
    struct Figure {
        const char* name;
        std::uint64_t value;
        const char* meaning;
    };
    const Figure figures[] = {
        {"games", info.games, "games"},
        {"plies", info.plies, "moves played"},
        {"positions", info.positions, "plies, and the start of every game"},
        {"distinct_positions", info.distinct_positions, "summed over segments"},
        {"players", info.players, "names of players"},
        {"sources", info.sources, "files and streams imported"},
        {"errors", info.errors, "what could not be read: fendex errors"},
        {"warnings", info.warnings, "what could be read in two ways, or was odd and lost nothing"},
        {"segments", info.index_pieces, "parts of the index"},
        {"variation_segments", info.variation_pieces, "of the index of variations"},
        {"postings", info.postings, "entries of the index: a position of a game"},
        {"unindexed_games", info.unindexed_games, "stored, but not in a segment yet"},
        {"annotated_games", info.annotated_games, "with comments, NAGs or variations"},
        {"annotation_bytes", info.annotation_bytes, "what those take, compressed"},
        {"bytes", info.bytes, "size of the database"},
        {"free_bytes", info.free_bytes, "of these, in free pages: compact gives them back"},
    };
    if (format == Format::kJson) {
        json::append_line(out, [&](json::Object& object) {
            object.add("id", info.id);
            for (const Figure& figure : figures) object.add(figure.name, figure.value);
            object.add("bytes_per_ply", json::Fixed{per_ply, 3});
            object.add("write_amplification", json::Fixed{amplification, 3});
            object.add("fingerprint", base::hex_key(info.fingerprint));
            object.add("ply_rows", rows);
            object.add_object("variants", [&](json::Object& of) {
                for (const auto& [variant, games] : variants)
                    of.add(chess::name_of(variant), games);
            });
        });
    } else if (format == Format::kCsv) {
        if (output.has_header()) {
            for (const Figure& figure : figures) out += fmt::format("{},", figure.name);
            out += "bytes_per_ply,write_amplification,fingerprint,ply_rows,id\r\n";
        }
        for (const Figure& figure : figures) out += fmt::format("{},", figure.value);
        out += fmt::format("{:.3f},{:.3f},{},{},{}\r\n", per_ply, amplification,
                           base::hex_key(info.fingerprint), rows, info.id);
    } else {
        if (!info.id.empty()) out += fmt::format("{:<20}{}  of the database\n", "id", info.id);
        for (const Figure& figure : figures) {
            out += fmt::format("{:<20}{:>16}  {}\n", figure.name, grouped(figure.value),
                               figure.meaning);
        }
        out += fmt::format("{:<20}{:>16.2f}  games and index together\n", "bytes_per_ply", per_ply);
        out += fmt::format("{:<20}{:>16.2f}  postings ever written over those there are\n",
                           "write_amplification", amplification);
        out += fmt::format("{:<20}{:>16}  over every (game, ply, key)\n", "fingerprint",
                           base::hex_key(info.fingerprint));
        out += fmt::format("{:<20}{:>16}  a row of table ply for every ply\n", "ply_rows", rows);
        for (const auto& [variant, games] : variants) {
            const bool all = variant == chess::Variant::kStandard && games == info.games;
            if (all || games == 0) continue;
            out += fmt::format("{:<20}{:>16}  games of this variant\n", chess::name_of(variant),
                               grouped(games));
        }
    }
    output.flush();
    return kFound;
}

}  // namespace

Verb info_verb() {
    return {"info",
            "DB",
            "Counts games, plies and bytes; lists what was imported.",
            "fendex info my.db --format json",
            {format_option({"table", "json", "csv"}),
             flag("sources", "list what was imported, a row for each file or stream")},
            run_info,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
