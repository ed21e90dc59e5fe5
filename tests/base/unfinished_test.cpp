// Files are complete, on the disk and then named, or they do not exist.
#include "base/unfinished.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "support/process.hpp"

namespace {

using namespace fendex;
using test::TemporaryDirectory;
using Name = base::UnfinishedFile::Name;

/// The calls of this program that sync, link or rename files, in order.
std::string g_calls;

void write_to(int fd, const std::string& text) {
    REQUIRE(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

std::vector<std::string> names_in(const TemporaryDirectory& directory) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Runs a function that must end its process, in a child process; returns the signal that ended it.
template <typename Run>
int signal_that_ends(Run run) {
    const pid_t child = ::fork();
    if (child == 0) {
        run();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

extern "C" int fsync(int fd) {
    g_calls += std::filesystem::is_directory("/proc/self/fd/" + std::to_string(fd))
                   ? "sync directory, "
                   : "sync file, ";
    return static_cast<int>(::syscall(SYS_fsync, fd));
}
extern "C" int rename(const char* from, const char* to) noexcept {
    g_calls += "rename, ";
    return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
extern "C" int linkat(int from_directory, const char* from, int to_directory, const char* to,
                      int flags) noexcept {
    const auto result = ::syscall(SYS_linkat, from_directory, from, to_directory, to, flags);
    if (result == 0) g_calls += "link, ";
    return static_cast<int>(result);
}

TEST_CASE("A file is on the disk before it gets its name") {
    for (const Name name : {Name::kNoneIfPossible, Name::kTemporary}) {
        const TemporaryDirectory directory;
        const std::string path = directory / "a.pgn";
        for (const std::string text : {"first", "second"}) {
            base::UnfinishedFile file(path, name);
            write_to(file.fd(), text);
            const bool has_name = names_in(directory).size() != (text == "first" ? 0U : 1U);
            CHECK((text == "first" ? !std::filesystem::exists(path)
                                   : test::read_file(path) == "first"));
            g_calls.clear();
            file.finish();
            CHECK(test::read_file(path) == text);
            CHECK(g_calls == (has_name          ? "sync file, rename, sync directory, "
                              : text == "first" ? "sync file, link, sync directory, "
                                                : "sync file, link, rename, sync directory, "));
        }
        CHECK(names_in(directory) == std::vector<std::string>{"a.pgn"});
    }
}

TEST_CASE("An unfinished file is removed, and an existing file of its name stays") {
    for (const Name name : {Name::kNoneIfPossible, Name::kTemporary}) {
        const TemporaryDirectory directory;
        const std::string path = directory.write("a.pgn", "before");
        {
            base::UnfinishedFile file(path, name);
            write_to(file.fd(), "half");
        }
        CHECK(test::read_file(path) == "before");
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            CHECK(signal_that_ends([&] {
                      const base::RemoveFileOnSignal tidy;
                      const base::UnfinishedFile file(path, name);
                      ::raise(signal);
                  }) == signal);
        }
        CHECK(names_in(directory) == std::vector<std::string>{"a.pgn"});
        CHECK(test::read_file(path) == "before");
    }
}

TEST_CASE("A new file removes only what killed processes left of files of its name") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.pgn";
    const auto kill_file = [&] {
        const base::UnfinishedFile file(path, Name::kTemporary);
        ::kill(::getpid(), SIGKILL);
    };
    const auto kill_directory = [&] {
        const base::UnfinishedDirectory unfinished(path);
        std::ofstream(unfinished.path() + "/copy.db") << "half";
        // A copy that is made smaller has such a directory of its own.
        const base::UnfinishedDirectory inner(unfinished.path() + "/copy.db");
        std::ofstream(inner.path() + "/copy.db") << "half";
        ::kill(::getpid(), SIGKILL);
    };
    directory.write("a.pgn.part-1", "the user's");
    directory.write("b.pgn.fendex-part-1", "of another target");
    CHECK(signal_that_ends(kill_file) == SIGKILL);
    CHECK(names_in(directory).size() == 3);
    const base::UnfinishedFile living(path, Name::kTemporary);
    CHECK(names_in(directory).size() == 3);
    CHECK(signal_that_ends(kill_directory) == SIGKILL);
    CHECK(names_in(directory).size() == 4);
    const base::UnfinishedDirectory living_directory(path);
    CHECK(names_in(directory).size() == 4);
    CHECK(std::filesystem::is_directory(living_directory.path()));
    { const base::UnfinishedFile next(path); }
    CHECK(names_in(directory).size() == 4);
}

TEST_CASE("A user's file is not taken for a temporary one, even if its name begins alike") {
    const TemporaryDirectory directory;
    for (const char* const name : {"a.db.fendex-part-notes", "a.db.fendex-part-1.bak",
                                   "a.db.fendex-part-2026-11-24", "a.db.fendex-part-"}) {
        directory.write(name, "the user's");
    }
    for (const char* const name :
         {"a.db.fendex-part-12", "a.db.fendex-part-12-2", "a.db.fendex-part-12--"}) {
        directory.write(name, "half");
    }
    base::remove_remains(directory / "a.db");
    CHECK(names_in(directory) ==
          std::vector<std::string>{"a.db.fendex-part-", "a.db.fendex-part-1.bak",
                                   "a.db.fendex-part-2026-11-24", "a.db.fendex-part-notes"});
}

TEST_CASE("An unnamed file disappears with its process") {
    const TemporaryDirectory directory;
    CHECK(signal_that_ends([&] {
              const base::UnfinishedFile file(directory / "a.pgn");
              ::kill(::getpid(), SIGKILL);
          }) == SIGKILL);
    const std::size_t remains = names_in(directory).size();
    const bool named = [&] {
        const base::UnfinishedFile file(directory / "a.pgn");
        return !names_in(directory).empty();  // this file system gives every file a name
    }();
    CHECK(remains == (named ? 1U : 0U));
}

TEST_CASE("A file that cannot be created is an error that says why") {
    const TemporaryDirectory directory;
    CHECK_THROWS_WITH(base::UnfinishedFile(directory / "no/such"), Catch::Contains("No such file"));
    CHECK_THROWS_WITH(base::UnfinishedDirectory(directory / "no/such"),
                      Catch::Contains("No such file"));
}
