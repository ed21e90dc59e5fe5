// The C interface: answers as the program prints them, errors, cancelling.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "fendex/fendex.h"
#include "support/process.hpp"

namespace {

using namespace fendex::test;
using Json = nlohmann::ordered_json;

struct CFixture {
    TemporaryDirectory directory;
    std::string path = directory / "my.db";
    fendex_database* db = nullptr;

    CFixture() {
        REQUIRE(run_process({FENDEX_BINARY, "import", path, FENDEX_SAMPLES}).status == 0);
        db = fendex_open(path.c_str());
        REQUIRE(db != nullptr);
    }
    ~CFixture() { fendex_close(db); }
    CFixture(const CFixture&) = delete;
    CFixture& operator=(const CFixture&) = delete;

    std::vector<Json> ask(const std::string& question) const {
        std::vector<Json> out;
        fendex_answers* const answers = fendex_query(db, question.c_str());
        REQUIRE(answers != nullptr);
        while (const char* const text = fendex_next(answers)) out.push_back(Json::parse(text));
        CHECK(fendex_error() == nullptr);
        fendex_end(answers);
        return out;
    }
    std::vector<Json> program(std::vector<std::string> words) const {
        words.insert(words.begin(), FENDEX_BINARY);
        words.insert(words.begin() + 2, path);
        words.insert(words.end(), {"--format", "json"});
        std::vector<Json> rows;
        for (const std::string& line : lines_of(run_process(words).out)) {
            rows.push_back(Json::parse(line));
        }
        return rows;
    }
    /// The error that the question gives, when it is asked or when it is answered.
    std::string failure(const std::string& question, enum fendex_error_kind kind) const {
        fendex_answers* const answers = fendex_query(db, question.c_str());
        if (answers != nullptr) CHECK(fendex_next(answers) == nullptr);
        CHECK(fendex_error_kind() == kind);
        REQUIRE(fendex_error() != nullptr);
        std::string text = fendex_error();
        fendex_end(answers);
        return text;
    }
};

}  // namespace

TEST_CASE("the C interface gives the same lines of JSON as the program") {
    const CFixture fixture;
    CHECK(fixture.ask(R"({"ask":"find","moves":"1.e4 e5","player":"carlsen"})") ==
          fixture.program({"find", "--moves", "1.e4 e5", "--player", "carlsen"}));
    CHECK(fixture.ask(R"({"ask":"find","match":"board","limit":3,"offset":2})") ==
          fixture.program(
              {"find", "--moves", "", "--match", "board", "--limit", "3", "--offset", "2"}));
    CHECK(fixture.ask(R"({"ask":"count","moves":"1.e4"})") ==
          fixture.program({"find", "--moves", "1.e4", "--count"}));
    CHECK(fixture.ask(R"({"ask":"games","since":"2000","sort":"elo","min_elo":2000})") ==
          fixture.program({"games", "--since", "2000", "--sort", "elo", "--min-elo", "2000"}));
    CHECK(fixture.ask(R"({"ask":"plies","game":1})") == fixture.program({"show", "1", "--plies"}));
    CHECK(fixture.ask(R"({"ask":"find","fen":"8/8/8/8/8/8/8/K1k5 w - -"})").empty());

    const std::pair<const char*, std::vector<std::string>> questions[] = {
        {R"({"ask":"repeats","min":2})", {"repeats", "--min", "2"}},
        {R"({"ask":"repeats","claims":true,"sort":"date"})",
         {"repeats", "--claims", "--sort", "date"}},
        {R"({"ask":"repeats","missed":true})", {"repeats", "--missed"}},
        {R"({"ask":"repeats","perpetual":true,"min":2})", {"repeats", "--perpetual", "--min", "2"}},
        {R"({"ask":"find","material":"R=1 r=1 Q=0 q=0","limit":4})",
         {"find", "--material", "R=1 r=1 Q=0 q=0", "--limit", "4"}},
        {R"({"ask":"find","move":"white xQ","then":["black xQ","quiet"],"within":3})",
         {"find", "--move", "white xQ", "--then", "black xQ", "--then", "quiet", "--within", "3"}},
        {R"({"ask":"find","moves":"1.e4","sort":"date"})",
         {"find", "--moves", "1.e4", "--sort", "date"}},
        {R"({"ask":"games","time_control":["blitz","bullet"]})",
         {"games", "--time-control", "blitz", "--time-control", "bullet"}},
        {R"({"ask":"games","time_control":"blitz"})", {"games", "--time-control", "blitz"}},
        {R"({"ask":"tree","moves":"1.e4"})", {"tree", "--moves", "1.e4"}},
        {R"({"ask":"game","game":1})", {"show", "1"}},
        {R"({"ask":"players","offset":3,"limit":5})", {"players", "--offset", "3", "--limit", "5"}},
        {R"({"ask":"player","name":"Capablanca, Jose Raul"})",
         {"players", "Capablanca, Jose Raul"}},
        {R"({"ask":"prepare","name":"Fischer","color":"white","together":true})",
         {"prepare", "Fischer", "--color", "white", "--together"}},
        {R"({"ask":"openings","sort":"eco"})", {"openings", "--sort", "eco"}},
        {R"({"ask":"events","sort":"date","limit":5})",
         {"events", "--sort", "date", "--limit", "5"}},
        {R"({"ask":"sql","query":"SELECT id, white FROM games LIMIT 3"})",
         {"sql", "SELECT id, white FROM games LIMIT 3"}}};
    for (const auto& [question, words] : questions) {
        CAPTURE(question);
        const std::vector<Json> rows = fixture.program(words);
        CHECK(!rows.empty());
        CHECK(fixture.ask(question) == rows);
    }

    const auto pgn = fixture.ask(R"({"ask":"pgn","game":1})");
    REQUIRE(pgn.size() == 1);
    CHECK(pgn[0]["pgn"] == run_process({FENDEX_BINARY, "show", fixture.path, "1"}).out);
    const auto novelties =
        fixture.ask(R"({"ask":"novelty","pgn":"[White \"A\"]\n\n1.e4 e5 2.Ke2 a5 3.Ke3 *"})");
    REQUIRE(novelties.size() == 1);
    CHECK(novelties[0]["white"] == "A");
    CHECK(novelties[0].at("novelty")["san"] == "Ke2");
    // Every ply of all games that fit.
    const auto plies = fixture.ask(R"({"ask":"plies","event":"casual game"})");
    const Json games = fixture.program({"games", "--event", "casual game"});
    std::size_t positions = 0;
    for (const Json& each : games) positions += each["plies"].get<std::size_t>() + 1;
    CHECK(plies.size() == positions);
}

