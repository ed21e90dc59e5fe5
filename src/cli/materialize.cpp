#include "ingest/materialize.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

int run_materialize(const std::vector<std::string>& words) {
    Arguments arguments;
    arguments.options().add_options()("drop", "take the rows away instead");
    if (!arguments.parse(words,
                         {"materialize DB",
                          "Writes table ply: a row with SAN, UCI, key, FEN and EPD for every ply, "
                          "which any SQLite client reads.\nImports into this database keep it up.",
                          "fendex materialize my.db"})) {
        return kFound;
    }
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

}  // namespace fendex::cli
