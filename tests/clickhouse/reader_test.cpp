// A reader of a cluster returns what SQLite's reader of the pushed database returns, and asks the
// server for many games at once.
#include <catch2/catch.hpp>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "clickhouse/open.hpp"
#include "clickhouse/reader_text.hpp"
#include "clickhouse/servers.hpp"
#include "store/store.hpp"
#include "support/first_wrong.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using store::GameId;

void run(const std::vector<std::string>& words) {
    std::vector<std::string> command{FENDEX_BINARY};
    command.insert(command.end(), words.begin(), words.end());
    const Outcome outcome = run_process(command);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
}

/// Games that exercise tags: doubles, empty values, several lines, none at all; and games that
/// cannot be read.
constexpr char kOddGames[] = R"([Event "A"]
[White "First"]
[White "Second"]
[Black ""]
[WhiteElo "2500?"]
[BlackElo "0200"]
[Date "1999.00.??"]
[UTCDate "1999.02.03"]
[Termination "Normal"]
[Termination "Time forfeit"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 {a comment} (2... d6 3. d4 (3. Bc4 Be7)) 3. Bb5 a6 1-0

1. d4 d5 2. c4 *

[Event "No moves"]
[Note "a \"quoted\" \\ text"]
[Result "1/2-1/2"]

1/2-1/2

[Event "Broken"]
[White "One"]
[Black "Two"]
[Result "0-1"]

1. e4 e5 2. Nf6 Nc6 0-1

[Variant "Unknown rules"]
[Event "Other"]

1. e4 e5 *

[FEN "8/8/8/4k3/8/8/4P3/4K3 w - - 95 80"]
[SetUp "1"]
[Result "*"]

1. Kd2 Kd4 2. Ke1 Ke5 3. Kd2 Kd4 4. Ke1 Ke5 5. Kd2 Kd4 6. Ke1 Ke5 *
)";

std::vector<GameId> numbers(GameId first, GameId last) {
    std::vector<GameId> out(last < first ? 0 : last - first + 1);
    std::iota(out.begin(), out.end(), first);
    return out;
}

void require_equal(const std::string& what, const ReaderText::Lines& cluster,
                   const ReaderText::Lines& file) {
    INFO(what);
    for (std::size_t i = 0; i < std::min(cluster.size(), file.size()); ++i) {
        if (cluster[i] != file[i]) {
            INFO("line " << i);
            REQUIRE(cluster[i] == file[i]);
        }
    }
    REQUIRE(cluster.size() == file.size());
    CHECK(!file.empty());
}

/// Compares all that both readers return.
void compare(store::StoreReader& of_cluster, store::StoreReader& of_file,
             clickhouse::Origin origin) {
    ReaderText cluster(of_cluster, origin);
    ReaderText file(of_file);
    require_equal("counts", cluster.counts(), file.counts());
    require_equal("facts", cluster.facts(), file.facts());
    const GameId last = of_file.last_game();
    std::vector<GameId> backwards = numbers(1, last + 1);
    std::reverse(backwards.begin(), backwards.end());
    const std::vector<std::vector<GameId>> lists = {
        numbers(1, last), backwards, {last + 5, 3, 1, 3, last, 2}, {1}};
    for (const std::vector<GameId>& games : lists) {
        require_equal("headers", cluster.headers(games), file.headers(games));
        require_equal("moves", cluster.moves(games), file.moves(games));
        require_equal("games", cluster.games(games), file.games(games));
    }
    require_equal("annotations", cluster.annotations(backwards), file.annotations(backwards));
    require_equal("one by one", cluster.one_by_one(numbers(1, last + 1)),
                  file.one_by_one(numbers(1, last + 1)));
    require_equal("scan", cluster.scans(1, ~std::size_t{0}), file.scans(1, ~std::size_t{0}));
    require_equal("scan from the middle", cluster.scans(last / 2, 7), file.scans(last / 2, 7));
    require_equal("imports", cluster.imports(), file.imports());
}

store::Reader cluster_reader(const std::string& url) { return clickhouse::open(url, {}, "")->reader(); }

}  // namespace

TEST_CASE("A reader of a cluster returns what the file's reader returns", "[clickhouse]") {
    const TemporaryDirectory folder;
    const std::string odd = folder.write("odd.pgn", kOddGames);
    const std::string file = folder / "first.db";
    const std::string variants = std::string(FENDEX_TEST_DATA) + "/variants/games.pgn";
    run({"import", file, "--variations", FENDEX_SAMPLES, variants, odd, "--quiet"});
    for_each_server([&](const Server& server) {
        const std::string url = server.url("reader");
        run({"push", file, url, "--quiet"});
        const auto store = store::Store::at(file);
        const auto cluster = clickhouse::open(url, {}, "");
        compare(*cluster->reader(), *store->reader(), 0);
    });
}
