#include "cli/options/arguments.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <iostream>
#include <limits>
#include <sstream>

#include "ask/fields.hpp"
#include "base/display_width.hpp"
#include "base/edit_distance.hpp"
#include "base/joined.hpp"
#include "base/number_of.hpp"
#include "base/screen.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/text_wrap.hpp"

namespace fendex::cli {

namespace po = boost::program_options;

namespace {

void describe(const Option& option, po::options_description& to) {
    const std::string names =
        option.letter == 0 ? option.name : option.name + ',' + std::string(1, option.letter);
    const std::string help = help_of(option);
    if (option.value.empty()) {
        to.add_options()(names.c_str(), help.c_str());
        return;
    }
    auto* value = po::value<std::vector<std::string>>()->value_name(option.value);
    if (!option.fallback.empty()) value->default_value({option.fallback}, option.fallback);
    to.add_options()(names.c_str(), value, help.c_str());
}

/// Returns the options by group, each with its caption, in lines of at most `width` columns.
std::vector<po::options_description> grouped_options(const Verb& verb, std::size_t width) {
    std::vector<std::string> captions;
    std::vector<po::options_description> groups;
    const auto add = [&](const Option& option) {
        auto caption = std::find(captions.begin(), captions.end(), option.group);
        if (caption == captions.end()) {
            captions.push_back(option.group);
            groups.emplace_back(option.group, static_cast<unsigned>(width));
            caption = captions.end() - 1;
        }
        describe(option, groups[static_cast<std::size_t>(caption - captions.begin())]);
    };
    for (const Option& option : all_options(verb)) add(option);
    return groups;
}

/// What other programs call the colours of their output.
bool is_output_colour(std::string_view value) {
    return value == "always" || value == "never" || value == "auto";
}
constexpr char kOutputColours[] =
    ": that is a player's colour. The output has colours on a terminal, unless NO_COLOR is set";

/// Names the verbs that have an option which this verb does not have.
std::string verbs_with(const std::string& given, const std::vector<Verb>& verbs) {
    constexpr std::size_t kNamed = 4;
    std::string text;
    std::size_t count = 0;
    for (const Verb& verb : verbs) {
        const bool has = std::any_of(verb.options.begin(), verb.options.end(),
                                     [&](const Option& each) { return "--" + each.name == given; });
        if (has && ++count <= kNamed) text += (count == 1 ? "" : ", ") + verb.name;
    }
    if (count == 0) return {};
    return " (" + text + (count > kNamed ? " and others" : "") + (count == 1 ? " has" : " have") +
           " it)";
}

/// Suggests an existing option in place of an unknown one.
std::string suggested_option(const std::string& given, const Verb& verb,
                             const std::vector<Verb>& verbs) {
    struct Meant {
        const char* given;
        const char* option;  // the advice is given only if the verb has this option
        const char* words;
    };
    constexpr Meant kMeant[] = {{"--json", "format", "--format json"},
                                {"--jsonl", "format", "--format json"},
                                {"--ndjson", "format", "--format json"},
                                {"--csv", "format", "--format csv"},
                                {"--pgn", "format", "--format pgn"},
                                {"--date", "since", "--since and --until"},
                                {"--year", "since", "--since and --until"},
                                {"--from", "since", "--since"},
                                {"--to", "until", "--until"},
                                {"--elo", "min-elo", "--min-elo and --max-elo"},
                                {"--rating", "min-elo", "--min-elo and --max-elo"},
                                {"--name", "player", "--player"},
                                {"--opening", "eco", "--eco"},
                                {"--lim", "play", "--min-games"},  // tree has every move
                                {"--limit", "play", "--min-games"}};
    const std::vector<Option> options = all_options(verb);
    const auto has = [&](const std::string& name) {
        return std::any_of(options.begin(), options.end(),
                           [&](const Option& each) { return each.name == name; });
    };
    for (const Meant& meant : kMeant) {
        if (given == meant.given && has(meant.option)) {
            return std::string(" (did you mean ") + meant.words + "?)";
        }
    }
    std::vector<std::string> names;
    for (const Option& option : options) {
        names.push_back("--" + option.name);
        if (given.size() > 3 && names.back().starts_with(given)) {
            return " (did you mean '" + names.back() + "'?)";
        }
    }
    // Other verbs that have the option come first, even if this verb has one with a similar name.
    const std::string elsewhere = verbs_with(given, verbs);
    if (given == "--color") return elsewhere + kOutputColours;
    return elsewhere.empty() ? suggestion(given, names) : elsewhere;
}

/// Help is written for a hundred columns; a terminal may have less.
constexpr std::size_t kHelpWidth = 100;

std::size_t help_width() {
    const std::size_t terminal = base::screen().width;
    return terminal == 0 ? kHelpWidth : std::min(terminal, kHelpWidth);
}

void print_verb_help(const Verb& verb, const std::vector<po::options_description>& groups,
                     std::size_t width) {
    std::cout << "fendex " << verb.name << ' ' << verb.usage << "\n\n";
    if (width == kHelpWidth) {
        std::cout << verb.purpose;
    } else {  // the first line is a heading
        const std::size_t heading = std::min(verb.purpose.find('\n'), verb.purpose.size());
        std::cout << wrapped(verb.purpose.substr(0, heading), width);
        if (heading != verb.purpose.size()) {
            std::cout << '\n' << wrapped(verb.purpose.substr(heading), width);
        }
    }
    if (verb.default_database == DefaultDatabase::kOfEnvironment) {
        std::cout << '\n' << wrapped("If no DB is given, $FENDEX_DB names it.", width);
    }
    std::cout << "\n\n";
    for (const po::options_description& group : groups) std::cout << group << '\n';
    std::cout << "Example:\n";
    std::istringstream examples(verb.example);
    std::string line;
    while (std::getline(examples, line)) std::cout << "  " << line << '\n';
}

/// Returns the first words of a help text, up to its first stop.
std::string_view first_words(std::string_view help) {
    return help.substr(0, std::min({help.find(';'), help.find(": "), help.find(". "),
                                    help.find(" ("), help.size()}));
}

/// Prints the verb's own options, a line for each, and the names of the others.
void print_short_help(const Verb& verb, std::size_t width) {
    std::cout << "fendex " << verb.name << ' ' << verb.usage << '\n'
              << wrapped(verb.purpose.substr(0, verb.purpose.find('\n')), width) << "\n\n";
    constexpr std::size_t kHelp = 26;
    std::vector<std::pair<std::string, std::string>> others;
    for (const Option& option : all_options(verb)) {
        std::string name = "--" + option.name;
        if (option.group != Option().group) {
            if (others.empty() || others.back().first != option.group) {
                others.emplace_back(option.group, "");
            }
            others.back().second += ' ' + name;
            continue;
        }
        if (option.letter != 0) name += std::string(", -") + option.letter;
        if (!option.value.empty()) name += ' ' + option.value;
        name.resize(std::max(name.size() + 1, kHelp), ' ');
        const std::string line = "  " + name + std::string(first_words(help_of(option)));
        std::cout << base::cut_end(line, width) << '\n';
    }
    for (const auto& [group, names] : others) {
        std::cout << '\n' << group << ":\n  " << wrapped(names, width, 2) << '\n';
    }
    std::cout << "\n'fendex " << verb.name << " --help' explains them and ends with an example.\n";
}

void check_value(const Option& option, const std::string& value) {
    if (option.choices.empty() ||
        std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end()) {
        return;
    }
    const bool of_the_output = option.name == "color" && is_output_colour(value);
    throw UsageError("--" + option.name + " takes " + base::joined(", ", option.choices) +
                     ", not '" + value + "'" +
                     (of_the_output ? kOutputColours : suggestion(value, option.choices)));
}

/// Returns --quiet and, for verbs that print rows, --no-header.
std::vector<Option> saying_options(const Verb& verb) {
    std::vector<Option> options{
        flag("quiet", "print nothing on standard error unless something went wrong")};
    const auto prints_rows = [](const Option& option) {
        return option.name == "format" && std::find(option.choices.begin(), option.choices.end(),
                                                    "csv") != option.choices.end();
    };
    if (std::any_of(verb.options.begin(), verb.options.end(), prints_rows)) {
        options.push_back(flag("no-header", "print tables and csv without the line of names"));
    }
    options.front().letter = 'q';
    for (Option& option : options) {
        option.noted = false;
        option.group = "Messages";
    }
    return options;
}

}  // namespace

Option flag(std::string name, std::string help) { return {{std::move(name), {}, std::move(help)}}; }

Option valued(std::string name, std::string value, std::string help) {
    return {{std::move(name), std::move(value), std::move(help)}};
}

Option repeatable(std::string name, std::string value, std::string help) {
    Option option = valued(std::move(name), std::move(value), std::move(help));
    option.repeatable = true;
    return option;
}

Option option_of(const ask::FieldText& field) {
    Option option{field};
    if (field.first_by_default) option.fallback = field.choices.front();
    return option;
}

std::vector<Option> options_of(const std::vector<ask::FieldText>& fields,
                               std::initializer_list<const char*> names) {
    std::vector<Option> options;
    for (const char* const name : names) {
        options.push_back(option_of(*std::find_if(
            fields.begin(), fields.end(), [&](const auto& each) { return each.name == name; })));
    }
    return options;
}

std::string help_of(const Option& option) {
    std::string help = option.help;
    if (option.choices.empty()) return help;
    // After several sentences a colon would go with the last of them only.
    help += help.empty() ? "" : help.find(". ") == std::string::npos ? ": " : ". One of: ";
    return help + base::joined(", ", option.choices);
}

Option choice(std::string name, std::vector<std::string> choices, std::string help) {
    return option_of(ask::choice_field(std::move(name), std::move(choices), std::move(help)));
}

std::vector<Option> all_options(const Verb& verb) {
    Option help = flag("help", "show this help; -h lists the options only");
    help.letter = 'h';
    help.noted = false;
    return joined({verb.options, {help}, saying_options(verb)});
}

std::optional<Arguments> Arguments::parse(const Verb& verb, const std::vector<std::string>& words,
                                          const std::vector<Verb>& (*verbs)()) {
    const std::size_t width = help_width();
    const std::vector<po::options_description> groups = grouped_options(verb, width);
    po::options_description all;
    for (const po::options_description& group : groups) all.add(group);
    all.add_options()("words", po::value<std::vector<std::string>>());
    po::positional_options_description positional;
    positional.add("words", -1);
    const std::string see = "; see 'fendex " + verb.name + " --help'";
    po::variables_map values;
    try {
        // No guessing of shortened options: a script that works today must not become ambiguous.
        namespace style = po::command_line_style;
        const int flags = style::unix_style & ~style::allow_guessing;
        po::store(
            po::command_line_parser(words).options(all).positional(positional).style(flags).run(),
            values);
        po::notify(values);
    } catch (const po::unknown_option& error) {
        const std::string given = error.get_option_name();
        throw UsageError("there is no option '" + given + "'" +
                         suggested_option(given, verb, verbs()) + see);
    } catch (const po::error& error) {
        throw UsageError(error.what() + see);
    }
    if (values.count("help") != 0) {
        if (std::find(words.begin(), words.end(), "-h") != words.end()) {
            print_short_help(verb, width);
        } else {
            print_verb_help(verb, groups, width);
        }
        return std::nullopt;
    }
    Arguments arguments;
    if (values.count("words") != 0) {
        arguments.words_ = values["words"].as<std::vector<std::string>>();
    }
    if (verb.default_database == DefaultDatabase::kOfEnvironment) {
        if (auto database = default_database(arguments.words_)) {
            arguments.words_.insert(arguments.words_.begin(), std::move(*database));
        }
    }
    std::vector<std::string> given_options;
    for (const Option& option : all_options(verb)) {
        if (values.count(option.name) == 0) continue;
        std::vector<std::string>& given = arguments.values_[option.name];
        if (option.value.empty()) {
            if (option.noted) given_options.push_back("--" + option.name);
            continue;
        }
        given = values[option.name].as<std::vector<std::string>>();
        if (given.size() > 1 && !option.repeatable) {
            throw UsageError("--" + option.name + " is given more than once" + see);
        }
        for (const std::string& value : given) {
            check_value(option, value);
            if (values[option.name].defaulted() || !option.noted) continue;
            given_options.push_back("--" + option.name + ' ' + value);
        }
    }
    arguments.given_ = base::joined(" ", given_options);
    return arguments;
}

std::optional<std::string> Arguments::find(const std::string& option) const {
    const auto found = values_.find(option);
    if (found == values_.end() || found->second.empty()) return std::nullopt;
    return found->second.back();
}

std::vector<std::string> Arguments::all(const std::string& option) const {
    const auto found = values_.find(option);
    return found == values_.end() ? std::vector<std::string>() : found->second;
}

ask::Given Arguments::fields(std::string_view without) const {
    ask::Given given;
    for (const auto& [option, values] : values_) {
        if (option == without) continue;
        if (values.empty()) given.add(option, "true");
        for (const std::string& value : values) given.add(option, value);
    }
    return given;
}

std::optional<std::uint64_t> Arguments::number(const std::string& option) const {
    const std::optional<std::string> text = find(option);
    if (!text) return std::nullopt;
    return parse_number("--" + option, *text);
}

const std::string& Arguments::database() const {
    if (words_.empty()) throw UsageError("which database? Give its file as the first argument");
    return words_.front();
}

const std::string& Arguments::only_database() const {
    if (words_.size() > 1) throw UsageError("unexpected argument '" + words_[1] + "'");
    return database();
}

Option format_option(std::vector<std::string> choices, const std::string& note) {
    const std::string help = "format of the output";
    Option format =
        choice("format", std::move(choices), note.empty() ? help : help + " (" + note + ")");
    format.noted = false;
    return format;
}

Format format_of(const Arguments& arguments, std::initializer_list<Format> allowed) {
    struct Name {
        Format format;
        const char* text;
    };
    constexpr Name kNames[] = {{Format::kTable, "table"},
                               {Format::kJson, "json"},
                               {Format::kCsv, "csv"},
                               {Format::kPgn, "pgn"}};
    const std::string& given = arguments.get("format");
    std::string choices;
    for (const auto& [format, text] : kNames) {
        const bool possible = allowed.size() == 0 ||
                              std::find(allowed.begin(), allowed.end(), format) != allowed.end();
        if (!possible) continue;
        if (given == text) return format;
        choices += (choices.empty() ? "" : ", ") + std::string(text);
    }
    throw UsageError("--format " + given + " is not possible here: choose " + choices);
}

std::vector<Option> paging_options() {
    Option limit = valued("limit", "N", "print at most N (default: all, in a table 20)");
    limit.letter = 'n';
    return {limit, valued("offset", "N", "skip the first N")};
}

Paging paging_by_default(Format format) {
    constexpr std::uint64_t kTableRows = 20;
    return {format == Format::kTable ? kTableRows : std::numeric_limits<std::uint64_t>::max(), 0};
}

Paging paging_of(const Arguments& arguments, Format format) {
    Paging paging = paging_by_default(format);
    paging.limit = arguments.number("limit").value_or(paging.limit);
    paging.offset = arguments.number("offset").value_or(0);
    return paging;
}

std::vector<Option> joined(std::initializer_list<std::vector<Option>> tables) {
    std::vector<Option> all;
    for (const std::vector<Option>& table : tables) {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

std::uint64_t parse_number(const std::string& option, const std::string& text) {
    const auto value = base::number_of<std::uint64_t>(text);
    if (!value) throw UsageError(option + " takes a number, not '" + text + "'");
    return *value;
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
        throw UsageError("'" + text + "' is not a possible size");
    }
    return value << shift;
}

}  // namespace fendex::cli
