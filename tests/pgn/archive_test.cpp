// .zip and .7z archives: which of their files are read, and under which names; what is refused; and
// what is said of damage.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <vector>

#include "pgn/hole.hpp"
#include "pgn/inputs.hpp"
#include "pgn/member_path.hpp"
#include "pgn/member_source.hpp"
#include "pgn/source_fixtures.hpp"
#include "pgn/zip_fixtures.hpp"
#include "support/fifo.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex::pgn;
using namespace fendex::pgn::test;
using Catch::Matchers::Contains;
using fendex::test::read_file;
using fendex::test::TemporaryDirectory;
using namespace std::string_literals;

using Names = std::vector<std::string>;

const std::string kArchives = FENDEX_TEST_DATA "/archives";
const std::string kFirst = "[Event \"one\"]\n\n1. e4 e5 1-0\n";
const std::string kSecond = "[Event \"two\"]\n\n1. d4 d5 0-1\n";

/// Returns the inputs in an archive, without its path and the slash.
Names names_in(const std::string& path) {
    Names names;
    for (const std::string& input : expand_inputs({path})) {
        names.push_back(input == path ? "(itself)" : input.substr(path.size() + 1));
    }
    return names;
}

/// An archive in a directory of its own.
class Archive {
  public:
    explicit Archive(const std::vector<ZipFile>& files) : Archive(zip_archive(files)) {}
    explicit Archive(const std::string& bytes) : path_(directory_.write("games.zip", bytes)) {}

    const std::string& path() const { return path_; }
    Names names() const { return names_in(path_); }
    /// Returns the error of reading a file in it, or the archive itself; empty if there is none.
    std::string error(const std::string& name = "") const {
        try {
            return drain(*open_source(path_ + (name.empty() ? "" : "/" + name))).message;
        } catch (const SourceError& error) {
            return error.what();
        }
    }
    std::string text(const std::string& name) const {
        const Outcome outcome = drain(*open_source(path_ + "/" + name));
        CHECK_FALSE(outcome.failed);
        return outcome.text;
    }

  private:
    TemporaryDirectory directory_;
    std::string path_;
};

}  // namespace

TEST_CASE("An archive is expanded to the PGN files in it, in the order of the archive") {
    CHECK(names_in(kArchives + "/games.zip") == Names{"second.pgn", "first.pgn", "more/Börse.pgn"});
    CHECK(names_in(kArchives + "/games.7z") == Names{"first.pgn", "more/Börse.pgn", "second.pgn"});
    for (const std::string& kind : {"/games.zip"s, "/games.7z"s}) {
        SourceOptions options;
        options.open_archive = std::make_shared<OpenArchive>();
        std::map<std::string, std::string> texts;
        for (const std::string& input : expand_inputs({kArchives + kind})) {
            const std::string name = input.substr(kArchives.size() + kind.size() + 1);
            const Outcome outcome = drain(*open_source(input));
            CHECK_FALSE(outcome.failed);
            CHECK(outcome.offset <= *source_size(input));
            texts[name] = outcome.text;
            // The same if the archive stays open.
            CHECK(drain(*open_source(input, options)).text == outcome.text);
        }
        CHECK_THAT(texts["first.pgn"], Contains("\"first 2\""));
        CHECK_THAT(texts["second.pgn"], Contains("\"second 3\""));
        CHECK_THAT(texts["more/Börse.pgn"], Contains("\"third 1\""));
    }
}

TEST_CASE("A named archive is recognised by its content, archives in a directory by their names") {
    const TemporaryDirectory directory;
    const std::string bytes = zip_archive({{"a.pgn", kFirst}});
    const std::string unnamed = directory.write("backup", bytes);
    CHECK(expand_inputs({unnamed}) == Names{unnamed + "/a.pgn"});
    const std::string zip = directory.write("b.ZIP", bytes);
    const std::string plain = directory.write("c.zip", kFirst);
    const std::string seven = directory.write("d.7z", read_file(kArchives + "/games.7z"));
    const Names inputs = expand_inputs({directory.path()});
    CHECK(inputs == Names{zip + "/a.pgn", plain, seven + "/first.pgn", seven + "/more/Börse.pgn",
                          seven + "/second.pgn"});
    CHECK(drain(*open_source(plain)).text == kFirst);
    CHECK(source_size(seven + "/first.pgn") == source_size(seven));
}

