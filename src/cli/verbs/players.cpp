#include <optional>
#include <vector>

#include "ask/filter_fields.hpp"
#include "ask/player_document.hpp"
#include "ask/sources.hpp"
#include "ask/sum_rows.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/lister.hpp"
#include "cli/verbs/left_out.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/player_names.hpp"
#include "cli/verbs/player_report.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/player_json.hpp"
#include "query/player_list.hpp"
#include "query/player_report.hpp"
#include "store/store.hpp"

namespace fendex::cli {

namespace {

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

int list_players(const std::shared_ptr<ask::Sources>& databases, const query::GameFilter& filter,
                 const Arguments& arguments, Format format) {
    Lister lister(arguments, format, List::kPlayers);
    const bool any = lister.print(*ask::player_rows(lister.context(databases), {}), "player").any;
    lister.flush();
    if (!any) explain_nothing(arguments, *(*databases)[0].reader, filter);
    say_left_out(arguments, databases->readers(), filter);
    return any ? kFound : kNothingFound;
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
    const auto sources = std::make_shared<ask::Sources>(open_databases(arguments), filter);
    if (!name) return list_players(sources, filter, arguments, format);
    ask::Sources& databases = *sources;
    const query::PlayerChoice choice = ask::choose_players(databases, *name);
    if (choice.named.empty()) {
        query::GameFilter sought = filter;
        if (sought.player.empty()) ask::set_field(sought, "player", *name);
        explain_nothing(arguments, *databases[0].reader, sought);
        return kNothingFound;
    }
    if (!means_one_player(choice, arguments, format)) return kFound;
    format_of(arguments, {Format::kTable, Format::kJson});
    query::PlayerReporter reporter(ask::names_of(choice.named));
    for (ask::Source& each : databases) reporter.add(*each.reader, each.matcher);
    const std::string against = arguments.find("against").value_or("");
    Output output(arguments);
    const query::ReportedPlayers reported{choice.named, choice.alike, against};
    if (format == Format::kJson) {
        json::append_line(output.buffer(), [&](json::Object& object) {
            query::add_player_report(reported, reporter.report(), object);
        });
    } else {
        print_player_report(reported, reporter.report(), paging_of(arguments, format).limit,
                            output);
    }
    output.flush();
    say_left_out(arguments, choice);
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
            "are named on standard error; their games are not counted.",
            "fendex players my.db \"Kasparov, Garry\" --since 1990\n"
            "fendex players my.db kasparov --against karpov --together",
            joined({{format_option({"table", "json", "csv"}, "csv only of lists"),
                     valued("against", "NAME", "only games against players of this name"),
                     option_of(ask::together_field()), password_file_option()},
                    paging_options(),
                    filter_options()}),
            run_players,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
