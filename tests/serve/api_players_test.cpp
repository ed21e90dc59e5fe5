#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "serve/api_client.hpp"
#include "serve/api_samples.hpp"

using fendex::test::ApiClient;
using fendex::test::printed;
using fendex::test::run_process;
using fendex::test::Samples;
using fendex::test::without;
using nlohmann::json;

TEST_CASE("Names are found by the beginnings of their words in any order") {
    ApiClient client({Samples::get().classics()});
    for (const char* const words : {"morphy paul", "pa mor", "MORPHY, P"}) {
        const std::vector<json> found =
            client.lines(std::string("/api/v1/players?prefix=") + words);
        REQUIRE(found.size() >= 1);
        CHECK(found[0]["name"].get<std::string>().find("Morphy") != std::string::npos);
    }
    CHECK(client.lines("/api/v1/players?prefix=orphy").empty());
}

TEST_CASE("Sums of openings and events over several databases equal those of one with all games") {
    const fendex::test::TemporaryDirectory folder;
    const std::string both = folder / "both.db";
    REQUIRE(run_process({FENDEX_BINARY, "import", both, FENDEX_SAMPLES "/classics.pgn",
                         FENDEX_SAMPLES "/curiosities.pgn", FENDEX_SAMPLES "/online.pgn",
                         FENDEX_SAMPLES "/fischer-random.pgn", "--quiet"})
                .status == 0);
    ApiClient client({Samples::get().classics(), Samples::get().online()});
    for (const std::string sort : {"games", "eco"}) {
        CHECK(client.lines("/api/v1/openings?sort=" + sort) ==
              printed({"openings", both, "--sort", sort}));
    }
    for (const std::string sort : {"games", "name", "date", "players", "rating"}) {
        CHECK(client.lines("/api/v1/events?sort=" + sort) ==
              printed({"events", both, "--sort", sort}));
    }
}

TEST_CASE("The API prepares against a player and compares two players") {
    const std::string& classics = Samples::get().classics();
    const std::string name = printed({"players", classics})[0]["name"];
    json game = printed({"games", classics, "--white", name})[0];
    ApiClient client({classics});
    const json prepared = client.json("/api/v1/players/" + name + "/prepare?color=white");
    CHECK(without(prepared, {"recent_refs", "lost_refs"}) ==
          printed({"prepare", classics, name, "--color", "white"})[0]);
    CHECK(prepared["recent_refs"][0] == std::to_string(prepared["recent"][0].get<int>()));
    const std::string white = game["white"];
    const std::string black = game["black"];
    CHECK(client.json("/api/v1/head-to-head?a=" + white + "&b=" + black) ==
          printed({"players", classics, white, "--against", black})[0]);
    CHECK(client.status("/api/v1/players/" + name + "/prepare") == 400);
    CHECK(client.status("/api/v1/head-to-head?a=" + white) == 400);
    const auto said = [&](const std::string& a, const std::string& b) {
        const std::string target = "/api/v1/head-to-head?a=" + a + "&b=" + b;
        CHECK(client.status(target) == 404);
        return json::parse(client.ask(target).body)["error"]["message"].get<std::string>();
    };
    CHECK_THAT(said("Morphy", "nobody"),
               Catch::Contains("no game that fits has a player 'nobody'"));
    CHECK_THAT(said("nobody", "Morphy"),
               Catch::Contains("no game that fits has a player 'nobody'"));
    CHECK_THAT(said("Morphy", "Kasparov"), Catch::Contains("between 'Morphy' and 'Kasparov'"));

    ApiClient several({Samples::get().online(), classics});
    const std::string target = "/api/v1/players/" + name + "/prepare?color=white";
    CHECK(several.status(target) == 400);
    CHECK(several.status(target + "&database=3") == 400);
    const json second = several.json(target + "&database=2");
    CHECK(second["recent"] == prepared["recent"]);
    CHECK(second["recent_refs"][0] == "2:" + prepared["recent_refs"][0].get<std::string>());
}

