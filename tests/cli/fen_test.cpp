#include "cli/fixture.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

const std::string kNoKing = "8/8/8/8/8/8/8/K7 w - - 0 1";

std::string status_of(const std::string& fen) {
    return json_lines(run({"fen", fen, "--format", "json"}).out).at(0)["status"];
}

}  // namespace

TEST_CASE("fen as JSON describes a position in every spelling") {
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
          R"("status":"ongoing","side":"black","check":false,"legal_moves":20,"result":"*",)"
          R"("fifty_moves":false,"seventy_five_moves":false,"insufficient_material":false})"
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

TEST_CASE("fen: the table says side, moves, result and possible draws") {
    const auto json = [](const std::string& fen) {
        return json_lines(run({"fen", fen, "--format", "json"}).out).at(0);
    };
    const Json mate = json("5Rk1/2p1P1pp/1p6/2n1q3/8/1b6/PP4PP/7K_b_-_-_0_29");
    CHECK(mate["fen"] == "5Rk1/2p1P1pp/1p6/2n1q3/8/1b6/PP4PP/7K b - - 0 29");
    CHECK(mate["status"] == "checkmate");
    CHECK(mate["result"] == "1-0");
    const Json on_time = json("3R1b1k/pp4r1/2p4p/4QPn1/4N3/6P1/PPP3PK/4q3 b - - 8 27 ");
    CHECK(on_time["status"] == "ongoing");
    CHECK(on_time["result"] == "*");
    const Json two_in_check = json("4k3/8/8/8/8/8/8/K3R3 w - - 0 1");
    CHECK(two_in_check["valid"] == false);
    CHECK(two_in_check["field"] == "position");

    const std::string table = run({"fen", "4k3/8/8/8/8/8/8/R3K3 w - - 100 80"}).out;
    CHECK_THAT(table, Contains("\nside       white\n") && Contains("\nmoves      15\n") &&
                          Contains("\nresult     *\n") && Contains("\ndraw       may be claimed"));
    CHECK_THAT(run({"fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}).out,
               Contains("\nresult     1/2-1/2\n") && Contains("\ndraw       nobody can mate"));
}

TEST_CASE("fen: Crazyhouse and Three-check are recognised and written in their dialects") {
    const auto json = [](const std::string& fen) {
        return json_lines(run({"fen", fen, "--format", "json"}).out).at(0);
    };
    const std::string placement = "r2q1rk1/ppp2ppp/5p2/b7/8/P1NPB2b/1PP1QP1P/R3R1K1";
    const std::string rest = " b - - 0 16";
    for (const std::string pocket : {"/NNPPbnp", "[NNPPbnp]", "[bnpPPNN]"}) {
        const Json house = json(placement + pocket + rest);
        CHECK(house["variant"] == "crazyhouse");
        CHECK(house["fen"] == placement + "/NNPPbnp" + rest);
        CHECK(house["dialects"]["legal"] == placement + "[NNPPbnp]" + rest);
    }
    const std::string checks = "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - ";
    const Json given = json(checks + "1 5 +0+2");
    CHECK(given["variant"] == "3check");
    CHECK(given["fen"] == checks + "1 5 +0+2");
    CHECK(given["dialects"]["legal"] == checks + "3+1 1 5");
    CHECK(given.dump() != json(checks + "1 5").dump());
    CHECK(json(checks + "1 5 +0+3")["status"] == "third check");
    CHECK_THAT(run({"fen", placement + "/NNPPbnp" + rest, "--board"}).out,
               Contains("in hand: NNPPbnp"));
}

TEST_CASE("fen --variant names the variant of a position that does not show it") {
    const auto json = [](const std::string& fen, const std::string& variant) {
        return json_lines(run({"fen", fen, "--variant", variant, "--format", "json"}).out).at(0);
    };
    const std::string hill = "4k3/8/8/8/3K4/8/8/8 b - - 0 1";
    CHECK(json(hill, "kingofthehill")["status"] == "king on the hill");
    CHECK(json(hill, "King of the Hill")["result"] == "1-0");
    CHECK(json(hill, "standard")["status"] == "insufficient material");
    const Json no_king = json("4k3/8/8/8/8/8/8/R7 b - - 0 1", "atomic");
    CHECK(no_king["variant"] == "atomic");
    CHECK(no_king["status"] == "king exploded");
    CHECK(json(kStart, "crazyhouse")["fen"] ==
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1");
    CHECK(json(kStart, "3check")["dialects"]["legal"] ==
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1");
    CHECK(json("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "atomic")["field"] == "placement");
    check_refused(run({"fen", kStart, "--variant", "bughouse"}), {"bughouse"});
}

TEST_CASE("The published FENs are reached by the moves they were published with") {
    const TemporaryFile database("published.db");
    const std::string pgn =
        "[White \"Sicilian\"]\n\n1. e2e4 c7c5 2. Ng1f3 *\n\n"
        "[White \"Checks\"]\n[Variant \"Three-check\"]\n\n"
        "1. e4 e5 2. d4 Bb4+ 3. c3 Bxc3+ 4. Nxc3 Qh4 *\n\n";
    REQUIRE(run({"import", database, database.write_beside("published.pgn", pgn)}).status == 0);
    const auto ply = [&](const std::string& fen) {
        const auto hits = json_lines(run({"find", database, fen, "--format", "json"}).out);
        return hits.empty() ? -1 : hits.at(0)["ply"].get<int>();
    };
    CHECK(ply("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1") == 1);
    CHECK(ply("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2") == 2);
    for (const char* const fen :
         {"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 ",
          "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R_b_KQkq_-_1_2",
          "rnbqkbnr%2Fpp1ppppp%2F8%2F2p5%2F4P3%2F5N2%2FPPPP1PPP%2FRNBQKB1R+b+KQkq+-+1+2"}) {
        CHECK(ply(fen) == 3);
    }
    for (const char* const fen :
         {"rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 1 5 +0+2",
          "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 3+1 1 5",
          "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR_w_KQkq_-_1_5_+0+2",
          "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR+w+KQkq+-+1+5+%2B0%2B2"}) {
        CHECK(ply(fen) == 8);
    }
    CHECK(ply("rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 1 5") == -1);
    CHECK(ply("rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 1 5 +1+2") == -1);
}

TEST_CASE("Every ply of the samples comes back from every dialect", "[full]") {
    for (const std::string variant : {"standard", "crazyhouse", "3check", "kingofthehill", "atomic",
                                      "antichess", "suicide", "losers", "horde", "racingkings"}) {
        for (const std::string dialect : {"standard", "legal", "xfen", "shredder"}) {
            CAPTURE(variant, dialect);
            Words words{
                "export",    samples_database(), "--format",  "json",  "--rows",    "plies",
                "--columns", "fen,epd,key",      "--variant", variant, "--dialect", dialect};
            if (!full_size()) words.insert(words.end(), {"--sample", "900"});
            const Outcome exported = run(words);
            if (exported.status == 1) break;  // the samples have no such game
            REQUIRE(exported.status == 0);
            const auto plies = json_lines(exported.out);
            std::string fens;
            for (const Json& ply : plies) fens += ply["fen"].get<std::string>() + '\n';
            const Outcome read = run({"fen", "--fens", "-", "--variant", variant, "--dialect",
                                      dialect, "--format", "json"},
                                     fens);
            CHECK(read.status == 0);
            const auto positions = json_lines(read.out);
            REQUIRE(positions.size() == plies.size());
            for (std::size_t i = 0; i < plies.size(); ++i) {
                for (const char* const member : {"fen", "epd", "key"}) {
                    if (positions[i][member] != plies[i][member]) FAIL(positions[i].dump());
                }
            }
        }
    }
}

TEST_CASE("option --dialect: every FEN is shown in the chosen dialect", "[full]") {
    const std::string after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b ";
    const std::map<std::string, std::string> written{{"standard", after_e4 + "KQkq e3 0 1"},
                                                     {"legal", after_e4 + "KQkq - 0 1"},
                                                     {"xfen", after_e4 + "KQkq - 0 1"},
                                                     {"shredder", after_e4 + "HAha e3 0 1"}};
    const TemporaryFile database("one.db");
    const std::string game =
        database.write_beside("one.pgn", small_game(1, "1. e4 Nf6 2. Nf3 Ng8 3. Ng1 Nf6 4. Nf3 *"));
    REQUIRE(run({"import", database, game}).status == 0);
    for (const auto& each : written) {
        const std::string& dialect = each.first;
        const std::string& fen = each.second;
        // The two that write everything differently.
        if (!full_size() && dialect != "legal" && dialect != "shredder") continue;
        CAPTURE(dialect);
        const auto with_dialect = [&](Words words) {
            words.insert(words.end(), {"--dialect", dialect});
            const Outcome outcome = run(words);
            CHECK(outcome.status == 0);
            return outcome.out;
        };
        const auto json = [&](Words words, std::size_t line) {
            words.insert(words.end(), {"--format", "json"});
            return json_lines(with_dialect(words)).at(line);
        };
        CHECK(json({"fen", after_e4 + "KQkq e3 0 1"}, 0)["fen"] == fen);
        const Json ply = json({"show", database, "1", "--plies"}, 1);
        CHECK(ply["fen"] == fen);
        CHECK(ply["epd"] == after_e4 + "KQkq -");
        CHECK_THAT(with_dialect({"show", database, "1", "--board", "--ply", "1"}),
                   Contains('\n' + fen + '\n'));
        CHECK(json({"tree", database, "--play", "1.e4"}, 0)["fen"] == fen);
        CHECK(json({"tree", database, "--depth", "2"}, 0)["moves"][0]["tree"]["fen"] == fen);
        CHECK_THAT(with_dialect({"tree", database, "--play", "1.e4"}), StartsWith(fen + '\n'));
        CHECK(json({"export", database, "--rows", "plies"}, 1)["fen"] == fen);
        CHECK(json({"export", database, "--rows", "positions"}, 1)["fen"] == fen);
        CHECK_THAT(with_dialect({"export", database, "--format", "fen"}),
                   Contains('\n' + fen + '\n'));
        // Without an en passant square, dialects differ only in castling.
        const std::string castling = dialect == "shredder" ? " HAha " : " KQkq ";
        const Json repeated = json({"repeats", database, "--min", "2"}, 0);
        CHECK_THAT(repeated["fen"].get<std::string>(), Contains(castling));
        // EPDs show an en passant square only if the capture is legal, in any dialect.
        CHECK_THAT(with_dialect({"export", database, "--format", "epd"}),
                   Contains("/8/8/4P3/8/PPPP1PPP/RNBQKBNR b" + castling + "- c0 "));
    }
    check_refused(run({"fen", kStart, "--dialect", "forsyth"}), {"forsyth", "legal"});
    for (const Words& without_fens :
         {Words{"export"}, Words{"export", "--format", "polyglot"},
          Words{"export", "--format", "csv"}, Words{"show", "1"},
          Words{"show", "1", "--format", "pgn"}, Words{"tree", "--format", "csv"}, Words{"repeats"},
          Words{"repeats", "--summary"}}) {
        Words words = without_fens;
        words.insert(words.begin() + 1, database);
        words.insert(words.end(), {"--dialect", "legal"});
        CAPTURE(words);
        check_refused(run(words), {"--dialect is for FENs: --"});
        // At small size only the shortest lines.
        if (!full_size() && without_fens.size() > 1) continue;
        words.back() = "standard";
        CHECK(run(words).status != 2);
    }
}

TEST_CASE("fen: an invalid position gives an answer with the reason, and status 2") {
    const Outcome json = run({"fen", kNoKing, "--format", "json"});
    CHECK(json.status == 2);
    CHECK(json.err.empty());
    CHECK(json.out == R"({"input":")" + kNoKing +
                          R"(","valid":false,"field":"placement","error":"black has no king"})"
                          "\n");
    const Outcome table = run({"fen", kNoKing});
    CHECK(table.status == 2);
    CHECK_THAT(table.out, Contains("not valid") && Contains("placement: black has no king"));

    // One line per record, even for invalid ones.
    const Outcome three = run({"fen", kStart, kNoKing, kMate, "--format", "json"});
    CHECK(three.status == 2);
    const auto lines = json_lines(three.out);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0]["valid"] == true);
    CHECK(lines[1]["valid"] == false);
    CHECK(lines[2]["status"] == "checkmate");
}

TEST_CASE("fen --lenient leaves out impossible rights and squares, and says so") {
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
    check_refused(run({"fen", "--fens", "-"}, "\n"), {"none in the file"});
    check_refused(run({"fen"}), {"Give a FEN"});
    check_refused(run({"fen", kStart, "--format", "csv"}), {"csv"});
}

TEST_CASE("fen --board draws the board") {
    CHECK_THAT(run({"fen", kStart, "--board"}).out, Contains("r n b q k b n r"));
    check_refused(run({"fen", kStart, "--board", "--format", "json"}), {"choose table"});
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
