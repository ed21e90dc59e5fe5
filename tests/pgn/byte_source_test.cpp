// The byte sources: every format, from files, pipes and stdin.
#include "pgn/byte_source.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "pgn/source_fixtures.hpp"
#include "support/sanitizers.hpp"
#include "support/skip.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::pgn::test;
using Catch::Matchers::Contains;
using fendex::pgn::open_source;
using fendex::pgn::source_size;
using fendex::pgn::SourceError;
using fendex::pgn::text_size;
using namespace std::string_literals;

/// Standard input replaced by a descriptor, for a while.
class StdinFrom {
  public:
    explicit StdinFrom(int fd) : saved_(::dup(STDIN_FILENO)) {
        REQUIRE(::dup2(fd, STDIN_FILENO) == STDIN_FILENO);
        ::close(fd);
    }
    StdinFrom(const StdinFrom&) = delete;
    StdinFrom& operator=(const StdinFrom&) = delete;
    ~StdinFrom() {
        if (saved_ >= 0) {
            ::dup2(saved_, STDIN_FILENO);
            ::close(saved_);
        } else {
            ::close(STDIN_FILENO);
        }
    }

  private:
    int saved_;
};

void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(fd, bytes.data(), bytes.size());
        if (count <= 0) {
            return;
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

/// Waits until everything written into a pipe has been read, or its reader has stopped.
void wait_until_read(int fd, const std::atomic<bool>& over) {
    for (int unread = 1; unread != 0 && !over; std::this_thread::yield()) {
        if (::ioctl(fd, FIONREAD, &unread) != 0) return;
    }
}

/// Waits until the thread with this status file sleeps, or has stopped reading.
void wait_until_asleep(const std::string& status, const std::atomic<bool>& over) {
    while (!over && std::filesystem::exists(status)) {
        std::ifstream file(status);
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with("State:") && line.find('S', 6) != line.npos) return;
        }
    }
}

std::atomic<unsigned> signals_handled{0};

}  // namespace

