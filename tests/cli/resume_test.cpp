// Imports that are stopped and resumed, sources that are imported again, and two writers at once,
// tested with the program.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/fixture.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

const std::string kMoves = "1. a3 a6 2. h3 h6 *";

std::string games(unsigned first, unsigned last, const std::string& moves = kMoves) {
    std::string text;
    for (unsigned i = first; i <= last; ++i) text += small_game(i, moves);
    return text;
}

Json info(const std::string& database) {
    return json_lines(run({"info", database, "--format", "json"}).out).front();
}

std::vector<Json> sources(const std::string& database) {
    return json_lines(run({"info", database, "--sources", "--format", "json"}).out);
}

void append(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

/// A running import of what the test writes to its standard input. It ends with the object.
class RunningImport {
  public:
    explicit RunningImport(const std::string& database) {
        int pipe[2];
        REQUIRE(::pipe2(pipe, O_CLOEXEC) == 0);
        child_ = ::fork();
        REQUIRE(child_ >= 0);
        if (child_ == 0) {
            ::dup2(pipe[0], 0);
            const int nowhere = ::open("/dev/null", O_WRONLY);
            ::dup2(nowhere, 2);
            ::execl(FENDEX_BINARY, "fendex", "import", database.c_str(), "-", "--ply-rows", "no",
                    "--memory", "64M", nullptr);
            ::_exit(127);
        }
        ::close(pipe[0]);
        input_ = pipe[1];
    }
    ~RunningImport() {
        if (child_ > 0) {
            ::kill(child_, SIGKILL);
            end();
        }
    }

    /// Returns false if the program has stopped reading.
    bool feed(const std::string& text) const {
        return ::write(input_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    }
    void signal(int number) const { ::kill(child_, number); }
    pid_t pid() const { return child_; }
    /// Ends the input and waits. Returns the exit status, or 128 + the signal's number.
    int end() {
        ::close(input_);
        int status = 0;
        ::waitpid(child_, &status, 0);
        child_ = 0;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    int wait() {
        int status = 0;
        ::waitpid(child_, &status, 0);
        child_ = 0;
        ::close(input_);
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

    /// Waits until the condition holds. False if the program ends before.
    template <typename Condition>
    bool wait_until(Condition condition) const {
        while (!condition()) {
            siginfo_t info{};
            ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT);
            if (info.si_pid != 0) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return true;
    }
    /// Returns whether it has read and processed all input so far: all its threads are asleep, and
    /// none has woken between two checks.
    bool is_idle() const {
        int unread = 0;
        REQUIRE(::ioctl(input_, FIONREAD, &unread) == 0);
        if (unread != 0) return false;
        const std::string before = sleeping_threads();
        return !before.empty() && sleeping_threads() == before;
    }

  private:
    /// Returns how often each thread has gone to sleep; empty if one is awake.
    std::string sleeping_threads() const {
        std::string sleeps;
        for (const auto& thread :
             fs::directory_iterator("/proc/" + std::to_string(child_) + "/task")) {
            for (const std::string& line : lines_of(read_file(thread.path() / "status"))) {
                if (line.starts_with("State:") && line.find('S', 6) == line.npos) return {};
                if (line.starts_with("voluntary_ctxt_switches:")) {
                    sleeps += thread.path().filename().string() + " " + line + "\n";
                }
            }
        }
        return sleeps;
    }

    pid_t child_ = 0;
    int input_ = -1;
};

}  // namespace

TEST_CASE("import: an input that was imported before is skipped, with a message") {
    const TemporaryFile db("my.db");
    const std::string file = db.write_beside("a.pgn", games(1, 5));
    REQUIRE(run({"import", db, file}).status == 0);
    const auto check_left_alone = [&](const std::string& input, const std::string& said) {
        const Outcome again = run({"import", db, input});
        INFO(again.err);
        CHECK(again.status == 0);
        CHECK_THAT(again.err, Contains(input + ": was imported before") && Contains(said) &&
                                  Contains("inputs imported before: 1"));
        CHECK(info(db)["games"] == 5);
        CHECK(info(db)["sources"] == 1);
    };
    check_left_alone(file, "5 games");
    // The file has another time and is named differently.
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::hours(1));
    check_left_alone(file, "5 games");
    check_left_alone(db.write_beside("b.pgn", games(1, 5)), "as " + file);
    // Another text of the same size.
    CHECK(run({"import", db, db.write_beside("c.pgn", games(2, 6))}).status == 0);
    CHECK(info(db)["games"] == 10);
    CHECK(run({"import", db, file, "--again", "--yes"}).status == 0);
    CHECK(info(db)["games"] == 15);
    CHECK(sources(db)[2]["options"] == "--again --yes");
}

TEST_CASE("import: only the new part of a file that has grown is imported") {
    const TemporaryFile db("my.db");
    const std::string file = db.write_beside("a.pgn", games(1, 3));
    REQUIRE(run({"import", db, file}).status == 0);
    append(file, games(4, 5));
    const Outcome grown = run({"import", db, file});
    CHECK_THAT(grown.err, Contains("2 games, 8 plies") && Contains("continues at byte"));
    REQUIRE(sources(db).size() == 1);
    CHECK(sources(db)[0]["games"] == 5);
    CHECK(sources(db)[0]["bytes"] == fs::file_size(file));
    // After another source it gets a row of its own.
    REQUIRE(run({"import", db, db.write_beside("b.pgn", games(1, 1))}).status == 0);
    append(file, games(6, 6) + small_game(7, "1. e4 e5 2. Ke3 *"));
    REQUIRE(run({"import", db, file}).status == 0);
    REQUIRE(sources(db).size() == 3);
    CHECK(sources(db)[2]["games"] == 2);
    CHECK(sources(db)[2]["first_game"] == 7);
    CHECK(sources(db)[2]["first_byte"] == games(1, 5).find_last_of('*') + 1);
    CHECK(info(db)["games"] == 8);
    const auto errors = sqlite3_rows(db, "SELECT byte, line FROM import_error");
    REQUIRE(errors.size() == 1);
    CHECK(errors[0]["byte"] == read_file(file).find("Ke3"));
    CHECK(run({"check", db}).status == 0);
}

TEST_CASE("import: a file that has changed is a new source, with a warning") {
    const TemporaryFile db("my.db");
    const std::string file = db.write_beside("a.pgn", games(1, 3));
    REQUIRE(run({"import", db, file}).status == 0);
    for (const std::string& text : {games(2, 5), games(2, 3)}) {  // another, and one cut short
        db.write_beside("a.pgn", text);
        const Outcome changed = run({"import", db, file});
        CHECK(changed.status == 0);
        CHECK_THAT(changed.err, Contains("differs from what was imported under this name before"));
    }
    CHECK(info(db)["games"] == 9);
    CHECK(info(db)["sources"] == 3);
}

TEST_CASE("import: Ctrl-C commits what is done, and the same command continues", "[full]") {
    const TemporaryDirectory directory;
    // At small size fewer games, which a comment makes as long.
    const unsigned all = at_size(3'000U, 30'000U);
    const std::string moves =
        full_size() ? kMoves : "1. a3 {" + std::string(800, 'x') + "} a6 2. h3 h6 *";
    const std::string text = games(1, all, moves);
    const std::string whole = directory / "whole.db";
    REQUIRE(run({"import", whole, "-", "--ply-rows", "no"}, text).status == 0);
    const Json fingerprint = info(whole)["fingerprint"];
    const Json digest = sources(whole)[0]["digest"];
    for (const int number : {SIGINT, SIGTERM}) {
        CAPTURE(number);
        const std::string db = directory / ("my" + std::to_string(number) + ".db");
        {
            RunningImport import(db);
            REQUIRE(import.feed(text.substr(0, text.size() / 3 * 2)));
            // A signal ends it while it waits for input.
            REQUIRE(import.wait_until([&] { return import.is_idle(); }));
            import.signal(number);
            CHECK(import.wait() == 128 + number);
        }
        CHECK_FALSE(fs::exists(db + "-wal"));
        CHECK_FALSE(fs::exists(db + "-writer"));
        const Json stopped = info(db);
        CHECK(stopped["games"] > 100);
        CHECK(stopped["games"] < all / 3 * 2 + 1);
        CHECK(sources(db)[0]["complete"] == false);
        CHECK(run({"check", db}).status == 0);
        const std::string copy = directory / ("copy" + std::to_string(number) + ".db");
        fs::copy_file(db, copy);
        const Outcome other = run({"import", copy, "-"}, games(all + 7, all + 20));
        CHECK(other.status == 0);
        CHECK_THAT(other.err, Contains("differs from what was imported under this name before"));
        CHECK(info(copy)["games"] == stopped["games"].get<unsigned>() + 14);
        const Outcome resumed = run({"import", db, "-"}, text);
        INFO(resumed.err);
        CHECK(resumed.status == 0);
        const Json end = info(db);
        CHECK(end["fingerprint"] == fingerprint);
        CHECK(end["games"] == all);
        CHECK(end["unindexed_games"] == 0);
        const std::vector<Json> ledger = sources(db);
        REQUIRE(ledger.size() == 1);
        CHECK(ledger[0]["digest"] == digest);
    }
}

TEST_CASE("import: a stream is recognised by its text, like a file") {
    const TemporaryFile db("my.db");
    const std::string text = games(1, 3000);
    REQUIRE(run({"import", db, "-"}, text).status == 0);
    const Outcome again = run({"import", db, "-"}, text);
    CHECK(again.status == 0);
    CHECK_THAT(again.err, Contains("-: was imported before (3000 games)"));
    const std::string file = db.write_beside("a.pgn", text + games(3001, 3002));
    const Outcome grown = run({"import", db, file});
    CHECK_THAT(grown.err, Contains("begins as standard input, which was imported; continues at"));
    CHECK(info(db)["games"] == 3002);
    CHECK(run({"check", db}).status == 0);
}

TEST_CASE("import: the limit of file sizes gives an error like a full disk") {
    const TemporaryFile db("my.db");
    const std::string file = db.write_beside("a.pgn", games(1, 20'000));
    const Outcome full = run_process({"bash", "-c", "ulimit -f 600; exec \"$@\"", "bash",
                                      FENDEX_BINARY, "import", db, file, "--ply-rows", "no"});
    CHECK(full.status == 2);
    CHECK_THAT(full.err, Contains(db) && Contains("disk I/O error") && Contains("File too large") &&
                             Contains("raise it and run this again"));
    CHECK(run({"import", db, file}).status == 0);
    CHECK(info(db)["games"] == 20'000);
    CHECK(run({"check", db}).status == 0);
}

TEST_CASE("A second writer is refused with the process of the first") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string file = directory.write("a.pgn", games(1, 5));
    fs::create_symlink(db, directory / "link.db");
    {
        RunningImport first(db);
        REQUIRE(first.wait_until([&] {
            std::error_code none_yet;
            const auto size = fs::file_size(db, none_yet);
            return !none_yet && size > 0 && fs::exists(db + "-writer");
        }));
        for (const std::string& name : {db, directory / "link.db"}) {
            check_refused(
                run({"import", name, file}),
                {"is being written by process " + std::to_string(first.pid()), "import, since"});
        }
        const Outcome other_verb = run({"materialize", db});
        CHECK(other_verb.status == 2);
        CHECK_THAT(other_verb.err, Contains("process " + std::to_string(first.pid())));
        REQUIRE(first.feed(games(6, 7)));
        CHECK(first.end() == 0);
    }
    CHECK_FALSE(fs::exists(db + "-writer"));
    {
        RunningImport killed(db);
        REQUIRE(killed.wait_until([&] { return fs::exists(db + "-writer"); }));
        killed.signal(SIGKILL);
        CHECK(killed.wait() == 128 + SIGKILL);
    }
    CHECK(fs::exists(db + "-writer"));  // it locks nobody out
    CHECK(run({"import", db, file}).status == 0);
    CHECK_FALSE(fs::exists(db + "-writer"));
    CHECK(info(db)["games"] == 7);
}

TEST_CASE("A file that has the name of the lock but is not one is left alone") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string file = directory.write("a.pgn", games(1, 5));
    const std::string mine = directory.write("my.db-writer", "my notes");
    check_refused(run({"import", db, file}), {mine, "is not a lock file"});
    CHECK(read_file(mine) == "my notes");
    fs::remove(mine);
    fs::create_symlink(directory.write("notes", ""), mine);
    check_refused(run({"import", db, file}), {mine, "link"});
    CHECK(read_file(directory / "notes").empty());
}

namespace {

/// Returns moves and result of the longest game of the samples.
std::string longest_movetext() {
    const std::string id =
        sqlite3_rows(samples_database(),
                     "SELECT id FROM game WHERE variant = 0 AND fen IS NULL ORDER BY plies DESC")
            .front()["id"]
            .dump();
    const std::string pgn = run({"show", samples_database(), id, "--format", "pgn"}).out;
    return pgn.substr(pgn.find("\n\n1. ") + 2);
}

/// The state that a reader sees in a database that is being written.
struct Seen {
    std::uint64_t games = 0;  // rows
    std::string wrong;        // a contradiction; empty if there is none
};

Seen look_at(const std::string& database, const std::string& first_move) {
    const Outcome counted =
        run({"sql", database, "--format", "json",
             "SELECT (SELECT count(*) FROM game) AS games, (SELECT value FROM meta"
             " WHERE name = 'games') AS said"});
    if (counted.status != 0) return {0, counted.err};
    const Json row = json_lines(counted.out).front();
    Seen seen{row["games"].get<std::uint64_t>(), {}};
    if (!(row["said"] == seen.games || (seen.games == 0 && row["said"].is_null()))) {
        seen.wrong = "rows and the number of games: " + row.dump();
    }
    const Outcome found =
        run({"find", database, "--moves", first_move, "--count", "--format", "json"});
    const Json count = found.status == 0 ? json_lines(found.out).front() : Json{{"games", 0}};
    // The count was read later, so it may be larger.
    if (count["games"] < seen.games) {
        seen.wrong = std::to_string(seen.games) + " games, then found: " + count.dump();
    }
    return seen;
}

}  // namespace

TEST_CASE("Readers see whole commits, and more and more games, while an import runs", "[full]") {
    const TemporaryFile db("my.db");
    // Both have more positions than one commit.
    const std::string movetext = at_size(longest_movetext(), std::string("1. a3 a6 2. h3 h6 *"));
    const unsigned parts = at_size(12U, 60U);
    const unsigned games_in_part = at_size(500U, 10'000U);
    const std::string first_move = movetext.substr(0, movetext.find(' ', 3));
    RunningImport import(db);
    REQUIRE(import.wait_until([&] { return fs::exists(db) && run({"info", db}).status == 0; }));
    std::uint64_t before = 0;
    unsigned steps = 0;
    const auto look = [&] {
        const Seen seen = look_at(db, first_move);
        REQUIRE(seen.wrong == "");
        REQUIRE(seen.games >= before);
        if (seen.games > before) ++steps;
        before = seen.games;
        return steps;
    };
    for (unsigned part = 0; part < parts; ++part) {
        std::string text;
        for (unsigned i = 0; i < games_in_part; ++i) {
            text += small_game(part * games_in_part + i, movetext);
        }
        REQUIRE(import.feed(text));
        look();
    }
    // The first commit is seen before the last one is possible.
    CHECK(import.wait_until([&] { return look() > 0; }));
    CHECK(before < parts * games_in_part);
    CHECK(import.end() == 0);
    CHECK(look() > 1);
    CHECK(before == parts * games_in_part);
    CHECK(run({"check", db}).status == 0);
}
