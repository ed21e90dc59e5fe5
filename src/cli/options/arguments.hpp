// The command line of a verb: a table of options that the parser, --help, the manual page and the
// shells' completion all read; and the words it was given. What is wrong with those is thrown as
// UsageError, with a suggestion where a name was misspelt.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace fendex::cli {

class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct Option {
    std::string name;   // without the dashes
    std::string value;  // what help calls its value: "N", "FILE"; empty: it takes none
    std::string help;
    std::vector<std::string> choices;  // the values there are; empty: any
    std::string fallback;              // the value where none is given
    bool repeatable = false;
    char letter = 0;  // a short name, or none
    std::string group = "Options";
    bool noted = true;  // Arguments::given() has it: it changes what is done, not what is said

    bool operator==(const Option&) const = default;
};

/// An option that is there or not.
Option flag(std::string name, std::string help);
/// An option with a value.
Option valued(std::string name, std::string value, std::string help);
/// The same, as often as wanted.
Option repeatable(std::string name, std::string value, std::string help);
/// An option with one of a few values; the first is what is meant without it.
Option choice(std::string name, std::vector<std::string> choices, std::string help);

class Arguments;

/// A verb of the program. run() returns the exit status; what goes wrong is thrown.
struct Verb {
    std::string name;
    std::string usage;    // "DB FEN..."
    std::string purpose;  // a sentence or two; the first line stands in the list of verbs
    std::string example;  // a line or more that work in a clone after samples/demo.sh
    std::vector<Option> options;
    int (*run)(const Arguments& arguments);
};

/// The options of a verb, with those that every verb has.
std::vector<Option> all_options(const Verb& verb);

class Arguments {
  public:
    /// Empty where --help was asked for, and has been printed.
    static std::optional<Arguments> parse(const Verb& verb, const std::vector<std::string>& words);

    /// What is no option, in order.
    const std::vector<std::string>& words() const { return words_; }
    bool has(const std::string& option) const { return values_.count(option) != 0; }
    /// The value given, or the fallback; empty where there is neither.
    std::optional<std::string> find(const std::string& option) const;
    /// The value of an option that has a fallback.
    const std::string& get(const std::string& option) const { return values_.at(option).back(); }
    std::vector<std::string> all(const std::string& option) const;
    std::optional<std::uint64_t> number(const std::string& option) const;
    /// The options as they were given, "--strict --threads 2", without those that were not, and
    /// without those that only change what is said.
    const std::string& given() const { return given_; }
    /// The first word, which is the database.
    const std::string& database() const;
    /// The same for verbs that take no other word.
    const std::string& only_database() const;

  private:
    void note_given(const std::string& option);

    std::map<std::string, std::vector<std::string>> values_;
    std::vector<std::string> words_;
    std::string given_;
};

enum class Format { kTable, kJson, kCsv, kPgn };

/// --format with these choices; the first is the default.
Option format_option(std::vector<std::string> choices);
/// Where the other options leave only some of the choices.
Format format_of(const Arguments& arguments, std::initializer_list<Format> allowed = {});

/// --limit and --offset.
std::vector<Option> paging_options();
struct Paging {
    std::uint64_t limit = 0;
    std::uint64_t offset = 0;
};
/// Unlimited, but for 20 rows of a table.
Paging paging_by_default(Format format);
/// The same, unless --limit and --offset say otherwise.
Paging paging_of(const Arguments& arguments, Format format);

/// Several tables of options as one.
std::vector<Option> joined(std::initializer_list<std::vector<Option>> tables);

/// "64M", "2G", "512K", "1048576".
std::size_t parse_size(const std::string& text);
std::uint64_t parse_number(const std::string& option, const std::string& text);

/// " (did you mean 'json'?)" where one of the names is close to `word`, else nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& names);

}  // namespace fendex::cli
