// Comments that are added to games that are stored already.
#include <catch2/catch.hpp>
#include <string>

#include "ingest/ingest_fixtures.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/damage_file.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using Catch::Matchers::Contains;
using ingest::ImportOptions;
using test::everything;
using test::Imported;
using test::TemporaryDirectory;

ImportOptions with_annotations(bool variations = false) {
    ImportOptions options{.threads = 2,
                          .ply_rows = ingest::PlyRowChoice::kNo,
                          .annotations = true,
                          .variations = variations};
    options.as_given = variations ? "--variations" : "--annotations";
    return options;
}

/// Games with comments; the last two are equal but for theirs.
std::string commented_text() {
    return test::random_archive(401, 40).text() + test::archive_with_everything(20) +
           "[White \"twin\"]\n\n1. e4 {one} e5 1-0\n\n[White \"twin\"]\n\n1. e4 {two} e5 1-0\n\n";
}

}  // namespace

TEST_CASE("Comments that an import left out are added to its games by another one") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", commented_text());
    const bool variations = GENERATE(false, true);
    const Imported expected({file}, with_annotations(variations));
    Imported imported({file}, test::ply_rows(ingest::PlyRowChoice::kNo));
    CHECK(imported.info().annotated_games == 0);
    const ingest::ImportSummary& summary = imported.again({file}, with_annotations(variations));
    CHECK(summary.games == 0);
    CHECK(summary.annotated == expected.info().annotated_games);
    CHECK(summary.annotated > 20);
    CHECK(imported.content() == expected.content());
    CHECK((test::notes(imported) == test::notes(expected)));
    CHECK(imported.info().fingerprint == expected.info().fingerprint);
    CHECK((imported.info().variation_pieces != 0) == variations);
    test::check_undamaged(imported);

    // Now all is known.
    CHECK(imported.again({file}, with_annotations(variations)).annotated == 0);
    CHECK(imported.summary().known_sources == 1);
}

TEST_CASE("A text that has grown since gets comments for the games that were there, too") {
    const TemporaryDirectory directory;
    const std::string text = commented_text();
    const std::string file = directory.write("a.pgn", text);
    const Imported expected({file}, with_annotations());
    // Between games, or within a game, which is stored anew then.
    const bool within = GENERATE(false, true);
    const std::size_t size = within ? text.size() / 3 : text.find("[White \"twin\"]");
    const std::string begin = directory.write("b.pgn", text.substr(0, size));
    Imported imported({begin}, test::ply_rows(ingest::PlyRowChoice::kNo));
    const bool begins_with_comments = GENERATE(false, true);
    if (begins_with_comments) imported.again({begin}, with_annotations());
    const bool known_before = GENERATE(false, true);
    if (known_before) imported.again({file}, test::ply_rows(ingest::PlyRowChoice::kNo));
    const ingest::ImportSummary& summary = imported.again({file}, with_annotations());
    CHECK((summary.games == 0) == known_before);
    CHECK((summary.annotated > 0) == (known_before || !begins_with_comments));
    CHECK(imported.info().games == expected.info().games);
    CHECK(imported.info().annotated_games == expected.info().annotated_games);
    if (!within) {
        CHECK((test::notes(imported) == test::notes(expected)));
        CHECK(imported.info().fingerprint == expected.info().fingerprint);
    }
    test::check_undamaged(imported);
    CHECK(imported.again({file}, with_annotations()).annotated == 0);
    CHECK(imported.summary().known_sources == 1);
}

TEST_CASE("An import that adds comments does not bring deleted games back") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", commented_text());
    Imported imported({file}, test::ply_rows(ingest::PlyRowChoice::kNo));
    const std::uint64_t games = imported.info().games;
    {
        const auto writer = store::file_store(imported.path())->writer();
        const std::vector<store::GameId> deleted{2, 3, games};
        writer->remove_games(deleted);
        writer->commit();
        writer->close();
    }
    imported.again({file}, with_annotations());
    CHECK(imported.info().games == games - 3);
    CHECK(imported.summary().annotated > 20);
    test::check_undamaged(imported);
}

TEST_CASE("Equal games of another archive give their comments and swings") {
    const TemporaryDirectory directory;
    const std::string tags = "[White \"A\"]\n[Black \"B\"]\n[Date \"2001.02.03\"]\n";
    const std::string plain =
        directory.write("plain.pgn", tags + "[Event \"x\"]\n\n1. e4 e5 2. Qh5 Nc6 1-0\n\n" +
                                         "[White \"C\"]\n\n1. d4 {kept} d5 0-1\n\n");
    const std::string commented = directory.write(
        "commented.pgn",
        tags +
            "[Event \"y\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Qh5 {[%eval -2.0]} (2. Nf3 "
            "Nc6) Nc6 1-0\n\n[White \"C\"]\n\n1. d4 {not taken} d5 0-1\n\n");
    Imported imported({plain}, with_annotations());
    ImportOptions options = with_annotations(true);
    options.skip_duplicates = true;
    const ingest::ImportSummary& summary = imported.again({commented}, options);
    CHECK(summary.games == 0);
    CHECK(summary.duplicates == 2);
    CHECK(summary.annotated == 1);
    CHECK_THAT(test::notes(imported),
               Contains("kept") && Contains("%eval") && !Contains("not taken"));
    CHECK(imported.info().variation_pieces == 1);
    test::check_undamaged(imported);
}

TEST_CASE("Text is not stored a second time by accident") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", commented_text());
    Imported imported({file});
    const std::uint64_t games = imported.info().games;
    ImportOptions options{.again = true, .refuse_doubles = true, .as_given = "--again"};
    const std::string renamed = directory.write("b.pgn", commented_text());
    imported.again({file, renamed}, options);
    REQUIRE(imported.summary().failures.size() == 2);
    CHECK_THAT(imported.summary().failures[0],
               Contains("a second time") && Contains("--yes") && Contains("games"));
    const Imported other({file});
    imported.again({other.path()}, options);
    CHECK(imported.info().games == games);

    std::vector<store::GameId> all;
    for (store::GameId id = 1; id <= games; ++id) all.push_back(id);
    {
        const auto writer = store::file_store(imported.path())->writer();
        writer->remove_games(all);
        writer->commit();
        writer->close();
    }
    CHECK(imported.again({file}, options).games == games);
    options.refuse_doubles = false;
    options.as_given = "--again --yes";
    CHECK(imported.again({file}, options).games == games);
}
