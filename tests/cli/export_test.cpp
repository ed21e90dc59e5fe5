// fendex export: compares every format with a golden file, which other programs read back, and
// selections with the verbs that list the same; also output files, and errors.
#include <filesystem>

#include "cli/fixture.hpp"
#include "support/pgn_extract.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kData = std::string(FENDEX_TEST_DATA) + "/export/";

/// Returns a database of the games of tests/data/export, imported once.
const std::string& small_database() {
    static const TemporaryDirectory directory;
    static const std::string path = [] {
        std::string database = directory / "small.db";
        REQUIRE(run({"import", database, kData + "games.pgn"}).status == 0);
        return database;
    }();
    return path;
}

Outcome export_small(const Words& options) {
    Words words{"export", small_database()};
    words.insert(words.end(), options.begin(), options.end());
    Outcome outcome = run(words);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome;
}

/// Checks that the export equals the golden file; returns its path.
std::string check_golden(const std::string& name, const Words& options) {
    CAPTURE(name);
    std::string path = kData + name;
    CHECK((export_small(options).out == read_file(path)));
    return path;
}

bool have(const std::string& program) {
    if (!find_program(program).empty()) return true;
    WARN(program << " is not installed: not tested");
    return false;
}

std::string output_of(const Words& words) {
    const Outcome outcome = run_process(words);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome.out;
}

/// Reads CSV files with Python's csv module: for each file an array of its rows, which are objects
/// of texts.
std::vector<Json> python_rows(const Words& paths) {
    Words words{"python3", "-c",
                "import csv, json, sys\n"
                "for path in sys.argv[1:]:\n"
                "    with open(path, newline='', encoding='utf-8') as file:\n"
                "        print(json.dumps(list(csv.DictReader(file))))"};
    words.insert(words.end(), paths.begin(), paths.end());
    std::vector<Json> files;
    for (const std::string& line : lines_of(output_of(words))) files.push_back(Json::parse(line));
    return files;
}

/// Returns the text of a value in CSV.
std::string text_of(const Json& value) {
    if (value.is_null()) return "";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Checks that CSV and JSON have the same rows and columns.
void check_same_rows(const std::vector<Json>& csv, const std::vector<Json>& json) {
    REQUIRE(csv.size() == json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        CHECK(members(csv[i]) == members(json[i]));
        for (const auto& [name, value] : json[i].items()) {
            CAPTURE(i, name);
            CHECK(text_of(csv[i][name]) == text_of(value));
        }
    }
}

}  // namespace

TEST_CASE("export: PGN is read back by pgn-extract") {
    const std::string path = check_golden("exported.pgn", {});
    CHECK((export_small({"--format", "pgn", "--threads", "3"}).out == read_file(path)));
    if (!have_pgn_extract()) return;
    const Outcome read = run_process({"pgn-extract", "-r", path});
    CHECK(read.status == 0);
    CHECK_THAT(read.err, Contains("4 games"));
    const std::vector<ExtractedGame> games = extract_fens(path);
    REQUIRE(games.size() == 4);
    CHECK(games[0].fens.back() ==
          "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4");
    CHECK(games[2].fens.size() == 4);
}

TEST_CASE("export: JSON lines are read back by jq") {
    const std::string games = check_golden("games.jsonl", {"--format", "json"});
    const std::string plies = check_golden("plies.jsonl", {"--format", "json", "--rows", "plies"});
    const std::string positions =
        check_golden("positions.jsonl", {"--format", "json", "--rows", "positions"});
    if (!have("jq")) return;
    CHECK(output_of({"jq", "-r", ".event", games}) ==
          "A \"rapid\" event, final\nnull\nEndgame\nChess960\n");
    CHECK(output_of({"jq", "-s", "map(.plies) | add", games}) == "27\n");
    CHECK(output_of({"jq", "-s", "length", plies}) == "31\n");
    CHECK(output_of({"jq", "-c", "select(.occurrence > 1) | [.game_id, .ply, .occurrence]",
                     plies}) == "[2,12,2]\n");
    CHECK(output_of({"jq", "-s", "map(.occurrences) | add", positions}) == "31\n");
    CHECK(output_of({"jq", "-s", "-c", "max_by(.games) | [.games, .white, .draws, .black]",
                     positions}) == "[2,1,1,0]\n");
}

/// Removes the apostrophe that keeps spreadsheets from taking a text for a formula.
std::vector<Json> as_typed(std::vector<Json> rows) {
    for (Json& row : rows) {
        for (auto& [name, value] : row.items()) {
            if (!value.is_string()) continue;
            const std::string text = value;
            if (text.starts_with("'=")) value = text.substr(1);
        }
    }
    return rows;
}

