// fendex export --tree: compares the PGN with counts of every ply of every game.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// A move of a tree: the line to it, and its comment.
struct Node {
    std::string line;  // "e4 c5 Nf3"
    std::string comment;

    bool operator==(const Node&) const = default;
};

/// Reads the moves of PGN movetext with comments and variations, in their order.
std::vector<Node> nodes_of(const std::string& pgn) {
    std::istringstream words(pgn.substr(pgn.find("\n\n") + 2));
    std::vector<Node> nodes;
    std::string line;
    std::string parent;                                       // the line without its last move
    std::vector<std::pair<std::string, std::string>> around;  // both, for each open variation
    char c = 0;
    while (words.get(c)) {
        if (c == '(') {
            around.emplace_back(line, parent);
            line = parent;
        } else if (c == ')') {
            std::tie(line, parent) = around.back();
            around.pop_back();
        } else if (c == '{') {
            std::string comment;
            std::getline(words, comment, '}');
            nodes.back().comment = comment;
        } else if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
            std::string san(1, c);
            while (std::string(" \n)").find(static_cast<char>(words.peek())) == std::string::npos) {
                san += static_cast<char>(words.get());
            }
            parent = line;
            line += (line.empty() ? "" : " ") + san;
            nodes.push_back({line, {}});
        }
    }
    CHECK(around.empty());
    return nodes;
}

/// Counts what was played from each position, by looking at each ply of each game.
class EveryPly {
  public:
    EveryPly(const std::string& database, const Words& filter) {
        Words words{"export",    database, "--rows",    "plies",
                    "--format",  "json",   "--columns", "game_id,epd,next_san,result",
                    "--dialect", "legal"};
        words.insert(words.end(), filter.begin(), filter.end());
        const std::vector<Json> rows = json_lines(run(words).out);
        for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
            if (rows[i]["next_san"].is_null()) continue;
            Move& move = moves_[rows[i]["epd"]][rows[i]["next_san"]];
            move.after = rows[i + 1]["epd"];
            move.results[rows[i]["game_id"]] = rows[i]["result"];
        }
    }

    /// Returns the moves of a tree, sorted.
    std::vector<Node> tree(const std::string& epd, unsigned depth, std::size_t min_games) const {
        std::vector<Node> nodes;
        std::vector<std::string> above{epd};
        add(epd, "", depth, min_games, above, nodes);
        std::ranges::sort(nodes, {}, &Node::line);
        return nodes;
    }

  private:
    struct Move {
        std::string after;
        std::map<int, std::string> results;  // by game
    };

    void add(const std::string& epd, const std::string& line, unsigned depth, std::size_t min_games,
             std::vector<std::string>& above, std::vector<Node>& nodes) const {
        const auto moves = moves_.find(epd);
        if (moves == moves_.end()) return;
        for (const auto& [san, move] : moves->second) {
            if (move.results.size() < min_games) continue;
            const std::string with = line + (line.empty() ? "" : " ") + san;
            const auto& results = move.results;
            const auto ended = [&results](const char* result) {
                return std::to_string(std::ranges::count_if(
                    results, [&](const auto& each) { return each.second == result; }));
            };
            nodes.push_back({with, std::to_string(move.results.size()) +
                                       (move.results.size() == 1 ? " game, +" : " games, +") +
                                       ended("1-0") + " =" + ended("1/2-1/2") + " -" +
                                       ended("0-1")});
            if (above.size() == depth) continue;
            if (std::ranges::find(above, move.after) != above.end()) continue;
            above.push_back(move.after);
            add(move.after, with, depth, min_games, above, nodes);
            above.pop_back();
        }
    }

    std::map<std::string, std::map<std::string, Move>> moves_;  // by EPD and SAN
};

Outcome export_tree(const Words& options) {
    Words words{"export", samples_database(), "--tree"};
    words.insert(words.end(), options.begin(), options.end());
    return run(words);
}

}  // namespace

TEST_CASE("export --tree writes what every ply of every game says") {
    const Words standard{"--variant", "standard"};
    const EveryPly plies(samples_database(), standard);
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    const auto sorted = [](std::vector<Node> nodes) {
        std::ranges::sort(nodes, {}, &Node::line);
        return nodes;
    };
    for (const auto& [depth, min_games] :
         std::vector<std::pair<unsigned, unsigned>>{{1, 1}, {3, 1}, {6, 2}, {30, 3}, {100, 8}}) {
        CAPTURE(depth, min_games);
        const Outcome outcome =
            export_tree({"--variant", "standard", "--depth", std::to_string(depth), "--min-games",
                         std::to_string(min_games)});
        CHECK(outcome.status == 0);
        const std::vector<Node> expected = plies.tree(start, depth, min_games);
        REQUIRE(expected.size() > 4);
        CHECK((sorted(nodes_of(outcome.out)) == expected));
    }
    const std::string sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    const Outcome of_position = run({"export", samples_database(), "--tree", sicilian, "--depth",
                                     "7", "--min-games", "1", "--variant", "standard"});
    CHECK((sorted(nodes_of(of_position.out)) == plies.tree(sicilian, 7, 1)));
    const EveryPly wins(samples_database(), {"--variant", "standard", "--result", "1-0"});
    CHECK((sorted(nodes_of(export_tree({"--variant", "standard", "--result", "1-0", "--depth", "5",
                                        "--min-games", "2"})
                               .out)) == wins.tree(start, 5, 2)));
}

