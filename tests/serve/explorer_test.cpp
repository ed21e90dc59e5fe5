// The explorer's routes over small databases: shapes of answers as the original has them, and
// parameters as its clients send them.
#include "serve/explorer/explorer.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "base/stop_check.hpp"
#include "ingest/importer.hpp"
#include "serve/explorer/game_ids.hpp"
#include "serve/explorer/performance.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::serve;
using Json = nlohmann::ordered_json;

std::string game(const std::string& tags, const std::string& moves) {
    return tags + '\n' + moves + "\n\n";
}

/// "White=a, WhiteElo=2500" as tag pairs.
std::string tags(const std::string& pairs) {
    std::string out;
    std::istringstream in(pairs);
    for (std::string pair; std::getline(in, pair, ';');) {
        const std::size_t sign = pair.find('=');
        out += '[' + pair.substr(0, sign) + " \"" + pair.substr(sign + 1) + "\"]\n";
    }
    return out;
}

class Served {
  public:
    /// Each text is a database.
    explicit Served(const std::vector<std::string>& texts) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            paths_.push_back(directory_ / (std::to_string(i) + ".db"));
            import(paths_.back(), texts[i]);
        }
        const Databases all(paths_);
        router_.emplace(explorer_routes({all, all, all}));
    }

    void import(const std::string& path, const std::string& text) const {
        ingest::import_files(path, {directory_.write("games.pgn", text)}, {});
    }
    const std::string& path(std::size_t i) const { return paths_[i]; }

    Task plan(const std::string& path, std::vector<Parameter> parameters = {}) {
        auto request = std::make_shared<Request>();
        std::istringstream in(path);
        for (std::string part; std::getline(in, part, '/');) {
            if (!part.empty()) request->path.push_back(part);
        }
        request->parameters = std::move(parameters);
        return router_->plan(request);
    }
    Answer ask(const std::string& path, std::vector<Parameter> parameters = {}) {
        return plan(path, std::move(parameters)).run({});
    }
    Json json(const std::string& path, std::vector<Parameter> parameters = {}) {
        return Json::parse(ask(path, std::move(parameters)).body);
    }
    unsigned status(const std::string& path, std::vector<Parameter> parameters) {
        try {
            return ask(path, std::move(parameters)).status;
        } catch (...) {
            return router_->failed(path, std::current_exception()).status;
        }
    }

  private:
    test::TemporaryDirectory directory_;
    std::vector<std::string> paths_;
    std::optional<Router> router_;
};

std::vector<std::string> members(const Json& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) names.push_back(name);
    return names;
}

using Names = std::vector<std::string>;

std::string counts(const Json& object) {
    return object["white"].dump() + ' ' + object["draws"].dump() + ' ' + object["black"].dump();
}

/// "e2e4 2 0 1, d2d4 0 1 0".
std::string moves(const Json& answer) {
    std::string out;
    for (const Json& move : answer["moves"]) {
        out += (out.empty() ? "" : ", ") + move["uci"].get<std::string>() + ' ' + counts(move);
    }
    return out;
}

std::string ids(const Json& games) {
    std::string out;
    for (const Json& each : games) out += (out.empty() ? "" : " ") + each["id"].get<std::string>();
    return out;
}

const std::string kMasterGames =
    game(tags("Site=Bled;Date=1959.09.06;White=Fischer, R.;Black=Tal, M.;Result=0-1;WhiteElo=2600;"
              "BlackElo=2700"),
         "1. e4 c5 2. Nf3 0-1") +
    game(tags("Date=1961.??.??;White=A;Black=B;Result=1-0;WhiteElo=2500;BlackElo=2400"),
         "1. e4 c5 2. Nc3 1-0") +
    game(tags("Date=1962.01.02;White=A;Black=C;Result=*;WhiteElo=2900;BlackElo=2900"),
         "1. e4 e5 *") +
    game(tags("Date=1962.01.03;White=B;Black=A;Result=1/2-1/2"), "1. d4 d5 1/2-1/2");