TEST_CASE("export: CSV is read back by Python's csv and by sqlite3") {
    const Words all_rows{"games", "plies", "positions"};
    Words paths;
    std::vector<std::vector<Json>> json;
    for (const std::string& rows : all_rows) {
        paths.push_back(check_golden(rows + ".csv", {"--format", "csv", "--rows", rows}));
        json.push_back(json_lines(read_file(kData + rows + ".jsonl")));
    }
    if (have("python3")) {
        const std::vector<Json> files = python_rows(paths);
        REQUIRE(files.size() == paths.size());
        for (std::size_t i = 0; i < files.size(); ++i) {
            check_same_rows(as_typed({files[i].begin(), files[i].end()}), json[i]);
        }
    }
    if (!have("sqlite3")) return;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const Json rows = Json::parse(
            output_of({"sqlite3", "-json", ":memory:", ".import --csv '" + paths[i] + "' read",
                       "SELECT * FROM read"}));
        check_same_rows(as_typed({rows.begin(), rows.end()}), json[i]);
    }
}

/// Checks that the search finds each position as often as the export has counted.
void check_found(const std::string& path, const std::vector<Json>& positions) {
    const std::vector<Json> counts = json_lines(
        run({"find", small_database(), "--fens", path, "--count", "--format", "json"}).out);
    REQUIRE(counts.size() == positions.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        CHECK(counts[i]["games"] == positions[i]["games"]);
        CHECK(counts[i]["occurrences"] == positions[i]["occurrences"]);
    }
}

TEST_CASE("export: EPD is read back by Python and by fendex") {
    const std::string path = check_golden("positions.epd", {"--format", "epd"});
    const std::vector<Json> positions = json_lines(read_file(kData + "positions.jsonl"));
    check_found(path, positions);
    if (!have("python3")) return;
    // A record is four fields, then operations that end with semicolons.
    const std::vector<Json> records = json_lines(output_of(
        {"python3", "-c",
         "import json, re, sys\n"
         "for line in open(sys.argv[1]):\n"
         "    m = re.fullmatch(r'(.*) c0 \"games (\\d+), occurrences (\\d+)\";\\n', line)\n"
         "    print(json.dumps({'epd': m[1], 'games': int(m[2]), 'occurrences': int(m[3])}))",
         path}));
    REQUIRE(records.size() == positions.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        for (const auto& [name, value] : records[i].items()) CHECK(positions[i][name] == value);
    }
}

TEST_CASE("export: FEN is six fields a line, which every reader of FEN takes") {
    const std::string path = check_golden("positions.fen", {"--format", "fen"});
    const std::vector<Json> positions = json_lines(read_file(kData + "positions.jsonl"));
    check_found(path, positions);
    const std::vector<std::string> lines = lines_of(read_file(path));
    REQUIRE(lines.size() == positions.size());
    for (std::size_t i = 0; i < lines.size(); ++i) CHECK(positions[i]["fen"] == lines[i]);
    if (!have_pgn_extract()) return;
    // Each becomes the start of a game that pgn-extract reads and writes.
    std::string games;
    for (const std::string& fen : lines) {
        games += "[SetUp \"1\"]\n[FEN \"" + fen + "\"]\n[Result \"*\"]\n\n*\n\n";
    }
    const TemporaryDirectory directory;
    const Outcome read = run_process({"pgn-extract", "-s", directory.write("a.pgn", games)});
    CHECK(read.status == 0);
    CHECK_THAT(read.err, !Contains("Illegal FEN"));
}

TEST_CASE("export: a Polyglot book is read back by polyglot") {
    const std::string path = check_golden("book.bin", {"--format", "polyglot"});
    CHECK(export_small({"--format", "polyglot", "--min-games", "2"}).out.empty());
    CHECK(export_small({"--format", "polyglot", "--max-ply", "1"}).out.size() == 2 * 16);
    if (!have("polyglot")) return;
    const TemporaryDirectory directory;
    const ProcessOptions there{.directory = directory.path()};
    for (const std::string color : {"white", "black"}) {
        const Outcome dump = run_process(
            {"polyglot", "dump-book", "-bin", path, "-color", color, "-out", "lines.txt"}, there);
        REQUIRE(dump.status == 0);
        const std::string lines = read_file(directory / "lines.txt");
        CHECK_THAT(lines, Contains("Nf3") && Contains("O-O"));
        // Black lost the first game: none of its moves there are in the book.
        const bool mate = lines.find("Qxf7#") != std::string::npos;
        CHECK(mate == (color == "white"));
    }
}

