#include "clickhouse/name_conditions.hpp"

#include <algorithm>
#include <memory>

#include "clickhouse/joined_groups.hpp"
#include "clickhouse/sql_text.hpp"
#include "store/name_index.hpp"

namespace fendex::clickhouse {

namespace {

using base::fold;
using base::NameWords;

/// Returns SQL that is true for texts that are not ASCII. Only for ASCII is lower case the same as
/// case folding. Texts are UTF-8.
std::string is_not_ascii(const std::string& column) {
    return "length(" + column + ") != lengthUTF8(" + column + ")";
}

/// Returns whether one word is a prefix of another. If so, a single word of a name could match
/// both.
bool are_nested(const NameWords& words) {
    // The words are sorted, the longest first.
    for (std::size_t i = 0; i < words.words().size(); ++i) {
        for (std::size_t j = i + 1; j < words.words().size(); ++j) {
            if (words.words()[i].starts_with(words.words()[j])) return true;
        }
    }
    return false;
}

/// Returns SQL that matches a column in lower case with a regular expression, which must be ASCII.
std::string sql_match(const std::string& column, const std::string& pattern) {
    return "match(lower(" + column + "), " + sql_text(pattern) + ")";
}

/// Returns SQL that is true for the ASCII texts in which each word begins a word.
std::string has_words(const std::string& column, const NameWords& words) {
    std::string out = "1";
    for (const std::string& word : words.words()) {
        if (!is_ascii(word)) return "0";
        out += " AND " + sql_match(column, "(^|[^a-z0-9])" + word);
    }
    return out;
}

/// Returns the query for the names of a kind; a condition can be added.
std::string sql_names(ReadSession& session, store::NameKind kind) {
    return "SELECT DISTINCT name FROM name WHERE " + session.snapshot().sql_pushes() +
           " AND kind = " + std::to_string(static_cast<unsigned>(kind));
}

/// Returns the texts of a query that fit, and the names that are joined with texts that fit; `kind`
/// says which names the texts are. They are kept in the snapshot cache.
std::shared_ptr<const Names> texts_that_fit(ReadSession& session, store::NameKind kind,
                                            const base::KeyText& question, const std::string& sql,
                                            const std::function<bool(std::string_view)>& fits) {
    store::SnapshotCache& cache = session.snapshot().snapshot_cache();
    if (auto known = cache.get<Names>(question.text())) return known;
    const auto names = std::make_shared<Names>();
    session.connection().query(sql, [&](RowReader& row) {
        const std::string_view name = row.string();
        if (fits(name)) names->emplace_back(name);
    });
    JoinedGroups::of(session, kind)->complete(*names, fits);
    std::size_t bytes = sizeof(Names);
    for (const std::string& name : *names) bytes += sizeof(std::string) + name.size();
    cache.put(question.text(), names, bytes);
    return names;
}

}  // namespace

std::shared_ptr<const Names> names_that_fit(ReadSession& session, store::NameKind kind,
                                            const NameWords& words, const base::KeyText& question,
                                            const std::function<bool(std::string_view)>& fits) {
    std::string sql = sql_names(session, kind);
    if (!words.empty()) {
        std::string has_all = "1";
        for (const std::string& word : words.words()) {
            has_all += is_ascii(word) ? " AND position(lower(name), " + sql_text(word) + ") > 0"
                                      : " AND 0";
        }
        sql += " AND (" + is_not_ascii("name") + " OR (" + has_all + "))";
    }
    return texts_that_fit(session, kind, question, sql, fits);
}

std::shared_ptr<const Names> players_named(ReadSession& session, const std::string& typed) {
    const std::string folded = fold(typed);
    auto alike = names_that_fit(session, store::NameKind::kPlayer, NameWords(folded),
                                base::KeyText("players named").add(folded),
                                [&](std::string_view name) { return fold(name) == folded; });
    for (const std::string& name : *alike) {
        if (name != typed) continue;
        return names_joined_with(session, store::NameKind::kPlayer, {&name, 1});
    }
    return alike;
}

std::shared_ptr<const Names> names_joined_with(ReadSession& session, store::NameKind kind,
                                               std::span<const std::string> names) {
    const auto out = std::make_shared<Names>(names.begin(), names.end());
    JoinedGroups::of(session, kind)->complete(*out, [&](std::string_view each) {
        return std::ranges::find(names, each) != names.end();
    });
    return out;
}

namespace {

/// Returns the names that pass a test. The servers select the ASCII names with a word that begins
/// with one of the pairs, and all others.
std::shared_ptr<const Names> names_like(ReadSession& session, store::NameKind kind,
                                        const store::LikeNames& test) {
    const store::WantedPairs wanted(test.may_begin);
    std::string pairs;
    for (const char first : base::kWordLetters) {
        for (const char second : base::kWordLetters) {
            const std::string pair{first, second};
            if (wanted.begin_word_of(pair)) pairs += (pairs.empty() ? "" : "|") + pair;
        }
    }
    const std::string ascii =
        pairs.empty() ? "0" : sql_match("name", "(^|[^a-z0-9])(" + pairs + ")");
    return texts_that_fit(
        session, kind,
        base::KeyText("names like others").add(static_cast<std::uint64_t>(kind)).add(test.key),
        sql_names(session, kind) + " AND (" + is_not_ascii("name") + " OR " + ascii + ")",
        [&](std::string_view name) {
            const std::string folded = fold(name);
            return wanted.begin_word_of(folded) && test.fits(folded);
        });
}

}  // namespace

std::shared_ptr<const Names> names_of_players(ReadSession& session,
                                              const store::AskedPlayers& asked) {
    using enum store::NameKind;
    if (const auto* const words = std::get_if<NameWords>(&asked)) {
        if (words->empty()) return std::make_shared<Names>();
        base::KeyText key("players with words");
        for (const std::string& word : words->words()) key.add(word);
        return names_that_fit(session, kPlayer, *words, key,
                              [&](std::string_view name) { return words->fit(fold(name)); });
    }
    if (const auto* const names = std::get_if<std::vector<std::string>>(&asked)) {
        return names_joined_with(session, kPlayer, *names);
    }
    if (const auto* const test = std::get_if<store::LikeNames>(&asked)) {
        return names_like(session, kPlayer, *test);
    }
    return nullptr;
}

TextCondition site_condition(ReadSession& session, const std::string& typed) {
    const NameWords words(typed);
    const std::string ascii_fits = has_words("site", words);
    // Each word must begin another word of the text. The servers cannot check that if one word is a
    // prefix of another, so those texts are checked here.
    const bool nested = are_nested(words);
    const std::string unverified =
        is_not_ascii("site") + (nested ? " OR (" + ascii_fits + ")" : std::string());
    return {nested ? "0" : "NOT (" + is_not_ascii("site") + ") AND " + ascii_fits,
            texts_that_fit(session, store::NameKind::kSite, base::KeyText("sites").add(typed),
                           "SELECT DISTINCT site FROM game WHERE " +
                               session.snapshot().sql_pushes() + " AND (" + unverified + ")",
                           [&](std::string_view site) { return words.fit(fold(site)); })};
}

TextCondition termination_condition(ReadSession& session, const std::string& typed) {
    // The column has one termination on each line, if a game has several.
    const auto fits = [&](std::string_view terminations) {
        while (true) {
            const std::size_t end = terminations.find('\n');
            if (fold(terminations.substr(0, end)).starts_with(typed)) return true;
            if (end == std::string_view::npos) return false;
            terminations.remove_prefix(end + 1);
        }
    };
    std::string pattern = "(^|\n)[^a-z0-9\n]*";
    for (const char c : typed) {
        if (c == ' ') {
            pattern += "[^a-z0-9\n]+";
        } else {
            pattern += c;
        }
    }
    const std::string not_ascii = is_not_ascii("termination");
    return {
        is_ascii(typed) ? "NOT (" + not_ascii + ") AND " + sql_match("termination", pattern) : "0",
        texts_that_fit(session, store::NameKind::kTagValue,
                       base::KeyText("terminations").add(typed),
                       "SELECT DISTINCT termination FROM game WHERE " +
                           session.snapshot().sql_pushes() + " AND " + not_ascii,
                       fits)};
}

}  // namespace fendex::clickhouse