TEST_CASE("A single file of an archive can be an input, and a missing one is an error") {
    const Archive archive({{"a.pgn", kFirst}, {"notes.txt", kSecond}});
    CHECK(expand_inputs({archive.path() + "/notes.txt"}) == Names{archive.path() + "/notes.txt"});
    CHECK(archive.text("notes.txt") == kSecond);
    CHECK_THAT(archive.error("b.pgn"), Contains("b.pgn: is not in the archive " + archive.path()));
    const TemporaryDirectory directory;
    const std::string plain = directory.write("a.pgn", kFirst);
    CHECK_THROWS_WITH(expand_inputs({plain + "/b.pgn"}), Contains("Not a directory"));
    CHECK_THROWS_WITH(open_source(plain + "/b.pgn"), Contains("is not a .zip or .7z archive"));
    CHECK_FALSE(split_member(plain));
    CHECK_FALSE(split_member(directory.path() + "/none/b.pgn"));
}

TEST_CASE("Files that are not named like PGN are left out, and counted") {
    const Archive archive({{"readme.txt", "hello"},
                           {"__MACOSX/._a.pgn", "x"},
                           {"a.pgn", kFirst},
                           {"pictures/", "", true},
                           {"b.PGN.GZ", gzip_member(kSecond)},
                           {"c.doc", "?"}});
    std::vector<std::string> notices;
    CHECK(expand_inputs({archive.path()}, &notices).size() == 2);
    CHECK(notices == Names{archive.path() +
                           ": 2 files in it are not named .pgn and were left out (readme.txt, "
                           "c.doc)"});
    CHECK(archive.names() == Names{"a.pgn", "b.PGN.GZ"});
    CHECK(archive.text("a.pgn") == kFirst);
    CHECK(archive.text("b.PGN.GZ") == kSecond);
}

TEST_CASE("The only file of an archive is read, whatever its name") {
    CHECK(Archive({{"games", kFirst}, {"__MACOSX/._games", "x"}}).names() == Names{"games"});
    const Archive two({{"a.txt", kFirst}, {"b.txt", kSecond}});
    CHECK(two.names() == Names{"(itself)"});
    CHECK_THAT(two.error(), Contains("none of its 2 files is named .pgn (a.txt, b.txt)") &&
                                Contains("name the one to read: " + two.path() + "/a.txt"));
    CHECK_THAT(Archive(std::vector<ZipFile>{}).error(), Contains("is an archive without files"));
}

TEST_CASE("An archive inside an archive is refused") {
    const std::string inner = zip_archive({{"a.pgn", kFirst}});
    for (const std::string& name : {"inner.zip"s, "inner.7z"s}) {
        const Archive archive({{"b.pgn", kSecond}, {name, inner}});
        CHECK(archive.names() == Names{"b.pgn", "(itself)"});
        CHECK_THAT(archive.error(), Contains("holds 1 archive") && Contains(name) &&
                                        Contains("inside an archive is not read") &&
                                        Contains("unpack it first"));
        CHECK(archive.text("b.pgn") == kSecond);
    }
    // Whatever its name is.
    const Archive archive({{"a.pgn", inner}});
    CHECK_THAT(archive.error("a.pgn"), Contains("is a zip archive inside an archive") &&
                                           Contains("unpack " + archive.path() + " first"));
}

TEST_CASE("An encrypted archive is refused with advice") {
    for (const std::string& name : {"encrypted.zip"s, "encrypted.7z"s}) {
        const Names inputs = expand_inputs({kArchives + "/" + name});
        REQUIRE(inputs == Names{kArchives + "/" + name + "/first.pgn"});
        CHECK_THROWS_WITH(open_source(inputs[0]),
                          Contains(inputs[0] + ": is encrypted; unpack " + kArchives));
    }
    const std::string names = kArchives + "/encrypted-names.7z";
    CHECK(names_in(names) == Names{"(itself)"});
    CHECK_THROWS_WITH(open_source(names), names + ": is encrypted; unpack it first");
}

TEST_CASE("An archive on standard input is refused with advice") {
    const TemporaryDirectory directory;
    for (const std::string& name : {"games.zip"s, "games.7z"s}) {
        const fendex::test::Fifo stream(directory / name, read_file(kArchives + "/" + name));
        CHECK(expand_inputs({stream.path()}) == Names{stream.path()});
        CHECK_THROWS_WITH(open_source(stream.path()), Contains("read from a file only; save it") &&
                                                          Contains("FILE | fendex import DB -"));
    }
}

TEST_CASE("Names in an archive are names only: they lead nowhere, and each file has its own") {
    const std::string many = "a.pgn\n\x1b[31m.pgn";
    const Archive archive({{"../../a.pgn", "*1"},
                           {"/etc/a.pgn", "*2"},
                           {"a.pgn", "*3"},
                           {"a.pgn", "*4"},
                           {"a.pgn (2)", "*5"},
                           {"a.pgn", "*6"},
                           {"\x81\xff.pgn", "*7"},
                           {many, "*8"},
                           {"a//./b.pgn", "*9"}});
    const Names names = archive.names();
    std::string texts;
    for (const std::string& name : names) texts += archive.text(name);
    CHECK(names == Names{"../../a.pgn", "/etc/a.pgn", "a.pgn", "a.pgn (2)", "a.pgn (3)",
                         "\x81\xff.pgn", many, "a//./b.pgn"});
    CHECK(texts == "*1*2*3*4*6*7*8*9");
}

