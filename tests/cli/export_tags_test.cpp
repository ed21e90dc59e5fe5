// export --fill and --names canonical write other tags; what is stored stays as it came.
#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

/// The third game says other things of itself than fendex would; the fourth has another number for
/// a player, and no moves.
const char* const kGames = R"([Event "Baguio"]
[White "Karpov, Anatoly"]
[Black "Korchnoi, Viktor"]
[WhiteFideId "4100026"]
[BlackFideId "14100017"]
[ECO "?"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 1/2-1/2

[Event "Baguio City"]
[White "Korchnoi, Viktor"]
[Black "Karpov,An"]

1. c4 1/2-1/2

[Event "Merano"]
[White "Karpov,An"]
[Black "Korchnoi, Viktor"]
[ECO "A00"]
[Opening "My own"]
[PlyCount "99"]
[BlackFideId "77"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 *

[Event "?"]
[White "Nobody"]
[Black "Karpov, Anatoly"]

*
)";

class Database {
  public:
    Database() : path_(directory_ / "a.db") {
        REQUIRE(run({"import", path_, directory_.write("a.pgn", kGames)}).status == 0);
    }
    /// Returns the tags of all games, a line each.
    Words exported(Words options) const {
        options.insert(options.begin(), {"export", path_});
        const Outcome outcome = run(options);
        INFO(outcome.err);
        CHECK(outcome.status == 0);
        Words tags = lines_of(outcome.out);
        std::erase_if(tags, [](const std::string& line) { return !line.starts_with('['); });
        return tags;
    }
    const std::string& path() const { return path_; }

  private:
    TemporaryDirectory directory_;
    std::string path_;
};

/// Returns the lines that `tags` has more than `plain`, all of which must be there, in order.
Words added(const Words& plain, const Words& tags) {
    Words out;
    auto next = plain.begin();
    for (const std::string& line : tags) {
        if (next != plain.end() && *next == line) {
            ++next;
        } else {
            out.push_back(line);
        }
    }
    CHECK(next == plain.end());
    return out;
}

}  // namespace

TEST_CASE("export --fill writes tags that games lack, and keeps those that they have") {
    const Database database;
    Words plain = database.exported({});
    CHECK(added(plain, database.exported({"--fill", "plycount"})) ==
          Words{"[PlyCount \"6\"]", "[PlyCount \"1\"]", "[PlyCount \"0\"]"});
    CHECK(added(plain, database.exported({"--fill", "opening,variation"})) ==
          Words{"[Opening \"Italian Game\"]", "[Variation \"Giuoco Piano\"]",
                "[Opening \"English Opening\"]", "[Variation \"Giuoco Piano\"]"});
    std::erase(plain, "[ECO \"?\"]");
    CHECK(added(plain, database.exported({"--fill", "eco"})) ==
          Words{"[ECO \"C50\"]", "[ECO \"A10\"]"});
    // What is stored has not changed.
    CHECK(database.exported({}) != plain);
}

TEST_CASE("export --fill fideid takes the number of a player's other games if there is just one") {
    const Database database;
    const Words plain = database.exported({});
    // Korchnoi has two numbers.
    CHECK(added(plain, database.exported({"--fill", "fideid"})) ==
          Words{"[BlackFideId \"4100026\"]"});
    REQUIRE(run({"names", database.path(), "--join", "Karpov, Anatoly", "Karpov,An"}).status == 0);
    CHECK(added(plain, database.exported({"--fill", "fideid"})) ==
          Words{"[BlackFideId \"4100026\"]", "[WhiteFideId \"4100026\"]",
                "[BlackFideId \"4100026\"]"});
}

TEST_CASE("export --names canonical writes the names that stand for joined ones") {
    const Database database;
    const Words plain = database.exported({});
    CHECK(database.exported({"--names", "canonical"}) == plain);
    REQUIRE(run({"names", database.path(), "--join", "Karpov, Anatoly", "Karpov,An"}).status == 0);
    REQUIRE(run({"names", database.path(), "--of", "events", "--join", "Baguio City", "Baguio"})
                .status == 0);
    Words expected = plain;
    for (std::string& line : expected) {
        if (line == "[White \"Karpov,An\"]") line = "[White \"Karpov, Anatoly\"]";
        if (line == "[Black \"Karpov,An\"]") line = "[Black \"Karpov, Anatoly\"]";
        if (line == "[Event \"Baguio\"]") line = "[Event \"Baguio City\"]";
    }
    CHECK(expected != plain);
    CHECK(database.exported({"--names", "canonical"}) == expected);
    CHECK(database.exported({"--names", "stored"}) == plain);
    const Outcome rows =
        run({"export", database.path(), "--names", "canonical", "--format", "csv"});
    CHECK_THAT(rows.out, Contains("\"Karpov, Anatoly\"") && !Contains("Karpov,An\""));
}

TEST_CASE("export refuses --fill and --names where no tags are written") {
    const Database database;
    for (const Words& options :
         {Words{"--fill", "eco", "--format", "csv"}, Words{"--fill", "eco,site"},
          Words{"--fill", "eco", "--format", "epd"},
          Words{"--names", "canonical", "--format", "fen"},
          Words{"--names", "canonical", "--format", "json", "--rows", "plies"}}) {
        Words words{"export", database.path()};
        words.insert(words.end(), options.begin(), options.end());
        check_refused(run(words), {options.front()});
    }
}
