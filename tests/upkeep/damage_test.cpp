// Deliberate damage: a check finds each with its ids, and a repair removes it.
#include <algorithm>
#include <random>

#include "support/delete_games.hpp"
#include "support/test_size.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

/// A finding that a check must report.
struct Expected {
    const char* kind;
    std::optional<std::uint64_t> game{};
    std::optional<std::int64_t> segment{};
    std::optional<std::int64_t> row{};
    /// A repair cannot restore the value, because it is stored only once.
    bool loses = false;
};

struct Injected {
    Expected expected;
    const char* sql;
};

const Injected kInjected[] = {
    {{.kind = "posting", .segment = 1},
     "DELETE FROM block WHERE id = (SELECT min(id) FROM block WHERE part = 0)"},
    {{.kind = "block", .segment = 1},
     "UPDATE block SET data = zeroblob(length(data)) WHERE id = (SELECT min(id) FROM block WHERE "
     "part = 0)"},
    {{.kind = "block", .segment = 1},
     "UPDATE block SET data = substr(data, 1, length(data) / 2) WHERE id = (SELECT min(id) FROM "
     "block WHERE part = 0)"},
    {{.kind = "block", .segment = 1},
     "UPDATE block SET data = (SELECT b.data FROM block b WHERE b.part = 0 AND b.segment = 2) "
     "WHERE segment = 1 AND part = 0"},
    {{.kind = "block", .segment = 1},
     "DELETE FROM block WHERE id = (SELECT min(id) FROM block WHERE part = 2)"},
    {{.kind = "block", .segment = 1},
     "UPDATE block SET data = CAST(x'01' || substr(data, 2) AS BLOB) WHERE part = 1"},
    {{.kind = "game", .game = 5, .loses = true},
     "UPDATE game SET moves = substr(moves, 1, 1) WHERE id = 5"},
    {{.kind = "game", .game = 5}, "UPDATE game SET plies = plies - 1 WHERE id = 5"},
    {{.kind = "game", .game = 5}, "UPDATE game SET plies = -7 WHERE id = 5"},
    {{.kind = "game", .game = 5}, "UPDATE game SET variant = 1 WHERE id = 5"},
    {{.kind = "game", .game = 5, .loses = true}, "UPDATE game SET result = 9 WHERE id = 5"},
    {{.kind = "game", .game = 6, .loses = true}, "DELETE FROM game WHERE id = 6"},
    {{.kind = "game", .game = 900, .loses = true},
     "INSERT INTO game SELECT 900, white, black, event, site, date, round, result, white_elo, "
     "black_elo, eco, plies, variant, fen, shape, tags, moves, tags_sum, moves_sum, opening FROM "
     "game WHERE id = 1"},
    {{.kind = "game", .game = 8, .loses = true}, "UPDATE game SET white = 777 WHERE id = 8"},
    {{.kind = "game", .game = 8, .loses = true}, "UPDATE game SET shape = 777 WHERE id = 8"},
    {{.kind = "fact", .game = 1},
     "UPDATE fact SET data = CAST(substr(data, 1, 3) || x'ff' || substr(data, 5) AS BLOB)"},
    {{.kind = "fact", .game = 1}, "DELETE FROM fact"},
    {{.kind = "signature", .row = 0},
     "UPDATE signature SET data = CAST(substr(data, 1, 2) || x'00' || substr(data, 4) AS BLOB)"},
    {{.kind = "codes", .game = 1},
     "UPDATE game_players SET data = CAST(substr(data, 1, 4) || x'ff' || substr(data, 6) AS BLOB)"},
    {{.kind = "opening", .game = 1},
     "UPDATE game SET opening = (SELECT max(id) FROM opening) WHERE id = 1"},
    {{.kind = "opening", .game = 1}, "UPDATE game SET opening = NULL WHERE id = 1"},
    {{.kind = "names"}, "UPDATE opening SET name = 'A00 Mine' WHERE id = 1"},
    {{.kind = "codes", .game = 1},
     "UPDATE game_opening SET data = CAST(substr(data, 1, 3) || x'ff' || substr(data, 5) AS BLOB)"},
    {{.kind = "codes", .game = 1}, "DELETE FROM game_names"},
    {{.kind = "game_names", .row = 9}, "INSERT INTO game_names SELECT 9, data FROM game_names"},
    {{.kind = "signature", .row = 9}, "INSERT INTO signature SELECT 9, data FROM signature"},
    {{.kind = "repetition", .game = 271},
     "DELETE FROM repetition WHERE key = (SELECT min(key) FROM repetition)"},
    {{.kind = "repetition", .game = 271}, "UPDATE repetition SET third_ply = 3 WHERE count = 3"},
    {{.kind = "repetition", .game = 5000},
     "INSERT INTO repetition VALUES (5000, 1, 2, '[1,2]', NULL, NULL)"},
    {{.kind = "quiet_run", .game = 272}, "DELETE FROM quiet_run"},
    {{.kind = "ply", .game = 3}, "UPDATE ply SET fen = epd WHERE game_id = 3 AND ply = 1"},
    {{.kind = "ply", .game = 3}, "DELETE FROM ply WHERE game_id = 3 AND ply = 2"},
    {{.kind = "ply", .game = 3},
     "INSERT INTO ply SELECT game_id, 50, san, uci, key, fen, epd, occurrence FROM ply WHERE "
     "game_id = 3 AND ply = 2"},
    {{.kind = "meta"}, "UPDATE meta SET value = 1 WHERE name = 'plies'"},
    {{.kind = "meta"}, "UPDATE meta SET value = 1 WHERE name = 'fingerprint'"},
    {{.kind = "meta"}, "DELETE FROM meta WHERE name = 'positions'"},
    {{.kind = "meta"}, "UPDATE meta SET value = 0 WHERE name = 'errors'"},
    {{.kind = "deleted", .row = 0},
     "INSERT INTO deleted VALUES (0, CAST(x'08' || zeroblob(511) AS BLOB))"},
    {{.kind = "deleted", .row = 0},
     "INSERT INTO deleted VALUES (0, CAST(zeroblob(511) || x'80' AS BLOB))"},
    {{.kind = "names", .loses = true}, "UPDATE player SET name = name || ' jr.' WHERE id = 2"},
    {{.kind = "names", .loses = true}, "UPDATE tag_value SET name = name || '.'"},
    {{.kind = "source", .loses = true}, "DELETE FROM source"},
    {{.kind = "segment"}, "DELETE FROM segment WHERE id = 1"},
    {{.kind = "segment", .segment = 2}, "UPDATE segment SET first_game = 3 WHERE id = 2"},
    {{.kind = "segment", .segment = 1}, "UPDATE segment SET postings = postings + 1 WHERE id = 1"},
    {{.kind = "posting", .game = 276, .segment = 3}, "DELETE FROM block WHERE segment = 3"},
    {{.kind = "segment", .segment = 3}, "UPDATE segment SET postings = postings + 1 WHERE id = 3"},
    {{.kind = "source", .row = 1}, "UPDATE source SET games = 3 WHERE id = 1"},
    {{.kind = "source", .row = 2}, "UPDATE source SET errors = 77 WHERE id = 2"},
    {{.kind = "import_error", .row = 1, .loses = true},
     "UPDATE import_error SET source = 50 WHERE id = 1"},
    {{.kind = "import_error", .loses = true},
     "UPDATE import_error SET pgn = CAST(substr(pgn, 1, length(pgn) - 5) || x'00' || substr(pgn, "
     "-4) AS BLOB) WHERE id = (SELECT max(id) FROM import_error WHERE pgn IS NOT NULL)"},
    {{.kind = "segment", .segment = 1}, "UPDATE segment SET kind = 'x' WHERE id = 1"},
    {{.kind = "segment", .segment = 3}, "UPDATE segment SET kind = 2 WHERE id = 3"},
    {{.kind = "segment"},
     "DELETE FROM segment WHERE kind = 1; DELETE FROM block WHERE segment = 3"},
    {{.kind = "meta"}, "INSERT OR REPLACE INTO meta VALUES ('variations_from', 9)"},
    {{.kind = "meta", .loses = true},
     "UPDATE meta SET value = '0123456789abcdef0123456789abcdef' WHERE name = 'id'"},
    {{.kind = "source", .loses = true}, "UPDATE source SET path = '/other.pgn' WHERE id = 1"},
    {{.kind = "source", .loses = true},
     "UPDATE source SET resume_digest = digest || 'x' WHERE id = 2"},
    {{.kind = "import_error", .loses = true},
     "CREATE TEMP TABLE t AS SELECT id, pgn FROM import_error WHERE pgn IS NOT NULL ORDER BY id "
     "LIMIT 2; UPDATE import_error SET pgn = (SELECT pgn FROM t WHERE t.id <> import_error.id) "
     "WHERE id IN (SELECT id FROM t)"},
    {{.kind = "import_error", .loses = true},
     "UPDATE import_error SET text = text || '?' WHERE id = 1"},
    {{.kind = "import_error", .row = 1, .loses = true},
     "UPDATE import_error SET game_id = 3000 WHERE id = 1"},
};

