#include "store/sqlite/file/schema_check.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <mutex>
#include <vector>

#include "schema_sql.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectSchema[] = "SELECT type, name, tbl_name, sql FROM main.sqlite_schema";

std::string lower(std::string_view name) {
    std::string out(name);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Returns the statements in a normal form, without comments and with single blanks between words.
/// So the layout does not matter.
std::vector<std::string> statements_of(std::string_view script) {
    std::vector<std::string> out(1);
    bool gap = false;
    char quote = 0;
    for (std::size_t i = 0; i < script.size(); ++i) {
        const char c = script[i];
        std::string& statement = out.back();
        if (quote != 0) {
            statement += c;
            if (c == quote) quote = 0;
        } else if (c == '-' && script.substr(i, 2) == "--") {
            i = std::min(script.find('\n', i), script.size());
            gap = true;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            gap = true;
        } else if (c == ';') {
            out.emplace_back();
            gap = false;
        } else {
            if (gap && !statement.empty() && is_word(statement.back()) && is_word(c)) {
                statement += ' ';
            }
            gap = false;
            if (c == '\'' || c == '"') quote = c;
            statement += c;
        }
    }
    std::erase_if(out, [](const std::string& statement) { return statement.empty(); });
    return out;
}

struct Definition {
    std::string sql;
    bool required = false;
};

using Definitions = std::map<std::string, Definition>;

/// Returns the definitions of fendex in a version of the format, by name.
Definitions definitions(std::int64_t version) {
    Definitions out;
    const auto add = [&](std::string_view script, bool required) {
        for (std::string& statement : statements_of(script)) {
            std::string_view words = statement;
            // The others insert rows into a new database.
            if (!words.starts_with("CREATE ")) continue;
            for (const std::string_view word :
                 {"CREATE ", "UNIQUE ", "TABLE ", "VIEW ", "INDEX "}) {
                if (words.starts_with(word)) words.remove_prefix(word.size());
            }
            const std::string name = lower(words.substr(0, words.find_first_of(" (")));
            out[name] = {std::move(statement), required};
        }
    };
    add(sql::kSchemaSql, true);
    add(sql::kPlySql, false);
    add(sql::kRecordsSql, false);
    add(sql::kSwingSql, false);
    add(sql::kNamesSql, false);
    add(sql::kSumsSql, false);
    add(sql::kPlayersSql, false);
    if (version < kOpeningsFormat) {
        add(sql::kVersion6Sql, true);
        out.erase("opening");
        out.erase("game_opening");
    }
    if (version == 4) add(sql::kVersion4Sql, true);
    if (version < kCodesFormat) {
        for (const char* const table : kCodeTables) out.erase(table);
    }
    return out;
}

/// Makes the definitions of a version when a database of it is opened first: making those of all
/// took a tenth of what a program does that asks a small database one question.
const Definitions& definitions_of(std::int64_t version) {
    constexpr std::size_t kVersions = kFormatVersion - kOldestVersion + 1;
    static std::array<std::once_flag, kVersions> once;
    static std::array<Definitions, kVersions> made;
    const auto place = static_cast<std::size_t>(version - kOldestVersion);
    std::call_once(once.at(place), [&] { made.at(place) = definitions(version); });
    return made.at(place);
}

/// Returns whether an index has only columns: no expressions, no condition.
bool is_plain_index(std::string_view sql) {
    const std::size_t open = sql.find('(');
    if (open == std::string_view::npos || !sql.ends_with(')')) return false;
    const std::string_view columns = sql.substr(open + 1, sql.size() - open - 2);
    return std::ranges::all_of(columns, [](char c) { return is_word(c) || c == ',' || c == ' '; });
}

}  // namespace

void require_schema(Connection& connection) {
    const Definitions& ours = definitions_of(connection.format());
    const auto refuse = [&](std::string_view type, std::string_view name) {
        throw DamageError(connection.path() + ": " + std::string(type) + " '" + std::string(name) +
                          "' is not as fendex makes it: the database was made or changed by "
                          "another program");
    };
    std::size_t found = 0;
    Statement rows(connection, kSelectSchema);
    while (rows.step()) {
        const std::string name = lower(rows.text(1));
        if (name.starts_with("sqlite_")) continue;
        const std::string_view type = rows.text(0);
        const std::vector<std::string> sql = statements_of(rows.text(3));
        const std::string text = sql.size() == 1 ? sql.front() : std::string();
        if (const auto known = ours.find(name); known != ours.end()) {
            if (text != known->second.sql) refuse(type, rows.text(1));
            found += known->second.required ? 1U : 0U;
        } else if (ours.contains(lower(rows.text(2))) &&
                   !(type == "index" && is_plain_index(text))) {
            refuse(type, rows.text(1));
        }
    }
    for (const auto& [name, definition] : ours) found -= definition.required ? 1U : 0U;
    if (found != 0) connection.throw_damaged("tables are missing");
}

}  // namespace fendex::store
