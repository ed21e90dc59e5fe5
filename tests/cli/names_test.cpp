// The verb names: joins, splits, lists, and what it refuses. The answers of a database with joined
// names are tested in tests/query/joined_names_test.cpp.
#include <map>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const char* const kGames = R"([White "Karpov, Anatoly"]
[Black "Korchnoi, Viktor"]
[Date "1978.07.18"]
[WhiteElo "2725"]
[BlackElo "2665"]

1. c4 Nf6 1/2-1/2

[White "Kortschnoj, Viktor"]
[Black "Karpov,An"]
[Date "1978.07.20"]
[WhiteElo "2665"]
[BlackElo "2725"]

1. c4 e6 1/2-1/2

[White "Karpov,An"]
[Black "Spassky, Boris"]
[Date "1979.01.01"]

1. d4 d5 1-0

[White "Karpov, Anatoly"]
[Black "Spassky, Boris"]
[Date "1979.01.02"]

1. d4 d5 1-0

[White "Karpov, Ivan"]
[Black "Karpov, Anatoly"]
[Date "1979.01.03"]

1. d4 d5 0-1
)";

class Database {
  public:
    Database() : path_(directory_ / "a.db") {
        REQUIRE(run({"import", path_, directory_.write("a.pgn", kGames)}).status == 0);
    }
    const std::string& path() const { return path_; }
    std::uint64_t games_of(const std::string& player) const {
        const Outcome found = run({"games", path_, "--player", player, "--format", "json"});
        return json_lines(found.out).size();
    }
    std::vector<Json> names(Words words) const {
        words.insert(words.begin(), {"names", path_, "--format", "json"});
        const Outcome outcome = run(words);
        INFO(outcome.err);
        CHECK(outcome.status != 2);
        return json_lines(outcome.out);
    }

  private:
    TemporaryDirectory directory_;
    std::string path_;
};

}  // namespace

TEST_CASE("Joined names are one player until they are split") {
    const Database database;
    CHECK(database.games_of("karpov anatoly") == 3);
    CHECK(run({"names", database.path(), "--joined"}).status == 1);
    const Json would =
        database.names({"--join", "--dry-run", "Karpov, Anatoly", "Karpov,An"}).at(0);
    CHECK(would == Json{{"joined", 1}, {"split", 0}, {"dry_run", true}});
    CHECK(database.games_of("karpov anatoly") == 3);
    CHECK(Json::parse(run({"info", database.path(), "--format", "json"}).out)["joined_names"] == 0);
    const Json joined = database.names({"--join", "Karpov, Anatoly", "Karpov,An"}).at(0);
    CHECK(joined == Json{{"joined", 1}, {"split", 0}, {"dry_run", false}});
    CHECK(database.games_of("karpov anatoly") == 5);
    const auto list = database.names({"--joined"});
    REQUIRE(list.size() == 1);
    CHECK(members(list[0]) == Words{"kind", "name", "canonical", "joined", "origin"});
    CHECK(list[0]["kind"] == "player");
    CHECK(list[0]["name"] == "Karpov,An");
    CHECK(list[0]["canonical"] == "Karpov, Anatoly");
    CHECK_THAT(list[0]["origin"].get<std::string>(), Contains("names --join"));
    const auto players = json_lines(run({"players", database.path(), "--format", "json"}).out);
    CHECK(players.at(0)["name"] == "Karpov, Anatoly");
    CHECK(players.at(0)["games"] == 5);
    CHECK(players.size() == 5);
    // A report and a preparation take any of the names.
    for (const char* const name : {"Karpov, Anatoly", "Karpov,An"}) {
        const Json report =
            Json::parse(run({"players", database.path(), name, "--format", "json"}).out);
        CHECK(report["names"].dump() ==
              R"([{"name":"Karpov, Anatoly","games":5,"spellings":["Karpov,An"]}])");
        const Outcome prepared =
            run({"prepare", database.path(), name, "--color", "black", "--format", "json"});
        CHECK(Json::parse(prepared.out)["games"] == 2);
    }
    CHECK(run({"check", database.path()}).status == 0);
    const auto joined_names = [&] {
        return Json::parse(run({"info", database.path(), "--format", "json"}).out)["joined_names"];
    };
    CHECK(joined_names() == 1);
    CHECK_THAT(run({"info", database.path()}).out, Contains("joined_names "));
    CHECK(database.names({"--split", "Karpov,An"}).at(0)["split"] == 1);
    CHECK(joined_names() == 0);
    CHECK(database.games_of("karpov anatoly") == 3);
    CHECK(run({"names", database.path(), "--split", "Karpov,An"}).status == 1);
}