TEST_CASE("a plain file is delivered as it is, at every read size") {
    const std::string text = sample_text(100'000);
    for (const std::size_t read_size : Sizes{1, 2, 5, 6, 7, 4096, 99'999, 100'000, 262'144}) {
        CAPTURE(read_size);
        const Outcome outcome = drain_archive(text, read_size);
        CHECK_FALSE(outcome.failed);
        CHECK(same(outcome.text, text));
        CHECK(outcome.offset == text.size());
    }
}

TEST_CASE("short plain inputs are plain") {
    for (const std::string& text : {""s, "*"s, "("s, "B"s, "\x1f"s, "1-0"s, "[E"s, "[*"s, "BZhx\n"s,
                                    "[Event \"\0\"]"s, "\xef\xbb\xbf[Event"s, "P\x2aM"s}) {
        CAPTURE(text);
        const Outcome outcome = drain_archive(text, 1);
        CHECK_FALSE(outcome.failed);
        CHECK(outcome.text == text);
    }
}

TEST_CASE("every format is decoded, at every read size") {
    // More than one zstd block and bzip2 block, and more than one input buffer.
    const std::string text = sample_text(1'500'000);
    for (const Format& format : formats()) {
        const std::string archive = format.compress(text);
        REQUIRE(archive.size() > 300'000);
        for (const std::size_t read_size : Sizes{1, 3, 1000, 131'072, 262'144, 2'000'000}) {
            if (fendex::test::kSanitized && read_size < 1000) continue;  // others read so, too
            CAPTURE(format.name, read_size);
            const Outcome outcome = drain_archive(archive, read_size);
            CHECK_FALSE(outcome.failed);
            CHECK(same(outcome.text, text));
            CHECK(outcome.offset == archive.size());
            CHECK(outcome.warning.empty());
        }
    }
}

TEST_CASE("a read fills the whole buffer while there is more") {
    const std::string text = sample_text(1'000'000);
    for (const Format& format : formats()) {
        const TemporaryFile file(format.compress(text));
        const auto source = open_source(file.path());
        std::vector<char> buffer(262'144);
        CHECK(source->read(buffer) == buffer.size());
        CHECK(source->compressed_offset() > 0);
        CHECK(source->compressed_offset() < *source_size(file.path()));
    }
}

TEST_CASE("very compressible text is decoded", "[full]") {
    // The decoder holds back far more than an input buffer's worth, and zstd uses RLE blocks.
    const std::string text(fendex::test::at_size(5'000'000U, 20'000'000U), 'x');
    for (const Format& format : formats()) {
        const std::string archive = format.compress(text);
        for (const std::size_t read_size : Sizes{10'000, 262'144}) {
            CAPTURE(format.name, read_size);
            const Outcome outcome = drain_archive(archive, read_size);
            CHECK_FALSE(outcome.failed);
            CHECK(same(outcome.text, text));
        }
    }
}

TEST_CASE("incompressible bytes are decoded") {
    std::mt19937 random(1);
    std::string text(700'000, '\0');
    std::generate(text.begin(), text.end(), [&] { return static_cast<char>(random() & 0xff); });
    for (const Format& format : formats()) {
        CAPTURE(format.name);
        const Outcome outcome = drain_archive(format.compress(text), 262'144);
        CHECK_FALSE(outcome.failed);
        CHECK(same(outcome.text, text));
    }
}

TEST_CASE("concatenated frames, members and streams are read as one text") {
    const std::string one = sample_text(300'000);
    const std::string two = "two\n";
    for (const Format& format : formats()) {
        std::string archive;
        std::string text;
        for (const std::string& part : {two, one, ""s, one, ""s, two, two}) {
            archive += format.compress(part);
            text += part;
        }
        for (const std::size_t read_size : Sizes{1, 4096, 262'144}) {
            CAPTURE(format.name, read_size);
            const Outcome outcome = drain_archive(archive, read_size);
            CHECK_FALSE(outcome.failed);
            CHECK(same(outcome.text, text));
            CHECK(outcome.offset == archive.size());
        }
    }
}

TEST_CASE("compressed files without content are empty texts") {
    for (const Format& format : formats()) {
        CAPTURE(format.name);
        const std::string archive = format.compress("");
        const Outcome outcome = drain_archive(archive);
        CHECK_FALSE(outcome.failed);
        CHECK(outcome.text.empty());
        CHECK(outcome.offset == archive.size());
    }
}

TEST_CASE("zstd: skippable frames are skipped, wherever they are") {
    const std::string text = sample_text(10'000);
    const std::string frame = zstd_frame(text);
    for (const std::size_t size : Sizes{0, 1, 12, 1'000'000}) {
        const std::string skip = skippable_frame(size);
        CAPTURE(size);
        Outcome outcome = drain_archive(skip + frame + skip + skip + frame + skip);
        CHECK_FALSE(outcome.failed);
        CHECK(same(outcome.text, text + text));
        CHECK(outcome.offset == 2 * frame.size() + 4 * skip.size());

        outcome = drain_archive(skip);
        CHECK_FALSE(outcome.failed);
        CHECK(outcome.text.empty());
    }
}

TEST_CASE("zstd: frames with and without content size and checksum are decoded") {
    const std::string text = sample_text(400'000);
    for (const bool checksum : {false, true}) {
        for (const bool content_size : {false, true}) {
            const std::string frame =
                zstd_frame(text, {.checksum = checksum, .content_size = content_size});
            for (const std::size_t read_size : Sizes{1, 50'000, 1'000'000}) {
                CAPTURE(checksum, content_size, read_size);
                const Outcome outcome = drain_archive(frame + frame, read_size);
                CHECK_FALSE(outcome.failed);
                CHECK(same(outcome.text, text + text));
            }
        }
    }
}

TEST_CASE("the content decides what an input is, not its name") {
    const std::string text = sample_text(5000);
    std::vector<std::string> contents{text};
    for (const Format& format : formats()) {
        contents.push_back(format.compress(text));
    }
    for (const std::string& content : contents) {
        for (const char* suffix : {"", ".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2", ".txt"}) {
            CAPTURE(suffix);
            const TemporaryFile file(content, suffix);
            CHECK(same(drain(*open_source(file.path())).text, text));
        }
    }
}

TEST_CASE("archives of other kinds are refused by name") {
    const std::map<std::string, std::string> heads{
        {"xz", "\xfd\x37zXZ\x00rest"s},
        {"rar", "Rar!\x1a\x07rest"s},
        {"lz4", "\x04\x22\x4d\x18rest"s},
        {"compress", "\x1f\x9drest"s},
    };
    for (const auto& [name, head] : heads) {
        const TemporaryFile file(head);
        CHECK_THROWS_WITH(open_source(file.path()), Contains(file.path()) &&
                                                        Contains("is a " + name) &&
                                                        Contains("| fendex"));
    }
}

TEST_CASE("gzip and bzip2: padding is skipped, and garbage is skipped with a warning") {
    const std::string text = sample_text(1000);
    for (const Format& format : formats()) {
        if (format.name == "zstd") {
            continue;
        }
        CAPTURE(format.name);
        const std::string archive = format.compress(text);
        Outcome outcome = drain_archive(archive + std::string(600'000, '\0'));
        CHECK_FALSE(outcome.failed);
        CHECK(outcome.text == text);
        CHECK(outcome.warning.empty());

        for (const std::string& garbage : {"garbage"s, "\n"s, "\0\0 "s}) {
            outcome = drain_archive(archive + garbage);
            CHECK_FALSE(outcome.failed);
            CHECK(outcome.text == text);
            CHECK_THAT(outcome.warning, Contains("was ignored"));
        }
    }
}

TEST_CASE("zstd: bytes after a frame that are not a frame are an error") {
    const std::string text = sample_text(1000);
    const std::string archive = zstd_frame(text);
    for (const std::string& garbage : {"garbage"s, "\n"s, "\0\0\0\0\0\0\0\0\n"s}) {
        const Outcome outcome = drain_archive(archive + garbage);
        CHECK(outcome.failed);
        CHECK(outcome.text == text);
        CHECK(outcome.byte == archive.size());
        CHECK_THAT(outcome.message, Contains("no zstd frame begins there"));
    }
}

TEST_CASE("zstd: a window larger than allowed is refused, with the option that allows it") {
    const std::string text = sample_text(300'000);
    const std::string small = zstd_frame("first\n");
    for (const int log : {28, 29}) {
        const TemporaryFile file(small + zstd_frame(text, {.window_log = log}));
        Outcome outcome = drain(*open_source(file.path()));
        const std::string number = std::to_string(log);
        CAPTURE(outcome.message);
        CHECK(outcome.failed);
        CHECK(outcome.text == "first\n");
        CHECK(outcome.byte == small.size());
        CHECK_THAT(outcome.message,
                   Contains(file.path()) && Contains(log == 28 ? "256 MiB" : "512 MiB") &&
                       Contains("zstd --long=" + number) && Contains("--zstd-window " + number));

        outcome = drain(*open_source(file.path(), {.zstd_window_log = log}));
        CHECK_FALSE(outcome.failed);
        CHECK(same(outcome.text, "first\n" + text));
    }
    // A window of exactly the limit is allowed; a limit below the default works as well.
    const std::string window_27 = zstd_frame(text, {.window_log = 27});
    CHECK_FALSE(drain_archive(window_27).failed);
    const TemporaryFile file(window_27);
    CHECK(drain(*open_source(file.path(), {.zstd_window_log = 26})).failed);
}

TEST_CASE("zstd: the window is read from every kind of frame header") {
    const std::string magic = "\x28\xb5\x2f\xfd";
    const std::string rest(14, '\0');
    const auto message = [&](const std::string& header) {
        const Outcome outcome = drain_archive(magic + header + rest);
        CHECK(outcome.failed);
        CHECK(outcome.byte == 0);
        return outcome.message;
    };
    // Window descriptor: exponent 21 + 10, then mantissa.
    CHECK_THAT(message("\x00\xa8"s), Contains("2 GiB (zstd --long=31)"));
    CHECK_THAT(message("\x00\x8d"s), Contains("208 MiB (zstd --long=28)"));
    CHECK_THAT(message("\x00\xa9"s), Contains("2.3 GiB") && Contains("more than the zstd library"));
    CHECK_THAT(message("\x00\xff"s), Contains("3.8 TiB") && Contains("more than the zstd library"));
    // Single segment: the content size, after a dictionary id of 0 to 4 bytes, is the window.
    CHECK_THAT(message("\xa0\x00\x00\x00\x0c"s), Contains("192 MiB (zstd --long=28)"));
    CHECK_THAT(message("\xa1\x07\x00\x00\x00\x10"s), Contains("256 MiB (zstd --long=28)"));
    CHECK_THAT(message("\xe3\x01\x02\x03\x04\x00\x00\x00\x10\x00\x00\x00\x00"s),
               Contains("256 MiB (zstd --long=28)"));
    // One byte more than 128 MiB is too large, and not said to be 128 MiB.
    CHECK_THAT(message("\xa0\x01\x00\x00\x08"s), Contains("128.1 MiB (zstd --long=28)"));
}

TEST_CASE("zstd: a limit that the library cannot take is an invalid argument") {
    const TemporaryFile file(zstd_frame("text"));
    CHECK_THROWS_AS(open_source(file.path(), {.zstd_window_log = 9}), std::invalid_argument);
    CHECK_THROWS_AS(open_source(file.path(), {.zstd_window_log = 32}), std::invalid_argument);
    CHECK_NOTHROW(open_source(file.path(), {.zstd_window_log = 31}));
}

TEST_CASE("compressed bytes may come in pieces of any size") {
    const std::string text = sample_text(20'000);
    for (const Format& format : formats()) {
        const std::string archive = format.compress(text) + format.compress(text);
        for (const std::size_t piece_size : Sizes{1, 2, 3, 7, 100}) {
            CAPTURE(format.name, piece_size);
            std::vector<std::string> pieces;
            for (std::size_t at = 0; at < archive.size(); at += piece_size) {
                pieces.push_back(archive.substr(at, piece_size));
            }
            const auto source =
                make_source(format.name, std::make_unique<PieceSource>(pieces, false));
            const Outcome outcome = drain(*source);
            CHECK_FALSE(outcome.failed);
            CHECK(same(outcome.text, text + text));
            CHECK(outcome.offset == archive.size());
        }
    }
}

TEST_CASE("a file that cannot be opened or read gives a clear error") {
    CHECK_THROWS_AS(open_source("/nonexistent/games.pgn"), SourceError);
    CHECK_THROWS_WITH(open_source("/nonexistent/games.pgn"),
                      "/nonexistent/games.pgn: cannot be opened: No such file or directory");
    CHECK_THROWS_WITH(open_source("/tmp"), "/tmp: is a directory, not a file");
    if (std::filesystem::exists("/proc/self/mem")) {
        // Nothing is mapped at address 0, so reading there is an I/O error.
        const auto source = open_source("/proc/self/mem");
        const Outcome outcome = drain(*source);
        CHECK(outcome.failed);
        CHECK_THAT(outcome.message, Contains("/proc/self/mem: cannot be read at byte 0:"));
    }
}

TEST_CASE("a file that grows after its end was seen stays ended") {
    const TemporaryFile file("1. e4 *\n");
    const auto source = open_source(file.path());
    CHECK(drain(*source).text == "1. e4 *\n");
    std::ofstream(file.path(), std::ios::app) << "more";
    std::vector<char> buffer(100);
    CHECK(source->read(buffer) == 0);
}

TEST_CASE("source_size() is the size of a file on disk, if it has one") {
    const TemporaryFile file(std::string(12'345, 'x'));
    CHECK(source_size(file.path()) == 12'345U);
    CHECK(source_size("-") == std::nullopt);
    CHECK(source_size("/tmp") == std::nullopt);
    CHECK(source_size("/dev/null") == std::nullopt);
    CHECK(source_size("/nonexistent/games.pgn") == std::nullopt);
}

TEST_CASE("text_size() is what zstd frames say, else eight times the size of the compressed file") {
    const std::string text = sample_text(50'000);
    const std::string said = zstd_frame(text, {.content_size = true});
    const std::string unsaid = zstd_frame(text, {.content_size = false});
    const auto size_of = [](const std::string& content, std::uint64_t limit = 1 << 20) {
        const TemporaryFile file(content);
        return text_size(file.path(), limit);
    };
    CHECK(size_of(text) == 50'000U);
    CHECK(size_of("") == 0U);
    CHECK(size_of(said) == 50'000U);
    CHECK(size_of(skippable_frame(5) + said + said) == 100'000U);
    CHECK(size_of(said.substr(0, said.size() / 2)) == 50'000U);
    CHECK(size_of(said + said.substr(0, 3)) == 50'000U);
    CHECK(size_of(unsaid) == 8 * unsaid.size());
    CHECK(size_of(said + unsaid) == 8 * (said.size() + unsaid.size()));
    for (const std::string& archive : {gzip_member(text), bzip2_stream(text)}) {
        CHECK(size_of(archive) == 8 * archive.size());
    }
    // What is larger than the limit is not read.
    CHECK(size_of(said, 1000) > 1000U);
    CHECK(text_size("-", 1000) == std::nullopt);
    CHECK(text_size("/tmp", 1000) == std::nullopt);
    CHECK(text_size("/nonexistent/games.pgn", 1000) == std::nullopt);
}

TEST_CASE("stdin is read through a pipe, whatever the pieces that arrive") {
    const std::string text = sample_text(300'000);
    std::vector<std::string> inputs{text, ""};
    for (const Format& format : formats()) {
        inputs.push_back(format.compress(text));
    }
    for (const std::string& input : inputs) {
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        const StdinFrom replaced(ends[0]);
        std::atomic<bool> over{false};
        std::thread writer([&] {
            // The magic number arrives byte by byte.
            for (std::size_t i = 0; i < std::min<std::size_t>(8, input.size()); ++i) {
                write_all(ends[1], std::string_view(input).substr(i, 1));
                wait_until_read(ends[1], over);
            }
            write_all(ends[1],
                      std::string_view(input).substr(std::min<std::size_t>(8, input.size())));
            ::close(ends[1]);
        });
        const Outcome outcome = drain(*open_source("-"));
        over = true;
        writer.join();
        CHECK(::fcntl(STDIN_FILENO, F_GETFD) != -1);  // borrowed, so not closed
        CHECK_FALSE(outcome.failed);
        CHECK(same(outcome.text, input.empty() ? "" : text));
        CHECK(outcome.offset == input.size());
    }
}

TEST_CASE("error messages call standard input by its name") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const StdinFrom replaced(ends[0]);
    write_all(ends[1], zstd_frame(sample_text(1000)).substr(0, 100));
    ::close(ends[1]);
    const Outcome outcome = drain(*open_source("-"));
    CHECK_THAT(outcome.message, Catch::StartsWith("standard input: the zstd archive is cut off"));
}

TEST_CASE("a signal does not interrupt reading") {
    struct sigaction action {};
    struct sigaction before {};
    // Without SA_RESTART: read(2) returns EINTR.
    action.sa_handler = [](int) { ++signals_handled; };
    REQUIRE(::sigaction(SIGUSR1, &action, &before) == 0);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pthread_t reader = ::pthread_self();
    const std::string reader_status =
        "/proc/self/task/" + std::to_string(::syscall(SYS_gettid)) + "/status";
    std::string text;
    {
        const StdinFrom replaced(ends[0]);
        std::atomic<bool> over{false};
        std::thread writer([&] {
            for (const char* piece : {"[Event \"x\"]", "\n\n", "1. e4 *\n"}) {
                wait_until_read(ends[1], over);
                wait_until_asleep(reader_status, over);
                const unsigned signals = signals_handled;
                ::pthread_kill(reader, SIGUSR1);
                while (signals_handled == signals && !over) std::this_thread::yield();
                write_all(ends[1], piece);
            }
            ::close(ends[1]);
        });
        const Outcome outcome = drain(*open_source("-"));
        over = true;
        writer.join();
        CHECK_FALSE(outcome.failed);
        text = outcome.text;
    }
    ::sigaction(SIGUSR1, &before, nullptr);
    CHECK(text == "[Event \"x\"]\n\n1. e4 *\n");
    CHECK(signals_handled == 3);
}

TEST_CASE("descriptors are closed") {
    const auto open_descriptors = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    };
    if (!std::filesystem::exists("/proc/self/fd")) {
        fendex::test::skip("/proc is not here");
        return;
    }
    const TemporaryFile file(zstd_frame("text"));
    const auto before = open_descriptors();
    {
        const auto source = open_source(file.path());
        CHECK(open_descriptors() == before + 1);
    }
    CHECK_THROWS(open_source("/tmp"));
    CHECK(open_descriptors() == before);
}
