#include "cli/options/filters.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/sum_rows.hpp"
#include "query/opening_sums.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

namespace {

int run_openings(const Arguments& arguments) {
    const Format format = format_of(arguments);
    const Paging paging = paging_of(arguments, format);
    const store::Reader reader = store::file_store(arguments.only_database())->reader();
    const query::GameFilter filter = filter_of(arguments);
    query::GameMatcher matcher(*reader, filter);
    const std::vector<query::OpeningSum> openings = query::opening_sums(
        *reader, matcher,
        arguments.get("sort") == "eco" ? query::OpeningOrder::kEco : query::OpeningOrder::kGames);
    const std::size_t first = std::min<std::size_t>(paging.offset, openings.size());
    const std::size_t shown = std::min<std::size_t>(paging.limit, openings.size() - first);
    Output output(arguments);
    RowPrinter printer(output, format,
                       {{.name = "eco", .cut = Cut::kNever},
                        {.name = "opening", .max_width = 60},
                        {"games"},
                        {"white"},
                        {"draws"},
                        {"black"},
                        {.name = "score", .title = "score %"},
                        {.name = "average_rating", .title = "rating", .spare = 1},
                        {.name = "first_year", .title = "first", .spare = 2},
                        {.name = "last_year", .title = "last", .spare = 1}});
    for (const query::OpeningSum& each : std::span(openings).subspan(first, shown)) {
        printer.row(emit::opening_cells(each));
    }
    printer.finish();
    if (format == Format::kTable && first + shown < openings.size()) {
        output.buffer() += more_line(openings.size() - first - shown, "opening");
    }
    output.flush();
    if (openings.empty()) explain_nothing(arguments, *reader, filter);
    return shown == 0 ? kNothingFound : kFound;
}

}  // namespace

Verb openings_verb() {
    return {"openings",
            "DB",
            "Lists the openings of games, with their results.\n"
            "The opening of a game is that of the last position it reached that has a name,\n"
            "by whatever order of moves; the tag ECO does not matter. Games without such a\n"
            "position are in the row without a name. The score is White's, a draw counts half;\n"
            "games without a result do not count for it.",
            "fendex openings my.db --player kasparov --limit 10",
            joined({{format_option({"table", "json", "csv"}),
                     choice("sort", {"games", "eco"},
                            "order of the openings: most games first, or by code and name")},
                    paging_options(),
                    filter_options()}),
            run_openings,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
