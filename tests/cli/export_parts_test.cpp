// fendex export: columns, samples and splits of rows of plies, as another program reads them.
#include <filesystem>
#include <set>

#include "cli/fixture.hpp"
#include "support/skip.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

/// All samples and a game with names that need quotes, with annotations.
const std::string& annotated_database() {
    static const TemporaryDirectory directory;
    static const std::string path = [] {
        std::string database = directory / "annotated.db";
        const std::string odd =
            directory.write("odd.pgn",
                            "[White \"O'Brien, \\\"Pat\\\"\"]\n[Black \"Fünf\"]\n[Event \"a,b\"]\n"
                            "\n1. e4 {[%clk 0:03:00] [%eval -0.5]} e5 {[%emt 0:00:01.5]} 2. Qh5 "
                            "{[%eval #-3]} *\n\n");
        REQUIRE(run({"import", database, kSamples, odd, "--annotations"}).status == 0);
        return database;
    }();
    return path;
}

Outcome exported(Words options) {
    Words words{"export", annotated_database(), "--rows", "plies"};
    words.insert(words.end(), options.begin(), options.end());
    Outcome outcome = run(words);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome;
}

/// Returns rows as lines of JSON. Few are parsed, because that takes long.
Words rows(Words options) {
    options.insert(options.end(), {"--format", "json"});
    return lines_of(exported(std::move(options)).out);
}

}  // namespace

TEST_CASE("export --columns writes chosen columns in their order, also clocks and evaluations") {
    CHECK(exported({"--offset", "113", "--format", "csv", "--columns",
                    "ply,white,black,event,san,next_uci,clock,emt,eval,mate,balance"})
              .out ==
          "ply,white,black,event,san,next_uci,clock,emt,eval,mate,balance\r\n"
          "0,\"O'Brien, \"\"Pat\"\"\",Fünf,\"a,b\",,e2e4,,,,,0\r\n"
          "1,\"O'Brien, \"\"Pat\"\"\",Fünf,\"a,b\",e4,e7e5,180,,-0.5,,0\r\n"
          "2,\"O'Brien, \"\"Pat\"\"\",Fünf,\"a,b\",e5,d1h5,,1.5,,,0\r\n"
          "3,\"O'Brien, \"\"Pat\"\"\",Fünf,\"a,b\",Qh5,,,,,-3,0\r\n");
    const auto refused = [](const Words& options, const Words& words) {
        Words command{"export", annotated_database()};
        command.insert(command.end(), options.begin(), options.end());
        check_refused(run(command), words);
    };
    refused({"--rows", "plies", "--format", "csv", "--columns", "fen,moves"},
            {"--columns", "no column 'moves'", "game_id, ply, san, uci", "termination"});
    refused({"--format", "csv", "--columns", "fen"}, {"--columns is for --rows plies"});
}

TEST_CASE("export --sample writes rows of the whole export, the same at any number of threads",
          "[full]") {
    const Words all = rows({});
    CHECK(all.size() > 8000);
    const Words all_threads = full_size() ? Words{"1", "2", "3"} : Words{"1", "3"};
    for (const std::string what : {"plies", "positions", "games"}) {
        CAPTURE(what);
        const Words options{"--sample", "90", "--sample-of", what, "--seed", "5"};
        const Words sample = rows(options);
        std::size_t next = 0;
        std::set<std::string> epds;
        std::set<int> games;
        for (const std::string& line : sample) {
            while (next < all.size() && all[next] != line) ++next;
            REQUIRE(next < all.size());
            const Json row = Json::parse(line);
            epds.insert(row["epd"]);
            games.insert(row["game_id"].get<int>());
        }
        CHECK((what == "games" ? games.size() : sample.size()) == 90);
        if (what == "positions") CHECK(epds.size() == 90);
        for (const std::string& threads : all_threads) {
            Words again = options;
            again.insert(again.end(), {"--threads", threads});
            CHECK((rows(again) == sample));
        }
        Words other = options;
        other.back() = "6";
        CHECK((rows(other) != sample));
    }
    CHECK((rows({"--sample", "90"}) ==
           rows({"--sample", "90", "--sample-of", "plies", "--seed", "1"})));
    CHECK((rows({"--sample", "1000000"}) == all));
    // Filters come first.
    for (const std::string& line :
         rows({"--sample", "50", "--result", "1-0", "--columns", "result"})) {
        CHECK(Json::parse(line)["result"] == "1-0");
    }
    // A sample of games in any format.
    const std::string pgn = run({"export", annotated_database(), "--sample", "7"}).out;
    const ProcessOptions piped{.input = pgn};
    CHECK(run_process({"grep", "-c", "^\\[Event "}, piped).out == "7\n");
    CHECK(run({"export", annotated_database(), "--sample", "0"}).status == 1);
}

