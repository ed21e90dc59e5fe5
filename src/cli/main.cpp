#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace {

using namespace fendex::cli;

struct Verb {
    std::string_view name;
    int (*run)(const std::vector<std::string>& words);
    std::string_view purpose;
};

constexpr Verb kVerbs[] = {
    {"import", run_import, "import DB INPUT...   index PGN archives"},
    {"find", run_find, "find DB FEN...       which games reached this position?"},
    {"games", run_games, "games DB             list the games"},
    {"show", run_show, "show DB GAME         one game: PGN, every ply, or a diagram"},
    {"fen", run_fen, "fen FEN...           check, canonicalise and convert positions"},
    {"materialize", run_materialize,
     "materialize DB       store a row for every ply, or --drop them"},
    {"info", run_info, "info DB              what is in the database, and what it costs"},
};

void print_help(std::ostream& out) {
    out << "fendex indexes every position of every game of PGN archives.\n\n";
    for (const Verb& verb : kVerbs) out << "  fendex " << verb.purpose << '\n';
    out << "\n'fendex VERB --help' tells more, with an example. Exit status: 0 done or found,\n"
           "1 nothing found, 2 error.\n";
}

int run(const std::vector<std::string>& words) {
    if (words.empty()) {
        print_help(std::cerr);
        return kError;
    }
    const std::string& name = words.front();
    if (name == "--help" || name == "-h" || name == "help") {
        print_help(std::cout);
        return kFound;
    }
    if (name == "--version") {
        std::cout << "fendex " FENDEX_VERSION "\n";
        return kFound;
    }
    for (const Verb& verb : kVerbs) {
        if (name == verb.name) return verb.run({words.begin() + 1, words.end()});
    }
    std::cerr << "fendex: there is no verb '" << printable(name) << "'; see 'fendex --help'\n";
    return kError;
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a write says so instead
    try {
        return run({argv + 1, argv + argc});
    } catch (const BrokenPipe&) {
        return kFound;
    } catch (const std::exception& error) {
        std::cerr << "fendex: " << printable(error.what()) << '\n';
        return kError;
    }
}
