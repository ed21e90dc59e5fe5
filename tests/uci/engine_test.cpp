// An engine that answers, and all the ways in which one may not: each is one error that says which
// engine, which position, what it said and what to do.
#include "uci/engine.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>

#include "base/stop_check.hpp"
#include "chess/fen.hpp"

namespace {

using namespace fendex;
using Catch::Matchers::Contains;
using codec::Evaluation;
using std::chrono::milliseconds;
using std::chrono::seconds;
using uci::Clock;
using uci::Engine;
using uci::EngineChoice;
using uci::EngineError;
using uci::SearchLimit;

const char* const kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

chess::AnyPosition position_of(const char* fen,
                               std::optional<chess::Variant> variant = std::nullopt) {
    return *chess::any_position(chess::parse_any_fen(fen, variant));
}

/// Makes the fake engine go wrong in some ways while this exists.
class Wrong {
  public:
    explicit Wrong(const char* words, const char* ms = "0") {
        static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
        ::setenv("FAKE_ENGINE", words, 1);
        ::setenv("FAKE_ENGINE_MS", ms, 1);
    }
    ~Wrong() {
        ::unsetenv("FAKE_ENGINE");
        ::unsetenv("FAKE_ENGINE_MS");
    }
};

EngineChoice fake(std::size_t pvs = 1, seconds patience = seconds(20)) {
    EngineChoice choice;
    choice.program = FENDEX_FAKE_ENGINE;
    choice.pvs = pvs;
    choice.patience = patience;
    return choice;
}

Evaluation evaluation_by(const char* words, EngineChoice choice = fake(),
                         SearchLimit limit = {SearchLimit::Kind::kDepth, 5}) {
    const Wrong wrong(words);
    Engine engine(std::move(choice));
    Evaluation evaluation = engine.evaluate(position_of(kStart), limit);
    engine.quit();
    return evaluation;
}

/// Returns the message of the error with which an engine fails. It must come in time.
std::string error_of(const char* words, EngineChoice choice = fake(1, seconds(1)),
                     SearchLimit limit = {SearchLimit::Kind::kDepth, 5}) {
    const Clock::time_point start = Clock::now();
    std::string message;
    try {
        evaluation_by(words, std::move(choice), limit);
    } catch (const EngineError& error) {
        message = error.what();
    }
    CHECK(Clock::now() - start < seconds(20));
    return message;
}

}  // namespace

