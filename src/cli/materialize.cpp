#include "ingest/materialize.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

namespace {

int run_materialize(const Arguments& arguments) {
    const std::string& database = arguments.database();
    store::open_reader(database);  // refuses what is no database, before a writer creates one
    if (arguments.has("drop")) {
        fmt::print(stderr, "{}\n",
                   ingest::drop_ply_rows(database) ? "ply rows dropped" : "there were no ply rows");
    } else {
        fmt::print(stderr, "{} ply rows written\n", grouped(ingest::materialize(database)));
    }
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
