// Checks what samples/README.md says about the samples.
#include <filesystem>
#include <map>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;

/// Returns the rows of the page's table with these words in its heading; cells without blanks
/// around them.
std::vector<Words> readme_table(const std::string& heading) {
    std::vector<Words> rows;
    bool inside = false;
    for (const std::string& line : lines_of(read_file(kSamples + "/README.md"))) {
        if (!line.starts_with('|')) {
            inside = false;
            continue;
        }
        Words cells;
        for (std::size_t at = 1; at < line.size();) {
            const std::size_t end = line.find('|', at);
            std::string cell = line.substr(at, end - at);
            cell.erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
            cell.erase(cell.find_last_not_of(' ') + 1);
            cells.push_back(cell);
            at = end + 1;
        }
        if (line.starts_with("| " + heading + " |")) {
            inside = true;
        } else if (inside && !cells.front().starts_with("---")) {
            rows.push_back(cells);
        }
    }
    REQUIRE_FALSE(rows.empty());
    return rows;
}

int number(std::string text) {
    std::erase(text, ',');
    return std::stoi(text);
}

}  // namespace

TEST_CASE("Samples: every file has the games and plies that the page says") {
    int games = 0;
    int plies = 0;
    for (const Words& row : readme_table("file")) {
        const std::string file = row.at(0).substr(1, row.at(0).size() - 2);  // `file`
        CAPTURE(file);
        CHECK(std::filesystem::exists(kSamples + "/" + file));
        if (!file.ends_with(".pgn") && !file.ends_with(".zst")) continue;
        const auto source = sqlite3_rows(
            samples_database(),
            "SELECT games, plies, errors FROM source WHERE path LIKE '%/" + file + "'");
        REQUIRE(source.size() == 1);
        CHECK(source[0]["games"] == number(row.at(1)));
        CHECK(source[0]["plies"] == number(row.at(2)));
        CHECK(source[0]["errors"] == 0);
        games += number(row.at(1));
        plies += number(row.at(2));
    }
    const Json info = json_lines(run({"info", samples_database(), "--format", "json"}).out).front();
    CHECK(info["games"] == games);
    CHECK(info["plies"] == plies);
    std::string total = std::to_string(plies);
    total.insert(total.size() - 3, ",");
    CHECK_THAT(
        read_file(kSamples + "/README.md"),
        Catch::Matchers::Contains(std::to_string(games) + " real games (" + total + " plies)"));
}

TEST_CASE("Samples: each position is reached by as many games as the page says") {
    const auto rows = readme_table("line");
    const std::string file = kSamples + "/positions.fen";
    const auto counts = json_lines(
        run({"find", samples_database(), "--fens", file, "--count", "--format", "json"}).out);
    const auto verified = json_lines(
        run({"find", samples_database(), "--fens", file, "--count", "--verify", "--format", "json"})
            .out);
    REQUIRE(counts.size() == rows.size());
    CHECK(verified == counts);
    std::map<int, int> found;
    for (const Json& answer :
         json_lines(run({"find", samples_database(), "--fens", file, "--format", "json"}).out)) {
        if (answer.contains("game_id")) ++found[answer["query"]];
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i]);
        CHECK(number(rows[i].front()) == static_cast<int>(i) + 1);
        CHECK(counts[i]["query"] == i + 1);
        CHECK(counts[i]["games"] == number(rows[i].back()));
        CHECK(found[static_cast<int>(i) + 1] == number(rows[i].back()));
        const bool three_times = rows[i].at(1).find("three times") != std::string::npos;
        CHECK(counts[i]["occurrences"] == (three_times ? 3 : number(rows[i].back())));
    }
}