TEST_CASE("A name that no game has may stand for others") {
    const Database database;
    const Outcome joined = run({"names", database.path(), "--join", "Korchnoi, V.",
                                "Korchnoi, Viktor", "Kortschnoj, Viktor"});
    CHECK(joined.status == 0);
    CHECK_THAT(joined.err, Contains("'Korchnoi, V.' is a new name") && Contains("2 names joined"));
    CHECK(database.games_of("korchnoi") == 2);
}

TEST_CASE("Names that probably are one player are listed and joined") {
    const Database database;
    const auto pairs = database.names({});
    REQUIRE(pairs.size() >= 2);
    CHECK(pairs[0]["name"] == "Kortschnoj, Viktor");
    CHECK(pairs[0]["canonical"] == "Korchnoi, Viktor");
    CHECK(pairs[0]["reason"] == "names that sound alike");
    CHECK(pairs[1]["name"] == "Karpov,An");
    CHECK(pairs[1]["canonical"] == "Karpov, Anatoly");
    CHECK(pairs[1]["common_opponents"] == 1);
    for (const Json& each : pairs) {
        CHECK(each["name"] != "Karpov, Ivan");
        CHECK(each["canonical"] != "Karpov, Ivan");
    }
    const std::string least = std::to_string(pairs[1]["score"].get<int>() - 1);
    CHECK(database.names({"--apply-above", least}).at(0)["joined"] == 2);
    CHECK(database.games_of("anatoly") == 5);
    CHECK(database.names({"--joined"}).size() == 2);
    CHECK(database.names({}).size() == pairs.size() - 2);
}

TEST_CASE("Names are joined by a file, also by the list of joined names") {
    const Database database;
    const TemporaryDirectory directory;
    const std::string csv =
        directory.write("names.csv", "\"Karpov,An\",\"Karpov, Anatoly\"\nnobody,somebody\n");
    CHECK(database.names({"--from", csv}).at(0)["joined"] == 1);
    CHECK(database.games_of("anatoly") == 5);
    const Outcome list = run({"names", database.path(), "--joined", "--format", "csv"});
    CHECK(database.names({"--split", "Karpov, Anatoly"}).at(0)["split"] == 1);
    CHECK(database.games_of("anatoly") == 3);
    const std::string kept = directory.write("kept.csv", list.out);
    CHECK(database.names({"--from", kept}).at(0)["joined"] == 1);
    CHECK(database.games_of("anatoly") == 5);
    const std::string circle = directory.write("circle.csv", "a,b\nb,a\n");
    check_refused(run({"names", database.path(), "--from", circle}), {"circle.csv", "'"});
    check_refused(run({"names", database.path(), "--from", directory.path()}), {"read"});
}

