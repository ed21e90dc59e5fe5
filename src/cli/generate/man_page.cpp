#include <algorithm>
#include <sstream>
#include <string>

#include "cli/generate/generate.hpp"
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

namespace {

constexpr char kDescription[] =
    "fendex reads PGN archives of any size, replays every game, and stores the games with\n"
    "an index of every position in one SQLite file. Then it answers which games reached a\n"
    "position, and what was played there. Every game that it names has been replayed and\n"
    "compared.\n"
    "\n"
    "Answers go to standard output, everything else to standard error. Positions are FENs or\n"
    "EPD in any dialect, with _ or %20 for blanks too.\n";

/// The sections after the options, in the language of manual pages.
constexpr char kLastSections[] =
    ".SH \"EXIT STATUS\"\n"
    ".TP\n0\nsomething was done or found\n"
    ".TP\n1\nnothing was found\n"
    ".TP\n2\nan error, or an input that could not be read\n"
    ".SH FILES\n"
    ".TP\n\\fIDB\\fR\nthe database, an SQLite file\n"
    ".TP\n\\fIDB\\fR\\-wal, \\fIDB\\fR\\-shm, \\fIDB\\fR\\-journal\n"
    "parts of the database while it is in use, or after a process was killed\n"
    ".TP\n\\fIDB\\fR\\-writer\nsays which process writes the database\n"
    ".SH ENVIRONMENT\n"
    ".TP\nCLICKHOUSE_PASSWORD\npassword of a cluster, if \\-\\-password\\-file names no file\n"
    ".TP\nCOLUMNS\nwidth of tables on a terminal\n"
    ".TP\nFENDEX_DB\ndatabase of the verbs that only read one, if the command line names none\n"
    ".TP\nNO_COLOR\nno colours, unless it is empty\n"
    ".TP\nTERM\nneither colours nor a line of progress if it is \\(lqdumb\\(rq\n"
    ".SH \"SEE ALSO\"\n.BR sqlite3 (1),\n.BR zstd (1)\n";

/// A page that cmake --install puts beside README.md.
struct Page {
    const char* file;
    const char* subject;
};
constexpr Page kPages[] = {
    {"README.md", "overview, quick start, limits"},
    {"samples/manual/reading.md", "how PGN is read: languages, errors, what is refused"},
    {"samples/manual/variants.md", "variants"},
    {"samples/manual/positions.md", "FEN dialects, less exact questions, patterns, EPD"},
    {"samples/manual/games.md", "filters, opening trees, repetitions"},
    {"samples/manual/collections.md", "names joined, duplicates, deletion, databases merged"},
    {"samples/manual/evaluations.md", "evaluations: of archives, of records, of an engine"},
    {"samples/manual/export.md", "formats of exports, rows for models, samples"},
    {"samples/manual/upkeep.md", "interrupted imports, backup, check, repair, compact, upgrade"},
    {"samples/manual/server.md", "the page, the opening explorer's API, an API for scripts"},
    {"samples/manual/cluster.md", "a database on a cluster of ClickHouse"},
    {"samples/manual/library.md", "the library: C++, C, Python"},
    {"samples/manual/building.md", "options and packages"},
    {"samples/manual/stability.md", "what a newer version never changes"},
    {"samples/manual/figures.md", "speed and size, and how they were measured"},
    {"samples/recipes/", "scripts to copy from"},
    {"schema/SQL.md", "SQL, tables and functions of the extension"},
    {"schema/FORMAT.md", "the file format"},
};

/// Escapes text so that troff prints it unchanged.
std::string roff(const std::string& text) {
    std::string out;
    bool line_start = true;
    for (const char c : text) {
        if (line_start && (c == '.' || c == '\'')) out += "\\&";
        line_start = c == '\n';
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
    }
    return out;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

/// Quotes text as an argument of a troff macro.
std::string argument(const std::string& text) {
    std::string out = roff(text);
    for (std::size_t at = 0; (at = out.find('"', at)) != std::string::npos; at += 2) {
        out.replace(at, 1, "\"\"");
    }
    return '"' + out + '"';
}

/// Returns the text as paragraphs; an empty line begins a new one.
std::string paragraphs(const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) out += line.empty() ? ".PP\n" : roff(line) + '\n';
    return out;
}

void append_option(const Option& option, std::string& out) {
    std::vector<std::string> names;
    for (const std::string& name : spellings(option)) {
        names.push_back(bold(name) + (option.value.empty() ? "" : ' ' + italic(option.value)));
    }
    out += ".TP\n" + base::joined(", ", names) + '\n';
    std::string help = help_of(option);
    if (!option.fallback.empty()) help += " (default: " + option.fallback + ')';
    if (option.repeatable) help += "; may be repeated";
    out += roff(help) + '\n';
}

/// Returns the options of a verb without --help, which the page describes once for all verbs.
std::vector<Option> described_options(const Verb& verb) {
    std::vector<Option> options = all_options(verb);
    std::erase_if(options, [](const Option& option) { return option.name == "help"; });
    return options;
}

/// Returns whether the option belongs to a group that several verbs share. The page describes such
/// groups once, after the verbs.
bool is_shared(const Verb& verb, const Option& option) {
    if (option.group == Option().group) return false;
    return std::any_of(verbs().begin(), verbs().end(), [&](const Verb& other) {
        const std::vector<Option> options = described_options(other);
        return other.name != verb.name &&
               std::find(options.begin(), options.end(), option) != options.end();
    });
}

void append_man_verb(const Verb& verb, std::vector<Option>& shared, std::string& out) {
    out += ".SS " + argument("fendex " + verb.name + ' ' + verb.usage) + '\n';
    out += paragraphs(verb.purpose);
    std::vector<std::string> groups;
    const std::vector<Option> options = described_options(verb);
    for (const Option& option : options) {
        if (!is_shared(verb, option)) {
            append_option(option, out);
            continue;
        }
        if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
            groups.push_back(option.group);
        }
        if (std::find(shared.begin(), shared.end(), option) == shared.end()) {
            shared.push_back(option);
        }
    }
    for (const std::string& group : groups) {
        std::vector<std::string> names;
        for (const Option& option : options) {
            if (option.group == group && is_shared(verb, option)) {
                names.push_back(bold("--" + option.name));
            }
        }
        out += ".PP\n" + roff(group) + ", see below:\n" + base::joined(",\n", names) + ".\n";
    }
    out += ".PP\n.EX\n";
    std::istringstream lines(verb.example);
    std::string line;
    while (std::getline(lines, line)) out += roff("    " + line) + '\n';
    out += ".EE\n";
}