bool names(const upkeep::Findings& findings, const Expected& expected) {
    return std::ranges::any_of(findings.listed(), [&](const upkeep::Damage& damage) {
        return damage.kind == expected.kind && (!expected.game || damage.game == expected.game) &&
               (!expected.segment || damage.segment == expected.segment) &&
               (!expected.row || damage.row == expected.row);
    });
}

}  // namespace

TEST_CASE("A check of a database with everything finds no damage, with any number of threads") {
    for (const unsigned threads : {1U, 2U, 5U}) {
        const upkeep::CheckReport report = checked(Damaged::intact(), threads);
        INFO(text_of(report.findings));
        CHECK(report.findings.empty());
        CHECK(report.segments == 3);
        CHECK(report.games == 276);
        CHECK(report.postings == report.positions + 2);  // of the variation
    }
}

TEST_CASE("Each damage is found with its ids, and a repair restores the query results", "[full]") {
    const std::string answers = answers_of(Damaged::intact());
    const Damaged damaged;
    for (std::size_t i = 0; i < std::size(kInjected); i += at_size(3U, 1U)) {
        const auto& [expected, sql] = kInjected[i];
        INFO(sql);
        damaged.restore();
        damaged.sql(sql);
        const upkeep::CheckReport before = checked(damaged.path());
        INFO(text_of(before.findings));
        CHECK(names(before.findings, expected));

        upkeep::repair_database(damaged.path(), {});
        const upkeep::CheckReport after = checked(damaged.path());
        INFO("after the repair:\n" << text_of(after.findings));
        CHECK(after.findings.empty());
        if (!expected.loses) CHECK(answers_of(damaged.path()) == answers);
    }
}

