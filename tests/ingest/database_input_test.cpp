// A database as an input: what is stored afterwards equals what importing its archives would have
// stored. Also interrupted imports, sources that are known, damage, and another writer.
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <memory>
#include <thread>

#include "emit/pgn_game.hpp"
#include "ingest/ingest_fixtures.hpp"
#include "ingest/numbered_games.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/damage_file.hpp"
#include "support/data_file.hpp"
#include "support/evaluated_games.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using Catch::Matchers::Contains;
using ingest::ImportOptions;
using test::everything;
using test::Imported;
using test::Interrupted;
using test::TemporaryDirectory;

/// Returns games with comments, variations, other starts, errors, and text that is not a game.
std::string text_of(std::uint64_t seed, unsigned games) {
    return "some prose before the first game\n\n" + test::random_archive(seed, games).text() +
           test::numbered_games(1, 20) + test::archive_with_everything(20);
}

ImportOptions with_annotations() {
    return {.threads = 2, .ply_rows = ingest::PlyRowChoice::kNo, .annotations = true};
}

ImportOptions small_batches() {
    ImportOptions options = with_annotations();
    options.batch_bytes = 1;
    options.plies_per_commit = 1;
    return options;
}

/// Two archives, a database of each, and one of both.
struct Archives {
    TemporaryDirectory directory;
    std::string a = directory.write("a.pgn", text_of(301, 40));
    std::string b = directory.write("b.pgn", text_of(302, 25) + "[Event \"open\"]\n\n1. e4 e5");
    Imported of_a{{a}, with_annotations()};
    Imported of_b{{b}, with_annotations()};
    Imported of_both{{a, b}, with_annotations()};
};

void check_sound(const Imported& imported) {
    test::check_undamaged(imported);
    CHECK(imported.info().unindexed_games == 0);
}

/// Returns the games of a database as PGN.
std::string exported(const std::string& path) {
    const auto reader = store::file_store(path)->reader();
    std::string text;
    for (store::GameId id = 1; id <= reader->last_game(); ++id) {
        if (reader->has_game(id)) emit::append_pgn(*reader, id, text);
    }
    return text;
}

}  // namespace

TEST_CASE("Databases that are imported into one give what their archives give") {
    const Archives archives;
    Imported merged({archives.of_a.path()}, with_annotations());
    CHECK(merged.summary().games == archives.of_a.summary().games);
    CHECK(merged.summary().errors == archives.of_a.summary().errors);
    CHECK(merged.summary().warnings == archives.of_a.summary().warnings);
    merged.again({archives.of_b.path()});
    CHECK(merged.info().fingerprint == archives.of_both.info().fingerprint);
    CHECK((everything(merged) == everything(archives.of_both)));
    CHECK((test::notes(merged) == test::notes(archives.of_both)));
    CHECK(test::notes(merged).size() > 1000);
    check_sound(merged);

    SECTION("both at once, into a database with ply rows") {
        const Imported rows({archives.of_a.path(), archives.of_b.path()},
                            test::ply_rows(ingest::PlyRowChoice::kYes));
        const Imported expected({archives.a, archives.b},
                                test::ply_rows(ingest::PlyRowChoice::kYes));
        CHECK((everything(rows) == everything(expected)));
        const char* const plies =
            "SELECT game_id || '|' || ply || '|' || key || '|' || fen || '|'"
            " || occurrence FROM ply ORDER BY game_id, ply";
        CHECK((rows.rows(plies) == expected.rows(plies)));
        check_sound(rows);
    }
    SECTION("archives that came with a database are known") {
        CHECK(merged.again({archives.a}).games == 0);
        CHECK(merged.summary().known_sources == 1);
        CHECK((everything(merged) == everything(archives.of_both)));
    }
    SECTION("what is known is not taken again") {
        const std::string before = everything(merged);
        CHECK(merged.again({archives.of_b.path(), archives.of_both.path()}).games == 0);
        CHECK(merged.summary().known_sources == 2);
        REQUIRE(merged.summary().notices.size() == 2);
        CHECK_THAT(merged.summary().notices[0], Contains("was imported before"));
        CHECK((everything(merged) == before));
        CHECK(merged.again({archives.of_b.path()}, {.again = true}).games ==
              archives.of_b.summary().games);
    }
}