const std::string kOnlineGames =
    game(tags("Event=Rated Blitz game;Site=https://lichess.org/abcdefg1;Date=2023.06.01;"
              "White=Evachesss;Black=other;Result=1-0;WhiteElo=1500;BlackElo=1598;"
              "TimeControl=180+2"),
         "1. e4 e5 1-0") +
    game(tags("Event=Rated Bullet game;Site=https://lichess.org/abcdefg2;Date=2023.08.11;"
              "White=Evachesss;Black=other;Result=0-1;WhiteElo=1600;BlackElo=1601;"
              "TimeControl=60+0"),
         "1. e4 c5 0-1") +
    game(tags("Event=Casual Blitz game;Site=https://lichess.org/abcdefg3;Date=2023.08.12;"
              "White=other;Black=Evachesss;Result=1/2-1/2;WhiteElo=2600;BlackElo=2700;"
              "TimeControl=180+2"),
         "1. d4 d5 1/2-1/2");

}  // namespace

TEST_CASE("The player route names the spellings that it leaves out, until they are joined") {
    Served served({game(tags("White=Karpov, Anatoly;Black=B;Result=1-0"), "1. e4 1-0") +
                   game(tags("White=Karpov,An;Black=B;Result=1-0"), "1. d4 1-0") +
                   game(tags("White=B;Black=Karpov,An;Result=1-0"), "1. d4 1-0")});
    const std::vector<Parameter> asked{{"player", "Karpov, Anatoly"}, {"color", "white"}};
    const Json found = served.json("/player", asked);
    CHECK(found["alike"].dump() == R"([{"name":"Karpov,An","games":1,"of":"Karpov, Anatoly"}])");
    CHECK(found["white"] == 1);
    const auto writer = store::file_store(served.path(0))->writer("names");
    writer->joined_names()->join_name(store::NameKind::kPlayer, "Karpov,An", "Karpov, Anatoly", "");
    writer->commit();
    writer->close();
    const Json joined = served.json("/player", asked);
    CHECK_FALSE(joined.contains("alike"));
    CHECK(joined["white"] == 2);
}

TEST_CASE("masters has the members of the original in its order") {
    Served served({kMasterGames});
    const Json answer = served.json("/masters");
    CHECK(members(answer) == Names{"white", "draws", "black", "moves", "topGames", "opening"});
    CHECK(counts(answer) == "1 1 1");
    CHECK(moves(answer) == "e2e4 1 0 1, d2d4 0 1 0");
    CHECK(answer["opening"].is_null());
    const Json& e4 = answer["moves"][0];
    CHECK(members(e4) ==
          Names{"uci", "san", "averageRating", "white", "draws", "black", "game", "opening"});
    CHECK(e4["averageRating"] == 2550);  // of the games with a result
    CHECK(e4["game"].is_null());
    CHECK(e4["opening"]["eco"] == "B00");
    CHECK(members(e4["opening"]) == Names{"eco", "name"});
    const Json& d4 = answer["moves"][1];
    CHECK(members(d4) == Names{"uci", "san", "white", "draws", "black", "game", "opening"});
    CHECK(
        d4["game"].dump() ==
        R"({"id":"_0000004","winner":null,"black":{"name":"A","rating":0},"white":{"name":"B","rating":0},"year":1962,"month":"1962-01","game_id":4})");
    CHECK(
        answer["topGames"][0].dump() ==
        R"({"uci":"e2e4","id":"_0000001","winner":"black","black":{"name":"Tal, M.","rating":2700},"white":{"name":"Fischer, R.","rating":2600},"year":1959,"month":"1959-09","game_id":1})");
    CHECK(ids(answer["topGames"]) == "_0000001 _0000002 _0000004");
    CHECK(answer["topGames"][1]["month"].is_null());
    CHECK(served.ask("/master").body == served.ask("/masters").body);
    CHECK(served.ask("/masters").type == kJson);
}

