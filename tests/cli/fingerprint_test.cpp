// The fingerprint over every (game, ply, key) does not depend on how the games were imported.
#include <bzlib.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>

#include "cli/fixture.hpp"
#include "support/corpus.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;

/// Returns the members of `info` that must not depend on how the games were imported.
std::string identity(const std::string& database) {
    const Outcome outcome = run({"info", database, "--format", "json"});
    REQUIRE(outcome.status == 0);
    const Json info = Json::parse(outcome.out);
    return info["games"].dump() + " games, " + info["plies"].dump() + " plies, " +
           info["positions"].dump() + " positions, " + info["errors"].dump() + " errors, " +
           info["fingerprint"].dump();
}

std::string import_all(const std::string& database, const Words& words,
                       const std::string& input = {}) {
    Words all{"import", database};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome import = run(all, input);
    INFO(import.err);
    REQUIRE(import.status == 0);
    REQUIRE(import.out.empty());
    std::string found = identity(database);
    std::filesystem::remove(database);
    return found;
}

/// Cuts a text into parts at any byte; an archive made of several compressed parts is read as one.
Words parts(const std::string& text, std::size_t count) {
    Words found;
    const std::size_t size = text.size() / count + 1;
    for (std::size_t at = 0; at < text.size(); at += size) found.push_back(text.substr(at, size));
    return found;
}

std::string zstd(const std::string& text) {
    std::string out;
    for (const std::string& part : parts(text, 3)) {
        std::string frame(ZSTD_compressBound(part.size()), '\0');
        frame.resize(ZSTD_compress(frame.data(), frame.size(), part.data(), part.size(), 3));
        out += frame;
    }
    return out;
}

std::string gzip(const std::string& text, const TemporaryDirectory& directory) {
    const std::string path = directory / "gz";
    for (const std::string& part : parts(text, 3)) {
        gzFile file = ::gzopen(path.c_str(), "ab");
        ::gzwrite(file, part.data(), static_cast<unsigned>(part.size()));
        ::gzclose(file);
    }
    return read_file(path);
}

std::string bzip2(const std::string& text) {
    std::string out;
    for (std::string part : parts(text, 3)) {
        std::string stream(part.size() + part.size() / 50 + 1000, '\0');
        auto size = static_cast<unsigned>(stream.size());
        REQUIRE(::BZ2_bzBuffToBuffCompress(stream.data(), &size, part.data(),
                                           static_cast<unsigned>(part.size()), 9, 0, 0) == BZ_OK);
        stream.resize(size);
        out += stream;
    }
    return out;
}

std::string all_samples() { return run({"games", samples_database(), "--format", "pgn"}).out; }

/// Cuts a text between games into so many parts.
Words parts_between_games(const std::string& text, std::size_t count) {
    Words found;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= count; ++i) {
        std::size_t end = text.find("\n[Event ", text.size() * i / count - (i == count ? 1 : 0));
        end = end == std::string::npos ? text.size() : end + 1;
        found.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return found;
}

}  // namespace

TEST_CASE("The fingerprint does not depend on compression, threads, memory or appending",
          "[full]") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string text = all_samples();
    const std::string plain = directory.write("all.pgn", text);
    const std::string expected = import_all(db, {plain});
    CHECK_THAT(expected,
               Catch::Matchers::StartsWith("113 games, 8908 plies, 9021 positions, 0 errors"));
    CHECK(identity(samples_database()) == expected);

    const Words inputs{plain, directory.write("all.pgn.zst", zstd(text)),
                       directory.write("all.pgn.gz", gzip(text, directory)),
                       directory.write("all.pgn.bz2", bzip2(text)), "-"};
    unsigned combination = 0;
    for (const std::string& input : inputs) {
        for (const char* const threads : {"1", "2", "8"}) {
            for (const char* const memory : {"64M", "2G"}) {
                // At small size one of every input, with each number of threads and each memory.
                if (!full_size() && combination++ % 7 != 0) continue;
                CAPTURE(input, threads, memory);
                CHECK(import_all(db, {input, "--threads", threads, "--memory", memory}, text) ==
                      expected);
            }
        }
    }
    // The first import has ply rows.
    const Words choices = full_size() ? Words{"yes", "no"} : Words{"no"};
    for (const std::string& rows : choices) {
        CHECK(import_all(db, {plain, "--ply-rows", rows}) == expected);
    }

    // Some imports, each with its segment.
    const std::size_t count = at_size(3U, 10U);
    unsigned number = 0;
    for (const std::string& part : parts_between_games(text, count)) {
        const std::string file = directory.write("part" + std::to_string(number++) + ".pgn", part);
        REQUIRE(run({"import", db, file}).status == 0);
    }
    CHECK(number == count);
    CHECK(identity(db) == expected);
    const auto json = [&](const std::string& database) {
        return run({"find", database, kStart, "--format", "json"}).out;
    };
    CHECK(json(db) == json(samples_database()));
    const Words counts{"--fens", kSamples + "/positions.fen", "--count"};
    for (const Words& more : {counts, Words{kStart, "--count", "--verify"}}) {
        Words one{"find", samples_database()};
        Words ten{"find", db};
        one.insert(one.end(), more.begin(), more.end());
        ten.insert(ten.end(), more.begin(), more.end());
        CHECK(run(ten).out == run(one).out);
    }
}

TEST_CASE("The fingerprint differs if one ply differs") {
    // The fingerprint changes with the last move and the order of games.
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string text = small_game(1, "1. e4 *") + small_game(2, "1. d4 *");
    const std::string one = import_all(db, {"-"}, text);
    CHECK(import_all(db, {"-"}, text) == one);
    CHECK(import_all(db, {"-"}, small_game(2, "1. d4 *") + small_game(1, "1. e4 *")) != one);
    CHECK(import_all(db, {"-"}, small_game(1, "1. e4 *") + small_game(2, "1. d3 *")) != one);
}

TEST_CASE("The archive of record has its known fingerprint, with little memory and with much",
          "[.corpus]") {
    if (skip_when_sanitized()) return;
    const std::string archive = whole_corpus() + "/human.pgn.zst";
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string expected = import_all(db, {archive, "--ply-rows", "no", "--memory", "2G"});
    CHECK_THAT(expected, Catch::Matchers::StartsWith(
                             "148464 games, 12554727 plies, 12703191 positions, 1 errors"));
    for (const char* const threads : {"1", "8"}) {
        CHECK(import_all(db, {archive, "--ply-rows", "no", "--memory", "64M", "--threads",
                              threads}) == expected);
    }
}