void append_shared(const std::vector<Option>& shared, std::string& out) {
    std::vector<std::string> done;
    for (const Option& first : shared) {
        if (std::find(done.begin(), done.end(), first.group) != done.end()) continue;
        done.push_back(first.group);
        std::string caption = first.group;
        for (char& c : caption) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        out += ".SH " + argument(caption) + '\n';
        for (const Option& option : shared) {
            if (option.group == first.group) append_option(option, out);
        }
    }
}

}  // namespace

std::string man_page(const std::string& version) {
    std::string out = ".TH FENDEX 1 \"\" " + argument("fendex " + version) + " \"User Commands\"\n";
    out += ".SH NAME\nfendex \\- index every position of every game of PGN archives\n";
    out += ".SH SYNOPSIS\n";
    for (const Verb& verb : verbs()) {
        if (&verb != &verbs().front()) out += ".br\n";
        out +=
            bold("fendex " + verb.name) + " [" + italic("options") + "] " + roff(verb.usage) + '\n';
    }
    out += ".br\n" + bold("fendex --help") + "\n.br\n" + bold("fendex --version") + '\n';
    out += ".SH DESCRIPTION\n" + paragraphs(kDescription);
    out += ".SH VERBS\nEvery verb has " + bold("--help") + " too, or " + bold("-h") + ".\n";
    std::vector<Option> shared;
    for (const Verb& verb : verbs()) append_man_verb(verb, shared, out);
    append_shared(shared, out);
    out += kLastSections;
    out +=
        ".PP\nIn " + roff(FENDEX_DOCDIR) + ", below the directory in which fendex is installed:\n";
    for (const auto& [file, subject] : kPages) {
        out += ".TP\n" + roff(file) + '\n' + roff(subject) + '\n';
    }
    return out;
}

}  // namespace fendex::cli