TEST_CASE("An engine evaluates a position by each kind of limit") {
    using Kind = SearchLimit::Kind;
    const Evaluation depth = evaluation_by("", fake(3), {Kind::kDepth, 9});
    CHECK(depth.depth == 9);
    REQUIRE(depth.pvs.size() == 3);
    CHECK(depth.pvs[0].moves.size() == 3);
    CHECK(evaluation_by("", fake(), {Kind::kNodes, 12'345}).nodes == 12'345);
    CHECK(evaluation_by("", fake(), {Kind::kMilliseconds, 5}).pvs.size() == 1);
    INFO("An engine that ended by itself has searched what it was asked for");
    CHECK(evaluation_by("counts-less", fake(), {Kind::kNodes, 12'345}).nodes == 12'345);
    INFO("There are fewer moves than PVs");
    const Wrong wrong("");
    Engine engine(fake(200));
    CHECK(engine.evaluate(position_of(kStart), {Kind::kDepth, 3}).pvs.size() == 20);
    CHECK(engine.name() == "Fake 1");
}

TEST_CASE("An odd engine that answers is no error") {
    const Evaluation expected = evaluation_by("", fake(2));
    for (const char* const words :
         {"crlf", "loud", "absurd", "odd-name", "long-line", "garbage-too", "ignores-end"}) {
        CAPTURE(words);
        CHECK(evaluation_by(words, fake(2)) == expected);
    }
    CHECK(evaluation_by("cut-short", fake(2)) == expected);
    CHECK(evaluation_by("illegal-tail").pvs[0].moves.size() == 1);
    const Wrong wrong("odd-name");
    const Engine engine(fake());
    CHECK(engine.name().size() < 100);
    CHECK(engine.name().find('\x1b') == std::string::npos);
}

TEST_CASE("An engine that does not start is one error") {
    CHECK_THAT(error_of("no-start"), Contains("did not answer 'uciok' to uci") &&
                                         Contains(FENDEX_FAKE_ENGINE) && Contains("--patience"));
    CHECK_THAT(error_of("start-ends"), Contains("ended while it was asked for uci") &&
                                           Contains("it ended with status 3") &&
                                           Contains("cannot load the network"));
    CHECK_THAT(error_of("start-chatter"),
               Contains("did not answer 'uciok'") && Contains("'error: unknown command'"));
    EngineChoice choice = fake();
    choice.program = "/bin/true";
    CHECK_THAT(error_of("", choice), Contains("status 0"));
    choice.program = "/bin/cat";
    choice.patience = seconds(1);
    CHECK_THAT(error_of("", choice), Contains("did not answer 'uciok'") && Contains("'uci'"));
}

TEST_CASE("An engine that fails in a search is one error, which names the position") {
    const auto fails = [](const char* words, const char* what) {
        CAPTURE(words);
        CHECK_THAT(error_of(words), Contains(what) && Contains("Fake 1") && Contains(kStart));
    };
    fails("hang", "did not answer 'bestmove'");
    fails("ends", "it ended with status 5");
    fails("crashes", "signal 6");
    fails("chatter", "its last line: 'info string still thinking'");
    fails("same", "did not answer 'bestmove'");
    fails("endless", "goes on searching beyond its limit");
    fails("no-best", "the best move '(none)', which is not legal");
    fails("illegal-best", "the best move 'e1e8'");
    fails("illegal-pv", "a PV with the move 'a1h8'");
    fails("mate-0", "a mate in 0 moves");
    fails("huge-depth", "depth '99999999999'");
    fails("word-score", "score cp 'good'");
    fails("no-score", "no line with depth, score and PV");
    fails("no-depth", "no line with depth, score and PV");
    fails("bounds", "no line with depth, score and PV");
    CHECK_THAT(error_of("endless", fake(), {SearchLimit::Kind::kNodes, 1000}),
               Contains("beyond its limit"));
    CHECK_THAT(error_of("hang", fake(1, seconds(1)), {SearchLimit::Kind::kMilliseconds, 10}),
               Contains("go movetime 10") && Contains("got no further for 2 s"));
}

TEST_CASE("An engine that ends between two searches is an error, too") {
    const Wrong wrong("ends@2");
    Engine engine(fake());
    const SearchLimit limit{SearchLimit::Kind::kDepth, 3};
    CHECK_NOTHROW(engine.evaluate(position_of(kStart), limit));
    CHECK_THROWS_AS(engine.evaluate(position_of(kStart), limit), EngineError);
    CHECK_THROWS_AS(engine.evaluate(position_of(kStart), limit), EngineError);
}

TEST_CASE("Options are those that the engine has, with values that it takes") {
    const auto with = [](const char* name, const char* value) {
        EngineChoice choice = fake();
        choice.options = {{name, value}};
        return choice;
    };
    CHECK(error_of("", with("hash", "32")).empty());
    CHECK(error_of("", with("Clear Hash", "")).empty());
    CHECK(error_of("absurd", with("Nonsense3", "5")).empty());
    CHECK_THAT(error_of("", with("Hash", "4096")), Contains("from 1 to 1024"));
    CHECK_THAT(error_of("", with("Hash", "big")), Contains("from 1 to 1024"));
    CHECK_THAT(error_of("", with("Hahs", "32")), Contains("no option 'Hahs'") && Contains("hash"));
    CHECK_THAT(error_of("one-pv", fake(2)), Contains("no option 'MultiPV'"));
    CHECK_THAT(error_of("", fake(501)), Contains("from 1 to 500"));
}

TEST_CASE("Variants and Chess960 are for engines that know them") {
    const chess::AnyPosition shuffled =
        position_of("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1");
    const chess::AnyPosition house =
        position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qn] w KQkq - 0 1");
    const chess::AnyPosition atomic = position_of(kStart, chess::Variant::kAtomic);
    const chess::AnyPosition checks =
        position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2+3 0 1");
    REQUIRE(checks.variant() == chess::Variant::kThreeCheck);
    {
        const Wrong wrong("standard-only");
        const Engine engine(fake());
        CHECK(engine.knows_rules_of(position_of(kStart)));
        CHECK_FALSE(engine.knows_rules_of(shuffled));
        CHECK_FALSE(engine.knows_rules_of(house));
    }
    const Wrong wrong("");
    Engine engine(fake(200));
    const SearchLimit limit{SearchLimit::Kind::kDepth, 2};
    CHECK_FALSE(engine.knows_rules_of(atomic));
    for (const chess::AnyPosition& position :
         {house, shuffled, checks, position_of(kStart), shuffled, house}) {
        CAPTURE(chess::to_fen(position));
        REQUIRE(engine.knows_rules_of(position));
        CHECK(engine.evaluate(position, limit).pvs.size() == chess::count_legal_moves(position));
    }
}

TEST_CASE("A wish to stop ends a search at once, and no engine outlives its object") {
    const Wrong wrong("hang@2");
    bool stop = false;
    EngineChoice choice = fake();
    choice.stop = [&] { return stop; };
    const Clock::time_point start = Clock::now();
    Engine engine(choice);
    const SearchLimit limit{SearchLimit::Kind::kDepth, 2};
    CHECK_NOTHROW(engine.evaluate(position_of(kStart), limit));
    stop = true;
    CHECK_THROWS_AS(engine.evaluate(position_of(kStart), limit), base::Stopped);
    CHECK_THROWS_AS(Engine(choice), base::Stopped);
    engine.quit();
    CHECK(Clock::now() - start < seconds(20));
}