TEST_CASE("export --tree puts what was played most first, and is PGN that an import reads") {
    const Outcome outcome = export_tree({"--depth", "12", "--min-games", "2"});
    CHECK_THAT(outcome.out, StartsWith("[Event \"Tree of "));
    CHECK_THAT(outcome.out, Contains("[Result \"*\"]\n\n1. e4 {"));
    const std::vector<Node> nodes = nodes_of(outcome.out);
    std::map<std::string, int> last;  // games of the last move, by the line before it
    for (const Node& node : nodes) {
        const std::size_t blank = node.line.rfind(' ');
        const int games = std::stoi(node.comment);
        const auto at =
            last.try_emplace(blank == std::string::npos ? "" : node.line.substr(0, blank), games);
        CHECK(at.first->second >= games);
        at.first->second = games;
    }
    const TemporaryDirectory directory;
    const std::string database = directory / "tree.db";
    const std::string file = directory.write("tree.pgn", outcome.out);
    CHECK(run({"import", database, file, "--annotations", "--strict"}).status == 0);
    CHECK(nodes_of(run({"export", database}).out) == nodes);
}

TEST_CASE("export --tree --moves begins with these moves, a FEN with its tags") {
    const Words small{"--depth", "1", "--min-games", "3"};
    const auto tree = [&](Words words) {
        words.insert(words.end(), small.begin(), small.end());
        return export_tree(words).out;
    };
    const std::string moves = tree({"--moves", "1.e4 c5 2.Nf3"});
    CHECK_THAT(moves, Contains("\n\n1. e4 c5 2. Nf3 e6 {6 games, +2 =1 -3} (2... d6 {"));
    CHECK_THAT(moves, !Contains("FEN"));
    const std::string sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    const std::string fen = tree({"--fen", sicilian});
    CHECK_THAT(fen, Contains("[FEN \"" + sicilian + "\"]\n[SetUp \"1\"]\n\n2... e6 {"));
    CHECK(moves.substr(moves.find("e6")) == fen.substr(fen.find("e6")));
    CHECK(tree({sicilian}) == fen);
    CHECK(tree({sicilian.substr(0, sicilian.find(' ')), "b", "KQkq", "-", "1", "2"}) == fen);
    CHECK_THAT(tree({"--moves", "1.e4 c5 2.Nf3", "--language", "de"}), Contains("2. Sf3"));
    CHECK(run({"export", samples_database(), sicilian}).out ==
          run({"export", samples_database(), "--fen", sicilian}).out);
}

TEST_CASE("export --tree has the evaluations of the positions") {
    const TemporaryDirectory directory;
    const std::string database = directory / "my.db";
    std::filesystem::copy_file(samples_database(), database);
    const std::string evals =
        directory.write("evals.epd",
                        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - acd 40; ce -31;\n"
                        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - acd 12; dm 4;\n");
    REQUIRE(run({"import", database, evals, "--quiet"}).status == 0);
    const std::string pgn = run({"export", database, "--tree", "--depth", "1"}).out;
    CHECK_THAT(pgn, Contains("1. e4 {[%eval 0.31,40] "));
    CHECK_THAT(pgn, Contains("(1. d4\n{[%eval #-4,12] "));
    CHECK_THAT(pgn, Contains("(1. Nf3 {"));
}

TEST_CASE("export --tree of a variant says so, and without games it writes nothing") {
    const TemporaryDirectory directory;
    const std::string database = directory / "variants.db";
    const std::string games = FENDEX_TEST_DATA "/variants/games.pgn";
    REQUIRE(run({"import", database, games, "--quiet"}).status == 0);
    const Outcome atomic = run(
        {"export", database, "--tree", "--variant", "atomic", "--depth", "2", "--min-games", "1"});
    CHECK_THAT(atomic.out, Contains("[Variant \"atomic\"]\n\n1. "));
    const Outcome none = export_tree({"--moves", "1.h4 h5 2.a4 a5"});
    CHECK(none.status == 1);
    CHECK(none.out.empty());
    CHECK_FALSE(none.err.empty());
}

TEST_CASE("export --tree refuses what is for games") {
    check_refused(export_tree({"--depth", "0"}), {"--depth"});
    check_refused(export_tree({"--depth", "1001"}), {"--depth", "1000"});
    check_refused(export_tree({"--format", "csv"}), {"--tree writes PGN"});
    check_refused(export_tree({"-o", "x.epd"}), {"--tree writes PGN"});
    check_refused(export_tree({"--rows", "plies"}), {"--rows"});
    check_refused(export_tree({"--limit", "3"}), {"--limit is for games"});
    check_refused(export_tree({"--sort", "elo"}), {"--sort is for games"});
    check_refused(export_tree({"--fill", "eco"}), {"--fill is for games"});
    check_refused(export_tree({kStart, "--fen", kStart}), {"--fen", "give one"});
    check_refused(export_tree({"--moves", "1.Ke2"}), {"Ke2"});
    check_refused(run({"export", samples_database(), "--depth", "3"}), {"--depth is for --tree"});
    check_refused(run({"export", samples_database(), "some/tree.pgn"}), {"-o"});
    check_refused(run({"export", samples_database(), "nothing/8"}), {"nothing/8"});
}