TEST_CASE("The API asks one of several databases") {
    const std::string& classics = Samples::get().classics();
    const std::string& online = Samples::get().online();
    ApiClient several({classics, online});
    ApiClient second({online});
    for (const std::string path : {"find?moves=1.e4&count=true", "games?count=true"}) {
        const std::string target = "/api/v1/" + path;
        CHECK(several.json(target + "&database=2") == second.json(target));
        CHECK(several.json(target) != second.json(target));
        CHECK(several.status(target + "&database=3") == 400);
    }
    CHECK(several.lines("/api/v1/openings?database=2") == second.lines("/api/v1/openings"));
    const std::string tree = "/api/v1/tree?play=e2e4";
    const json of_second = several.json(tree + "&database=2");
    CHECK(of_second["games"] == second.json(tree)["games"]);
    CHECK(of_second["topGames"][0]["ref"] ==
          "2:" + second.json(tree)["topGames"][0]["ref"].get<std::string>());
    for (const std::string pgn : {"tree.pgn?moves=1.e4&min-games=1", "export.pgn?limit=9",
                                  "export.pgn?limit=9&sort=elo", "export.pgn?moves=1.e4"}) {
        const std::string target = "/api/v1/" + pgn;
        CHECK(several.ask(target + "&database=2").body == second.ask(target).body);
        CHECK(several.ask(target).body != second.ask(target).body);
    }
}

TEST_CASE("A name that several players have is refused unless they are combined") {
    ApiClient client({Samples::get().classics()});
    CHECK(client.status("/api/v1/players/nobody whom we know") == 404);
    const fendex::serve::Answer answer = client.ask("/api/v1/players/m");
    REQUIRE(answer.status == 409);
    CHECK(json::parse(answer.body)["error"]["code"] == "several_players");
    CHECK(client.json("/api/v1/players/m?together=true") ==
          printed({"players", Samples::get().classics(), "m", "--together"})[0]);
}

TEST_CASE("The API exports what the command line exports") {
    const std::string& classics = Samples::get().classics();
    const std::string& online = Samples::get().online();
    const auto exported = [](const std::string& path, std::vector<std::string> words) {
        words.insert(words.begin(), {FENDEX_BINARY, "games", path, "--format", "pgn", "--quiet"});
        return run_process(words).out;
    };
    CHECK(ApiClient({classics}).ask("/api/v1/export.pgn").body == exported(classics, {}));
    ApiClient client({classics, online});
    CHECK(client.ask("/api/v1/export.pgn").body == exported(classics, {}) + exported(online, {}));
    CHECK(client.ask("/api/v1/export.pgn?result=1-0").body ==
          exported(classics, {"--result", "1-0"}) + exported(online, {"--result", "1-0"}));
    CHECK(client.ask("/api/v1/export.pgn?limit=2").body == exported(classics, {"--limit", "2"}));
    for (const std::string sort : {"elo", "date", "plies"}) {
        ApiClient one({online});
        const std::string address = "/api/v1/export.pgn?sort=" + sort;
        if (sort == "plies") CHECK(one.ask(address).body != exported(online, {}));
        CHECK(one.ask(address).body == exported(online, {"--sort", sort}));
        CHECK(one.ask(address + "&limit=7").body ==
              exported(online, {"--sort", sort, "--limit", "7"}));
        for (const char* const what : {"moves=1.e4 e5", "material=opposite"}) {
            const std::string option = what;
            const std::size_t sign = option.find('=');
            CHECK(
                client.ask(address + '&' + what).body ==
                run_process({FENDEX_BINARY, "find", classics, online, "--" + option.substr(0, sign),
                             option.substr(sign + 1), "--sort", sort, "--format", "pgn", "--quiet"})
                    .out);
        }
    }
    for (const std::string variations : {"false", "true"}) {
        std::vector<std::string> find{FENDEX_BINARY, "find",     classics, online,   "--moves",
                                      "1.e4 e5",     "--format", "pgn",    "--quiet"};
        if (variations == "true") find.push_back("--variations");
        CHECK(client.ask("/api/v1/export.pgn?moves=1.e4 e5&variations=" + variations).body ==
              run_process(find).out);
    }
}

TEST_CASE("The API writes a tree as PGN, as export does") {
    const std::string& classics = Samples::get().classics();
    ApiClient client({classics});
    const auto exported = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {FENDEX_BINARY, "export", classics, "--tree", "--quiet"});
        return run_process(words).out;
    };
    const auto tree = [&](const std::string& parameters) {
        return client.ask("/api/v1/tree.pgn" + parameters);
    };
    CHECK(tree("").body == exported({}));
    CHECK(tree("?moves=1.e4 e5&depth=40&min-games=1&result=1-0").body ==
          exported({"--moves", "1.e4 e5", "--depth", "40", "--min-games", "1", "--result", "1-0"}));
    CHECK(tree("?moves=1.h4 h5 2.a4 a5").body.empty());
    CHECK(tree("?depth=1001").status == 400);
    CHECK(tree("?depth=0").status == 400);
    CHECK(tree("?fen=nonsense").status == 400);
}

