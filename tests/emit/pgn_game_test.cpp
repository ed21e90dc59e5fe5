// Games in the standard's export format, and read back: the same plies and every tag pair.
#include "emit/pgn_game.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "emit/emit_fixtures.hpp"
#include "emit/kept_texts.hpp"
#include "pgn/inputs.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/pgn_extract.hpp"
#include "support/sanitizers.hpp"
#include "support/skip.hpp"

namespace {

using namespace fendex;
using test::exported_pgn;
using test::Imported;
using test::job_of;
using test::TemporaryDirectory;

using Tags = std::vector<std::pair<std::string, std::string>>;

std::string export_of(const std::string& pgn) {
    const TemporaryDirectory directory;
    return exported_pgn(job_of(Imported({directory.write("a.pgn", pgn)})));
}

/// True if an export may add the tag: an unknown one of the roster, a result, or SetUp with a FEN.
bool may_be_added(const std::pair<std::string, std::string>& tag) {
    const auto& [name, value] = tag;
    if (name == "Result") return true;
    if (name == "SetUp") return value == "1";
    if (name == "Date") return value == "????.\?\?.\?\?";
    return value == "?" && (name == "Event" || name == "Site" || name == "Round" ||
                            name == "White" || name == "Black");
}

/// Sorts in ASCII order by name; pairs of the same name keep their order.
void sort_by_name(Tags& tags) {
    std::stable_sort(tags.begin(), tags.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
}

void check_tags(const Tags& before, const Tags& after) {
    Tags expected = before;
    for (const auto& tag : after) {
        const bool known = std::any_of(before.begin(), before.end(),
                                       [&](const auto& t) { return t.first == tag.first; });
        if (known) continue;
        CAPTURE(tag.first, tag.second);
        CHECK(may_be_added(tag));
        expected.push_back(tag);
    }
    Tags actual = after;
    sort_by_name(expected);
    sort_by_name(actual);
    CHECK(actual == expected);
}

std::string without_end(std::string_view text) {
    return std::string(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
}

/// Checks that games of unknown rules are exported as they are in the inputs. Returns the lines of
/// those games.
std::set<std::string> kept_lines(const std::vector<std::string>& inputs, const Imported& imported) {
    const auto reader = store::file_store(imported.path())->reader();
    emit::KeptTexts kept;
    std::set<std::string> texts;
    std::set<std::string> lines;
    for (store::GameId id = 1; id <= imported.info().games; ++id) {
        if (reader->facts(id).variant != chess::Variant::kOther) continue;
        if (texts.empty()) {
            for (const std::string& input : inputs) {
                test::for_each_game(input, [&](std::string_view text, bool) {
                    texts.insert(without_end(text));
                    return true;
                });
            }
        }
        std::string text;
        REQUIRE(emit::append_pgn(*reader, kept, id, text));
        CAPTURE(id, text);
        CHECK(text.ends_with("\n\n"));
        CHECK(texts.count(without_end(text)) == 1);
        for (const std::string& line : test::lines_of(text)) lines.insert(line);
    }
    return lines;
}

/// Exports everything, imports the export, and compares.
void check_round_trip(const std::vector<std::string>& inputs) {
    ingest::ImportOptions options = test::ply_rows(ingest::PlyRowChoice::kNo);
    options.threads = 2;
    const Imported first(inputs, options);
    const std::string text = exported_pgn(job_of(first, 3));
    const TemporaryDirectory directory;
    const Imported second({directory.write("again.pgn", text)}, options);
    const store::StoreInfo before = first.info();
    const store::StoreInfo after = second.info();
    CHECK(after.games == before.games);
    CHECK(after.plies == before.plies);
    CHECK(after.positions == before.positions);
    CHECK(after.fingerprint == before.fingerprint);
    CHECK((exported_pgn(job_of(second, 1)) == text));

    const auto old_reader = store::file_store(first.path())->reader();
    const auto new_reader = store::file_store(second.path())->reader();
    for (store::GameId id = 1; id <= before.games; ++id) {
        CAPTURE(id);
        check_tags(test::tags_of(*old_reader, id), test::tags_of(*new_reader, id));
        CHECK(new_reader->facts(id) == old_reader->facts(id));
    }
    const std::set<std::string> kept = kept_lines(inputs, first);
    for (const std::string& line : test::lines_of(text)) {
        if (!line.starts_with('[') && line.size() > 79 && kept.count(line) == 0) FAIL(line);
    }
}

/// The corpus, or its cut, archive by archive.
void check_corpus_round_trip(const std::string& corpus, bool with_chess960) {
    for (const std::string name :
         {"nasty", "annotated", "online", "variants", "chess960.pgn.zst"}) {
        if (!with_chess960 && name == "chess960.pgn.zst") continue;
        CAPTURE(name);
        check_round_trip(pgn::expand_inputs({corpus + "/" + name}));
    }
}

}  // namespace

TEST_CASE("The seven tag roster comes first and in its order, other tags in ASCII order") {
    CHECK(export_of("[ECO \"C20\"]\n[Result \"1-0\"]\n[White \"W\"]\n[Annotator \"A\"]\n"
                    "[Event \"E\"]\n[aTag \"a\"]\n[BlackElo \"2000\"]\n[Black \"B\"]\n"
                    "[Date \"2001.02.03\"]\n[Site \"S\"]\n[Round \"1\"]\n\n1.e4 e5 1-0\n") ==
          "[Event \"E\"]\n[Site \"S\"]\n[Date \"2001.02.03\"]\n[Round \"1\"]\n[White \"W\"]\n"
          "[Black \"B\"]\n[Result \"1-0\"]\n[Annotator \"A\"]\n[BlackElo \"2000\"]\n"
          "[ECO \"C20\"]\n[aTag \"a\"]\n\n1. e4 e5 1-0\n\n");
}

TEST_CASE("Missing tags of the roster are unknown, a missing result is the game's") {
    const std::string roster =
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.\?\?.\?\?\"]\n[Round \"?\"]\n[White \"?\"]\n"
        "[Black \"?\"]\n";
    CHECK(export_of("1. e4 e5 0-1\n") == roster + "[Result \"0-1\"]\n\n1. e4 e5 0-1\n\n");
    CHECK(export_of("1. e4 e5\n") == roster + "[Result \"*\"]\n\n1. e4 e5 *\n\n");
    // A Result tag stays, even if the marker says otherwise.
    CHECK(export_of("[Result \"White won\"]\n\n1. e4 1-0\n") ==
          roster + "[Result \"White won\"]\n\n1. e4 1-0\n\n");
}

TEST_CASE("A game from a set-up position has the tags FEN and SetUp") {
    const std::string fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40";
    const std::string text =
        export_of("[Event \"x\"]\n[FEN \"" + fen + "\"]\n\n40... Kd7 41. e4 *\n");
    CHECK_THAT(text, Catch::Contains("[Result \"*\"]\n[FEN \"" + fen +
                                     "\"]\n[SetUp \"1\"]\n\n40... Kd7 41. e4 *\n"));
}

TEST_CASE("Games with null moves, errors or unknown rules are read back unchanged") {
    CHECK_THAT(export_of("[Event \"a\"]\n\n1. e4 -- 2. d4 Nf6 *\n"),
               Catch::EndsWith("\n\n1. e4 -- 2. d4 Nf6 *\n\n"));
    CHECK_THAT(export_of("[Event \"a\"]\n\n1. e4 e5 2. Ke5 Nf6 1-0\n"),
               Catch::EndsWith("\n\n1. e4 e5 1-0\n\n"));
    const std::string xiangqi =
        "[Event \"a\"]\n[Variant \"Xiangqi\"]\n\n1. h2e2 {a comment} h10g8 1–0\n\n";
    const std::string broken = "[FEN \"8/8\"]\n\n1. e4 (1. d4) e5 *\n\n";
    CHECK(export_of(xiangqi + broken) == xiangqi + broken);
    // Without its kept text: only the tag pairs and the result.
    store::StoredGame game;
    const TemporaryDirectory directory;
    const Imported imported({directory.write("a.pgn", xiangqi)});
    REQUIRE(store::file_store(imported.path())->reader()->game(1, game));
    std::string tags;
    emit::append_pgn(1, game, {}, tags);
    CHECK_THAT(tags, Catch::EndsWith("[Variant \"Xiangqi\"]\n\n1-0\n\n"));
}

TEST_CASE("Results and symbols beyond ASCII are written in ASCII, and tags stay unchanged") {
    CHECK_THAT(export_of("[Result \"½–½\"]\n\n1. e4± e5 ½–½\n"),
               Catch::EndsWith("[Result \"½–½\"]\n\n1. e4 e5 1/2-1/2\n\n"));
    CHECK_THAT(export_of("1. e4 +--\n"), Catch::EndsWith("\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"));
}

TEST_CASE("Checks and mates are marked, and only ambiguous moves are disambiguated") {
    CHECK_THAT(export_of("1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7 1-0\n"),
               Catch::EndsWith("\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n"));
    CHECK_THAT(export_of("[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. Ra1d1 Ke7 2. O-O *\n"),
               Catch::EndsWith("1. Rd1 Ke7 2. O-O *\n\n"));
    CHECK_THAT(export_of("[FEN \"4k3/8/8/8/8/3N4/8/3NK3 w - - 0 1\"]\n\n1. N1f2 Kd8 2. Nb4 *\n"),
               Catch::EndsWith("1. N1f2 Kd8 2. Nb4 *\n\n"));
}

TEST_CASE("Random games are read back unchanged, with any number of threads") {
    const TemporaryDirectory directory;
    const test::PgnArchive archive = test::random_archive(31, test::fewer(700U, 4));
    const std::string file = directory.write("a.pgn", archive.text());
    check_round_trip({file});
    const Imported imported({file});
    CHECK(imported.info().fingerprint == archive.fingerprint());
    CHECK((exported_pgn(job_of(imported, 1)) == exported_pgn(job_of(imported, 5))));
}

TEST_CASE("Games are written in the given order, and repeatedly if given repeatedly") {
    const TemporaryDirectory directory;
    const Imported imported({directory.write("a.pgn", test::random_archive(32, 300).text())});
    const auto reader = store::file_store(imported.path())->reader();
    std::vector<store::GameId> ids{7, 7, 300, 1, 2, 3, 299};
    for (store::GameId id = 290; id > 10; --id) ids.push_back(id);
    std::string expected;
    for (const store::GameId id : ids) {
        store::StoredGame game;
        REQUIRE(reader->game(id, game));
        emit::append_pgn(id, game, {}, expected);
    }
    CHECK((exported_pgn({store::file_store(imported.path()), emit::GameList(ids), 2}) == expected));
    CHECK(exported_pgn(
              {store::file_store(imported.path()), emit::GameList(std::vector<store::GameId>{}), 2})
              .empty());
}

TEST_CASE("All samples are read back unchanged") {
    check_round_trip(pgn::expand_inputs({FENDEX_SAMPLES}));
}

TEST_CASE("Other parsers' test files, online games and games of variants are read back unchanged") {
    check_corpus_round_trip(test::corpus_cut(), true);
}

TEST_CASE("The corpus is read back unchanged", "[.corpus]") {
    check_corpus_round_trip(test::whole_corpus(), !test::kSanitized);
}

TEST_CASE("pgn-extract reads the same positions") {
    if (test::skip_without("pgn-extract")) return;
    const TemporaryDirectory directory;
    const Imported imported({std::string(FENDEX_SAMPLES) + "/classics.pgn",
                             std::string(FENDEX_SAMPLES) + "/repetitions.pgn"});
    const std::vector<test::ExtractedGame> games =
        test::extract_fens(directory.write("a.pgn", exported_pgn(job_of(imported))));
    const auto reader = store::file_store(imported.path())->reader();
    REQUIRE(games.size() == imported.info().games);
    for (std::size_t i = 0; i < games.size(); ++i) {
        CAPTURE(i);
        store::StoredMoves moves;
        REQUIRE(reader->moves(i + 1, moves));
        codec::GameWalk walk = replay::walk(i + 1, moves);
        std::vector<std::string> fens;
        while (!walk.at_end()) {
            walk.advance();
            fens.push_back(chess::to_fen(walk.position()));
        }
        CHECK(games[i].fens.size() == fens.size());
        CHECK((games[i].fens == fens));
    }
}

TEST_CASE("pgn-extract writes the same moves, in lines of the same length") {
    if (test::skip_without("pgn-extract")) return;
    const TemporaryDirectory directory;
    const Imported imported({std::string(FENDEX_SAMPLES) + "/classics.pgn",
                             std::string(FENDEX_SAMPLES) + "/marx-gyorgy-2006.pgn",
                             std::string(FENDEX_SAMPLES) + "/tournament.pgn.zst"});
    const std::string ours = exported_pgn(job_of(imported));
    const test::Outcome theirs =
        test::run_process({"pgn-extract", "-s", "-w79", directory.write("a.pgn", ours)});
    REQUIRE(theirs.status == 0);
    const auto movetext = [](const std::string& text) {
        std::vector<std::string> lines;
        for (const std::string& line : test::lines_of(text)) {
            if (!line.empty() && !line.starts_with('[')) lines.push_back(line);
        }
        return lines;
    };
    CHECK(movetext(ours).size() > 100);
    CHECK(movetext(theirs.out) == movetext(ours));
}