TEST_CASE("Names are joined as Scid's spelling file says, and by FIDE numbers") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.db";
    const auto game = [](const std::string& white, const std::string& tags) {
        return "[White \"" + white + "\"]\n[Black \"Other\"]\n" + tags + "\n1. e4 *\n\n";
    };
    const std::string number = "[WhiteFideId \"12\"]\n";
    REQUIRE(run({"import", path,
                 directory.write("a.pgn", game("Korchnoi,V.L.", "[Event \"IV Open\"]\n") +
                                              game("Kortschnoj, Viktor", number) +
                                              game("Korchnoi, V", number) +
                                              game("Larsen, Bent", number) +
                                              game("Other", "[Event \"4. Open\"]\n") +
                                              game("Other", "[Event \"IV Cup\"]\n"))})
                .status == 0);
    const std::string scid = directory.write(
        "spelling.ssp",
        "@PLAYER \"., -_*\"\nKorchnoi, Viktor  #gm\n   %Bio FIDEID 12deprecated\n"
        "   = Korchnoi, V L\n@EVENT \"\"\n%Prefix \"IV \" \"4. \"\n@ROUND \"\"\n1\n= 01\n");
    const Outcome joined = run({"names", path, "--from", scid});
    CHECK_THAT(joined.err, Contains("4 names joined"));
    std::map<std::string, std::string> names;
    for (const Json& each : json_lines(run({"names", path, "--joined", "--format", "json"}).out)) {
        names[each["name"]] = each["canonical"];
    }
    CHECK(names == std::map<std::string, std::string>{{"Korchnoi,V.L.", "Korchnoi, Viktor"},
                                                      {"Kortschnoj, Viktor", "Korchnoi, Viktor"},
                                                      {"Korchnoi, V", "Korchnoi, Viktor"},
                                                      {"IV Open", "4. Open"}});
    CHECK(run({"names", path, "--from", scid}).status == 1);
    const std::string broken = directory.write("broken.ssp", "@PLAYER\n=a\n");
    check_refused(run({"names", path, "--from", broken}), {"broken.ssp", "line 2"});
}

TEST_CASE("A join of players who met each other is done with a warning") {
    const Database database;
    const std::string warning = "warning: 'Karpov, Anatoly' and 'Karpov, Ivan' played each other";
    Words words{"names", database.path(), "--join", "Karpov,An", "Karpov, Ivan"};
    CHECK_THAT(run(words).err, !Contains("warning"));
    // Karpov,An is joined with Ivan already.
    words = {"names", database.path(), "--join", "Karpov, Anatoly", "Karpov,An", "--dry-run"};
    CHECK_THAT(run(words).err, Contains("'Karpov, Anatoly'") && Contains("in 1 game") &&
                                   Contains("would be joined"));
    CHECK(run({"names", database.path(), "--split", "Karpov,An"}).status == 0);
    words = {"names", database.path(), "--join", "Karpow", "Karpov, Anatoly", "Karpov, Ivan"};
    const Outcome joined = run(words);
    CHECK(joined.status == 0);
    CHECK_THAT(joined.err, Contains(warning + " in 1 game\n") && Contains("2 names joined"));
    CHECK_THAT(run(words).err, !Contains("warning"));
}

TEST_CASE("Names that a spreadsheet takes for formulas are joined and listed as texts") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.db";
    const std::string formula = "=cmd|' /C calc'!A0";
    REQUIRE(
        run({"import", path,
             directory.write("a.pgn", "[White \"" + formula + "\"]\n[Black \"-b\"]\n\n1. e4 *\n")})
            .status == 0);
    const std::string csv = directory.write("names.csv", formula + ",@Plain\n-b,+b\n");
    CHECK_THAT(run({"names", path, "--from", csv}).err, Contains("2 names joined"));
    const std::string list = run({"names", path, "--joined", "--format", "csv"}).out;
    CHECK_THAT(list, Contains("player,'" + formula + ",'@Plain,") && Contains("player,'-b,'+b,"));
    CHECK(run({"names", path, "--split", "@Plain", "+b"}).status == 0);
    CHECK_THAT(run({"names", path, "--from", directory.write("list.csv", list)}).err,
               Contains("2 names joined"));
}

TEST_CASE("What the verb names refuses") {
    const Database database;
    const std::string& path = database.path();
    check_refused(run({"names", path, "--join", "Karpov, Anatoly"}), {"two names"});
    check_refused(run({"names", path, "--join", "Karpov, Anatoly", "Nobody"}), {"Nobody"});
    check_refused(run({"names", path, "--join", "--split", "a", "b"}), {"--join", "--split"});
    check_refused(run({"names", path, "--split"}), {"--split"});
    check_refused(run({"names", path, "--dry-run"}), {"--dry-run"});
    check_refused(run({"names", path, "--apply-above", "x"}), {"--apply-above"});
    check_refused(run({"names", path + ".missing", "--join", "a", "b"}), {".missing"});
}
