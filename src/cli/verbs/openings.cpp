#include <utility>
#include <vector>

#include "ask/sum_rows.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/filters.hpp"
#include "cli/output/lister.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

namespace {

int run_openings(const Arguments& arguments) {
    Lister lister(arguments, format_of(arguments), List::kOpenings);
    std::vector<ask::OpenDatabase> database = open_only_database(arguments);
    const query::GameFilter filter = filter_of(arguments);
    ask::Sources databases(std::move(database), filter);
    const auto order =
        arguments.get("sort") == "eco" ? query::OpeningOrder::kEco : query::OpeningOrder::kGames;
    const Lister::Printed printed =
        lister.print(*ask::opening_rows(databases, order, lister.page()), "opening");
    lister.flush();
    if (!printed.any) explain_nothing(arguments, *databases[0].reader, filter);
    return printed.rows == 0 ? kNothingFound : kFound;
}

}  // namespace

Verb openings_verb() {
    return {
        "openings",
        "DB",
        "Lists the openings of games, with their results.\n"
        "The opening of a game is that of the last position it reached that has a name,\n"
        "by whatever order of moves; the tag ECO does not matter. Games without such a\n"
        "position are in the row without a name. The score is White's, a draw counts half;\n"
        "games without a result do not count for it.",
        "fendex openings my.db --player kasparov --limit 10",
        joined({{format_option({"table", "json", "csv"}), option_of(ask::opening_order_field())},
                paging_options(),
                filter_options()}),
        run_openings,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