TEST_CASE("export --split writes games to two files, on request without a position in both") {
    const TemporaryDirectory directory;
    const std::string all = exported({"--format", "csv", "--no-header"}).out;
    const auto split = [&](Words options) {
        options.insert(options.end(), {"-o", directory / "train.csv", "--test",
                                       directory / "test.csv.gz", "--no-header"});
        const Outcome outcome = exported(options);
        CHECK(outcome.out.empty());
        CHECK(lines_of(outcome.err).size() == 2);
        return std::pair(lines_of(read_file(directory / "train.csv")),
                         lines_of(run_process({"zcat", directory / "test.csv.gz"}).out));
    };
    const auto game_of = [](const std::string& line) { return std::stoi(line); };
    const auto [training, test] = split({"--split", "0.7"});
    std::vector<std::string> merged = training;
    merged.insert(merged.end(), test.begin(), test.end());
    std::stable_sort(merged.begin(), merged.end(),
                     [&](const auto& a, const auto& b) { return game_of(a) < game_of(b); });
    CHECK((merged == lines_of(all)));
    std::set<int> training_games;
    for (const std::string& line : training) training_games.insert(game_of(line));
    for (const std::string& line : test) CHECK_FALSE(training_games.contains(game_of(line)));
    CHECK(training_games.size() > 60);
    CHECK(training_games.size() < 100);

    const auto epd_of = [](const std::string& line) {
        const std::size_t end = line.rfind(',');
        const std::size_t begin = line.rfind(',', end - 1) + 1;
        return line.substr(begin, end - begin);
    };
    std::set<std::string> known;
    for (const std::string& line : training) known.insert(epd_of(line));
    std::vector<std::string> unknown;
    for (const std::string& line : test) {
        if (!known.contains(epd_of(line))) unknown.push_back(line);
    }
    const auto [same, left] = split({"--split", "0.7", "--split-distinct"});
    CHECK((same == training));
    CHECK((left == unknown));
    CHECK(left.size() < test.size());

    // Of a sample, and of games as PGN.
    const auto [few_training, few_test] = split({"--split", "0.7", "--sample", "300"});
    CHECK(few_training.size() + few_test.size() == 300);
    REQUIRE(run({"export", annotated_database(), "--split", "0.7", "-o", directory / "a.pgn",
                 "--test", directory / "b.pgn"})
                .status == 0);
    const Outcome count =
        run_process({"grep", "-hc", "^\\[Event ", directory / "a.pgn", directory / "b.pgn"});
    CHECK(std::stoul(lines_of(count.out).at(0)) == training_games.size());
    CHECK(std::stoul(lines_of(count.out).at(1)) == 114 - training_games.size());
}

