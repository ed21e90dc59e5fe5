#include <fmt/core.h>

#include "cli/row_printer.hpp"
#include "cli/verbs.hpp"
#include "query/json.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

namespace {

int run_info(const Arguments& arguments) {
    const Format format = format_of(arguments);
    const store::StoreInfo info = store::open_reader(arguments.only_database())->info();

    Output output;
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
        {"segments", info.segments, "parts of the index"},
        {"variation_segments", info.variation_segments, "of the index of variations"},
        {"postings", info.postings, "entries of the index: a position of a game"},
        {"unindexed_games", info.unindexed_games, "stored, but not in a segment yet"},
        {"annotated_games", info.annotated_games, "with comments, NAGs or variations"},
        {"annotation_bytes", info.annotation_bytes, "what those take, compressed"},
        {"bytes", info.bytes, "size of the database"},
        {"free_bytes", info.free_bytes, "of these, in free pages: compact gives them back"},
    };
    if (format == Format::kJson) {
        query::JsonObject object(out);
        for (const Figure& figure : figures) object.number(figure.name, figure.value);
        object.decimal("bytes_per_ply", per_ply, 3);
        object.decimal("write_amplification", amplification, 3);
        object.text("fingerprint", query::hex_key(info.fingerprint));
        object.text("ply_rows", rows);
        object.end();
        out += '\n';
    } else if (format == Format::kCsv) {
        for (const Figure& figure : figures) out += fmt::format("{},", figure.name);
        out += "bytes_per_ply,write_amplification,fingerprint,ply_rows\r\n";
        for (const Figure& figure : figures) out += fmt::format("{},", figure.value);
        out += fmt::format("{:.3f},{:.3f},{},{}\r\n", per_ply, amplification,
                           query::hex_key(info.fingerprint), rows);
    } else {
        for (const Figure& figure : figures) {
            out += fmt::format("{:<20}{:>16}  {}\n", figure.name, grouped(figure.value),
                               figure.meaning);
        }
        out += fmt::format("{:<20}{:>16.2f}  games and index together\n", "bytes_per_ply", per_ply);
        out += fmt::format("{:<20}{:>16.2f}  postings ever written over those there are\n",
                           "write_amplification", amplification);
        out += fmt::format("{:<20}{:>16}  over every (game, ply, key)\n", "fingerprint",
                           query::hex_key(info.fingerprint));
        out += fmt::format("{:<20}{:>16}  a row of table ply for every ply\n", "ply_rows", rows);
    }
    output.flush();
    return kFound;
}

}  // namespace

Verb info_verb() {
    return {"info",
            "DB",
            "What is in a database, and what it costs.",
            "fendex info my.db --format json",
            {format_option({"table", "json", "csv"})},
            run_info};
}

}  // namespace fendex::cli
