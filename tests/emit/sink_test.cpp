// Files are complete or do not exist, are compressed according to their names, and errors are
// reported once.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "emit/emit_fixtures.hpp"
#include "pgn/inputs.hpp"

namespace {

using namespace fendex;
using test::TemporaryDirectory;

/// A text that does not compress well and is longer than every buffer.
std::string long_text() {
    test::Random random(5);
    std::string text;
    while (text.size() < 3'000'000)
        text += std::to_string(random()) + (text.size() % 7 ? " " : "\n");
    return text;
}

void write_file(const std::string& path, const std::string& text) {
    const auto sink = emit::open_sink(path, 2);
    const std::string_view all = text;
    // Pieces of all sizes, including empty ones.
    for (std::size_t done = 0, size = 0; done < all.size(); size = (size + 7919) % 300'000) {
        sink->write(all.substr(done, size));
        done += size;
    }
    sink->finish();
}

class SinkTo final : public emit::ByteSink {
  public:
    explicit SinkTo(std::string& text) : text_(text) {}
    void write(std::string_view bytes) override { text_ += bytes; }
    void finish() override {}

  private:
    std::string& text_;
};

std::size_t files_in(const TemporaryDirectory& directory) {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(directory.path()), {}));
}

}  // namespace

TEST_CASE("A file gets its name when it is complete") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("a.pgn", "before");
    {
        const auto sink = emit::open_sink(path, 1);
        sink->write("half");
        CHECK(test::read_file(path) == "before");
    }
    CHECK(test::read_file(path) == "before");
    CHECK(files_in(directory) == 1);
    write_file(path, "all of it");
    CHECK(test::read_file(path) == "all of it");
    CHECK(files_in(directory) == 1);
}

TEST_CASE("A file that is replaced keeps its permissions, and a link its name") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("a.pgn", "before");
    REQUIRE(::chmod(path.c_str(), 0640) == 0);
    std::filesystem::create_symlink("a.pgn", directory / "link");
    write_file(directory / "link", "after");
    CHECK(std::filesystem::is_symlink(directory / "link"));
    CHECK(test::read_file(path) == "after");
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0640);
}

TEST_CASE("Other programs can read the compressed files") {
    const TemporaryDirectory directory;
    const std::string text = long_text();
    write_file(directory / "a.txt", text);
    CHECK((test::read_file(directory / "a.txt") == text));
    for (const auto& [name, program] : {std::pair("a.zst", "zstd"), std::pair("a.gz", "gzip")}) {
        CAPTURE(name);
        write_file(directory / name, text);
        CHECK(std::filesystem::file_size(directory / name) < text.size() * 3 / 4);
        const test::Outcome outcome = test::run_process({program, "-dc", directory / name});
        CHECK(outcome.status == 0);
        CHECK((outcome.out == text));
        write_file(directory / name, "");
        CHECK(test::run_process({program, "-dc", directory / name}).out.empty());
        CHECK(test::run_process({program, "-t", directory / name}).status == 0);
    }
}

TEST_CASE("A file that cannot be written is an error that names it") {
    const TemporaryDirectory directory;
    CHECK_THROWS_WITH(emit::open_sink(directory / "no/such.pgn", 1),
                      Catch::Contains("no/such.pgn: cannot be created: No such file"));
    CHECK_THROWS_WITH(emit::open_sink(directory / "a.pgn.bz2", 1),
                      Catch::Contains(".bz2 files cannot be written: choose .zst or .gz"));
    CHECK_THROWS_WITH(emit::open_sink(directory.path(), 1), Catch::Contains("Is a directory"));
    for (const std::string name : {"full", "full.zst", "full.gz"}) {
        CAPTURE(name);
        std::filesystem::create_symlink("/dev/full", directory / name);
        const auto sink = emit::open_sink(directory / name, 2);
        const auto write_much = [&] {
            const std::string text = long_text();
            for (int i = 0; i < 3; ++i) sink->write(text);
            sink->finish();
        };
        CHECK_THROWS_WITH(write_much(), Catch::Contains(name + ": cannot be written: No space"));
    }
}

TEST_CASE("Output to a terminal has no control characters, however it is written") {
    const std::string text =
        "[White \"\x1b[31m\u009b\"]\r\nM\u00FCller\n" + std::string(200'000, 'x') + "\u00FC\n\a";
    const std::string expected =
        "[White \"\\x1b[31m\\x9b\"]\r\nM\u00FCller\n" + std::string(200'000, 'x') + "\u00FC\n\\x07";
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, text.size()}) {
        std::string shown;
        const auto sink = emit::make_terminal_sink(std::make_unique<SinkTo>(shown));
        for (std::size_t done = 0; done < text.size(); done += size) {
            sink->write(std::string_view(text).substr(done, size));
        }
        sink->finish();
        CHECK((shown == expected));
    }
}

TEST_CASE("Devices are written to, not replaced") {
    const auto sink = emit::open_sink("/dev/null", 1);
    sink->write("nothing");
    sink->finish();
    CHECK(std::filesystem::is_character_file("/dev/null"));
}
