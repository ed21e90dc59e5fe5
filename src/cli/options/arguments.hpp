// The command line of a verb: a table of options that the parser, --help, the manual page and the
// shells' completion all read, and the words that the user typed. A mistake in these words is
// thrown as UsageError, with a suggestion if a name was misspelt.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ask/field.hpp"
#include "ask/given.hpp"
#include "base/edit_distance.hpp"

namespace fendex::cli {

class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A field with what only a command line has. Without a name of its value it takes none.
struct Option : ask::FieldText {
    std::string fallback = {};  // the value if the option is not given
    char letter = 0;            // the short name; 0 means that it has none
    std::string group = "Options";
    bool noted = true;  // Arguments::given() lists it: it changes what is done, not what is printed

    bool operator==(const Option&) const = default;
};

/// Makes an option without a value.
Option flag(std::string name, std::string help);
/// Makes an option with a value.
Option valued(std::string name, std::string value, std::string help);
/// Makes an option with a value that may be repeated.
Option repeatable(std::string name, std::string value, std::string help);
/// Makes an option with one of a few values; the first is the default.
Option choice(std::string name, std::vector<std::string> choices, std::string help);

/// Makes the option of a field.
Option option_of(const ask::FieldText& field);
/// Makes the options of the fields with these names, in their order.
std::vector<Option> options_of(const std::vector<ask::FieldText>& fields,
                               std::initializer_list<const char*> names);

/// Returns the help of an option with its choices.
std::string help_of(const Option& option);

class Arguments;

/// Whether $FENDEX_DB can stand in for a database that the command line does not name.
enum class DefaultDatabase { kNone, kOfEnvironment };

/// A verb of the program. run() returns the exit status and throws errors.
struct Verb {
    std::string name;
    std::string usage;    // "DB FEN..."
    std::string purpose;  // a sentence or two; the list of verbs shows the first line
    std::string example;  // one or more lines that work in a clone after samples/demo.sh
    std::vector<Option> options;
    int (*run)(const Arguments& arguments);
    DefaultDatabase default_database = DefaultDatabase::kNone;
};

/// Returns the options of a verb, including those that every verb has.
std::vector<Option> all_options(const Verb& verb);

class Arguments {
  public:
    /// Returns nothing if --help was given and has been printed. `verbs` returns all verbs of the
    /// program: if `verb` lacks an option, the message names those that have it.
    [[nodiscard]] static std::optional<Arguments> parse(const Verb& verb,
                                                        const std::vector<std::string>& words,
                                                        const std::vector<Verb>& (*verbs)());

    /// Returns the words that are not options, in order. $FENDEX_DB is the first if it stands in
    /// for a database.
    const std::vector<std::string>& words() const { return words_; }
    bool has(const std::string& option) const { return values_.contains(option); }
    /// Returns the value given, else the fallback, else nothing.
    std::optional<std::string> find(const std::string& option) const;
    /// Returns the value of an option that has a fallback.
    const std::string& get(const std::string& option) const { return values_.at(option).back(); }
    std::vector<std::string> all(const std::string& option) const;
    std::optional<std::uint64_t> number(const std::string& option) const;
    /// Returns the options as fields of a question, a flag as "true", without one of them.
    ask::Given fields(std::string_view without = {}) const;
    /// Returns the options as they were typed, "--strict --threads 2", without those that only
    /// change what is printed.
    const std::string& given() const { return given_; }
    /// Returns the first word, which is the database.
    const std::string& database() const;
    /// Returns the only word, which is the database. Throws UsageError if there are more words.
    const std::string& only_database() const;

  private:
    std::map<std::string, std::vector<std::string>> values_;
    std::vector<std::string> words_;
    std::string given_;
};

enum class Format { kTable, kJson, kCsv, kPgn };

/// Makes --format with these choices; the first is the default. `note` says which are not always
/// possible.
Option format_option(std::vector<std::string> choices, const std::string& note = {});
/// Returns the format, which must be one of `allowed`: other options may leave only some choices.
Format format_of(const Arguments& arguments, std::initializer_list<Format> allowed = {});

/// Makes --limit and --offset.
std::vector<Option> paging_options();
struct Paging {
    std::uint64_t limit = 0;
    std::uint64_t offset = 0;
};
/// The default page: 20 rows of a table, otherwise everything.
Paging paging_by_default(Format format);
/// Returns the page that --limit and --offset ask for, else the default page.
Paging paging_of(const Arguments& arguments, Format format);

std::vector<Option> joined(std::initializer_list<std::vector<Option>> tables);

/// Reads "64M", "2G", "512K" or "1048576" as a number of bytes. Throws UsageError.
[[nodiscard]] std::size_t parse_size(const std::string& text);
std::uint64_t parse_number(const std::string& option, const std::string& text);

using base::suggestion;

}  // namespace fendex::cli
