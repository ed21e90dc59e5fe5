#include "cli/options/duplicates.hpp"

#include <algorithm>
#include <memory>

#include "cli/options/filters.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/duplicate_games.hpp"
#include "store/kept_headers.hpp"

namespace fendex::cli {

namespace {

using query::DuplicateGroup;
using query::DuplicateKind;

/// Groups whose headers are read at once.
constexpr std::size_t kGroupsAtOnce = 1000;
/// Different values of a header that are printed for a group.
constexpr std::size_t kMostValues = 5;

/// Returns the value of --kind, for which --similar is another spelling.
std::string kinds_of(const Arguments& arguments) {
    const std::string& kinds = arguments.get("kind");
    if (!arguments.has("similar")) return kinds;
    if (kinds != "all" && kinds != "similar") {
        throw UsageError("--similar and --kind " + kinds + " exclude each other");
    }
    return "similar";
}

/// Returns the values in which the games of a group differ: "date: 1990.??.?? / 1990.05.01".
std::string differences(const DuplicateGroup& group, const store::KeptHeaders& headers) {
    std::string text;
    const auto compare = [&](const char* name, const auto& value_of) {
        std::vector<std::string> values;
        for (const store::GameId game : group.games) {
            const store::GameHeader* const header = headers.find(game);
            if (header == nullptr) continue;
            std::string value(value_of(*header));
            if (value.empty()) value = "?";
            if (std::ranges::find(values, value) == values.end()) values.push_back(value);
        }
        if (values.size() < 2) return;
        if (!text.empty()) text += "; ";
        text += std::string(name) + ": ";
        for (std::size_t i = 0; i < std::min(kMostValues, values.size()); ++i) {
            text += (i == 0 ? "" : " / ") + values[i];
        }
        if (values.size() > kMostValues) {
            text += " and " + std::to_string(values.size() - kMostValues) + " more";
        }
    };
    using Header = store::GameHeader;
    compare("white", [](const Header& header) { return header.white.value_or(""); });
    compare("black", [](const Header& header) { return header.black.value_or(""); });
    compare("event", [](const Header& header) { return header.event.value_or(""); });
    compare("site", [](const Header& header) { return header.site.value_or(""); });
    compare("date", [](const Header& header) { return header.date.value_or(""); });
    compare("round", [](const Header& header) { return header.round.value_or(""); });
    compare("result", [](const Header& header) { return codec::result_text(header.result); });
    compare("plies", [](const Header& header) { return std::to_string(header.plies); });
    if (text.empty() && group.kind == DuplicateKind::kSimilar) return "last move";
    return text;
}

void print_counts(const std::string& kinds, const std::vector<DuplicateGroup>& groups,
                  Format format, Output& output) {
    RowPrinter printer(output, format, {{"kind"}, {"groups"}, {"games"}, {"superfluous"}});
    for (const DuplicateKind kind : query::kDuplicateKinds) {
        if (kinds != "all" && kinds != query::name_of(kind)) continue;
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
    RowPrinter printer(output, format,
                       {{"kind"},
                        {"games"},
                        {"keep"},
                        {"score"},
                        {"white"},
                        {"black"},
                        {"date"},
                        {"result"},
                        {.name = "plies", .spare = 1},
                        {.name = "differences", .max_width = 100, .below = true}});
    while (!groups.empty()) {
        const auto batch = groups.first(std::min(groups.size(), kGroupsAtOnce));
        groups = groups.subspan(batch.size());
        std::vector<store::GameId> games;
        for (const DuplicateGroup& group : batch) {
            games.insert(games.end(), group.games.begin(), group.games.end());
        }
        // A game may be in several groups.
        std::ranges::sort(games);
        games.erase(std::unique(games.begin(), games.end()), games.end());
        const store::KeptHeaders headers(reader, games);
        for (const DuplicateGroup& group : batch) {
            const store::GameHeader* const header = headers.find(group.keep);
            if (header == nullptr) continue;
            const std::string differing = differences(group, headers);
            printer.row({query::name_of(group.kind), &group.games,
                         static_cast<std::int64_t>(group.keep),
                         group.score == 0 ? Cell(Null{}) : Cell(std::int64_t{group.score}),
                         cell(header->white), cell(header->black), cell(header->date),
                         codec::result_text(header->result), std::int64_t{header->plies},
                         std::string_view(differing)});
        }
    }
    printer.finish();
}

int run_duplicates(const Arguments& arguments) {
    const Format format = format_of(arguments);
    const Paging paging = paging_of(arguments, format);
    const std::string kinds = kinds_of(arguments);
    const std::shared_ptr<store::Store> store = store_for_duplicates(arguments);
    store::SnapshotReaders readers = readers_of(arguments, *store, kinds);
    store::StoreReader& reader = readers[0];
    const query::GameFilter filter = filter_of(arguments);
    query::GameMatcher matcher(reader, filter);
    const std::vector<DuplicateGroup> groups = duplicates_of(arguments, readers, matcher, kinds);
    Output output(arguments);
    if (arguments.has("count")) {
        print_counts(kinds, groups, format, output);
    } else {
        const std::size_t first = std::min<std::size_t>(paging.offset, groups.size());
        const std::size_t shown = std::min<std::size_t>(paging.limit, groups.size() - first);
        print_groups(reader, std::span(groups).subspan(first, shown), format, output);
        if (format == Format::kTable && first + shown < groups.size()) {
            output.buffer() += more_line(groups.size() - first - shown, "group");
        }
    }
    output.flush();
    if (groups.empty()) explain_nothing(arguments, reader, filter);
    return groups.empty() ? kNothingFound : kFound;
}

}  // namespace

Verb duplicates_verb() {
    std::vector<std::string> kinds = duplicate_kinds();
    kinds.insert(kinds.begin(), "all");
    return {
        "duplicates",
        "DB",
        "Finds games that are stored more than once.\n"
        "identical: the players (case, accents and punctuation do not matter), the date,\n"
        "the result, the start and the moves are equal. moves: the moves are equal, other\n"
        "tags are not. prefix: the players are equal, and one game is the beginning of the\n"
        "others. similar: one game by its moves and headers, although names are spelled\n"
        "otherwise, dates or events differ or are unknown, it is cut short, or its last move\n"
        "or result is another; score says how certain that is, from 50 to 99. Games of\n"
        "fewer than 20 plies are compared for identity only, games without moves not at all.\n"
        "--keep best: of games at most one ply shorter than the longest an annotated one;\n"
        "then the one with the most tags; then the first.",
        "fendex duplicates my.db --similar --format json",
        joined({{format_option({"table", "json", "csv"}), choice("kind", kinds, "kind of groups"),
                 flag("similar", "the same as --kind similar"),
                 flag("count",
                      "print how many groups and games there are of each kind, and how many "
                      "games are superfluous")},
                duplicate_options(),
                paging_options(),
                filter_options()}),
        run_duplicates,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