TEST_CASE("errors of the C interface name the word that is wrong") {
    const CFixture fixture;
    const auto question = [&](const char* text) { return fixture.failure(text, FENDEX_QUESTION); };
    CHECK(question("1.e4").find("not JSON") != std::string::npos);
    CHECK(question("[]").find("an object") != std::string::npos);
    CHECK(question("{}").find("\"ask\"") != std::string::npos);
    CHECK(question(R"({"ask":"find","plyer":"x"})").find("plyer") != std::string::npos);
    CHECK(question(R"({"ask":"find","limit":-1})").find("limit") != std::string::npos);
    CHECK(question(R"({"ask":"find","fen":7})").find("fen") != std::string::npos);
    CHECK(question(R"({"ask":"find","moves":"1.e5"})").find("e5") != std::string::npos);
    CHECK(question(R"({"ask":"tree","match":"some"})").find("mirrored") != std::string::npos);
    CHECK(fixture.failure(R"({"ask":"game","game":12345})", FENDEX_ABSENT).find("12345") !=
          std::string::npos);
    CHECK(fendex_query(nullptr, "{}") == nullptr);
    CHECK(fendex_open("/nowhere/my.db") == nullptr);
    CHECK(fendex_error_kind() == FENDEX_ABSENT);
    CHECK(fendex_open(nullptr) == nullptr);
    CHECK(fendex_query(nullptr, "{}") == nullptr);
    CHECK(fendex_next(nullptr) == nullptr);
    CHECK(fendex_error() == std::string("the database is NULL"));
    fendex_close(nullptr);
    fendex_end(nullptr);
    fendex_cancel(nullptr);
}

TEST_CASE("a query of the C interface can be cancelled and outlives its database") {
    CFixture fixture;
    fendex_answers* const answers = fendex_query(fixture.db, R"({"ask":"find"})");
    fendex_close(std::exchange(fixture.db, nullptr));
    REQUIRE(fendex_next(answers) != nullptr);
    fendex_cancel(answers);
    CHECK(fendex_next(answers) == nullptr);
    CHECK(fendex_error_kind() == FENDEX_STOPPED);
    fendex_end(answers);
}
