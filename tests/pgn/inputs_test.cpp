#include "pgn/inputs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using fendex::pgn::expand_inputs;
using fendex::pgn::is_archive_name;

/// A directory that lives as long as the test.
class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::string path = (fs::temp_directory_path() / "fendex-XXXXXX").string();
        REQUIRE(::mkdtemp(path.data()) != nullptr);
        path_ = path;
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    std::string path(const std::string& relative = "") const {
        return relative.empty() ? path_.string() : (path_ / relative).string();
    }
    void file(const std::string& relative) const {
        fs::create_directories((path_ / relative).parent_path());
        std::ofstream(path_ / relative) << "*\n";
    }
    void link(const std::string& target, const std::string& relative) const {
        fs::create_directories((path_ / relative).parent_path());
        fs::create_symlink(target, path_ / relative);
    }

    /// Returns the expansion of the directory, relative to it.
    std::vector<std::string> expand() const {
        std::vector<std::string> inputs = expand_inputs({path()});
        for (std::string& input : inputs) {
            REQUIRE(input.starts_with(path() + "/"));
            input.erase(0, path().size() + 1);
        }
        return inputs;
    }

  private:
    fs::path path_;
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE(
    "names of archives end in .pgn, .pgn.gz and the like, .zip or .7z, in upper or lower case") {
    for (const char* name :
         {"a.pgn", "a.PGN", "a.pgn.zst", "a.pgn.gz", "a.pgn.bz2", "a.pgn.bz", "a.Pgn.GZ", ".pgn",
          "a.b.pgn", "dir.d/a.pgn", "a.zip", "a.pgn.ZIP", "a.7z"}) {
        CAPTURE(name);
        CHECK(is_archive_name(name));
    }
    for (const char* name :
         {"", "a", "pgn", "a.pg", "a.pgn~", "a.pgn.bak", "a.zst", "a.gz", "a.pgn.xz", "apgn",
          "a.pgn.zst.part", "a.pgnx", "a.pgn/b", "azip", "a.zip.part"}) {
        CAPTURE(name);
        CHECK_FALSE(is_archive_name(name));
    }
}

TEST_CASE("files and - are kept as they are, in their order") {
    const TemporaryDirectory directory;
    directory.file("b.txt");
    directory.file("a.pgn");
    const Names args{directory.path("b.txt"), "-", directory.path("a.pgn"), directory.path("b.txt"),
                     "/dev/null"};
    CHECK(expand_inputs(args) == args);
    CHECK(expand_inputs({}).empty());
}

TEST_CASE("a directory becomes the archives below it, sorted by path") {
    const TemporaryDirectory directory;
    for (const char* name :
         {"b.pgn", "a/z.pgn.gz", "a/deep/er/x.pgn.zst", "a-b.pgn", "B.PGN", "a/readme.txt",
          "notes.md", "10.pgn.bz2", "9.pgn.bz", "\xc3\xa4.pgn", ".hidden/h.pgn"}) {
        directory.file(name);
    }
    fs::create_directories(directory.path("folder.pgn"));
    const Names expected{".hidden/h.pgn",       "10.pgn.bz2", "9.pgn.bz", "B.PGN",       "a-b.pgn",
                         "a/deep/er/x.pgn.zst", "a/z.pgn.gz", "b.pgn",    "\xc3\xa4.pgn"};
    CHECK(directory.expand() == expected);

    // A directory between other arguments, and with a slash at its end.
    const Names inputs = expand_inputs({"-", directory.path("a") + "/", directory.path("b.pgn")});
    CHECK(inputs == Names{"-", directory.path("a/deep/er/x.pgn.zst"), directory.path("a/z.pgn.gz"),
                          directory.path("b.pgn")});
}

TEST_CASE("an input that does not exist gives a clear error") {
    CHECK_THROWS_AS(expand_inputs({"/nonexistent/games.pgn"}), std::runtime_error);
    CHECK_THROWS_WITH(expand_inputs({"-", "/nonexistent/games.pgn"}),
                      "/nonexistent/games.pgn: no such file or directory");
    CHECK_THROWS_WITH(expand_inputs({""}), "'': no such file or directory");
    CHECK_THROWS_WITH(expand_inputs({"/dev/null/x.pgn"}), Contains("Not a directory"));
}

TEST_CASE("a directory without archives gives a clear error") {
    const TemporaryDirectory directory;
    directory.file("sub/readme.txt");
    CHECK_THROWS_WITH(expand_inputs({directory.path()}),
                      Contains(directory.path()) && Contains("no .pgn"));
}

TEST_CASE("links are followed, and loops end") {
    const TemporaryDirectory directory;
    const TemporaryDirectory elsewhere;
    elsewhere.file("real.pgn");
    elsewhere.file("sub/deep.pgn");
    directory.file("a.pgn");
    directory.file("sub/b.pgn");
    directory.link("..", "sub/up");
    directory.link(".", "self");
    directory.link("circle", "circle");
    directory.link(elsewhere.path("real.pgn"), "link.pgn");
    directory.link(elsewhere.path("sub"), "other");
    elsewhere.link(directory.path(), "sub/back");
    CHECK(directory.expand() == Names{"a.pgn", "link.pgn", "other/deep.pgn", "sub/b.pgn"});
}

TEST_CASE("a file that can be reached twice is taken once, by its real path") {
    const TemporaryDirectory directory;
    directory.file("z/games.pgn");
    directory.link("z", "a");
    directory.link("z/games.pgn", "latest.pgn");
    CHECK(directory.expand() == Names{"z/games.pgn"});
    // It is read twice if the command line names it twice.
    CHECK(expand_inputs({directory.path(), directory.path("latest.pgn")}).size() == 2);
}

TEST_CASE("a link given as an argument is followed") {
    const TemporaryDirectory directory;
    directory.file("z/games.pgn");
    directory.link("z", "a");
    CHECK(expand_inputs({directory.path("a")}) == Names{directory.path("a/games.pgn")});
}

TEST_CASE("a broken link is an error if its name is that of an archive") {
    const TemporaryDirectory directory;
    directory.file("a.pgn");
    directory.link("gone.txt", "b.txt");
    CHECK(directory.expand() == Names{"a.pgn"});
    directory.link("gone.pgn", "b.pgn");
    CHECK_THROWS_WITH(directory.expand(), Contains("b.pgn: is a link that leads to no file"));
}

TEST_CASE("pipes in a directory are skipped, without waiting for them") {
    const TemporaryDirectory directory;
    directory.file("a.pgn");
    REQUIRE(::mkfifo(directory.path("b.pgn").c_str(), 0600) == 0);
    CHECK(directory.expand() == Names{"a.pgn"});
}

TEST_CASE("a directory without permission to list it is an error") {
    const TemporaryDirectory directory;
    directory.file("a.pgn");
    directory.file("closed/b.pgn");
    fs::permissions(directory.path("closed"), fs::perms::none);
    if (::access(directory.path("closed").c_str(), R_OK) != 0) {  // root may do anything
        CHECK_THROWS_WITH(directory.expand(), Contains("closed: cannot be listed"));
    }
    fs::permissions(directory.path("closed"), fs::perms::owner_all);
}
