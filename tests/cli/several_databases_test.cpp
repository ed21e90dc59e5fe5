// Questions to several databases at once, and the database of the environment.
#include <catch2/catch.hpp>
#include <filesystem>

#include "cli/fixture.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kBlackToMove = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";

/// The samples in two databases, a.db and b.db, and in one, all.db, in the same order.
class Several {
  public:
    static const Several& instance() {
        static const Several several;
        return several;
    }

    Outcome answer(const Words& words, const std::string& default_database = "") const {
        ProcessOptions options{.directory = directory_.path()};
        if (!default_database.empty()) options.environment = {"FENDEX_DB=" + default_database};
        return run(words, options);
    }
    /// Puts the question to both parts.
    Outcome of_parts(Words words) const {
        words.insert(words.begin() + 1, {"a.db", "b.db"});
        return answer(words);
    }
    Outcome of_whole(Words words) const {
        words.insert(words.begin() + 1, "all.db");
        return answer(words);
    }
    /// Replaces the database and its number of a game by the number in all.db.
    void renumber(Json& row, const char* number) const {
        const std::string database = row.at("database");
        REQUIRE((database == "a.db" || database == "b.db"));
        if (database == "b.db") row[number] = row[number].get<unsigned>() + in_first_;
        row.erase("database");
    }
    std::string write(const std::string& name, const std::string& text) const {
        return directory_.write(name, text);
    }
    std::string path(const std::string& name) const { return directory_ / name; }

  private:
    Several() {
        const auto add = [&](const std::string& database, const Words& samples) {
            Words words{"import", database};
            for (const std::string& sample : samples) words.push_back(kSamples + '/' + sample);
            REQUIRE(answer(words).status == 0);
        };
        const Words first{"classics.pgn", "fischer-random.pgn", "repetitions.pgn"};
        const Words second{"curiosities.pgn", "marx-gyorgy-2006.pgn", "online.pgn",
                           "tournament.pgn.zst"};
        add("a.db", first);
        add("b.db", second);
        add("all.db", first);
        in_first_ = static_cast<unsigned>(
            json_lines(answer({"games", "a.db", "--format", "json"}).out).size());
        add("all.db", second);
    }

    TemporaryDirectory directory_;
    unsigned in_first_ = 0;
};

/// Checks that the rows of two databases are those of one.
void check_rows(const Words& question) {
    const Several& several = Several::instance();
    CAPTURE(question);
    Words words = question;
    words.insert(words.end(), {"--format", "json"});
    const Outcome found = several.of_parts(words);
    const Outcome expected = several.of_whole(words);
    INFO(found.err);
    CHECK(found.status == expected.status);
    std::vector<Json> rows = json_lines(found.out);
    for (Json& row : rows) {
        if (row.contains("game_id")) several.renumber(row, "game_id");
    }
    CHECK(rows == json_lines(expected.out));
    CHECK_FALSE(rows.empty());
}

/// Checks that the answers are the same, to the byte.
void check_same(const Words& question) {
    const Several& several = Several::instance();
    CAPTURE(question);
    const Outcome found = several.of_parts(question);
    const Outcome expected = several.of_whole(question);
    INFO(found.err);
    CHECK(found.status == expected.status);
    CHECK(found.out == expected.out);
    CHECK_FALSE(found.out.empty());
}

}  // namespace

TEST_CASE("$FENDEX_DB is the database of reading verbs that are given none") {
    const Several& several = Several::instance();
    const std::vector<Words> questions{{"find", kStart, "--count"},
                                       {"find", "--moves", "e4"},
                                       {"tree"},
                                       {"tree", "--moves", "e4"},
                                       {"repeats", "--min", "2"},
                                       {"games"},
                                       {"show", "1"},
                                       {"export"},
                                       {"sql", "SELECT count(*) FROM games"},
                                       {"errors"},
                                       {"duplicates"},
                                       {"info"},
                                       {"check"}};
    for (const Words& question : questions) {
        CAPTURE(question);
        Words named = question;
        named.insert(named.begin() + 1, "a.db");
        const Outcome expected = several.answer(named, "b.db");
        CHECK(expected.status != 2);
        const Outcome outcome = several.answer(question, "a.db");
        CHECK(outcome.status == expected.status);
        if (question[0] != "check") CHECK(outcome.out == expected.out);  // check says how long
        CHECK(several.answer(question).status == 2);
    }
    several.write("asked.fen", kStart + '\n');
    CHECK(several.answer({"find", "asked.fen", "--count"}, "a.db").status == 0);
    CHECK_THAT(several.answer({"find", "--help"}).out, Contains("$FENDEX_DB"));
}

