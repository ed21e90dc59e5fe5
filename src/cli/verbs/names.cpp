#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "ask/questions.hpp"
#include "base/json.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/say.hpp"
#include "cli/output/lister.hpp"
#include "cli/verbs/verbs.hpp"
#include "ingest/name_file.hpp"
#include "ingest/spelling_file.hpp"
#include "query/met_players.hpp"
#include "query/probable_persons.hpp"
#include "query/spelled_names.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

namespace {

using store::NameKind;

NameKind kind_of(const Arguments& arguments) {
    const std::string& plural = arguments.get("of");
    return *store::joinable_kind(plural.substr(0, plural.size() - 1));
}

/// The things that the verb does; without one of these options it lists probable persons.
constexpr std::array kActions{"join", "split", "joined", "apply-above", "from"};

/// Returns the option that says what to do; empty if there is none.
std::string action_of(const Arguments& arguments) {
    std::string action;
    for (const char* const option : kActions) {
        if (!arguments.has(option)) continue;
        if (!action.empty()) {
            throw UsageError("--" + action + " and --" + option + " exclude each other");
        }
        action = option;
    }
    return action;
}

/// Returns the words after the database. Throws UsageError if they are fewer.
std::vector<std::string> names_of(const Arguments& arguments, std::size_t least,
                                  const std::string& what) {
    std::vector<std::string> names(arguments.words().begin(), arguments.words().end());
    if (!names.empty()) names.erase(names.begin());
    if (names.size() < least) throw UsageError(what);
    return names;
}

using Joins = std::vector<ingest::NamedJoin>;

/// Opens the writer of a database that exists.
std::unique_ptr<store::StoreWriter> writer_of(const Arguments& arguments) {
    const std::shared_ptr<store::Store> store = store::file_store(arguments.database());
    store->require_readable();
    return store->writer("names");
}

/// Prints how many names were joined or split.
void print_counts(const Arguments& arguments, Format format, std::size_t joined,
                  std::size_t split) {
    if (format != Format::kJson) return;
    Output output(arguments);
    json::append_line(output.buffer(), [&](json::Object& object) {
        object.add("joined", joined);
        object.add("split", split);
        object.add("dry_run", arguments.has("dry-run"));
    });
    output.flush();
}

/// Says how many names were changed, and commits. With --dry-run it undoes the changes.
int finish(const Arguments& arguments, store::StoreWriter& writer, Format format,
           std::size_t joined, std::size_t split) {
    const bool dry_run = arguments.has("dry-run");
    if (dry_run) {
        writer.rollback();
    } else {
        writer.commit();
    }
    writer.close();
    const bool joins = !arguments.has("split");
    if (!arguments.has("quiet")) {
        say(counted(joins ? joined : split, "name") + (dry_run ? " would be " : " ") +
            (joins ? "joined" : "split"));
    }
    print_counts(arguments, format, joined, split);
    return joined + split == 0 ? kNothingFound : kFound;
}

/// Says which players met each other and yet are to be joined.
void warn_of_met(const Arguments& arguments, const Joins& joins) {
    if (arguments.has("quiet") || joins.empty()) return;
    constexpr std::size_t kMostWarnings = 10;
    const store::Reader reader = store::file_store(arguments.database())->reader();
    const std::vector<query::MetPlayers> met = query::players_who_met(*reader->local(), joins);
    const std::size_t shown = std::min(met.size(), kMostWarnings);
    for (const query::MetPlayers& each : std::span(met).first(shown)) {
        say("warning: '" + each.one + "' and '" + each.other + "' played each other in " +
            counted(each.games, "game"));
    }
    if (shown < met.size()) {
        say("warning: so did " + counted(met.size() - shown, "more pair") + " of players");
    }
}

int join(const Arguments& arguments, const Joins& joins) {
    const Format format = format_of(arguments, {Format::kTable, Format::kJson});
    warn_of_met(arguments, joins);
    const std::unique_ptr<store::StoreWriter> writer = writer_of(arguments);
    std::size_t joined = 0;
    const std::string origin = "names " + arguments.given();
    for (const ingest::NamedJoin& each : joins) {
        joined += writer->joined_names()->join_name(each.kind, each.name, each.canonical, origin);
    }
    return finish(arguments, *writer, format, joined, 0);
}

int join_typed(const Arguments& arguments) {
    const NameKind kind = kind_of(arguments);
    const std::vector<std::string> names =
        names_of(arguments, 2, "--join takes two names or more: the first stands for the others");
    Joins joins;
    {
        const store::Reader reader = store::file_store(arguments.database())->reader();
        const auto is_known = [&](const std::string& name) {
            return reader->local()->name_id(kind, name).has_value();
        };
        for (std::size_t i = 1; i < names.size(); ++i) {
            if (!is_known(names[i])) {
                throw UsageError("no game has the " + std::string(store::word_of_joinable(kind)) +
                                 " '" + names[i] + "': give names as their games have them");
            }
            joins.push_back({kind, names[i], names.front()});
        }
        if (!is_known(names.front()) && !arguments.has("quiet")) {
            say("'" + names.front() + "' is a new name: no game has it");
        }
    }
    return join(arguments, joins);
}

int split_typed(const Arguments& arguments) {
    const Format format = format_of(arguments, {Format::kTable, Format::kJson});
    const NameKind kind = kind_of(arguments);
    const std::vector<std::string> names = names_of(arguments, 1, "--split takes names");
    const std::unique_ptr<store::StoreWriter> writer = writer_of(arguments);
    std::size_t split = 0;
    for (const std::string& name : names) {
        const std::size_t here = writer->joined_names()->split_name(kind, name);
        if (here == 0 && !arguments.has("quiet")) say("'" + name + "' is not joined");
        split += here;
    }
    return finish(arguments, *writer, format, 0, split);
}

/// Lists the rows of a question.
int list_rows(const Arguments& arguments, std::string_view question, std::string_view one) {
    Lister lister(arguments, format_of(arguments), List::kNames);
    const ask::Plan plan = ask::question_named(question).plan({});
    const auto database =
        std::make_shared<ask::Sources>(open_only_database(arguments), plan.filter);
    const bool any = lister.print(*plan.rows(lister.context(database)), one).any;
    lister.flush();
    return any ? kFound : kNothingFound;
}

int join_probable(const Arguments& arguments) {
    const std::uint64_t least = *arguments.number("apply-above");
    Joins joins;
    {
        const store::Reader reader = store::file_store(arguments.only_database())->reader();
        for (const query::ProbablePerson& each : query::probable_persons(*reader)) {
            if (each.score <= least) continue;
            joins.push_back({NameKind::kPlayer, each.name.name, each.canonical.name});
        }
    }
    return join(arguments, joins);
}

std::string text_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file.is_open() || file.bad() || std::filesystem::is_directory(path)) {
        throw UsageError("'" + path + "' cannot be read");
    }
    return std::move(text).str();
}