TEST_CASE("The API finds novelties of a posted PGN") {
    const std::string& classics = Samples::get().classics();
    const std::string& online = Samples::get().online();
    const std::string file = FENDEX_SAMPLES "/library/../curiosities.pgn";
    const std::string pgn = fendex::test::read_file(file);
    ApiClient client({online, classics});
    const fendex::serve::Answer answer = client.ask("/api/v1/novelty", {}, pgn);
    REQUIRE(answer.status == 200);
    std::vector<json> rows;
    for (const std::string& line : fendex::test::lines_of(answer.body)) {
        const json row = json::parse(line);
        if (!row["last"].is_null()) {
            const std::string number = std::to_string(row["last"]["game_id"].get<int>());
            CHECK(row["last_ref"] == (row["last"]["database"] == online ? number : "2:" + number));
        }
        rows.push_back(without(row, {"last_ref", "errors"}));
    }
    CHECK(rows == printed({"novelty", online, classics, file}));
    CHECK(client.ask("/api/v1/novelty", {}, "This is prose.").status == 400);
    CHECK(client.ask("/api/v1/novelty?fen=x", {}, pgn).status == 400);
}

TEST_CASE("The API lists pairs of names and joined names as the command line does") {
    const fendex::test::TemporaryDirectory folder;
    const std::string db = folder / "names.db";
    std::string games;
    for (const char* const name : {"Karpov, Anatoly", "Karpov,An", "Anatoly Karpov"}) {
        games += std::string("[White \"") + name + "\"]\n[Black \"B\"]\n\n1. e4 *\n\n";
    }
    const std::string pgn = folder.write("names.pgn", games);
    REQUIRE(run_process({FENDEX_BINARY, "import", db, pgn, "--quiet"}).status == 0);
    const auto same = [&](std::size_t pairs, std::size_t joined, std::size_t alike) {
        ApiClient client({db});
        CHECK(client.lines("/api/v1/names") == printed({"names", db}));
        CHECK(client.lines("/api/v1/names").size() == pairs);
        CHECK(client.lines("/api/v1/joined_names") == printed({"names", db, "--joined"}));
        CHECK(client.lines("/api/v1/joined_names").size() == joined);
        CHECK(client.lines("/api/v1/alike?player=karpov anatoly").size() == alike);
        CHECK(client.lines("/api/v1/alike?player=karpov anatoly&since=1900").empty());
    };
    same(3, 0, 1);
    REQUIRE(run_process({FENDEX_BINARY, "names", db, "--join", "Karpov, Anatoly", "Karpov,An"})
                .status == 0);
    same(1, 1, 0);
}

TEST_CASE("repertoires over HTTP are those of the command line") {
    const std::string& classics = Samples::get().classics();
    const std::string& online = Samples::get().online();
    const std::string file = FENDEX_SAMPLES "/repertoire.txt";
    const std::string pgn = fendex::test::read_file(file);
    ApiClient client({online, classics});
    const auto rows = [&](const std::string& address) {
        const fendex::serve::Answer answer = client.ask(address, {}, pgn);
        CHECK(answer.status == 200);
        std::vector<json> lines;
        for (const std::string& line : fendex::test::lines_of(answer.body)) {
            lines.push_back(without(json::parse(line), {"ref"}));
        }
        return lines;
    };
    const auto printed_with = [&](const std::string& option) {
        return printed({"repertoire", online, classics, file, "--color", "white", option});
    };
    CHECK(rows("/api/v1/repertoire?color=white") ==
          printed({"repertoire", online, classics, file, "--color", "white"}));
    CHECK(rows("/api/v1/repertoire_gaps?color=white") == printed_with("--gaps"));
    CHECK(rows("/api/v1/repertoire_contradictions?color=white") ==
          printed_with("--contradictions"));
    CHECK(client.ask("/api/v1/repertoire", {}, pgn).status == 400);
    CHECK(client.ask("/api/v1/repertoire?color=white", {}, "1. e4 e5 (1... Ke4) *").status == 400);
}