TEST_CASE("$FENDEX_DB does not replace a misspelt or misplaced database, and is never written") {
    const Several& several = Several::instance();
    check_refused(several.answer({"games", "c.db"}, "a.db"), {"c.db"});
    several.write("text", "no database");
    check_refused(several.answer({"games", "text"}, "a.db"), {"text"});
    check_refused(several.answer({"find", kStart, "b.db"}, "a.db"), {"the database comes first"});
    check_refused(several.answer({"find", kStart}, "c.db"), {"c.db"});
    for (const char* const verb :
         {"import", "delete", "compact", "materialize", "repair", "upgrade", "backup"}) {
        CAPTURE(verb);
        CHECK(several.answer({verb}, "a.db").status == 2);
        CHECK_THAT(several.answer({verb, "--help"}).out, !Contains("FENDEX_DB"));
    }
}

TEST_CASE("Databases come first, each once, and a misspelt one is not taken for a position") {
    const Several& several = Several::instance();
    check_refused(several.answer({"find", "a.db", "a.db", kStart}), {"a.db", "twice"});
    std::filesystem::create_symlink("a.db", several.path("link"));
    check_refused(several.answer({"tree", "link", "b.db", "a.db"}), {"link", "a.db", "same"});
    check_refused(several.answer({"find", "a.db", "c.db", kStart}), {"c.db"});
    check_refused(several.answer({"find", "a.db", kStart, "b.db"}), {"b.db", "come first"});
    std::filesystem::copy_file(several.path("b.db"), several.path("other-name"));
    CHECK(several.answer({"find", "a.db", "other-name", kStart, "--count"}).status == 0);
    for (const char* const verb : {"find", "tree", "repeats"}) {
        CAPTURE(verb);
        several.write("broken.db", "no database");
        check_refused(several.answer({verb, "a.db", "broken.db", "--format", "json"}),
                      {"broken.db"});
    }
    for (const char* const verb : {"games", "info", "export"}) {
        CAPTURE(verb);
        check_refused(several.answer({verb, "a.db", "b.db"}), {"b.db"});
    }
}

TEST_CASE("find: rows name their database, in the order of databases", "[full]") {
    check_rows({"find", kStart});
    check_rows({"find", kStart, "--limit", "3"});
    check_rows({"find", kStart, "--limit", "50", "--offset", "30"});
    check_rows({"find", kStart, "--offset", "60", kStart});
    check_rows({"find", kStart, kMate, kBlackToMove, kBlackToMove});
    check_rows({"find", kStart, "--player", "fischer"});
    check_rows({"find", "--moves", "e4", "--match", "mirrored"});
    check_rows({"find", "--moves", "e4", "--variations"});
    check_rows({"find", "--material", "KRPvKRP", "--either-side"});
    check_rows({"find", "--material", "Q=1 q=0", "--limit", "8", "--offset", "2"});
    // At small size each order for one of three questions.
    const Words orders{"date", "elo", "plies"};
    const std::vector<Words> sorted{{"find", kStart},
                                    {"find", kStart, "--limit", "10", "--offset", "5"},
                                    {"find", "--material", "Q=1 q=0"}};
    for (std::size_t i = 0; i < orders.size(); ++i) {
        for (std::size_t j = 0; j < sorted.size(); ++j) {
            if (!full_size() && i != j) continue;
            Words words = sorted[j];
            words.insert(words.end(), {"--sort", orders[i]});
            check_rows(words);
        }
    }
    const Outcome two = Several::instance().of_parts({"find", kStart, kMate, "--format", "json"});
    const Words names = members(json_lines(two.out).at(0));
    CHECK(Words(names.begin(), names.begin() + 3) == Words{"query", "database", "game_id"});
    const Outcome csv =
        Several::instance().of_parts({"find", kStart, "--format", "csv", "--limit", "1"});
    CHECK_THAT(csv.out, StartsWith("database,game_id,"));
    CHECK_THAT(lines_of(csv.out).at(1), StartsWith("a.db,1,"));
    const Outcome table = Several::instance().of_parts({"find", kStart, "--limit", "1"});
    CHECK_THAT(table.out, StartsWith("database"));
    CHECK(lines_of(table.out).back() ==
          lines_of(Several::instance().of_whole({"find", kStart, "--limit", "1"}).out).back());
}

TEST_CASE(
    "find: a limit counts over databases with so many games that several threads print them") {
    const TemporaryDirectory directory;
    for (const auto& [name, games] : {std::pair("many", 4200U), std::pair("few", 200U)}) {
        std::string pgn;
        for (unsigned game = 1; game <= games; ++game) pgn += "[Round \"1\"]\n\n1. a3 *\n\n";
        const std::string archive = directory.write(std::string(name) + ".pgn", pgn);
        REQUIRE(run({"import", directory / (std::string(name) + ".db"), archive}).status == 0);
    }
    const auto last_row = [&](const Words& options) {
        Words words{"find", directory / "many.db", directory / "few.db", kStart, "--format", "csv"};
        words.insert(words.end(), options.begin(), options.end());
        const Words lines = lines_of(run(words).out);
        const std::string place = lines.back().substr(lines.back().rfind('/') + 1);
        return std::pair(lines.size() - 1, place.substr(0, place.find(',', place.find(',') + 1)));
    };
    CHECK(last_row({}) == std::pair<std::size_t, std::string>(4400, "few.db,200"));
    CHECK(last_row({"--limit", "4300"}) == std::pair<std::size_t, std::string>(4300, "few.db,100"));
    CHECK(last_row({"--limit", "4200", "--offset", "50"}) ==
          std::pair<std::size_t, std::string>(4200, "few.db,50"));
    CHECK(last_row({"--limit", "4200"}) ==
          std::pair<std::size_t, std::string>(4200, "many.db,4200"));
}