TEST_CASE("lichess has the members of the original in its order") {
    Served served({kOnlineGames});
    const Json answer = served.json("/lichess");
    CHECK(members(answer) ==
          Names{"white", "draws", "black", "moves", "recentGames", "topGames", "opening"});
    CHECK(
        answer["recentGames"][0].dump() ==
        R"({"uci":"d2d4","id":"abcdefg3","winner":null,"speed":"blitz","mode":"casual","black":{"name":"Evachesss","rating":2700},"white":{"name":"other","rating":2600},"year":2023,"month":"2023-08","game_id":3})");
    CHECK(ids(answer["recentGames"]) == "abcdefg3 abcdefg2 abcdefg1");
    CHECK(ids(answer["topGames"]) == "abcdefg3 abcdefg2 abcdefg1");
    CHECK(ids(served.json("/lichess", {{"topGames", "1"}, {"recentGames", "0"}})["topGames"]) ==
          "abcdefg3");
    CHECK(served.json("/lichess", {{"recentGames", "0"}})["recentGames"].empty());
}

TEST_CASE("the explorer filters by ratings, speeds, dates and variants") {
    Served served({kOnlineGames});
    const auto asked = [&](std::vector<Parameter> parameters) {
        return moves(served.json("/lichess", std::move(parameters)));
    };
    // The mean of 1500 and 1598 is in the group of 1400, that of 1600 and 1601 in the next.
    CHECK(asked({{"ratings", "1400"}}) == "e2e4 1 0 0");
    CHECK(asked({{"ratings", "1600"}}) == "e2e4 0 0 1");
    CHECK(asked({{"ratings", "1400,1600"}}) == "e2e4 1 0 1");
    CHECK(asked({{"ratings", "0,2500"}}) == "d2d4 0 1 0");
    CHECK(asked({{"ratings", "0,1000"}}).empty());
    CHECK(asked({{"ratings", ""}}).empty());
    CHECK(asked({{"ratings", "2800"}}) == "d2d4 0 1 0");
    CHECK(asked({{"speeds", "blitz"}}) == "d2d4 0 1 0, e2e4 1 0 0");
    CHECK(asked({{"speeds", "ultraBullet,bullet"}}) == "e2e4 0 0 1");
    CHECK(asked({{"speeds", "blitz,bullet"}, {"ratings", "1600"}}) == "e2e4 0 0 1");
    CHECK(asked({{"since", "2023-07"}}) == "d2d4 0 1 0, e2e4 0 0 1");
    CHECK(asked({{"until", "2023-07"}}) == "e2e4 1 0 0");
    CHECK(asked({{"since", "2023-06"}, {"until", "2023-06"}}) == "e2e4 1 0 0");
    CHECK(asked({{"since", "2024"}}).empty());
    CHECK(asked({{"variant", "chess960"}}) == asked({}));
    CHECK(asked({{"variant", "fromPosition"}}) == asked({}));
    CHECK(asked({{"variant", "crazyhouse"}}).empty());
    CHECK(asked({{"moves", "1"}}) == "e2e4 1 0 1");
    CHECK(asked({{"moves", "0"}}).empty());
    CHECK(asked({{"play", "e2e4,e7e5"}, {"nonsense", "1"}, {"source", "analysis"}}).empty());
    CHECK(counts(served.json("/lichess", {{"play", "e2e4,e7e5"}})) == "1 0 0");

    Served masters({kMasterGames});
    CHECK(moves(masters.json("/masters", {{"since", "1960"}})) == "e2e4 1 0 0, d2d4 0 1 0");
    CHECK(moves(masters.json("/masters", {{"until", "1960"}})) == "e2e4 0 0 1");
    CHECK(moves(masters.json("/masters", {{"since", "1961-06"}})) == "d2d4 0 1 0");
}

