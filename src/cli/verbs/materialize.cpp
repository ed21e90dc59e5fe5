#include "upkeep/materialize.hpp"

#include <fmt/core.h>

#include "cli/options/arguments.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/space.hpp"
#include "cli/verbs/verbs.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

namespace {

/// Returns a line with the space that the rows need; throws if the file system does not have it.
std::string space_needed(const std::string& database, store::StoreReader& reader) {
    const std::uint64_t bytes = upkeep::ply_rows_bytes(reader);
    return require_space(
        database, 2 * bytes,
        fmt::format("{} {} about {}, and as much again while they are written",
                    counted(reader.info().positions, "ply row"),
                    reader.info().positions == 1 ? "needs" : "need", size_text(bytes)));
}

int run_materialize(const Arguments& arguments) {
    const std::string& database = arguments.only_database();
    ProgressLine line(arguments);
    // Refuses a file that is not a database; a writer would create one.
    store::Reader reader = store::file_store(database)->reader();
    if (arguments.has("drop")) {
        reader.reset();
        line.say(upkeep::drop_ply_rows(database) ? "ply rows dropped" : "there were no ply rows");
        return kFound;
    }
    const store::StoreInfo info = reader->info();
    const bool has_rows = info.ply_rows == store::PlyRows::kYes;
    if (!has_rows) line.say(space_needed(database, *reader));
    reader.reset();
    const std::uint64_t rows = upkeep::materialize(database, [&](std::uint64_t written) {
        if (!line.due()) return;
        const double share = static_cast<double>(written) / static_cast<double>(info.positions);
        line.show(line.share_text(share) + grouped(written) + " rows");
    });
    line.say(has_rows
                 ? "there are ply rows already"
                 : fmt::format("{} written in {:.2f} s", counted(rows, "ply row"), line.seconds()));
    return kFound;
}

}  // namespace

Verb materialize_verb() {
    return {"materialize",
            "DB",
            "Stores a row for every ply, or drops these rows.\n"
            "Table ply then has SAN, UCI, key, FEN and EPD of every ply, which any SQLite\n"
            "client can read. Imports into this database keep it up to date.",
            "fendex materialize my.db",
            {flag("drop", "drop the rows instead"), progress_option()},
            run_materialize};
}

}  // namespace fendex::cli