TEST_CASE("find: counts and PGN include all databases") {
    for (const char* const format : {"table", "json", "csv"}) {
        check_same({"find", kStart, "--count", "--format", format});
        check_same({"find", kStart, kMate, "--count", "--verify", "--format", format});
        check_same({"find", "--moves", "e4 e5", "--count", "--since", "1990", "--format", format});
        check_same({"find", "--material", "KRPvKRP", "--count", "--format", format});
    }
    check_same({"find", kStart, "--format", "pgn", "--limit", "90"});
    check_same({"find", kStart, "--format", "pgn", "--sort", "date"});
    // Of three questions one has answers in one database only.
    const std::string asked =
        Several::instance().write("three.fen", kStart + "\n" + kMate + "\n" + kBlackToMove + "\n");
    check_same({"find", asked, "--count", "--format", "csv"});
    CHECK(Several::instance().of_parts({"find", kBlackToMove}).status == 1);
}

TEST_CASE("tree makes one tree of all databases") {
    for (const Words& question :
         std::vector<Words>{{"tree"},
                            {"tree", kMate},
                            {"tree", "--moves", "e4 e5"},
                            {"tree", "--match", "mirrored"},
                            {"tree", "--match", "board", "--moves", "e4"},
                            {"tree", "--variant", "chess960"},
                            {"tree", "--min-elo", "2300"},
                            {"tree", "--no-transpositions", "--min-games", "4"}}) {
        Words csv = question;
        csv.insert(csv.end(), {"--format", "csv"});
        check_same(csv);
        // The same in JSON, with the games' databases.
        const Several& several = Several::instance();
        Words words = question;
        words.insert(words.end(), {"--format", "json"});
        std::vector<Json> found = json_lines(several.of_parts(words).out);
        REQUIRE(found.size() == 1);
        const auto renumber = [&](Json& games) {
            for (Json& game : games) several.renumber(game, "game_id");
        };
        renumber(found[0]["topGames"]);
        renumber(found[0]["recentGames"]);
        for (Json& move : found[0]["moves"]) renumber(move["topGames"]);
        CHECK(found == json_lines(several.of_whole(words).out));
    }
    const Words deep{"tree", "--depth", "12", "--no-transpositions", "--quiet"};
    const Words found = lines_of(Several::instance().of_parts(deep).out);
    const Words expected = lines_of(Several::instance().of_whole(deep).out);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size() && !found[i].empty(); ++i) {
        CHECK(found[i] == expected[i]);
    }
    CHECK_THAT(found.back(), StartsWith("a.db "));
}

TEST_CASE("repeats: rows name their database, and the summary includes all") {
    check_rows({"repeats"});
    check_rows({"repeats", "--min", "2", "--sort", "date", "--limit", "7", "--offset", "2"});
    check_rows({"repeats", "--min", "2", "--sort", "plies"});
    check_rows({"repeats", "--claims", "--missed"});
    const Several& several = Several::instance();
    const Words summary{"repeats", "--summary", "--format", "json"};
    std::vector<Json> found = json_lines(several.of_parts(summary).out);
    REQUIRE(found.size() == 1);
    for (Json& row : found[0]["positions"]) several.renumber(row, "first_game");
    for (Json& row : found[0]["shuffles"]) several.renumber(row, "game_id");
    CHECK(found == json_lines(several.of_whole(summary).out));
    check_refused(several.of_parts({"repeats", "--game", "1"}), {"--game", "one database"});
}

TEST_CASE("Hints on several databases are right for all of them") {
    const Several& several = Several::instance();
    const Outcome nobody = several.of_parts({"find", kStart, "--player", "Fisher"});
    CHECK(nobody.status == 1);
    CHECK(nobody.err == several.of_whole({"find", kStart, "--player", "Fisher"}).err);
    CHECK_THAT(nobody.err, Contains("Fischer"));
    // One database has the player, but not the position.
    CHECK_THAT(several.of_parts({"find", kMate, "--player", "Fischer"}).err,
               Contains("but none that meets"));
    CHECK_THAT(several.of_parts({"tree", "--variant", "atomic"}).err,
               Contains("the databases have no games of"));
    CHECK(several.of_parts({"find", kStart, "--source", "classics.pgn", "--count"}).out ==
          several.of_whole({"find", kStart, "--source", "classics.pgn", "--count"}).out);
    CHECK(several.of_parts({"find", kStart, "--source", "classics.pgn", "--count"}).status == 0);
    check_refused(several.of_parts({"find", kStart, "--source", "nothing.pgn"}), {"--source"});
}
