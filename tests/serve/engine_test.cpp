// The routes over remote databases, with an engine of their own (store/engine.hpp): answers as over
// files, byte for byte, and 501 for what no cluster answers.
#include "store/engine.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <memory>

#include "serve/api_client.hpp"
#include "serve/api_samples.hpp"
#include "serve/explorer/explorer.hpp"
#include "store/capability.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/brute_store.hpp"

namespace {

using namespace fendex;
using test::ApiClient;
using test::Samples;

/// Remote stores, made once for each database.
std::shared_ptr<store::Store> open_brute(const std::string& path, const store::CacheSizes&) {
    static std::map<std::string, std::shared_ptr<store::Store>> known;
    std::shared_ptr<store::Store>& store = known[path];
    if (!store) store = test::brute_store(path);
    return store;
}

const std::string kOpen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

const char* const kTargets[] = {
    "/api/v1/tree?min-games=1",
    "/api/v1/tree?match=mirrored&play=e2e4",
    "/api/v1/tree?result=1-0&limit=3&since=1900",
    "/api/v1/find?limit=5",
    "/api/v1/find?limit=7&match=board&play=e2e4,e7e5&sort=elo",
    "/api/v1/find?limit=3&sort=date&player=a",
    "/api/v1/find?count=true&play=e2e4",
    "/api/v1/find?variations=true&play=e2e4,e7e5,g1f3&limit=6",
    "/api/v1/find?variations=true&count=true&play=d2d4",
    "/api/v1/find?limit=4&material=KRPvKR",
    "/api/v1/find?limit=3&pattern=*/*/*/*/????P?*/*/*/*&result=1-0",
    "/api/v1/find?count=true&pattern=*/*/*/*/????P?*/*/*/*",
    "/api/v1/games?limit=4",
    "/api/v1/games?limit=4&sort=elo&min-plies=20",
    "/api/v1/games?limit=3&sort=plies",
    "/api/v1/games?count=true&player=botvinnik",
    "/api/v1/games/2?reached=true&errors=true",
    "/api/v1/games/2:1.pgn",
    "/api/v1/games/99999",
    "/api/v1/repeats?limit=5&min=2&claims=true",
    "/api/v1/repeats?limit=50&min=2",
    "/api/v1/repeats?limit=2&min=2&play=g1f3,g8f6",
    "/api/v1/export.pgn?limit=5&play=e2e4",
    "/api/v1/tree.pgn?depth=6&min-games=1",
    "/api/v1/tree.pgn?play=e2e4&result=1-0",
    "/api/v1/export.pgn?min-plies=30&limit=12",
    "/api/v1/games?source=nosuch.pgn",
    "/api/v1/players?limit=7",
    "/api/v1/players?limit=5&prefix=a&since=1900",
    "/api/v1/players/a?together=true",
    "/api/v1/players/morphy",
    "/api/v1/players/nosuch",
    "/api/v1/head-to-head?a=morphy&b=anderssen",
    "/api/v1/openings?limit=6",
    "/api/v1/openings?limit=6&sort=eco&result=1-0",
    "/api/v1/players/morphy/prepare?color=white&database=1",
};

}  // namespace

TEST_CASE("The API gives the same answers over remote databases as over files") {
    const std::vector<std::string> paths{Samples::get().classics(), Samples::get().repetitions(),
                                         Samples::get().online()};
    ApiClient sqlite(paths);
    ApiClient engines(paths, open_brute);
    for (std::string target : kTargets) {
        for (unsigned page = 0; page < 4; ++page) {
            INFO(target);
            const serve::Answer expected = sqlite.ask(target);
            const serve::Answer answer = engines.ask(target);
            CHECK(answer.status == expected.status);
            CHECK(answer.body == expected.body);
            const auto json = nlohmann::json::parse(expected.body, nullptr, false);
            if (!json.is_object() || !json.contains("next") || json["next"].is_null()) break;
            target = target.substr(0, target.find("&cursor=")) +
                     "&cursor=" + json["next"].get<std::string>();
        }
        if (target.find("limit=") == std::string::npos) continue;
        std::string all = target.substr(0, target.find("&cursor="));
        const std::size_t limit = all.find("limit=");
        all.erase(limit, all.find('&', limit) - limit);
        INFO(all);
        CHECK(engines.ask(all, serve::kJsonLines).body == sqlite.ask(all, serve::kJsonLines).body);
    }
}

TEST_CASE("The API answers 501 to what a remote database does not answer") {
    ApiClient engines({Samples::get().classics()}, open_brute);
    for (const char* const target : {"/api/v1/events", "/api/v1/names"}) {
        INFO(target);
        const serve::Answer answer = engines.ask(target);
        INFO(answer.body);
        CHECK(answer.status == 501);
        CHECK(nlohmann::json::parse(answer.body)["error"]["code"] == "unanswered");
    }
    const std::string about = engines.json("/api/openapi.json")["info"]["description"];
    CHECK_THAT(about, Catch::Contains("A cluster does not answer " + store::capability_names()));
    CHECK(engines.status("/api/v1/stats") == 200);
    CHECK(engines.status("/api/v1/position") == 200);
}

TEST_CASE("The explorer gives the same answers over remote databases as over files") {
    const std::vector<std::string> paths{Samples::get().online(), Samples::get().classics()};
    const serve::Databases sqlite(paths);
    const serve::Databases engines(paths, std::size_t{64} << 20, open_brute);
    serve::Router without(serve::explorer_routes({sqlite, sqlite, sqlite}));
    serve::Router with(serve::explorer_routes({engines, engines, engines}));
    const auto body = [](serve::Router& router, const serve::Request& request) {
        try {
            return router.plan(std::make_shared<serve::Request>(request)).run({}).body;
        } catch (...) {
            return router.failed("/", std::current_exception()).body;
        }
    };
    std::string site_id;
    const auto reader = store::file_store(paths.front())->reader();
    store::GameHeader header;
    for (store::GameId game = 1; site_id.empty() && reader->header(game, header); ++game) {
        const std::string site(header.site.value_or(""));
        if (site.find("lichess.org/") != site.npos) site_id = site.substr(site.rfind('/') + 1);
    }
    REQUIRE(!site_id.empty());
    const std::vector<std::pair<std::vector<std::string>, std::vector<serve::Parameter>>> asked{
        {{"masters"}, {}},
        {{"masters"}, {{"fen", kOpen}, {"since", "1850"}, {"topGames", "4"}}},
        {{"lichess"}, {{"history", "true"}, {"topGames", "4"}, {"recentGames", "4"}}},
        {{"lichess"},
         {{"speeds", "blitz,bullet"}, {"ratings", "1600,1800,2000"}, {"play", "e2e4"}}},
        {{"lichess", "history"}, {{"play", "d2d4"}}},
        {{"player"}, {{"player", "Morphy, Paul"}, {"color", "white"}}},
        {{"masters", "pgn", "2:3"}, {}},
        {{"masters", "pgn", site_id}, {}},
        {{"masters", "pgn", "zzzzzzzz"}, {}},
    };
    for (const auto& [path, parameters] : asked) {
        serve::Request request;
        request.path = path;
        request.parameters = parameters;
        INFO(path.front() << ' ' << path.back());
        const std::string expected = body(without, request);
        CHECK(!expected.empty());
        CHECK(body(with, request) == expected);
    }
}