TEST_CASE("Names that have other numbers in another database are taken as names") {
    const TemporaryDirectory directory;
    const std::string a = directory.write("a.pgn", R"([Event "First"]
[Site "Elsewhere"]
[White "Somebody"]
[Black "Nobody"]
[Result "*"]
[Opening "Grob"]
[Termination "Abandoned"]

1. g4 *
)");
    const std::string b = directory.write("b.pgn", R"([Event "Second"]
[Site "Here"]
[Date "2001.02.03"]
[White "Nobody"]
[Black "Another"]
[Result "1-0"]
[Termination "Time forfeit"]
[Annotator "Somebody"]
[UTCTime "10:11:12"]

1. e4 e5 1-0

[Event "Second"]
[Site "https://example.org/1"]
[White "Another"]
[Black "Third"]
[Result "0-1"]
[TimeControl "180+2"]
[Termination "Normal"]
[Termination "Twice"]

1. d4 d5 0-1
)");
    const Imported of_b({b});
    const Imported expected({a, b});
    Imported merged({a});
    merged.again({of_b.path()});
    CHECK((everything(merged) == everything(expected)));
    CHECK((merged.rows("SELECT name FROM tag_value ORDER BY name") ==
           expected.rows("SELECT name FROM tag_value ORDER BY name")));
    check_sound(merged);
}

TEST_CASE("A database of an earlier format gives what its games as text give") {
    const int format = GENERATE(4, 5, 6);
    const TemporaryDirectory directory;
    const std::string old = directory.write("old.db", test::older_database(format));
    const std::string text = exported(old);
    const Imported of_text({directory.write("old.pgn", text)}, with_annotations());
    const Imported merged({old}, with_annotations());
    CHECK(merged.info().games == 381);
    CHECK(merged.info().errors == 6);
    CHECK(merged.info().fingerprint == of_text.info().fingerprint);
    CHECK((exported(merged.path()) == text));
    check_sound(merged);
}

TEST_CASE("Of a database that shares archives only the others are taken") {
    const Archives archives;
    Imported merged({archives.b});
    const ingest::ImportSummary& summary = merged.again({archives.of_both.path()});
    CHECK(summary.games == archives.of_a.summary().games);
    REQUIRE(summary.notices.size() == 1);
    CHECK_THAT(summary.notices[0], Contains("1 source of it was imported before"));
    CHECK(merged.again({archives.a, archives.b}).games == 0);
    check_sound(merged);
}

TEST_CASE("An archive that has grown since is taken only as far as it is new") {
    const TemporaryDirectory directory;
    const std::string all = test::random_archive(305, 60).text() + test::numbered_games(1, 40);
    const std::string part = directory.write("part.pgn", all.substr(0, all.size() / 2));
    const std::string whole = directory.write("whole.pgn", all);
    const Imported of_whole({whole}, with_annotations());
    Imported merged({part}, with_annotations());
    const std::uint64_t before = merged.info().games;
    merged.again({of_whole.path()}, with_annotations());
    // The last game of the part was cut off, and stays.
    CHECK(merged.info().games == of_whole.info().games + 1);
    CHECK(merged.summary().games == merged.info().games - before);
    CHECK(merged.again({whole}).games == 0);
    check_sound(merged);
}