TEST_CASE("export: rows are those of the verbs that list them") {
    const std::string& db = samples_database();
    CHECK((run({"export", db}).out == run({"games", db, "--format", "pgn"}).out));
    CHECK((run({"export", db, "--format", "json"}).out ==
           run({"games", db, "--format", "json"}).out));
    CHECK(
        (run({"export", db, "--format", "csv"}).out == run({"games", db, "--format", "csv"}).out));
    std::vector<Json> shown;
    for (const char* const game : {"1", "2", "3"}) {
        for (Json& row : json_lines(run({"show", db, game, "--plies", "--format", "json"}).out)) {
            for (const char* const more : {"eval", "mate", "depth"}) CHECK(row.erase(more) == 1);
            shown.push_back(std::move(row));
        }
    }
    std::vector<Json> exported =
        json_lines(run({"export", db, "--format", "json", "--rows", "plies"}).out);
    REQUIRE(exported.size() > shown.size());
    for (std::size_t i = 0; i < shown.size(); ++i) {
        CHECK(exported[i].erase("game_id") == 1);
        CHECK(exported[i] == shown[i]);
    }
}

TEST_CASE("export writes only games that match, in the requested order") {
    const std::string& db = samples_database();
    for (const Words& options :
         std::vector<Words>{{"--result", "1-0"},
                            {"--sort", "plies", "--min-plies", "60"},
                            {"--offset", "5", "--limit", "7"},
                            {"--offset", "110"},
                            {"--sort", "elo", "--offset", "2", "--limit", "300"},
                            {"--sort", "date", "--until", "1900"}}) {
        Words exported{"export", db};
        Words listed{"games", db, "--format", "pgn"};
        exported.insert(exported.end(), options.begin(), options.end());
        listed.insert(listed.end(), options.begin(), options.end());
        const Outcome outcome = run(exported);
        CHECK(outcome.status == 0);
        CHECK_FALSE(outcome.out.empty());
        CHECK((outcome.out == run(listed).out));
    }
    CHECK((run({"export", db, "--moves", "1. e4 e5"}).out ==
           run({"find", db, "--moves", "1. e4 e5", "--format", "pgn"}).out));
    CHECK((run({"export", db, "--fen", kMate, "--result", "1-0"}).out ==
           run({"find", db, kMate, "--result", "1-0", "--format", "pgn"}).out));
    const Outcome nothing = run({"export", db, "--player", "Nobody Of This Name"});
    CHECK(nothing.status == 1);
    CHECK(nothing.out.empty());
}

TEST_CASE("export: files appear only when complete, and are compressed by their names") {
    const TemporaryDirectory directory;
    const std::string& db = samples_database();
    const std::string expected = run({"export", db}).out;
    for (const auto& [name, program] :
         {std::pair("a.pgn", "cat"), std::pair("a.pgn.zst", "zstdcat"),
          std::pair("a.pgn.gz", "zcat")}) {
        const Outcome outcome = run({"export", db, "-o", directory / name});
        CHECK(outcome.status == 0);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, StartsWith("113 games, "));
        CHECK((output_of({program, directory / name}) == expected));
        // Importing it gives the same database.
        const std::string again = directory / (std::string(name) + ".db");
        REQUIRE(run({"import", again, directory / name}).status == 0);
        const auto fingerprint = [](const std::string& path) {
            return json_lines(run({"info", path, "--format", "json"}).out)[0]["fingerprint"];
        };
        CHECK(fingerprint(again) == fingerprint(db));
    }
    CHECK((run({"export", db, "-o", "/dev/stdout"}).out == expected));
    CHECK(run({"export", db, "-o", "/dev/null"}).status == 0);
}

TEST_CASE("export: the name of the file says what is written, unless --format does") {
    const TemporaryDirectory directory;
    const std::string& db = small_database();
    for (const auto& [name, format] :
         {std::pair("a.csv", "csv"), std::pair("a.JSON", "json"), std::pair("a.jsonl", "json"),
          std::pair("a.epd", "epd"), std::pair("a.fen", "fen"), std::pair("a.bin", "polyglot"),
          std::pair("a.pgn", "pgn"), std::pair("a", "pgn")}) {
        CAPTURE(name);
        REQUIRE(run({"export", db, "-o", directory / name}).status == 0);
        CHECK((read_file(directory / name) == export_small({"--format", format}).out));
    }
    REQUIRE(run({"export", db, "--rows", "plies", "-o", directory / "a.csv.gz"}).status == 0);
    CHECK((output_of({"zcat", directory / "a.csv.gz"}) ==
           export_small({"--format", "csv", "--rows", "plies"}).out));
    REQUIRE(run({"export", db, "--max-ply", "3", "-o", directory / "a.epd.zst"}).status == 0);
    CHECK((output_of({"zstdcat", directory / "a.epd.zst"}) ==
           export_small({"--format", "epd", "--max-ply", "3"}).out));
    REQUIRE(run({"export", db, "--format", "json", "-o", directory / "a.csv"}).status == 0);
    CHECK((read_file(directory / "a.csv") == export_small({"--format", "json"}).out));
    // Rows without a header, to append to a file.
    CHECK(export_small({"--format", "csv"}).out ==
          "game_id,white,black,result,date,event,site,round,white_elo,black_elo,eco,plies\r\n" +
              export_small({"--format", "csv", "--no-header"}).out);
}