int join_of_file(const Arguments& arguments) {
    const std::string& database = arguments.only_database();
    const std::string path = *arguments.find("from");
    const std::string text = text_of_file(path);
    try {
        if (!ingest::is_spelling_file(text)) {
            return join(arguments, ingest::read_name_file(text, kind_of(arguments)));
        }
        const ingest::SpellingFile file(text);
        const store::Reader reader = store::file_store(database)->reader();
        return join(arguments, query::joins_of_spellings(*reader->local(), file));
    } catch (const ingest::NameFileError& error) {
        throw UsageError("'" + path + "': " + error.what());
    }
}

int run_names(const Arguments& arguments) {
    const std::string action = action_of(arguments);
    if (arguments.has("dry-run") && (action.empty() || action == "joined")) {
        throw UsageError("--dry-run is for what joins or splits names");
    }
    if (action == "join") return join_typed(arguments);
    if (action == "split") return split_typed(arguments);
    if (action == "joined") return list_rows(arguments, "joined_names", "joined name");
    if (action == "from") return join_of_file(arguments);
    return action.empty() ? list_rows(arguments, "names", "pair") : join_probable(arguments);
}

}  // namespace

Verb names_verb() {
    Option of =
        choice("of", {"players", "events", "sites"}, "what names --join, --split and --from mean");
    return {
        "names",
        "DB [NAME...]",
        "Joins names of one player, and finds such names.\n"
        "Joined names count as one player in every answer: in filters, players, prepare,\n"
        "trees and the explorer. The tags of games stay as they came.\n"
        "Without an option it lists pairs of names that probably are one player, with a score\n"
        "from 1 to 99, what the names and their games have in common, and what speaks against\n"
        "it. --join makes the first name stand for the others; --split undoes that for a name,\n"
        "or for all names that were joined to it.",
        "fendex names my.db --limit 5\n"
        "fendex names my.db --apply-above 90 --dry-run",
        joined({{flag("join", "join these names: the first stands for the others"),
                 flag("split", "undo the joins of these names"),
                 flag("joined", "list the joined names"),
                 valued("apply-above", "SCORE",
                        "join the pairs with a higher score than this, the highest first"),
                 valued("from", "FILE",
                        "join the names of a file: CSV with the columns name and canonical, or "
                        "Scid's spelling.ssp"),
                 flag("dry-run", "say what would be done, and change nothing"), of,
                 format_option({"table", "json", "csv"}, "csv only of lists")},
                paging_options()}),
        run_names,
        DefaultDatabase::kNone};
}

}  // namespace fendex::cli
