// What a repair keeps of damaged games.
#include "codec/annotation.hpp"
#include "store/sqlite/annotation_table.hpp"
#include "store/sqlite/connection.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

std::string pgn_of(const std::string& path, store::GameId game) {
    std::string out;
    emit::append_pgn(*store::Store::at(path)->reader(), game, out);
    return out;
}

/// Returns the reasons of errors that repairs have recorded.
std::vector<std::string> recorded(const std::string& path) {
    std::vector<std::string> out;
    store::Connection connection(path, store::Connection::Mode::kReadOnly);
    store::Statement row(connection,
                         "SELECT reason FROM import_error WHERE reason LIKE 'repair: %'");
    while (row.step()) out.emplace_back(row.text(0));
    return out;
}

void check_clean(const std::string& path) {
    const upkeep::CheckReport report = checked(path);
    INFO(text_of(report.findings));
    CHECK(report.findings.empty());
}

}  // namespace

TEST_CASE("A game that is cut keeps its comments and variations up to the cut") {
    const TemporaryDirectory directory;
    const std::string pgn = directory.write(
        "a.pgn",
        "[White \"A\"]\n\n1. e4 {one} (1. d4 d5 {two}) e5 {three} 2. Nf3 Nc6 (2... d6) 3. Bb5 "
        "{four} a6 4. Ba4 {five} Nf6 1-0\n\n[White \"B\"]\n\n1. c4 {six} *\n");
    for (const bool variations : {false, true}) {
        const std::string path = directory / (variations ? "v.db" : "a.db");
        ingest::ImportOptions options;
        options.annotations = true;
        options.variations = variations;
        ingest::import_files(path, {pgn}, options);
        REQUIRE(run_sql(path, "UPDATE game SET moves = substr(moves, 1, 2) WHERE id = 1"));
        CHECK(upkeep::repair_database(path, {}).cut == 1);
        check_clean(path);
        CHECK_THAT(pgn_of(path, 1), Catch::Contains("{one}") && !Catch::Contains("{five}"));
        CHECK_THAT(pgn_of(path, 2), Catch::Contains("{six}"));
        const std::vector<std::string> errors = recorded(path);
        REQUIRE(errors.size() == 2);
        CHECK_THAT(errors[1], Catch::Contains("comments, NAGs and variations after this ply"));
    }
}

TEST_CASE("A check finds an annotation that has more moves than its game") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.db";
    ingest::ImportOptions options;
    options.annotations = true;
    ingest::import_files(path, {directory.write("a.pgn", "1. e4 {one} e5 *\n")}, options);
    codec::AnnotationStreamWriter stream;
    for (int ply = 0; ply < 3; ++ply) stream.move();
    stream.comment("two");
    std::string text;
    stream.append_to(text);
    codec::TextPacker packer{std::string_view()};
    std::string packed;
    store::pack_annotation(1, text, 0, packer, packed);
    {
        store::Connection connection(path, store::Connection::Mode::kReadWrite);
        store::Statement update(connection, "UPDATE annotation SET data = ?1");
        update.bind_blob(1, packed);
        update.run();
    }
    CHECK_THAT(text_of(checked(path).findings),
               Catch::Contains("the annotation has more moves than the game"));
    upkeep::repair_database(path, {});
    CHECK(text_of(checked(path).findings).empty());
}