TEST_CASE("the explorer reads positions as its clients write them") {
    Served served({game(tags("Result=1-0"), "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O 1-0")});
    const auto after = [&](const std::string& fen, const std::string& play) {
        return moves(served.json("/masters", {{"fen", fen}, {"play", play}}));
    };
    const std::string moves_to_castling = "e2e4,e7e5,g1f3,b8c6,f1c4,g8f6";
    CHECK(after("", moves_to_castling) == "e1h1 1 0 0");
    CHECK(counts(served.json("/masters", {{"play", moves_to_castling + ",e1h1"}})) == "1 0 0");
    CHECK(counts(served.json("/masters", {{"play", moves_to_castling + ",e1g1"}})) == "1 0 0");
    for (const char* const fen : {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                                  "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
                                  "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                                  "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha e3 0 1",
                                  "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1",
                                  "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq d3 0 1"}) {
        CAPTURE(fen);
        CHECK(after(fen, "") == "e7e5 1 0 0");
    }
    // An impossible right is left out.
    CHECK(served.status("/masters", {{"fen", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1"}}) == 200);
    // Three queens and eight pawns: not a position of any game, and not an error.
    const Json none = served.json("/masters", {{"fen",
                                                "rnbqkbnr/pppppp2/8/8/8/QQ6/PPPPPPPP/"
                                                "RNBQKBNR w KQkq - 0 1"}});
    CHECK(counts(none) == "0 0 0");
    CHECK(none["moves"].empty());
    // The last opening on the way stays the opening.
    const Json deep = served.json("/masters", {{"play", moves_to_castling + ",e1g1,a7a5"}});
    CHECK(counts(deep) == "0 0 0");
    CHECK(deep["opening"]["eco"] == "C55");
}

TEST_CASE("the explorer refuses what it cannot read") {
    Served served({kMasterGames});
    for (const auto& parameter : std::vector<Parameter>{{"fen", "nonsense"},
                                                        {"fen", "8/8/8/8/8/8/8/8 w - - 0 1"},
                                                        {"play", "e2e5"},
                                                        {"play", "e4"},
                                                        {"play", "e2e4,e2e4"},
                                                        {"moves", "-1"},
                                                        {"moves", "many"},
                                                        {"topGames", "1x"},
                                                        {"recentGames", "x"},
                                                        {"since", "today"},
                                                        {"since", "2020-13"},
                                                        {"until", "20200"},
                                                        {"variant", "shogi"},
                                                        {"speeds", "fast"},
                                                        {"ratings", "high"},
                                                        {"history", "perhaps"}}) {
        CAPTURE(parameter.name, parameter.value);
        CHECK(served.status("/lichess", {parameter}) == 400);
    }
    CHECK(served.status("/player", {{"player", "A"}}) == 400);
    CHECK(served.status("/player", {{"color", "white"}}) == 400);
    CHECK(served.status("/player", {{"player", "A"}, {"color", "green"}}) == 400);
}

TEST_CASE("a move that one game with a result played shows that game") {
    const auto with = [](const char* result, const char* white) {
        return game(tags(std::string("White=") + white + ";Result=" + result +
                         ";WhiteElo=2500;BlackElo=2500"),
                    std::string("1. e4 ") + result);
    };
    std::string text;
    for (int i = 0; i < 6; ++i) text += with("*", "unfinished");
    Served served({text + with("0-1", "finished") + with("*", "another")});
    const Json answer = served.json("/masters");
    CHECK(moves(answer) == "e2e4 0 0 1");
    CHECK(answer["moves"][0]["game"]["id"] == "_0000007");
    CHECK(answer["topGames"].size() == 1);
    CHECK(answer["topGames"][0]["id"] == "_0000007");
}

TEST_CASE("player gives one line from a player's point of view") {
    Served served({kOnlineGames});
    const auto ask = [&](const char* player, const char* color) {
        return served.ask("/player", {{"player", player}, {"color", color}});
    };
    const Answer line = ask("Evachesss", "white");
    CHECK(line.type == kJsonLines);
    CHECK(std::count(line.body.begin(), line.body.end(), '\n') == 1);
    CHECK(line.body.ends_with('\n'));
    const Json answer = Json::parse(line.body);
    CHECK(members(answer) ==
          Names{"white", "draws", "black", "moves", "recentGames", "opening", "queuePosition"});
    CHECK(counts(answer) == "1 0 1");
    CHECK(members(answer["moves"][0]) == Names{"uci", "san", "averageOpponentRating", "performance",
                                               "white", "draws", "black", "game", "opening"});
    CHECK(answer["moves"][0]["averageOpponentRating"] == 1600);  // of 1598 and 1601
    CHECK(answer["moves"][0]["performance"] == 1600);
    CHECK(ids(answer["recentGames"]) == "abcdefg2 abcdefg1");
    CHECK(ask("evachesss", "white").body == line.body);
    CHECK(counts(Json::parse(ask("Evachesss", "black").body)) == "0 1 0");
    CHECK(counts(Json::parse(ask("Eva", "white").body)) == "0 0 0");
    CHECK(served.ask("/personal", {{"player", "Evachesss"}, {"color", "white"}}).body == line.body);
    const auto filtered = [&](Parameter parameter) {
        return counts(served.json(
            "/player", {{"player", "Evachesss"}, {"color", "white"}, std::move(parameter)}));
    };
    CHECK(filtered({"modes", "rated"}) == "1 0 1");
    CHECK(filtered({"modes", "casual"}) == "0 0 0");
    CHECK(filtered({"speeds", "bullet"}) == "0 0 1");
    CHECK(filtered({"since", "2023-07"}) == "0 0 1");
}

TEST_CASE("the explorer counts by month") {
    Served served({kOnlineGames});
    const Json answer = served.json("/lichess/history");
    CHECK(members(answer) == Names{"white", "draws", "black", "moves", "recentGames", "topGames",
                                   "opening", "history"});
    CHECK(answer["moves"].empty());
    CHECK(
        answer["history"].dump() ==
        R"([{"month":"2023-06","white":1,"draws":0,"black":0},{"month":"2023-07","white":0,"draws":0,"black":0},{"month":"2023-08","white":0,"draws":1,"black":1}])");
    CHECK(served.json("/lichess", {{"history", "True"}})["history"] == answer["history"]);
    CHECK(served.json("/lichess/history", {{"since", "2023-05"}})["history"].size() == 4);
    CHECK(served.json("/lichess/history", {{"since", "2022-11"}})["history"].size() == 10);
    CHECK(served.json("/lichess/history", {{"ratings", "1000"}})["history"].empty());
    CHECK(served.json("/lichess/history", {{"play", "d2d4"}})["history"].dump() ==
          R"([{"month":"2023-08","white":0,"draws":1,"black":0}])");
}

TEST_CASE("what is asked for again is kept until the next commit") {
    Served served({kMasterGames});
    const auto cost = [&] { return served.plan("/lichess/history").cost; };
    const std::string first = served.ask("/lichess/history").body;
    CHECK(served.ask("/lichess/history").body == first);
    CHECK(cost() == Cost::kLookUp);
    CHECK(served.ask("/lichess/history").body == first);
    served.import(served.path(0), kOnlineGames);
    CHECK(cost() == Cost::kSums);
    const std::string later = served.ask("/lichess/history").body;
    CHECK(later != first);
    CHECK(served.ask("/lichess/history").body == later);
    CHECK(served.ask("/lichess/history").body == later);
}

TEST_CASE("the explorer sums up several databases") {
    Served served({kMasterGames, kMasterGames});
    const Json answer = served.json("/masters");
    CHECK(counts(answer) == "2 2 2");
    CHECK(moves(answer) == "e2e4 2 0 2, d2d4 0 2 0");
    CHECK(ids(answer["topGames"]) == "_0000002 _0000003 _0000004 _0000005 _0000008 _0000009");
    CHECK(answer["topGames"][3]["game_id"] == 2);
    CHECK(answer["topGames"][3]["database"] == served.path(1));
    CHECK(answer["moves"][1]["game"].is_null());
}

TEST_CASE("the explorer finds games by their ids") {
    Served served({kOnlineGames, kMasterGames});
    const auto white = [&](const std::string& id) {
        const std::string pgn = served.ask("/masters/pgn/" + id).body;
        const std::size_t begin = pgn.find("[White \"") + 8;
        return pgn.substr(begin, pgn.find('"', begin) - begin);
    };
    CHECK(served.ask("/masters/pgn/1").type == kPgn);
    CHECK(served.ask("/master/pgn/1").body == served.ask("/masters/pgn/1").body);
    CHECK(served.ask("/masters/pgn/1").body.ends_with("1. e4 e5 1-0\n\n"));
    CHECK(white("1") == "Evachesss");
    CHECK(white("2:1") == "Fischer, R.");
    CHECK(white("_0000002") == "Evachesss");
    CHECK(white("_0000003") == "Fischer, R.");
    CHECK(white("abcdefg1") == "Evachesss");
    CHECK(white("abcdefg3") == "other");
    for (const char* const id : {"4", "2:5", "3:1", "0", "abcdefg4", "abcdefg", "x",
                                 "2:", "12345678", "99999999999999999999", "_0000000", "_0000001",
                                 "_000000A", "_000002", "_00000002", "_000 002"}) {
        CAPTURE(id);
        CHECK(served.status("/masters/pgn/" + std::string(id), {}) == 404);
    }
    // Games that come later are found, too; an id of digits is still an id.
    const auto online = [](const char* id, const char* name) {
        return game(tags(std::string("Site=https://lichess.org/") + id + ";White=" + name),
                    "1. e4 *");
    };
    served.import(served.path(0), online("12345678", "Digits") + online("abcdefg4", "Later") +
                                      online("abcdefg5", "Last"));
    CHECK(white("12345678") == "Digits");
    CHECK(white("abcdefg4") == "Later");
    CHECK(white("abcdefg5") == "Last");
    CHECK(white("abcdefg2") == "Evachesss");
    test::delete_games(served.path(0), {5});
    CHECK(served.status("/masters/pgn/abcdefg4", {}) == 404);
    CHECK(white("abcdefg5") == "Last");
}

TEST_CASE("an id names one game, whether it is from lichess.org or a number") {
    // Addresses of games whose ids look like the numbers of others, with and without their sign.
    const auto online = [](const char* id, const char* name) {
        return game(
            tags(std::string("Site=https://lichess.org/") + id + ";White=" + name + ";Result=1-0"),
            "1. e4 1-0");
    };
    Served served(
        {online("00000002", "first") + game(tags("White=second;Result=1-0"), "1. d4 1-0") +
         online("_0000002", "third") + online("00000001", "fourth") + online("0000002", "fifth")});
    std::map<std::string, std::string> found;
    const Json answer = served.json("/masters");
    for (const Json& each : answer["topGames"]) {
        const std::string id = each["id"];
        CHECK(id.size() == 8);
        const std::string pgn = served.ask("/masters/pgn/" + id).body;
        CHECK(pgn.find("[White \"" + each["white"]["name"].get<std::string>() + "\"]") !=
              std::string::npos);
        found[each["white"]["name"]] = id;
    }
    CHECK(found == std::map<std::string, std::string>{{"first", "00000002"},
                                                      {"second", "_0000002"},
                                                      {"third", "_0000003"},
                                                      {"fourth", "00000001"},
                                                      {"fifth", "_0000005"}});
}

TEST_CASE("a search for an id can be stopped and continues where it was") {
    Served served({kOnlineGames});
    Task task = served.plan("/masters/pgn/abcdefg2");
    CHECK(task.cost == Cost::kScan);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(task.run(stop.get_token()), base::Stopped);
    CHECK(served.status("/masters/pgn/abcdefg2", {}) == 200);
    CHECK(served.plan("/masters/pgn/abcdefg2").cost == Cost::kLookUp);
}

TEST_CASE("performance follows FIDE's table") {
    using codec::Result;
    const auto of = [](unsigned wins, unsigned draws, unsigned losses, unsigned opponents) {
        codec::Tally tally;
        for (unsigned i = 0; i < wins + draws + losses; ++i) {
            codec::GameFacts facts;
            facts.black_elo = static_cast<std::uint16_t>(opponents);
            facts.result = i < wins           ? Result::kWhiteWins
                           : i < wins + draws ? Result::kDraw
                                              : Result::kBlackWins;
            tally.add_game(facts);
        }
        return explorer::performance(tally, chess::Color::kWhite);
    };
    CHECK(of(1, 0, 0, 1500) == 2300);
    CHECK(of(0, 0, 1, 1500) == 700);
    CHECK(of(123, 10, 123, 987) == 987);
    CHECK(of(5, 0, 95, 1000) == 530);
    CHECK(of(2, 0, 1, 1000) == 1122);  // between 66 and 67 percent
    CHECK(of(56, 9, 68, 954) == 921);  // as the original answered
    CHECK(of(3, 0, 2, 1070) == 1142);
    CHECK_FALSE(of(0, 0, 0, 1000));
    CHECK_FALSE(of(1, 0, 0, 0));
}

TEST_CASE("ids of games are those of lichess or numbers") {
    using explorer::lichess_id;
    CHECK(lichess_id("https://lichess.org/abcd1234") == "abcd1234");
    CHECK(lichess_id("https://lichess.org/abcd1234/black#12") == "abcd1234");
    CHECK(lichess_id("http://www.lichess.org/abcd1234/") == "abcd1234");
    CHECK(lichess_id("lichess.org/abcd1234?x=/y") == "abcd1234");
    CHECK(lichess_id("https://lichess.org/broadcast/a-b/round-1/abcd1234/efgh5678") == "efgh5678");
    CHECK(lichess_id("https://lichess.org/").empty());
    CHECK(lichess_id("https://lichess.org").empty());
    CHECK(lichess_id("https://lichess.org/tournament/a-b").empty());
    CHECK(lichess_id("https://lichess.org/abcd1234WXYZ") == "abcd1234");
    for (const char* const site :
         {"abcd123", "abcd12345", "abcd1234WXY", "_bcd1234", "@/abcdefg"}) {
        CAPTURE(site);
        CHECK(lichess_id(std::string("https://lichess.org/") + site).empty());
    }
    CHECK(lichess_id("https://example.org/abcd1234").empty());
    CHECK(explorer::id_of({0, 17}, 1, "Bled") == "_000000H");
    CHECK(explorer::id_of({1, 17}, 2, "Bled") == "_000000Z");
    CHECK(explorer::id_of({1, 17}, 2, "https://lichess.org/abcd1234") == "abcd1234");
    using Place = explorer::GamePlace;
    const auto number = [](const char* id) { return explorer::numbered_place(id, 2); };
    CHECK(number("17") == Place{0, 17});
    CHECK(number("1:17") == Place{0, 17});
    CHECK(number("2:17") == Place{1, 17});
    CHECK(number("_000000Z") == Place{1, 17});
    for (const char* const text : {"",        ":",         "0",        "017",
                                   "0:17",    "2:",        ":2",       "2:x",
                                   "x",       "17 ",       "-1",       "99999999999999999999",
                                   "2:17:1",  "_",         "_0000000", "_0000001",
                                   "_000000", "_00000002", "_00000:2", "_00000-2"}) {
        CAPTURE(text);
        CHECK_FALSE(number(text));
    }
    // Each game has an id of its own, also in a cluster, where other files have higher numbers.
    constexpr store::GameId kFile = store::GameId{1} << 40;
    for (const std::size_t databases : {1U, 2U, 20U}) {
        for (const store::GameId game :
             {store::GameId{1}, store::GameId{0xffffffff}, kFile + 1, 40 * kFile + 12345678}) {
            for (const Place place : {Place{0, game}, Place{databases - 1, game}}) {
                const std::string id = explorer::id_of(place, databases, "");
                CAPTURE(databases, game, id);
                CHECK(id.size() == 8);
                CHECK_FALSE(explorer::is_lichess_id(id));
                CHECK(explorer::numbered_place(id, databases) == place);
            }
        }
    }
    const Place far{1, 8191 * kFile + 5};
    CHECK(explorer::id_of(far, 2, "") == "2:" + std::to_string(far.game));
    CHECK(explorer::numbered_place(explorer::id_of(far, 2, ""), 2) == far);
    CHECK(explorer::id_of({0, kFile - 1}, 1, "") == "1:1099511627775");
}