TEST_CASE("Too many files, or a name that is too long, is refused") {
    const Archive archive({{"a.pgn", kFirst}, {std::string(1025, 'b') + ".pgn", kSecond}});
    CHECK(archive.names() == Names{"a.pgn", "(itself)"});
    CHECK_THAT(archive.error(), Contains("more than 1024 bytes") && Contains("unpack it first"));
    CHECK(archive.text("a.pgn") == kFirst);
}

TEST_CASE("An archive that is cut off delivers what it holds, then an error") {
    const std::string text = sample_text(3000);
    const std::string bytes =
        zip_archive({{"a.pgn", text}, {"b.pgn", text}, {"c.pgn", text, true}});
    for (std::size_t size = 4; size < bytes.size(); size += 97) {
        if (fendex::test::left_out(size / 97)) continue;
        CAPTURE(size);
        const Archive archive(bytes.substr(0, size));
        const Names names = archive.names();
        const bool complete = names == Names{"a.pgn", "b.pgn", "c.pgn"};  // only the list is cut
        REQUIRE((complete || names.back() == "(itself)"));
        const std::string error = archive.error();
        CHECK((complete || error.find("damaged zip") != error.npos ||
               error.find("cut off") != error.npos));
        const std::size_t files = names.size() - (complete ? 0 : 1);
        for (std::size_t i = 0; i < files; ++i) {
            const Outcome outcome = drain(*open_source(archive.path() + "/" + names[i]));
            CHECK(text.starts_with(outcome.text));
            if (complete || i + 1 < files) CHECK(outcome.text == text);
            if (outcome.failed) CHECK_THAT(outcome.message, Contains("fetch"));
            CHECK((outcome.failed || outcome.text == text));
        }
    }
    const Archive archive(bytes.substr(0, bytes.size() / 3 + 100));
    CHECK_THAT(archive.error("b.pgn"), Contains("cut off"));
}

TEST_CASE("Damage anywhere in an archive gives an error or the right text") {
    const std::string text = sample_text(1500);
    const std::string zip = zip_archive({{"a.pgn", text}, {"b.pgn", text, true}});
    const std::string seven = read_file(kArchives + "/games.7z");
    std::set<std::string> right{text};
    for (const std::string& input : expand_inputs({kArchives + "/games.7z"})) {
        right.insert(drain(*open_source(input)).text);
    }
    for (const std::string& bytes : {zip, seven}) {
        for (std::size_t at = 0; at < bytes.size(); at += 7) {
            if (fendex::test::left_out(at / 7)) continue;
            CAPTURE(at, bytes.size());
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
            const TemporaryFile file(damaged, ".zip");
            for (const std::string& input : expand_inputs({file.path()})) {
                if (input == file.path()) continue;
                try {
                    const Outcome outcome = drain(*open_source(input));
                    CHECK((outcome.failed || right.count(outcome.text) != 0));
                    CHECK(outcome.byte <= damaged.size());
                } catch (const SourceError& error) {
                    CHECK(error.byte() <= damaged.size());
                }
            }
        }
    }
}

TEST_CASE("A wrong checksum is noticed at the end of its file, and other files stay readable") {
    const std::string text = sample_text(200'000);
    std::string bytes = zip_archive({{"a.pgn", text, true}, {"b.pgn", text}});
    bytes[100'000] = static_cast<char>(bytes[100'000] ^ 1);
    const Archive archive(bytes);
    const auto source = open_source(archive.path() + "/a.pgn");
    std::vector<char> buffer(text.size());
    std::size_t size = source->read(buffer);
    REQUIRE(size > 0);
    CHECK(source->unchecked_from() == 0U);
    try {
        while (const std::size_t count = source->read(buffer)) size += count;
        FAIL("no error");
    } catch (const SourceError& error) {
        CHECK(size == text.size());
        CHECK(error.wrong_from() == 0U);
        CHECK_THAT(error.what(), Contains("a.pgn: damaged zip data near byte") && Contains("CRC") &&
                                     Contains("'unzip -t'") && Contains("fetch it again"));
    }
    SourceOptions options;
    options.open_archive = std::make_shared<OpenArchive>();
    CHECK(drain(*open_source(archive.path() + "/a.pgn", options)).failed);
    const auto other = open_source(archive.path() + "/b.pgn", options);
    CHECK(same(drain(*other).text, text));
    CHECK(other->unchecked_from() == std::nullopt);
}

