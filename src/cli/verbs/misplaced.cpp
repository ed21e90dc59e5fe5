#include "cli/verbs/misplaced.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "ask/position_reason.hpp"
#include "base/joined.hpp"
#include "cli/options/pasted.hpp"
#include "clickhouse/client/url.hpp"
#include "clickhouse/open.hpp"

namespace fendex::cli {

namespace {

enum class WordKind { kPosition, kMoves, kOther };

WordKind kind_of(const std::string& word) {
    if (ask::read_position(word, std::nullopt, query::Match::kBoard).position)
        return WordKind::kPosition;
    return ask::are_moves(word) ? WordKind::kMoves : WordKind::kOther;
}

bool is_there(const std::string& path) {
    std::error_code error;
    return clickhouse::is_cluster(path) || std::filesystem::exists(path, error);
}

bool has_option(const Verb& verb, const char* name) {
    return std::any_of(verb.options.begin(), verb.options.end(),
                       [&](const Option& each) { return each.name == name; });
}

/// Returns the command line that gives the word to the verb, or to find if the verb does not take
/// it.
std::string right_call(const Verb& verb, const std::string& database, WordKind kind,
                       const std::string& word) {
    const std::string quoted = word.find(' ') == std::string::npos ? word : '"' + word + '"';
    const auto call = [&](const std::string& name, const char* option) {
        return "fendex " + name + ' ' + database + ' ' + option + quoted;
    };
    switch (kind) {
        case WordKind::kOther: return call(verb.name, "");
        case WordKind::kMoves:
            return call(has_option(verb, "moves") ? verb.name : "find", "--moves ");
        case WordKind::kPosition: break;
    }
    if (verb.usage.find("FEN") != std::string::npos) return call(verb.name, "");
    return has_option(verb, "fen") ? call(verb.name, "--fen ") : call("find", "");
}

/// Joins the words of a FEN or of moves that were not quoted.
std::string joined_words(const std::vector<std::string>& words, std::size_t begin,
                         std::size_t end) {
    return base::joined(" ", std::span(words).subspan(begin, end - begin));
}

void refuse_swapped_words(const Verb& verb, const std::vector<std::string>& words) {
    const auto found = std::find_if(words.begin() + 1, words.end(), is_there);
    const std::string database = found == words.end() ? "my.db" : *found;
    std::string text = joined_words(words, 0, static_cast<std::size_t>(found - words.begin()));
    WordKind kind = kind_of(text);
    if (kind == WordKind::kOther) {
        text = words[0];
        kind = kind_of(text);
    }
    if (kind == WordKind::kOther) {
        // The name of a file that does not exist gets its own message elsewhere.
        const bool is_name =
            text.find(' ') == std::string::npos && text.find_first_of("./") != std::string::npos;
        if (is_name || found == words.end()) return;
    }
    const char* const what = kind == WordKind::kPosition ? "is a position"
                             : kind == WordKind::kMoves  ? "is not a database but moves"
                                                         : "is not a database";
    throw UsageError("'" + text + "' " + what + ": the database comes first, as in " +
                     right_call(verb, database, kind, text));
}

/// Refuses URLs that are wrong or have a password before anything prints them, and clusters for
/// verbs that do not take them.
void refuse_clusters(const Arguments& arguments, const Verb& verb) {
    std::vector<std::string> locations = arguments.words();
    for (const char* const option : {"masters-db", "lichess-db", "player-db"}) {
        const std::vector<std::string> more = arguments.all(option);
        locations.insert(locations.end(), more.begin(), more.end());
    }
    bool any = false;
    for (const std::string& location : locations) {
        if (!clickhouse::is_cluster(location)) continue;
        static_cast<void>(clickhouse::parse_url(location));
        any = true;
    }
    if (any && !clickhouse::has_clusters()) {
        throw UsageError(
            "this build of fendex cannot query clusters: it was configured with "
            "FENDEX_CLUSTER=OFF");
    }
    const bool takes_clusters = has_option(verb, "password-file");
    if (any && !takes_clusters) {
        throw UsageError(
            "'" + verb.name +
            "' takes a database file; a cluster is for push, find, tree, repeats, "
            "games, players, openings, prepare, novelty, repertoire, evals, show, export, sql, "
            "info and serve");
    }
    if (!any && arguments.has("password-file")) {
        throw UsageError("--password-file is for a cluster, clickhouse://host/database");
    }
}

}  // namespace

void refuse_misplaced_words(const Arguments& arguments, const Verb& verb) {
    refuse_clusters(arguments, verb);
    const std::vector<std::string>& words = arguments.words();
    // An import creates its database.
    if (!verb.usage.starts_with("DB") || verb.name == "import" || words.empty()) return;
    if (!is_there(words[0])) return refuse_swapped_words(verb, words);
    const bool has_use = verb.usage.find("FEN") != std::string::npos || verb.usage == "DB [QUERY]";
    if (words.size() == 1 || has_use || is_there(words[1])) return;
    std::string text = joined_words(words, 1, words.size());
    if (kind_of(text) == WordKind::kOther) text = words[1];
    const WordKind kind = kind_of(text);
    if (kind == WordKind::kOther) return;
    throw UsageError("'" + text + "' is " +
                     (kind == WordKind::kMoves ? "a line of moves" : "a position") + ": " +
                     right_call(verb, words[0], kind, text) + " asks for it");
}

}  // namespace fendex::cli