TEST_CASE("An import of databases interrupted after any batch and resumed stores the same",
          "[full]") {
    const Archives archives;
    const std::vector<std::string> inputs{archives.of_a.path(), archives.of_b.path()};
    const std::string expected = everything(archives.of_both) + test::notes(archives.of_both);
    unsigned batches = 1;
    for (;; ++batches) {
        if (test::left_out(batches, 5) || test::left_to_full_size(batches, 8)) continue;
        CAPTURE(batches);
        Imported imported;
        if (test::import_batches(imported, inputs, small_batches(), batches)) break;
        imported.again(inputs, small_batches());
        REQUIRE((everything(imported) + test::notes(imported) == expected));
    }
    CHECK(batches > 50);

    Imported imported;
    unsigned runs = 1;
    while (!test::import_batches(imported, inputs, small_batches(), 7)) ++runs;
    CHECK(runs > 10);
    CHECK((everything(imported) + test::notes(imported) == expected));
    check_sound(imported);
}

TEST_CASE("Deleted games of a database are not taken, and their archive stays known") {
    const Archives archives;
    const std::uint64_t games = archives.of_a.info().games;
    {
        const auto writer = store::file_store(archives.of_a.path())->writer();
        const std::vector<store::GameId> deleted{1, 5, 6, games};
        writer->remove_games(deleted);
        writer->commit();
        writer->close();
    }
    Imported merged({archives.of_a.path()});
    CHECK(merged.info().games == games - 4);
    CHECK(merged.info().last_game == games - 4);
    CHECK(merged.again({archives.a}).games == 0);
    check_sound(merged);
}

TEST_CASE("An archive that a database has twice is taken once, with the games that are there") {
    Archives archives;
    const std::uint64_t games = archives.of_a.info().games;
    archives.of_a.again({archives.a}, {.again = true});
    CHECK(archives.of_a.info().games == 2 * games);
    Imported merged({archives.of_a.path()});
    CHECK(merged.info().games == games);
    REQUIRE(merged.summary().notices.size() == 1);
    CHECK_THAT(merged.summary().notices[0], Contains("stored there a second time, is taken once"));
    check_sound(merged);
    {
        const auto writer = store::file_store(archives.of_a.path())->writer();
        const std::vector<store::GameId> deleted{1, 2};
        writer->remove_games(deleted);
        writer->commit();
        writer->close();
    }
    Imported whole({archives.of_a.path()});
    CHECK(whole.info().games == games);
    CHECK(whole.info().fingerprint == merged.info().fingerprint);
}

TEST_CASE("Games that no row of the ledger has are taken, too") {
    const Archives archives;
    REQUIRE(test::run_sql(archives.of_a.path(), "DELETE FROM source; DELETE FROM import_error"));
    Imported merged({archives.of_a.path()});
    CHECK(merged.info().games == archives.of_a.info().games);
    CHECK(merged.again({archives.of_a.path()}).games == 0);
    CHECK(merged.again({archives.a}).games == archives.of_a.summary().games);
    check_sound(merged);
}

TEST_CASE("A database is not taken into itself, and no other file is one") {
    Archives archives;
    archives.of_a.again({archives.of_a.path()});
    REQUIRE(archives.of_a.summary().failures.size() == 1);
    CHECK_THAT(archives.of_a.summary().failures[0], Contains("is the database itself"));
    CHECK(archives.of_a.summary().games == 0);

    const std::string foreign = archives.directory / "foreign.db";
    REQUIRE(test::run_sql(foreign, "CREATE TABLE game(id INTEGER PRIMARY KEY)"));
    archives.of_b.again({foreign});
    REQUIRE(archives.of_b.summary().failures.size() == 1);
    CHECK_THAT(archives.of_b.summary().failures[0], Contains("SQLite"));
}

TEST_CASE("Of a damaged database each sound game is taken, and the others are errors") {
    const Archives archives;
    const std::uint64_t games = archives.of_a.info().games;
    const std::uint64_t errors = archives.of_a.summary().errors + archives.of_a.summary().warnings;
    for (const std::string column : {"moves", "plies", "white", "shape", "fen"}) {
        CAPTURE(column);
        const std::string damaged = archives.directory / (column + ".db");
        std::filesystem::copy_file(archives.of_a.path(), damaged);
        REQUIRE(test::run_sql(damaged, "UPDATE game SET " + column + " = 77 WHERE id IN (3, 30)"));
        Imported merged({damaged});
        const ingest::ImportSummary& summary = merged.summary();
        CHECK(summary.games >= games - 2);
        CHECK(summary.errors + summary.warnings + (summary.games - (games - 2)) >= errors);
        CHECK(summary.errors + summary.games >= archives.of_a.summary().errors + games);
        check_sound(merged);
    }
}