TEST_CASE("export: an output that fails leaves nothing, and says so in one line") {
    const TemporaryDirectory directory;
    const std::string& db = samples_database();
    const ProcessOptions full{.output = ProcessOptions::Output::kFull};
    for (const char* const format : {"pgn", "epd", "polyglot", "csv"}) {
        const Outcome outcome = run({"export", db, "--format", format}, full);
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.err, Contains("standard output: cannot be written: No space left"));
        CHECK(lines_of(outcome.err).size() == 1);
    }
    for (const auto output :
         {ProcessOptions::Output::kFirstLine, ProcessOptions::Output::kNobody}) {
        const ProcessOptions gone{.output = output};
        const Outcome outcome = run({"export", db, "--format", "json", "--rows", "plies"}, gone);
        CHECK(outcome.status == 0);
        CHECK(outcome.err.empty());
    }
    check_refused(run({"export", db, "-o", directory / "no/such/a.pgn"}), {"no/such/a.pgn"});
    check_refused(run({"export", db, "-o", directory.path()}), {"directory"});
    CHECK(std::filesystem::is_empty(directory.path()));
    // A damaged database leaves no incomplete file.
    const std::string damaged = directory / "damaged.db";
    std::filesystem::copy_file(db, damaged);
    output_of({"sqlite3", damaged, "UPDATE game SET moves = x'FFFFFFFF' WHERE id = 100"});
    check_refused(run({"export", damaged, "-o", directory / "a.pgn"}), {"game 100"});
    CHECK_FALSE(std::filesystem::exists(directory / "a.pgn"));
    CHECK(std::distance(std::filesystem::directory_iterator(directory.path()), {}) == 1);
}

TEST_CASE("export: combinations of options that make no sense are refused") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    std::filesystem::copy_file(samples_database(), db);
    std::filesystem::create_hard_link(db, directory / "other.pgn");
    const std::string before = read_file(db);
    check_refused(run({"export", db, "-o", db}), {"the database itself"});
    check_refused(run({"export", db, "-o", directory / "other.pgn"}), {"the database itself"});
    std::filesystem::create_symlink(db, directory / "link.pgn");
    std::filesystem::create_symlink("my.db-wal", directory / "log.pgn");
    for (const std::string name : {"link.pgn", "log.pgn", "my.db-wal", "my.db-shm", "my.db-journal",
                                   "my.db-writer", "./my.db-wal"}) {
        CAPTURE(name);
        check_refused(run({"export", db, "-o", directory / name}),
                      {name, "the database itself, or a file that belongs to it"});
    }
    check_refused(run({"export", db, "--split", "0.5", "-o", directory / "a.pgn", "--test",
                       directory / "my.db-wal"}),
                  {"my.db-wal", "belongs to it"});
    std::filesystem::create_hard_link(db, directory / "page.html");
    check_refused(run({"prepare", db, "x", "--color", "white", "-o", directory / "page.html"}),
                  {"page.html", "belongs to it"});
    CHECK(std::distance(std::filesystem::directory_iterator(directory.path()), {}) == 5);
    CHECK((read_file(db) == before));
    check_refused(run({"export", db, "all.pgn"}), {"all.pgn", "-o"});
    check_refused(run({"export", db, "--format", "polygot"}), {"polygot", "polyglot"});
    check_refused(run({"export", db, "--rows", "plies"}), {"--rows", "csv"});
    check_refused(run({"export", db, "--min-games", "2"}), {"--min-games", "polyglot"});
    check_refused(run({"export", db, "--format", "epd", "--max-ply", "x"}), {"--max-ply", "'x'"});
    check_refused(run({"export", db, "--fen", "nonsense"}), {"nonsense", "placement"});
    check_refused(run({"export", directory / "none.db"}), {"none.db"});
}

TEST_CASE("export: a name with an unknown ending is refused, unless --format says what it is") {
    const TemporaryDirectory directory;
    const std::string& db = samples_database();
    for (const char* name : {"x.parquet", "x.txt", "x.PQ.zst"}) {
        const std::string path = directory / name;
        const Outcome refused = run({"export", db, "-o", path});
        CHECK(refused.status == 2);
        CHECK_THAT(refused.err, Contains("no format has the ending"));
        CHECK_FALSE(std::filesystem::exists(path));
        CHECK(run({"export", db, "-o", path, "--format", "csv"}).status == 0);
        CHECK(std::filesystem::exists(path));
    }
    for (const char* name : {"games", "x.PGN", "x.pgn.zst", "x.jsonl"}) {
        CHECK(run({"export", db, "-o", directory / name}).status == 0);
    }
    CHECK(run({"export", db, "-o", "/dev/null"}).status == 0);
}
