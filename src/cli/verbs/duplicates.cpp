#include "cli/options/filters.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/duplicate_games.hpp"
#include "store/kept_headers.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

namespace {

using query::DuplicateGroup;
using query::DuplicateKind;

/// Groups whose headers are read at once, one for each group.
constexpr std::size_t kGroupsAtOnce = 1000;

std::vector<DuplicateKind> kinds_of(const Arguments& arguments) {
    const std::string& name = arguments.get("kind");
    std::vector<DuplicateKind> kinds;
    for (const auto kind :
         {DuplicateKind::kIdentical, DuplicateKind::kMoves, DuplicateKind::kPrefix}) {
        if (name == "all" || name == query::name_of(kind)) kinds.push_back(kind);
    }
    return kinds;
}

void print_counts(const std::vector<DuplicateKind>& kinds,
                  const std::vector<DuplicateGroup>& groups, Format format, Output& output) {
    RowPrinter printer(output, format, {{"kind"}, {"groups"}, {"games"}, {"superfluous"}});
    for (const DuplicateKind kind : kinds) {
        std::int64_t of_kind = 0;
        std::int64_t games = 0;
        for (const DuplicateGroup& group : groups) {
            if (group.kind != kind) continue;
            ++of_kind;
            games += static_cast<std::int64_t>(group.games.size());
        }
        printer.row({query::name_of(kind), of_kind, games, games - of_kind});
    }
    printer.finish();
}

void print_groups(store::StoreReader& reader, std::span<const DuplicateGroup> groups, Format format,
                  Output& output) {
    RowPrinter printer(
        output, format,
        {{"kind"}, {"games"}, {"keep"}, {"white"}, {"black"}, {"date"}, {"result"}, {"plies"}});
    while (!groups.empty()) {
        const auto batch = groups.first(std::min(groups.size(), kGroupsAtOnce));
        groups = groups.subspan(batch.size());
        std::vector<store::GameId> games;
        for (const DuplicateGroup& group : batch) games.push_back(group.keep);
        const store::KeptHeaders headers(reader, games);
        for (const DuplicateGroup& group : batch) {
            const store::GameHeader* const header = headers.find(group.keep);
            if (header == nullptr) continue;
            printer.row({query::name_of(group.kind), &group.games,
                         static_cast<std::int64_t>(group.keep), cell(header->white),
                         cell(header->black), cell(header->date),
                         codec::result_text(header->result), std::int64_t{header->plies}});
        }
    }
    printer.finish();
}

int run_duplicates(const Arguments& arguments) {
    const Format format = format_of(arguments);
    const Paging paging = paging_of(arguments, format);
    const store::Reader reader = store::file_store(arguments.only_database())->reader();
    const query::GameFilter filter = filter_of(arguments);
    query::GameMatcher matcher(*reader, filter);
    const std::vector<DuplicateKind> kinds = kinds_of(arguments);
    const std::vector<DuplicateGroup> groups = query::find_duplicates(*reader, matcher, kinds);
    Output output(arguments);
    if (arguments.has("count")) {
        print_counts(kinds, groups, format, output);
    } else {
        const std::size_t first = std::min<std::size_t>(paging.offset, groups.size());
        const std::size_t shown = std::min<std::size_t>(paging.limit, groups.size() - first);
        print_groups(*reader, std::span(groups).subspan(first, shown), format, output);
        if (format == Format::kTable && first + shown < groups.size()) {
            output.buffer() += more_line(groups.size() - first - shown, "group");
        }
    }
    output.flush();
    if (groups.empty()) explain_nothing(arguments, *reader, filter);
    return groups.empty() ? kNothingFound : kFound;
}

}  // namespace

Verb duplicates_verb() {
    return {"duplicates",
            "DB",
            "Finds games that are stored more than once.\n"
            "identical: the players (case, accents and punctuation do not matter), the date,\n"
            "the result, the start and the moves are equal. moves: the moves are equal, other\n"
            "tags are not. prefix: the players are equal, and one game is the beginning of the\n"
            "others. Games of fewer than 20 plies are compared for identity only, games without\n"
            "moves not at all. The game to keep is the longest; of several an annotated one;\n"
            "then the one with the most tags; then the first.",
            "fendex duplicates my.db --kind identical --format json",
            joined({{format_option({"table", "json", "csv"}),
                     choice("kind", {"all", "identical", "moves", "prefix"}, "kind of groups"),
                     flag("count",
                          "print how many groups and games there are of each kind, and how many "
                          "games are superfluous")},
                    paging_options(),
                    filter_options()}),
            run_duplicates,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