TEST_CASE("Text that is compressed twice counts as checked after the archive's checksum is") {
    const std::string text = sample_text(200'000);
    std::string bytes = zip_archive({{"a.pgn.gz", gzip_member(text) + gzip_member(text), true}});
    const auto source_of = [](const Archive& archive) {
        return open_source(archive.path() + "/a.pgn.gz");
    };
    const Archive whole(bytes);
    const auto source = source_of(whole);
    std::vector<char> buffer(text.size() + 1000);
    while (source->read(buffer) != 0) {
    }
    CHECK(source->unchecked_from() == std::nullopt);
    // In the second member, after the first has been checked by itself.
    bytes[bytes.size() - 300] = static_cast<char>(bytes[bytes.size() - 300] ^ 1);
    const Archive damaged(bytes);
    try {
        const auto wrong = source_of(damaged);
        while (wrong->read(buffer) != 0) CHECK(wrong->unchecked_from() == 0U);
        FAIL("no error");
    } catch (const SourceError& error) {
        CHECK(error.wrong_from() == 0U);
    }
}

TEST_CASE("A .zip file with zeros at its end is read as if it ended before them") {
    const std::string text = sample_text(60'000);
    const std::string bytes = zip_archive({{"a.pgn", text}, {"b.pgn", text, true}});
    const auto padded = [&](std::size_t size) { return bytes + std::string(size, '\0'); };
    for (const std::size_t size : {std::size_t{0}, kMinHole - 30, std::size_t{200'000}}) {
        const Archive archive(padded(size));
        CHECK(archive.names() == Names{"a.pgn", "b.pgn"});
        CHECK(same(archive.text("a.pgn"), text));
        CHECK(same(archive.text("b.pgn"), text));
    }
    for (std::size_t cut = 100; cut < bytes.size(); cut += bytes.size() / 25) {
        CAPTURE(cut);
        const std::size_t end = bytes.find_last_not_of('\0', cut - 1) + 1;
        const Archive expected(bytes.substr(0, end));
        const Archive archive(bytes.substr(0, end) + std::string(bytes.size(), '\0'));
        REQUIRE(archive.names() == expected.names());
        CHECK_THAT(archive.error(), Contains("cut off at byte " + std::to_string(end) +
                                             ", where only zeros follow"));
        for (const std::string& name : archive.names()) {
            if (name == "(itself)") continue;
            const Outcome outcome = drain(*open_source(archive.path() + "/" + name));
            CHECK(text.starts_with(outcome.text));
            CHECK(same(outcome.text, drain(*open_source(expected.path() + "/" + name)).text));
        }
    }
}

TEST_CASE("A run of zeros in a .zip file that is cut off shows that text is wrong") {
    const std::string text = sample_text(300'000);
    const std::string bytes = zip_archive({{"a.pgn", text}});
    for (std::size_t at = 4096; at + 4000 < bytes.size(); at += 4096) {
        CAPTURE(at);
        std::string damaged = bytes;
        damaged.replace(at, kMinHole, kMinHole, '\0');
        damaged.resize(at + 1400);
        const Archive archive(damaged);
        const auto source = open_source(archive.path() + "/a.pgn");
        std::vector<char> buffer(100'000);
        std::size_t size = 0;
        try {
            while (const std::size_t count = source->read(buffer)) size += count;
            FAIL_CHECK("no error");
        } catch (const SourceError& error) {
            CHECK(error.wrong_from() == (size == 0 ? std::nullopt : std::optional(0U)));
        }
    }
}

TEST_CASE("text_size() of a file in an archive is the size that the archive says") {
    const std::string text = sample_text(100'000);
    const Archive archive({{"a.pgn", text},
                           {"b.pgn.gz", gzip_member(text), true},
                           {"c.pgn.zst", zstd_frame(text, {.content_size = true}), true},
                           {"d.pgn", std::string(1 << 20, ' '), false, 9999}});
    SourceOptions options;
    options.open_archive = std::make_shared<OpenArchive>();
    const auto size = [&](const std::string& name) {
        return text_size(archive.path() + "/" + name, 1 << 20, options);
    };
    CHECK(size("a.pgn") == text.size());
    CHECK(size("b.pgn.gz") == 8 * gzip_member(text).size());
    CHECK(size("c.pgn.zst") == text.size());
    CHECK(size("d.pgn") == std::uint64_t{10'000} << 20);
    CHECK(text_size(kArchives + "/games.7z/first.pgn", 1 << 20) ==
          drain(*open_source(kArchives + "/games.7z/first.pgn")).text.size());
}

TEST_CASE("A decompression bomb is read in pieces") {
    const std::string bytes = zip_archive({{"bomb.pgn", std::string(5'000'000, ' ')}});
    CHECK(bytes.size() < 6'000);
    const Archive archive(bytes);
    const auto source = open_source(archive.path() + "/bomb.pgn");
    std::vector<char> buffer(1 << 20);
    std::size_t size = 0;
    while (const std::size_t count = source->read(buffer)) size += count;
    CHECK(size == 5'000'000);
}