TEST_CASE("Samples: repetitions are those that the page describes") {
    struct Case {
        const char* white;
        const char* black;
        std::vector<int> plies;  // plies of the position that was repeated most
        int last;                // ply of the game
        const char* result;
    };
    const Case cases[] = {
        {"Fischer%", "Petrosian%", {58, 62, 66}, 66, "1/2-1/2"},
        {"Ding Liren", "Gukesh%", {38, 42, 46}, 46, "1/2-1/2"},
        {"Carlsen%", "Anand%", {31, 35, 39}, 39, "1/2-1/2"},
        {"Huebner%", "Karpov%", {19, 23, 27}, 27, "1/2-1/2"},
        {"Capablanca%", "Lasker%", {86, 90, 94, 98}, 98, "1/2-1/2"},
        {"Bernstein%",
         "Nimzowitsch%",
         {87, 91, 95, 99, 103, 107, 111, 115, 119, 123, 127},
         145,
         "1/2-1/2"},
        {"Levenfish%", "Botvinnik%", {59, 63, 67, 71, 75, 79, 83}, 133, "1-0"},
        {"Ding Liren", "Carlsen%", {134, 138, 142, 146}, 174, "1-0"},
    };
    for (const Case& each : cases) {
        CAPTURE(each.white);
        const std::string game = std::string("FROM games g WHERE g.white LIKE '") + each.white +
                                 "' AND g.black LIKE '" + each.black +
                                 "' AND g.id IN (SELECT game_id FROM repetition WHERE count > 2)";
        const auto rows = sqlite3_rows(samples_database(), "SELECT id, plies, result " + game);
        REQUIRE(rows.size() == 1);
        CHECK(rows[0]["plies"] == each.last);
        CHECK(rows[0]["result"] == each.result);
        const auto repetitions = sqlite3_rows(
            samples_database(), "SELECT count, plies, key FROM repetition WHERE game_id = " +
                                    rows[0]["id"].dump() + " ORDER BY count DESC");
        std::vector<Json> found;
        for (const Json& repetition : repetitions) {
            const Json plies = Json::parse(repetition["plies"].get<std::string>());
            CHECK(repetition["count"] == plies.size());
            CHECK(repetition["count"] <= each.plies.size());
            found.push_back(plies);
        }
        CHECK_THAT(found, Catch::VectorContains(Json(each.plies)));
    }
    const auto three =
        sqlite3_rows(samples_database(),
                     "SELECT count(DISTINCT r.game_id) AS games FROM repetition r JOIN game g ON"
                     " g.id = r.game_id JOIN source s ON g.id BETWEEN s.first_game AND"
                     " s.first_game + s.games - 1 WHERE r.count > 2 AND s.path LIKE"
                     " '%/repetitions.pgn'");
    CHECK(three[0]["games"] == std::size(cases));
}

TEST_CASE("Samples: the same board is not the same position when castling was still possible") {
    const auto almasi =
        sqlite3_rows(samples_database(),
                     "SELECT id FROM games WHERE white LIKE 'Alm_si%' AND black LIKE 'Anand%'");
    REQUIRE(almasi.size() == 1);
    const std::string id = almasi[0]["id"].dump();
    const auto plies =
        sqlite3_rows(samples_database(), "SELECT epd FROM ply WHERE game_id = " + id +
                                             " AND ply IN (31, 35, 39) ORDER BY ply");
    REQUIRE(plies.size() == 3);
    const auto board = [](const Json& row) {
        const std::string epd = row["epd"];
        return epd.substr(0, epd.find(' '));
    };
    CHECK(board(plies[0]) == board(plies[1]));
    CHECK(plies[0]["epd"] != plies[1]["epd"]);
    CHECK(plies[1]["epd"] == plies[2]["epd"]);
    CHECK(sqlite3_rows(samples_database(),
                       "SELECT * FROM repetition WHERE count > 2 AND game_id = " + id)
              .empty());
}

TEST_CASE("Samples: table repetition is what the rows of table ply say") {
    const auto rows = sqlite3_rows(
        samples_database(),
        "SELECT game_id, key, count, plies FROM repetition EXCEPT SELECT game_id, key, count(*),"
        " '[' || group_concat(ply) || ']' FROM (SELECT * FROM ply ORDER BY game_id, ply) GROUP BY "
        "game_id,"
        " epd HAVING count(*) > 1");
    CHECK(rows.empty());
    const auto counts =
        sqlite3_rows(samples_database(),
                     "SELECT (SELECT count(*) FROM repetition) AS stored, (SELECT count(*) FROM"
                     " (SELECT 1 FROM ply GROUP BY game_id, epd HAVING count(*) > 1)) AS derived");
    CHECK(counts[0]["stored"] == counts[0]["derived"]);
    CHECK(counts[0]["stored"] > 100);
}

TEST_CASE("Samples: the third and the fifth ply of a repetition are the third and the fifth") {
    const auto wrong = sqlite3_rows(
        samples_database(),
        "SELECT r.* FROM repetition r WHERE third_ply IS NOT (SELECT value FROM json_each(r.plies)"
        " WHERE key = 2) OR fifth_ply IS NOT (SELECT value FROM json_each(r.plies) WHERE key = 4)");
    CHECK(wrong.empty());
    CHECK(sqlite3_rows(samples_database(),
                       "SELECT 1 FROM repetition WHERE (third_ply IS NULL) <> (count < 3)")
              .empty());
    CHECK(sqlite3_rows(samples_database(), "SELECT 1 FROM repetition WHERE third_ply").size() > 10);
}

TEST_CASE("Samples: a ply row counts how often its position has occurred") {
    CHECK(sqlite3_rows(samples_database(),
                       "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY game_id, epd"
                       " ORDER BY ply) AS expected FROM ply) WHERE occurrence <> expected")
              .empty());
    CHECK(sqlite3_rows(samples_database(), "SELECT 1 FROM ply WHERE occurrence = 3").size() > 10);
}