TEST_CASE("A large segment of a database is taken as it is, and a small one is merged") {
    const Archives archives;
    const std::uint64_t postings = archives.of_a.info().postings;
    const auto merge = [&](std::uint64_t piece_postings, const std::string& input) {
        auto merged =
            std::make_unique<Imported>(std::vector{archives.of_b.path()}, with_annotations());
        ImportOptions options = with_annotations();
        options.segment_postings = piece_postings;
        merged->again({input}, options);
        CHECK(merged->info().games == archives.of_a.info().games + archives.of_b.info().games);
        check_sound(*merged);
        return merged;
    };
    const std::uint64_t large = 4 * std::max(postings, archives.of_b.info().postings);
    const auto of_text = merge(large, archives.a);
    CHECK(of_text->info().index_pieces == 1);
    const auto copied = merge(large, archives.of_a.path());
    CHECK(copied->info().index_pieces == 2);
    CHECK((everything(*copied) == everything(*of_text)));
    CHECK(merge(100 * large, archives.of_a.path())->info().index_pieces == 1);

    // A damaged index is made anew.
    for (const std::string sql :
         {"UPDATE block SET data = zeroblob(length(data)) WHERE id = (SELECT max(id) FROM block)",
          "DELETE FROM block WHERE id = (SELECT min(id) FROM block WHERE part = 0)",
          "UPDATE meta SET value = 1 WHERE name = 'tag_facts'"}) {
        CAPTURE(sql);
        const std::string damaged = archives.directory / "damaged.db";
        std::filesystem::copy_file(archives.of_a.path(), damaged,
                                   std::filesystem::copy_options::overwrite_existing);
        REQUIRE(test::run_sql(damaged, sql));
        const auto merged = merge(large, damaged);
        CHECK(merged->info().index_pieces == 1);
        CHECK((everything(*merged) == everything(*of_text)));
    }
}

TEST_CASE("An archive of which a database has damaged games is not known") {
    const TemporaryDirectory directory;
    std::string text;
    for (int game = 1; game <= 40; ++game) {
        text += "[White \"White " + std::to_string(game) + "\"]\n[Black \"Black\"]\n\n" +
                "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 1-0\n\n";
    }
    const std::string archive = directory.write("a.pgn", text);
    const Imported sound({archive});
    const std::string damaged = directory / "damaged.db";
    std::filesystem::copy_file(sound.path(), damaged);
    REQUIRE(test::run_sql(damaged, "UPDATE game SET white = 77 WHERE id IN (3, 30)"));
    Imported merged({damaged});
    CHECK(merged.info().games == 38);
    REQUIRE(merged.summary().failures.size() == 1);
    CHECK_THAT(merged.summary().failures[0], Contains("2 games of " + archive));
    CHECK(merged.again({damaged}).games == 0);
    CHECK(merged.again({archive}, {.skip_duplicates = true}).games == 2);
    CHECK(merged.info().games == 40);
    CHECK(merged.again({archive, sound.path()}).games == 0);
    check_sound(merged);
}

TEST_CASE("Games that an interrupted import of a database has stored are not doubled") {
    const Archives archives;
    for (const unsigned batches : {1U, 30U}) {
        Imported merged;
        ImportOptions options = small_batches();
        unsigned stored = 0;
        options.progress = [&](const ingest::ImportProgress&) {
            if (++stored > batches) throw Interrupted();
        };
        CHECK_THROWS_AS(merged.again({archives.of_a.path()}, options), Interrupted);
        merged.again({archives.a}, with_annotations());
        CHECK(merged.info().games == archives.of_a.info().games);
        CHECK(merged.again({archives.of_a.path()}).games == 0);
        check_sound(merged);
    }
}

