// The command line of a verb: options by name, arguments in order, help with an example. What is
// wrong with it is thrown as UsageError.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace fendex::cli {

class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What `fendex VERB --help` prints besides the options.
struct VerbHelp {
    std::string usage;    // "find DB FEN..."
    std::string purpose;  // one sentence
    std::string example;  // a line or more that work in a clone after samples/demo.sh
};

class Arguments {
  public:
    Arguments() : options_("Options") {}

    /// Options are added to this before parse().
    boost::program_options::options_description& options() { return options_; }
    /// False where --help was asked for, and has been printed.
    bool parse(const std::vector<std::string>& words, const VerbHelp& help);

    const std::vector<std::string>& words() const { return words_; }
    bool has(const std::string& option) const { return values_.count(option) != 0; }
    template <typename Value>
    const Value& get(const std::string& option) const {
        return values_[option].as<Value>();
    }
    template <typename Value>
    std::optional<Value> find(const std::string& option) const {
        if (!has(option)) return std::nullopt;
        return get<Value>(option);
    }
    /// The first word, which is the database.
    const std::string& database() const;

  private:
    boost::program_options::options_description options_;
    boost::program_options::variables_map values_;
    std::vector<std::string> words_;
};

enum class Format { kTable, kJson, kCsv, kPgn };

/// Adds --format with these choices.
void add_format(Arguments& arguments, const std::string& choices);
Format format_of(const Arguments& arguments, std::initializer_list<Format> allowed);

/// Adds --limit and --offset.
void add_paging(Arguments& arguments);
struct Paging {
    std::uint64_t limit = 0;
    std::uint64_t offset = 0;
};
/// Unlimited by default, but for 20 in a table.
Paging paging_of(const Arguments& arguments, Format format);

/// "64M", "2G", "512K", "1048576".
std::size_t parse_size(const std::string& text);
std::uint64_t parse_number(const std::string& option, const std::string& text);

}  // namespace fendex::cli
