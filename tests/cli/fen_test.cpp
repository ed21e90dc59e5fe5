#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kNoKing = "8/8/8/8/8/8/8/K7 w - - 0 1";

std::string status_of(const std::string& fen) {
    return json_lines(run({"fen", fen, "--format", "json"}).out).at(0)["status"];
}

}  // namespace

TEST_CASE("fen as JSON: what a position is in every spelling") {
    const std::string given = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1";
    const Outcome outcome = run({"fen", given, "--format", "json"});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out ==
          R"({"input":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1","valid":true,)"
          R"("fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",)"
          R"("epd":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",)"
          R"("key":"823c9b50fd114196","variant":"standard","dialects":{)"
          R"("legal":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",)"
          R"("xfen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",)"
          R"("shredder":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1"},)"
          R"("status":"ongoing"})"
          "\n");
    CHECK(status_of(kMate) == "checkmate");
    CHECK(status_of("rnb1kbnr/pppp1ppp/8/8/4Pp1q/8/PPPP2PP/RNBQKBNR w KQkq - 1 3") == "check");
    CHECK(status_of("k7/8/1Q6/8/8/8/8/7K b - - 0 1") == "stalemate");
    const auto chess960 = json_lines(
        run({"fen", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", "--format", "json"})
            .out);
    CHECK(chess960.at(0)["variant"] == "chess960");
    CHECK(chess960.at(0)["fen"] == "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
}

TEST_CASE("fen: what is no position is said in the answer, with status 2") {
    const Outcome json = run({"fen", kNoKing, "--format", "json"});
    CHECK(json.status == 2);
    CHECK(json.err.empty());
    CHECK(json.out == R"({"input":")" + kNoKing +
                          R"(","valid":false,"field":"placement","error":"black has no king"})"
                          "\n");
    const Outcome table = run({"fen", kNoKing});
    CHECK(table.status == 2);
    CHECK_THAT(table.out, Contains("not valid") && Contains("placement: black has no king"));

    // One line per record, whatever each is.
    const Outcome three = run({"fen", kStart, kNoKing, kMate, "--format", "json"});
    CHECK(three.status == 2);
    const auto lines = json_lines(three.out);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0]["valid"] == true);
    CHECK(lines[1]["valid"] == false);
    CHECK(lines[2]["status"] == "checkmate");
}

TEST_CASE("fen --lenient leaves out what cannot be, and says so") {
    const std::string wrong = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq e3 0 1";
    CHECK(run({"fen", wrong}).status == 2);
    const Outcome outcome = run({"fen", wrong, "--lenient", "--format", "json"});
    CHECK(outcome.status == 0);
    const auto line = json_lines(outcome.out).at(0);
    CHECK(line["fen"] == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1");
    REQUIRE(line["dropped"].size() == 2);
    CHECK(line["dropped"][0]["field"] == "castling");
    CHECK(line["dropped"][1]["field"] == "en passant");
    CHECK(members(line["dropped"][0]) == Words{"field", "error"});
    CHECK_THAT(run({"fen", wrong, "--lenient"}).out, Contains("dropped    castling: "));
}

TEST_CASE("fen reads records from a file or stdin, and unquoted words") {
    const TemporaryDirectory directory;
    const std::string text = kStart + "\n\n# none\n" + kMate + "\n";
    CHECK(json_lines(run({"fen", "--fens", directory.write("a.fen", text), "--format", "json"}).out)
              .size() == 2);
    const auto lines = json_lines(run({"fen", kMate, "--fens", "-", "--format", "json"}, text).out);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0]["fen"] == kMate);
    CHECK(lines[1]["fen"] == kStart);
    const auto words =
        json_lines(run({"fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w", "KQkq", "-", "0",
                        "1", "8/8/8/8/8/k7/8/K6R", "b", "-", "-", "--format", "json"})
                       .out);
    REQUIRE(words.size() == 2);
    CHECK(words[0]["fen"] == kStart);
    CHECK(words[1]["fen"] == "8/8/8/8/8/k7/8/K6R b - - 0 1");
    check_refused(run({"fen", "--fens", directory / "no.fen"}), {"no.fen"});
    check_refused(run({"fen", "--fens", "-"}, "\n"), {"which position"});
    check_refused(run({"fen", kStart, "--format", "csv"}), {"csv"});
}

TEST_CASE("fen --board draws it") {
    CHECK_THAT(run({"fen", kStart, "--board"}).out, Contains("r n b q k b n r"));
}

TEST_CASE("fen: control characters of the input are not passed on to a terminal") {
    const Outcome table = run({"fen", "8/8\x1b[31m/8 w - -"});
    CHECK(table.status == 2);
    CHECK(table.out.find('\x1b') == std::string::npos);
    CHECK_THAT(table.out, Contains("\\x1b[31m"));
    const Outcome json = run({"fen", "8/8\x1b[31m/8 w - -", "--format", "json"});
    CHECK(json.out.find('\x1b') == std::string::npos);
    CHECK(json_lines(json.out).at(0)["input"] == "8/8\x1b[31m/8 w - -");
}