TEST_CASE("A check counts positions that few games reached, also after deletions") {
    const TemporaryDirectory directory;
    // The first two games are the same, the third is so at first; the fourth is another.
    const std::string pgn = directory.write("a.pgn",
                                            "1. e4 e5 2. Nf3 Nc6 *\n\n[Round \"2\"]\n\n"
                                            "1. e4 e5 2. Nf3 Nc6 *\n\n1. e4 e5 2. Bc4 *\n\n"
                                            "1. d4 d5 *\n");
    const std::string path = directory / "a.db";
    ingest::import_files(path, {pgn}, {});
    const auto findings = [&] {
        const upkeep::CheckReport report = checked(path);
        return text_of(report.findings);
    };
    CHECK(findings() == "");
    REQUIRE(run_sql(path, "UPDATE segment SET positions = positions + 1"));
    CHECK_THAT(findings(), Catch::Contains("its blocks have 8"));
    REQUIRE(run_sql(path, "UPDATE segment SET positions = positions - 2"));
    CHECK_THAT(findings(), Catch::Contains("its blocks have 8"));
    REQUIRE(run_sql(path, "UPDATE segment SET positions = positions + 1"));
    delete_games(path, {2});
    CHECK(findings() == "");
}

TEST_CASE("A check of a sample finds damage that look-ups would meet") {
    const Damaged damaged;
    damaged.sql("DELETE FROM block WHERE segment = 1");
    const upkeep::CheckOptions options{.sample = 50};
    const upkeep::CheckReport report = upkeep::check_database(damaged.path(), options);
    CHECK(kinds_of(report.findings).count("block") == 1);
    damaged.restore();
    CHECK(upkeep::check_database(damaged.path(), options).findings.empty());
}

TEST_CASE("A truncated file is found damaged, and repaired if it has a game") {
    constexpr std::uintmax_t kNoGames = 40'000;
    const Damaged damaged;
    const auto size = std::filesystem::file_size(damaged.path());
    for (const std::uintmax_t cut : {size - 16'384, size / 2, kNoGames}) {
        damaged.restore();
        std::filesystem::resize_file(damaged.path(), cut);
        try {
            const upkeep::CheckReport report = checked(damaged.path());
            CHECK_FALSE(report.findings.empty());
        } catch (const store::StoreError& error) {
            CHECK(std::string(error.what()).find(damaged.path()) != std::string::npos);
        }
        if (cut == kNoGames) {
            const std::string before = read_file(damaged.path());
            CHECK_THROWS_WITH(
                upkeep::repair_database(damaged.path(), {}),
                Catch::Contains("no game can be read") && Catch::Contains("restore a backup"));
            CHECK((read_file(damaged.path()) == before));
            continue;
        }
        const upkeep::RepairReport repaired = upkeep::repair_database(damaged.path(), {});
        CHECK(repaired.malformed);
        CHECK(repaired.games > 0);
        const upkeep::CheckReport report = checked(damaged.path());
        INFO(text_of(report.findings));
        CHECK(report.findings.empty());
    }
}

TEST_CASE("A damaged value is found, or no query result depends on it", "[full]") {
    const std::string answers = answers_of(Damaged::intact());
    const Damaged damaged;
    std::mt19937_64 random(7);
    unsigned harmless = 0;
    for (unsigned i = 0; i < at_size(30U, 150U); ++i) {
        DamageStep step;
        step.target = i % std::size(kDamageTargets);
        const DamageTarget& target = kDamageTargets[step.target];
        if (target.original) continue;
        step.kind = static_cast<DamageKind>(random() % static_cast<unsigned>(DamageKind::kCount));
        step.row = static_cast<std::uint32_t>(random() >> 32);
        step.number = random();
        damaged.restore();
        if (damage(damaged.path(), step) == 0) continue;
        INFO(target.table << "." << target.column << " kind " << static_cast<int>(step.kind)
                          << " row " << step.row << " number " << step.number);
        std::optional<upkeep::CheckReport> report;
        try {
            report = checked(damaged.path());
        } catch (const store::StoreError&) {
        }
        if (!report || !report->findings.empty()) continue;
        ++harmless;
        CHECK(answers_of(damaged.path()) == answers);
    }
    CHECK(harmless < 30);
}
