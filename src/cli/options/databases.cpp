#include "cli/options/databases.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "cli/options/pasted.hpp"
#include "cli/options/store_at.hpp"
#include "clickhouse/open.hpp"
#include "pgn/inputs.hpp"

namespace fendex::cli {

namespace {

bool is_sqlite_file(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;  // never read a pipe
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    std::string begin(kMagic.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kMagic;
}

/// Returns whether the word names a database. Any name that ends with .db does, even without such a
/// file: a misspelt name must not be taken for a position.
bool names_database(const std::string& word) {
    return clickhouse::is_cluster(word) || word.ends_with(".db") || is_sqlite_file(word);
}

bool is_same_file(const std::string& a, const std::string& b) {
    if (a == b) return true;
    if (clickhouse::is_cluster(a) || clickhouse::is_cluster(b)) return false;
    std::error_code error;
    return std::filesystem::equivalent(a, b, error);
}

/// Returns whether the word names an existing file whose name is not that of games or positions.
bool is_other_file(const std::string& word) {
    std::error_code error;
    return std::filesystem::exists(word, error) && !is_record_file(word) &&
           !pgn::is_archive_name(word);
}

}  // namespace

NamedDatabases databases_of(const Arguments& arguments) {
    NamedDatabases named{{arguments.database()}, {}};
    const std::vector<std::string>& words = arguments.words();
    const auto end = std::find_if_not(words.begin() + 1, words.end(), names_database);
    for (auto word = words.begin() + 1; word != end; ++word) {
        for (const std::string& earlier : named.paths) {
            if (!is_same_file(earlier, *word)) continue;
            throw UsageError(earlier == *word
                                 ? "the database '" + *word + "' is named twice"
                                 : "'" + earlier + "' and '" + *word + "' are the same database");
        }
        named.paths.push_back(*word);
    }
    if (const auto late = std::find_if(end, words.end(), names_database); late != words.end()) {
        throw UsageError("the database '" + *late + "' comes after '" + *(late - 1) +
                         "': databases come first");
    }
    named.words.assign(end, words.end());
    return named;
}

std::vector<ask::OpenDatabase> open_databases(const Arguments& arguments) {
    std::vector<ask::OpenDatabase> open;
    for (const std::string& path : databases_of(arguments).paths) {
        open.push_back(ask::open_database(path, open.size(), store_at(arguments, path)));
    }
    return open;
}

std::vector<ask::OpenDatabase> open_only_database(const Arguments& arguments) {
    const std::string& path = arguments.only_database();
    std::vector<ask::OpenDatabase> open;
    open.push_back(ask::open_database(path, 0, store_at(arguments, path)));
    return open;
}

std::optional<std::string> default_database(const std::vector<std::string>& words) {
    const char* const name = std::getenv("FENDEX_DB");
    if (name == nullptr || *name == '\0') return std::nullopt;
    if (!words.empty() && is_other_file(words.front())) return std::nullopt;
    if (std::any_of(words.begin(), words.end(), names_database)) return std::nullopt;
    return name;
}

}  // namespace fendex::cli
