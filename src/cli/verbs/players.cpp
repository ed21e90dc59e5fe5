#include <optional>
#include <vector>

#include "ask/filter_fields.hpp"
#include "ask/sources.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/filters.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/player_names.hpp"
#include "cli/verbs/player_report.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/player_list.hpp"
#include "query/player_report.hpp"
#include "store/store.hpp"

namespace fendex::cli {

namespace {

using query::PlayerCount;

/// Returns the players of all databases together.
std::vector<PlayerCount> players_of(ask::Sources& databases) {
    std::vector<std::vector<PlayerCount>> lists;
    for (ask::Source& each : databases) {
        lists.push_back(query::PlayerCounts(*each.reader, each.matcher).all());
    }
    return query::joined_players(lists);
}

/// Returns the filter; --against adds the two names to it.
query::GameFilter filter_of_players(const Arguments& arguments,
                                    const std::optional<std::string>& name) {
    query::GameFilter filter = filter_of(arguments);
    if (!arguments.has("against")) return filter;
    if (!name) throw UsageError("--against needs the name of the player before it");
    if (!filter.player.empty()) {
        throw UsageError("--against and --player cannot be combined: both name the opponent");
    }
    ask::set_field(filter, "player", *name);
    ask::set_field(filter, "player", *arguments.find("against"));
    return filter;
}

/// Prints a page of the players of the databases. If there is one database, only the names on the
/// page are read.
int list_players(ask::Sources& databases, const query::GameFilter& filter,
                 const Arguments& arguments, Format format, Output& output) {
    const Paging paging = paging_of(arguments, format);
    std::vector<PlayerCount> players;
    std::size_t all = 0;
    if (databases.size() == 1) {
        query::PlayerCounts counts(*databases[0].reader, databases[0].matcher);
        all = counts.size();
        const std::size_t first = std::min<std::size_t>(paging.offset, all);
        players = counts.first(first + std::min<std::size_t>(paging.limit, all - first));
    } else {
        players = players_of(databases);
        all = players.size();
    }
    print_players(players, all, arguments, format, output);
    output.flush();
    if (all == 0) explain_nothing(arguments, *databases[0].reader, filter);
    return all == 0 ? kNothingFound : kFound;
}

int run_players(const Arguments& arguments) {
    const NamedDatabases named = databases_of(arguments);
    if (named.words.size() > 1) {
        throw UsageError("unexpected argument '" + named.words[1] +
                         "': put a name in quotation marks");
    }
    const Format format = format_of(arguments);
    std::optional<std::string> name;
    if (!named.words.empty()) name = named.words.front();
    const query::GameFilter filter = filter_of_players(arguments, name);
    ask::Sources databases(open_databases(arguments), filter);
    Output output(arguments);
    if (!name) return list_players(databases, filter, arguments, format, output);
    const query::PlayerChoice choice = query::choose_players(players_of(databases), *name);
    if (choice.named.empty()) {
        query::GameFilter sought = filter;
        if (sought.player.empty()) ask::set_field(sought, "player", *name);
        explain_nothing(arguments, *databases[0].reader, sought);
        return kNothingFound;
    }
    if (!means_one_player(choice, arguments, format, output)) return kFound;
    format_of(arguments, {Format::kTable, Format::kJson});
    std::vector<std::string> names;
    for (const PlayerCount& each : choice.named) names.push_back(each.name);
    query::PlayerReporter reporter(std::move(names));
    for (ask::Source& each : databases) reporter.add(*each.reader, each.matcher);
    const std::string against = arguments.find("against").value_or("");
    const query::ReportedPlayers reported{choice.named, choice.alike, against};
    if (format == Format::kJson) {
        print_player_report_json(reported, reporter.report(), output);
    } else {
        print_player_report(reported, reporter.report(), paging_of(arguments, format).limit,
                            output);
    }
    output.flush();
    return kFound;
}

}  // namespace

Verb players_verb() {
    return {"players",
            "DB... [NAME]",
            "Lists the players, or reports on one of them.\n"
            "Without a name, it lists all players and their numbers of games. With a name that\n"
            "only one player has, it shows the score by colour, year and opponents' rating, the\n"
            "rating over time, and the openings. If several names fit, it lists them: spellings\n"
            "are taken together only with --together. Other names that may be the same player\n"
            "are named below the first line; their games are not counted.",
            "fendex players my.db \"Kasparov, Garry\" --since 1990\n"
            "fendex players my.db kasparov --against karpov --together",
            joined({{format_option({"table", "json", "csv"}, "csv only of lists"),
                     valued("against", "NAME", "only games against players of this name"),
                     together_option()},
                    paging_options(),
                    filter_options()}),
            run_players,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