TEST_CASE("The joined names of a database come with it, unless names are joined otherwise") {
    const TemporaryDirectory directory;
    const auto game = [](const std::string& white, const std::string& black) {
        return "[White \"" + white + "\"]\n[Black \"" + black + "\"]\n\n1. e4 *\n\n";
    };
    const std::string text = game("A", "A1") + game("B", "B1") + game("C", "C1");
    const Imported other({directory.write("other.pgn", text)});
    Imported merged({directory.write("merged.pgn", text + game("D", "D"))});
    const auto join = [](const Imported& imported, const char* name, const char* canonical) {
        const auto writer = store::file_store(imported.path())->writer();
        CHECK(writer->joined_names()->join_name(store::NameKind::kPlayer, name, canonical,
                                                "test") == 1);
        writer->commit();
        writer->close();
    };
    join(other, "A1", "A");
    join(other, "B1", "B");
    join(other, "C1", "C");
    join(merged, "B1", "D");
    join(merged, "C1", "C");
    const ingest::ImportSummary& summary = merged.again({other.path()});
    CHECK(merged.rows("SELECT a.name || ' is ' || b.name FROM name_alias"
                      " JOIN player a ON a.id = name_alias.name >> 5"
                      " JOIN player b ON b.id = name_alias.canonical"
                      " ORDER BY a.name") ==
          std::vector<std::string>{"A1 is A", "B1 is D", "C1 is C"});
    REQUIRE(summary.oddities.size() == 1);
    CHECK_THAT(summary.oddities[0],
               Contains("1 name joined otherwise here") && Contains("B1 and B"));
    CHECK_THAT(summary.notices.back(), Contains("1 name joined to another"));
    check_sound(merged);
}

TEST_CASE("A database that is being written gives one snapshot") {
    const TemporaryDirectory directory;
    const std::string first = directory.write("first.pgn", test::numbered_games(1, 3000));
    const std::string second = directory.write("second.pgn", test::numbered_games(3001, 6000));
    Imported other({first}, test::ply_rows(ingest::PlyRowChoice::kNo));
    std::atomic<bool> ended = false;
    std::thread writing([&] {
        ImportOptions options = small_batches();
        options.batch_bytes = 4096;
        ingest::import_files(other.path(), {second}, options);
        ended = true;
    });
    do {
        Imported merged({other.path()}, {.threads = 2});
        const std::uint64_t games = merged.info().games;
        CHECK(games >= 3000);
        CHECK(test::events(merged).back() == test::event_of(static_cast<unsigned>(games)));
        check_sound(merged);
    } while (!ended);
    writing.join();
}

TEST_CASE("Records of positions come with a database, and are not taken twice") {
    const TemporaryDirectory directory;
    const std::string lines = directory.write(
        "evals.jsonl",
        R"({"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","evals":[{"knodes":5,"depth":30,"pvs":[{"cp":21,"line":"e2e4 e7e5"}]}]})"
        "\n"
        R"({"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","evals":[{"knodes":5,"depth":20,"pvs":[{"cp":31,"line":"e7e5"},{"cp":40,"line":"c7c5"}]}]})"
        "\n");
    const std::string games = directory.write("games.pgn", test::numbered_games(1, 10));
    const Imported other({games, lines});
    Imported merged({other.path()});
    CHECK(merged.info().records == 2);
    CHECK(merged.info().games == 10);
    const auto records = [](const Imported& imported) {
        std::vector<std::pair<std::uint64_t, codec::PositionRecord>> out;
        const auto reader = store::file_store(imported.path())->reader();
        reader->local()->records()->for_each([&](const auto& position, const auto& record) {
            out.emplace_back(position.key(), record);
            return true;
        });
        return out;
    };
    CHECK((records(merged) == records(other)));
    CHECK(merged.again({other.path()}).records == 0);
    CHECK(merged.again({lines}).known_sources == 1);
    check_sound(merged);
}
