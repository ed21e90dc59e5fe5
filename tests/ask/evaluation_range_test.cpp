// The condition on evaluations of a search for positions, against a plain loop over the evaluations
// of random games and over random records: in every kind of search, in pages of any size.
#include <catch2/catch.hpp>
#include <map>

#include "ask/filter_values.hpp"
#include "ask/questions.hpp"
#include "ingest/importer.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/evaluated_games.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

using Given = std::vector<std::pair<const char*, std::string>>;

class Database {
  public:
    Database(unsigned seed, bool annotations) : random_(seed), annotations_(annotations) {
        std::string text;
        for (int i = 0; i < 300; ++i) {
            games_.push_back(random_evaluated_game(random_));
            text += games_.back().text;
        }
        records_ = random_records(random_, games_);
        const std::string path = directory_ / "games.db";
        ingest::ImportOptions options;
        options.annotations = annotations;
        ingest::import_files(path, {directory_.write("games.pgn", text)}, options);
        ingest::import_files(path, {directory_.write("evals.jsonl", lines_of(records_))}, {});
        store_ = store::file_store(path);
    }

    /// Returns the plies at `epd`, or anywhere if that is empty, with an evaluation in the range.
    std::map<store::GameId, std::vector<std::uint32_t>> expected(const std::string& epd, int low,
                                                                 int high) const {
        std::map<store::GameId, std::vector<std::uint32_t>> out;
        for (std::size_t i = 0; i < games_.size(); ++i) {
            const EvaluatedGame& game = games_[i];
            for (std::uint32_t ply = 0; ply < game.epds.size(); ++ply) {
                if (!epd.empty() && game.epds[ply] != epd) continue;
                std::optional<Eval> eval = annotations_ ? game.own[ply] : std::nullopt;
                const auto record = records_.find(game.epds[ply]);
                if (!eval && record != records_.end()) eval = record->second;
                if (!eval) continue;
                // A mate is beyond every end of the ranges here.
                const int number = eval->mate == 0  ? eval->centipawns
                                   : eval->mate > 0 ? 1'000'000
                                                    : -1'000'000;
                if (number >= low && number <= high) out[i + 1].push_back(ply);
            }
        }
        return out;
    }

    std::unique_ptr<ask::Rows> rows(const ask::Plan& plan, const ask::Page& page) const {
        return plan.rows({sources(plan.filter), {}, {}, page});
    }
    std::shared_ptr<ask::Sources> sources(const store::GameFilter& filter) const {
        std::vector<ask::OpenDatabase> open;
        open.push_back(ask::open_database("games.db", 0, store_));
        return std::make_shared<ask::Sources>(std::move(open), filter);
    }
    Random& random() { return random_; }

  private:
    TemporaryDirectory directory_;
    Random random_;
    bool annotations_;
    std::vector<EvaluatedGame> games_;
    EvaluatedPositions records_;
    std::shared_ptr<store::Store> store_;
};

ask::Given given_of(const Given& values) {
    ask::Given out;
    for (const auto& [name, value] : values) out.add(name, value);
    return out;
}

std::string text_of(int low, int high) {
    return (low <= -1'000'000 ? "" : std::to_string(low)) + ".." +
           (high >= 1'000'000 ? "" : std::to_string(high));
}

void check(Database& database, const Given& question, const std::string& epd) {
    Random& random = database.random();
    int low = static_cast<int>(random() % 400) - 300;
    int high = low + static_cast<int>(random() % 300);
    if (random() % 5 == 0) low = -2'000'000;
    if (random() % 5 == 0 && low > -1'000'000) high = 2'000'000;
    const auto expected = database.expected(epd, low, high);
    Given asked = question;
    asked.emplace_back("eval", text_of(low, high));
    std::string shown;
    for (const auto& [name, value] : asked) shown += std::string(name) + "=" + value + " ";
    CAPTURE(shown);

    // The rows, in pieces, each continued at the place of the one before.
    const ask::Plan plan = ask::question_named("find").plan(given_of(asked));
    std::map<store::GameId, std::vector<std::uint32_t>> found;
    ask::Page page;
    bool more = true;
    while (more) {
        const auto rows = database.rows(plan, page);
        std::vector<std::size_t> at;
        for (const char* const name : {"game_id", "ply", "plies"}) {
            const auto& columns = rows->columns();
            const auto column = std::ranges::find(columns, name);
            REQUIRE(column != columns.end());
            at.push_back(static_cast<std::size_t>(column - columns.begin()));
        }
        more = rows->read(1 + random() % 40, [&](const std::vector<ask::Cell>& cells) {
            const auto game = static_cast<store::GameId>(std::get<std::int64_t>(cells[at[0]]));
            const auto ply = std::get<std::int64_t>(cells[at[1]]);
            CHECK(found[game].empty());
            found[game].push_back(static_cast<std::uint32_t>(ply));
        });
        page.from = rows->place();
    }
    std::map<store::GameId, std::vector<std::uint32_t>> first;
    std::int64_t occurrences = 0;
    for (const auto& [game, plies] : expected) {
        first[game] = {plies.front()};
        occurrences += static_cast<std::int64_t>(plies.size());
    }
    CHECK(found == first);

    Given counted;
    for (const auto& each : asked) {
        if (std::string_view(each.first) != "sort") counted.push_back(each);
    }
    const ask::Plan count = ask::question_named("count").plan(given_of(counted));
    std::string json;
    {
        json::Object object(json);
        count.document({database.sources(count.filter)}, object);
    }
    CHECK(json == "{\"games\":" + std::to_string(expected.size()) +
                      ",\"occurrences\":" + std::to_string(occurrences));
}

}  // namespace

TEST_CASE("A search with a range of evaluations finds what a plain loop finds") {
    const bool annotations = GENERATE(false, true);
    CAPTURE(annotations);
    Database database(annotations ? 3 : 4, annotations);
    const std::string start = chess::to_epd(chess::Position());
    const std::string black_begins = chess::to_epd(*chess::parse_fen(kBlackBegins).position);
    for (int i = 0; i < test::fewer(12, 4); ++i) {
        check(database, {{"fen", start}}, start);
        check(database, {{"fen", kBlackBegins}, {"sort", "plies"}}, black_begins);
        check(database, {{"fen", start}, {"sort", "date"}}, start);
        check(database, {{"material", "P>=0"}}, "");
        check(database, {{"material", "P>=0"}, {"sort", "plies"}}, "");
    }
}

TEST_CASE("Ranges of evaluations are centipawns or mates, what is best for White last") {
    const auto contains = [](const std::string& text, const codec::Score& score) {
        const query::ScoreRange range = ask::score_range(text);
        const std::int64_t rank = codec::rank_of(score, chess::Color::kWhite);
        return rank >= range.low && rank <= range.high;
    };
    CHECK(contains("-50..50", {false, -50}));
    CHECK_FALSE(contains("-50..50", {false, 51}));
    CHECK(contains("35", {false, 35}));
    CHECK(contains("+35..", {true, 9}));
    CHECK_FALSE(contains("..35", {true, 9}));
    CHECK(contains("..35", {true, -9}));
    CHECK(contains("#5..#1", {true, 3}));
    CHECK_FALSE(contains("#5..#1", {true, 6}));
    CHECK_FALSE(contains("#5..#1", {false, 9999}));
    CHECK(contains("#-1..#-5", {true, -2}));
    CHECK(contains("#-1..", {true, -1}));
    for (const char* const text : {"", "..", "a", "50..-50", "#1..#5", "#0..", "1.5..2", "50-60"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(ask::score_range(text), std::invalid_argument);
    }
}