TEST_CASE("export: options of samples and splits that do not fit together are refused") {
    const TemporaryDirectory directory;
    const std::string& db = annotated_database();
    const std::string csv = directory / "a.csv";
    const std::string other = directory / "b.csv";
    const auto refused = [&](Words options, const Words& words) {
        options.insert(options.begin(), {"export", db, "-o", csv});
        check_refused(run(options), words);
        CHECK_FALSE(std::filesystem::exists(csv));
        CHECK_FALSE(std::filesystem::exists(other));
    };
    refused({"--split", "0.9"}, {"--split goes with --test"});
    refused({"--test", other}, {"--test goes with --split"});
    refused({"--split-distinct", "--rows", "plies"}, {"--split-distinct goes with --split"});
    refused({"--split", "0.9", "--test", other, "--split-distinct"}, {"--rows plies"});
    refused({"--seed", "3"}, {"--seed goes with --sample or --split"});
    refused({"--sample-of", "plies"}, {"--sample-of goes with --sample"});
    refused({"--sample", "5", "--sample-of", "positions"}, {"--rows plies"});
    refused({"--sample", "some"}, {"--sample"});
    for (const std::string share : {"0", "1", "90", "-0.5", "nan", "0.5x"}) {
        CAPTURE(share);
        refused({"--split=" + share, "--test", other}, {"--split takes a share between 0 and 1"});
    }
    refused({"--split", "0.9", "--test", csv}, {"output of the training part"});
    refused({"--split", "0.9", "--test", directory / "./a.csv"}, {"output of the training part"});
    refused({"--split", "0.9", "--test", db}, {"is the database itself"});
    refused({"--split", "0.9", "--test", directory / "b.jsonl"}, {"both parts", "csv"});
    refused({"--split", "0.9", "--test", directory / "no/b.csv"}, {"no/b.csv"});
}

namespace {

/// Looks for the module without loading it, which takes long.
bool has_pandas(const std::string& python) {
    return run_process({python, "-c",
                        "import importlib.util, sys\n"
                        "sys.exit(importlib.util.find_spec('pandas') is None)"})
               .status == 0;
}

}  // namespace

TEST_CASE("The recipe dataset.sh makes files that its line for pandas loads") {
    const std::string recipe = kSamples + "/recipes/dataset.sh";
    const std::string python = find_program("/usr/bin/python3");  // Debian's, which has its pandas
    if (python.empty() || !has_pandas(python)) {
        skip("python3-pandas is not installed");
        return;
    }
    const TemporaryDirectory directory;
    const ProcessOptions there{.directory = directory.path()};
    const std::string bin = std::filesystem::path(FENDEX_BINARY).parent_path().string();
    const Outcome made = run_process(
        {"sh", "-c",
         "PATH=\"" + bin + ":$PATH\" " + recipe + " " + annotated_database() + " dataset"},
        there);
    INFO(made.err);
    REQUIRE(made.status == 0);
    std::string script = "import pandas\nframes = []\n";
    int loads = 0;
    for (const std::string& line : lines_of(read_file(recipe))) {
        const std::string mark = "#   pandas      ";
        if (!line.starts_with(mark)) continue;
        script += line.substr(mark.size()) + "\nframes.append(df)\n";
        ++loads;
    }
    REQUIRE(loads == 2);
    script +=
        "a, b = frames\n"
        "assert list(a.columns) == list(b.columns)\n"
        "for name in a.columns:\n"
        "    if a[name].dtype == object:\n"
        "        assert a[name].fillna('').equals(b[name].fillna('')), name\n"
        "    else:\n"
        "        gap = (a[name].astype(float) - b[name].astype(float)).abs().max()\n"
        "        assert not gap > 1e-9 and (a[name].isna() == b[name].isna()).all(), name\n"
        "assert len(a) > 6000 and a.fen.is_unique and a.clock.max() > 100, a\n"
        "test = pandas.read_csv('dataset/test.csv.gz')\n"
        "epd = lambda frame: set(frame.fen.str.replace(r' \\d+ \\d+$', '', regex=True))\n"
        "assert len(test) > 300 and not epd(a) & epd(test)\n"
        "assert not set(a.game_id) & set(test.game_id)\n"
        "print(a.dtypes['ply'], a.dtypes['white_elo'], a.dtypes['fen'], a.dtypes['eval'])\n";
    const Outcome read = run_process({python, "-c", script}, there);
    INFO(read.err);
    CHECK(read.status == 0);
    CHECK(read.out == "int64 float64 object float64\n");
}
