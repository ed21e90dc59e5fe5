#include "cli/arguments.hpp"

#include <charconv>
#include <iostream>
#include <limits>

namespace fendex::cli {

namespace po = boost::program_options;

bool Arguments::parse(const std::vector<std::string>& words, const VerbHelp& help) {
    options_.add_options()("help,h", "show this help");
    po::options_description all;
    all.add(options_).add_options()("words", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("words", -1);
    try {
        // No guessing of shortened options: a script that works today must not become ambiguous.
        namespace style = po::command_line_style;
        const int flags = style::unix_style & ~style::allow_guessing;
        po::store(
            po::command_line_parser(words).options(all).positional(positional).style(flags).run(),
            values_);
        po::notify(values_);
    } catch (const po::error& error) {
        throw UsageError(std::string(error.what()) + "; see 'fendex " +
                         help.usage.substr(0, help.usage.find(' ')) + " --help'");
    }
    if (has("help")) {
        std::cout << "fendex " << help.usage << "\n\n"
                  << help.purpose << "\n\n"
                  << options_ << "\nExample:\n  " << help.example << '\n';
        return false;
    }
    if (has("words")) words_ = get<std::vector<std::string>>("words");
    return true;
}

const std::string& Arguments::database() const {
    if (words_.empty()) throw UsageError("which database? Give its file as the first argument");
    return words_.front();
}

void add_format(Arguments& arguments, const std::string& choices) {
    arguments.options().add_options()("format", po::value<std::string>()->default_value("table"),
                                      choices.c_str());
}

Format format_of(const Arguments& arguments, std::initializer_list<Format> allowed) {
    const auto& name = arguments.get<std::string>("format");
    std::string choices;
    for (const Format format : allowed) {
        const char* text = format == Format::kTable  ? "table"
                           : format == Format::kJson ? "json"
                           : format == Format::kCsv  ? "csv"
                                                     : "pgn";
        if (name == text) return format;
        choices += choices.empty() ? text : std::string(", ") + text;
    }
    throw UsageError("--format " + name + " is not possible here: choose " + choices);
}

void add_paging(Arguments& arguments) {
    arguments.options().add_options()("limit", po::value<std::string>(),
                                      "at most so many games (default: all, in a table 20)")(
        "offset", po::value<std::string>(), "leave out so many games first");
}

Paging paging_of(const Arguments& arguments, Format format) {
    constexpr std::uint64_t kTableRows = 20;
    Paging paging;
    paging.limit =
        format == Format::kTable ? kTableRows : std::numeric_limits<std::uint64_t>::max();
    if (const auto limit = arguments.find<std::string>("limit")) {
        paging.limit = parse_number("--limit", *limit);
    }
    if (const auto offset = arguments.find<std::string>("offset")) {
        paging.offset = parse_number("--offset", *offset);
    }
    return paging;
}

std::uint64_t parse_number(const std::string& option, const std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) {
        throw UsageError(option + " takes a number, not '" + text + "'");
    }
    return value;
}

std::size_t parse_size(const std::string& text) {
    std::string digits = text;
    unsigned shift = 0;
    if (!digits.empty()) {
        const std::string_view units = "KMG";
        const auto unit = units.find(static_cast<char>(digits.back() & ~0x20));
        if (unit != std::string_view::npos) {
            shift = 10 * (static_cast<unsigned>(unit) + 1);
            digits.pop_back();
        }
    }
    const std::uint64_t value = parse_number("a size (as in 512M, 2G)", digits);
    if (value == 0 || value > std::numeric_limits<std::size_t>::max() >> shift) {
        throw UsageError("'" + text + "' is no possible size");
    }
    return value << shift;
}

}  // namespace fendex::cli
