// Programs that run beside ours: lines, time limits, and that nothing is left of them.
#include "uci/process.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <thread>

#include "support/process.hpp"

namespace {

using namespace fendex::test;
using fendex::uci::Clock;
using fendex::uci::Process;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// A program that runs a shell's commands.
class Script {
  public:
    explicit Script(const std::string& commands)
        : path_(directory_.write("program", "#!/bin/sh\n" + commands + "\n")) {
        static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
        std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    }
    const std::string& path() const { return path_; }

  private:
    TemporaryDirectory directory_;
    std::string path_;
};

Clock::time_point in(milliseconds time) { return Clock::now() + time; }

std::string next_line(Process& process) {
    std::string line;
    return process.read_line(line, in(seconds(20))) == Process::Heard::kLine ? line : "(none)";
}

/// Returns whether a process ends within some seconds.
bool is_gone(pid_t pid) {
    for (int i = 0; i < 1000; ++i) {
        if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
        std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
}

}  // namespace

TEST_CASE("A program is talked with in lines") {
    const Script script("while read line; do echo \"<$line>\"; done; printf 'no end'; exit 3");
    Process process(script.path());
    std::string line;
    CHECK(process.read_line(line, in(milliseconds(20))) == Process::Heard::kNothing);
    REQUIRE(process.write("one\ntwo\n", in(seconds(20))));
    CHECK(next_line(process) == "<one>");
    CHECK(next_line(process) == "<two>");
    CHECK(process.end() == "it was killed");
    CHECK(process.end() == "it was killed");
}

TEST_CASE("What a program writes last is read, and how it ended") {
    const Script script("printf 'a\\r\\n\\nno end'; echo trouble >&2; exit 3");
    Process process(script.path());
    CHECK(next_line(process) == "a");
    CHECK(next_line(process).empty());
    CHECK(next_line(process) == "no end");
    std::string line;
    CHECK(process.read_line(line, in(seconds(20))) == Process::Heard::kEnd);
    REQUIRE(process.wait_for_end(in(seconds(20))));
    CHECK(process.error_output() == "trouble\n");
    CHECK(process.end() == "it ended with status 3");

    const Script crashing("kill -SEGV $$");
    Process killed(crashing.path());
    REQUIRE(killed.wait_for_end(in(seconds(20))));
    CHECK(killed.end() == "it was ended by signal 11 (Segmentation fault)");
    CHECK_FALSE(killed.write("x\n", in(seconds(20))));
}

TEST_CASE("Long lines are cut, and the next line is whole") {
    const Script script("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo short");
    Process process(script.path());
    const std::string line = next_line(process);
    CHECK(line.size() >= Process::kLongestLine);
    CHECK(line.size() < 2 * Process::kLongestLine);
    CHECK(next_line(process) == "short");
}

TEST_CASE("A program that does not read makes nobody wait for ever") {
    const Script script("exec sleep 1000");
    Process process(script.path());
    const std::string much(1 << 20, 'x');
    const Clock::time_point start = Clock::now();
    CHECK_FALSE(process.write(much, in(milliseconds(200))));
    CHECK_FALSE(process.wait_for_end(in(milliseconds(50))));
    CHECK(Clock::now() - start < seconds(20));
}

TEST_CASE("The programs that a program starts end with it, and a flood of errors is no trouble") {
    const Script script("head -c 3000000 /dev/zero | tr '\\0' x >&2; sleep 1000 & echo $!; wait");
    pid_t child = 0;
    {
        Process process(script.path());
        child = std::stoi(next_line(process));
        CHECK(::kill(child, 0) == 0);
        CHECK(process.error_output().size() == 1000);
    }
    CHECK(is_gone(child));
}

TEST_CASE("A program ends with the thread that started it") {
    pid_t pid = 0;
    Process* left_behind = nullptr;
    const Script script("echo $$; exec sleep 1000");
    std::thread([&] {
        left_behind = new Process(script.path());
        pid = std::stoi(next_line(*left_behind));
    }).join();
    const bool has_ended = left_behind->wait_for_end(in(seconds(20)));
    CHECK(has_ended);
    delete left_behind;
    CHECK(is_gone(pid));
}

TEST_CASE("Programs are found in $PATH, and what cannot be run is refused") {
    using fendex::uci::find_program;
    CHECK(find_program("sh").ends_with("/sh"));
    CHECK(find_program("/bin/sh") == "/bin/sh");
    using Catch::Matchers::Contains;
    CHECK_THROWS_WITH(find_program("no-such-engine"), Contains("no such program in $PATH"));
    CHECK_THROWS_WITH(find_program(""), Contains("no such program"));
    CHECK_THROWS_WITH(find_program("./no-such-engine"), Contains("No such file"));
    const TemporaryDirectory directory;
    const std::string file = directory.write("engine", "not a program");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    CHECK_THROWS_WITH(Process(file), Contains("cannot be started"));
}
