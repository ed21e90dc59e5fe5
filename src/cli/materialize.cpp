#include "ingest/materialize.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/progress_line.hpp"
#include "cli/space.hpp"
#include "cli/verbs.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

namespace {

/// Says what the rows will take, and throws where the file system has not got it.
void announce(const std::string& database, store::StoreReader& reader) {
    const std::uint64_t bytes = ingest::ply_rows_bytes(reader);
    require_space(database, 2 * bytes,
                  fmt::format("{} ply rows need about {}, and as much again while they are written",
                              grouped(reader.info().positions), size_text(bytes)));
}

int run_materialize(const Arguments& arguments) {
    const std::string& database = arguments.only_database();
    // Refuses what is no database, before a writer creates one.
    std::unique_ptr<store::StoreReader> reader = store::open_reader(database);
    if (arguments.has("drop")) {
        reader.reset();
        fmt::print(stderr, "{}\n",
                   ingest::drop_ply_rows(database) ? "ply rows dropped" : "there were no ply rows");
        return kFound;
    }
    const store::StoreInfo info = reader->info();
    if (info.ply_rows == store::PlyRows::kYes) {
        fmt::print(stderr, "there are ply rows already\n");
        return kFound;
    }
    announce(database, *reader);
    reader.reset();
    ProgressLine line;
    const std::uint64_t rows = ingest::materialize(database, [&](std::uint64_t written) {
        if (!line.due()) return;
        const double share = static_cast<double>(written) / static_cast<double>(info.positions);
        line.show(line.share_text(share) + grouped(written) + " rows");
    });
    line.clear();
    fmt::print(stderr, "{} ply rows written in {:.2f} s\n", grouped(rows), line.seconds());
    return kFound;
}

}  // namespace

Verb materialize_verb() {
    return {"materialize",
            "DB",
            "Stores a row for every ply, or --drops them.\n"
            "Table ply then has SAN, UCI, key, FEN and EPD of every ply, which any SQLite client "
            "reads.\nImports into this database keep it up.",
            "fendex materialize my.db",
            {flag("drop", "take the rows away instead")},
            run_materialize};
}

}  // namespace fendex::cli
