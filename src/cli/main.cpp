#include <malloc.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "base/screen.hpp"
#include "cli/generate/generate.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/say.hpp"
#include "cli/options/text_wrap.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/misplaced.hpp"
#include "cli/verbs/verbs.hpp"
#include "fendex/version.h"
#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/page_memory.hpp"

namespace {

using namespace fendex::cli;

/// Returns the first line of a verb's purpose, wrapped and indented to this column if the terminal
/// is too narrow for it.
std::string first_line_within(std::size_t column, const Verb& verb) {
    const std::size_t width = fendex::base::screen().width;
    return width == 0 ? first_line(verb) : wrapped(first_line(verb), width, column);
}

void print_help(std::ostream& out) {
    out << "fendex indexes every position of every game of PGN archives.\n\n";
    for (const Verb& verb : verbs()) {
        std::string call = verb.name + ' ' + verb.usage;
        call.resize(std::max<std::size_t>(call.size(), 20), ' ');
        out << "  fendex " << call << ' ' << first_line_within(call.size() + 10, verb) << '\n';
    }
    out << "\n'fendex VERB --help' explains a verb and ends with an example.\n"
           "'fendex VERB -h' lists its options only. 'fendex -V' is the version.\n"
           "Exit status: 0 done or found, 1 nothing found, 2 error.\n";
}

int run(const std::vector<std::string>& words) {
    if (words.empty()) {
        print_help(std::cerr);
        return kError;
    }
    const std::string& name = words.front();
    if (name == "help" && words.size() == 2) return run({words[1], "--help"});
    if (name == "--help" || name == "-h" || name == "help") {
        print_help(std::cout);
        return kFound;
    }
    if (name == "--version" || name == "-V") {
        std::cout << "fendex " FENDEX_VERSION "\n";
        return kFound;
    }
    if (name == "--generate" && words.size() == 2) {  // for the build; --help does not name it
        std::cout << generate(words[1], FENDEX_VERSION);
        return kFound;
    }
    if (const auto verb = verb_named(name)) {
        const auto arguments = Arguments::parse(*verb, {words.begin() + 1, words.end()}, verbs);
        if (!arguments) return kFound;
        refuse_misplaced_words(*arguments, *verb);
        say_what_filters_ask(*arguments);
        return verb->run(*arguments);
    }
    std::vector<std::string> names;
    for (const Verb& verb : verbs()) names.push_back(verb.name);
    throw UsageError("there is no verb '" + name + "'" + suggestion(name, names) +
                     "; see 'fendex --help'");
}

/// Makes glibc return freed blocks of 1 MiB or more to the system at once. By default glibc raises
/// this limit up to 32 MiB while a program runs. Freed blocks below it may stay, in pieces too
/// small to be used again; then a long import takes more than --memory and 128 MiB. But 4 MiB at
/// the end of each heap stay, which would else be returned and cleared again for every batch.
void return_large_blocks() {
#ifdef M_MMAP_THRESHOLD
    static_cast<void>(mallopt(M_MMAP_THRESHOLD, 1 << 20));
    static_cast<void>(mallopt(M_TRIM_THRESHOLD, 4 << 20));
#endif
}

/// Makes SQLite not count its memory: the threads of a server would wait for each other to count.
void count_no_memory() { static_cast<void>(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0)); }

void say_no_memory(const std::string& lack) {
    say(lack + ": end other programs, or lower --memory and --threads, and run this again");
}

}  // namespace

int main(int argc, char** argv) {
    // Without these signals the write itself fails and reports the error: a broken pipe, or a file
    // over the limit of `ulimit -f`.
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
    return_large_blocks();
    count_no_memory();
    fendex::store::use_page_memory();
    try {
        return run({argv + 1, argv + argc});
    } catch (const BrokenPipe&) {
        return kFound;
    } catch (const fendex::query::FilterError& error) {
        // The message begins with the field of the filter, which is the name of its option.
        std::cerr << "fendex: --" << printable(error.what()) << '\n';
        return kError;
    } catch (const fendex::ask::QuestionError& error) {
        say("--" + error.field() + ": " + error.what());
        return kError;
    } catch (const std::bad_alloc&) {
        say_no_memory("there is not enough memory");
        return kError;
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again) {
            say_no_memory("the system has no memory for another thread, or allows no more threads");
        } else {
            say(error.what());
        }
        return kError;
    } catch (const std::exception& error) {
        say(error.what());
        return kError;
    }
}
