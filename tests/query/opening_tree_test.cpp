// Compares trees with a table made without the index: every position of every game, by its EPD.
#include "query/opening_tree.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "ask/filter_fields.hpp"
#include "query/replayed_games.hpp"
#include "query/tree_json.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/memory_store.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

/// A line of the tree, summed up in the simple way.
struct Line {
    std::set<store::GameId> games;
    std::map<std::string, unsigned> results;
    std::uint64_t mover_elo = 0;
    unsigned mover_rated = 0;
    std::string last_year;

    void add(store::GameId id, const ReplayedGame& game, const std::string& result,
             const std::string& mover) {
        if (!games.insert(id).second) return;
        ++results[result];
        if (const unsigned elo = game.elo(mover); elo != 0) {
            mover_elo += elo;
            ++mover_rated;
        }
        const std::string year = game.tag("Date").substr(0, 4);
        if (year.find('?') == std::string::npos) last_year = std::max(last_year, year);
    }
};

std::string exchanged(std::string epd) {
    const auto swap_case = [](std::string text) {
        for (char& c : text) {
            c = static_cast<char>(std::isupper(static_cast<unsigned char>(c)) != 0
                                      ? std::tolower(static_cast<unsigned char>(c))
                                      : std::toupper(static_cast<unsigned char>(c)));
        }
        return text;
    };
    std::istringstream in(epd);
    std::string board;
    std::string side;
    std::string rights;
    std::string square;
    in >> board >> side >> rights >> square;
    std::vector<std::string> ranks(1);
    for (const char c : board) c == '/' ? (void)ranks.emplace_back() : (void)(ranks.back() += c);
    std::string other;
    for (auto rank = ranks.rbegin(); rank != ranks.rend(); ++rank) {
        other += (other.empty() ? "" : "/") + swap_case(*rank);
    }
    std::string upper;
    std::string lower;
    for (const char c : swap_case(rights)) {
        (std::isupper(static_cast<unsigned char>(c)) != 0 ? upper : lower) += c;
    }
    if (square != "-") square[1] = square[1] == '3' ? '6' : '3';
    return other + (side == "w" ? " b " : " w ") + upper + lower + ' ' + square;
}

std::string exchanged_san(std::string san) {
    for (char& c : san) {
        if (c >= '1' && c <= '8') c = static_cast<char>('1' + '8' - c);
    }
    return san;
}

struct SimpleTree {
    Line total;
    std::map<std::string, Line> moves;  // by SAN; "" where games end
    std::uint64_t occurrences = 0;
};

bool same_board(const std::string& a, const std::string& b) {
    return a.substr(0, a.find(' ')) == b.substr(0, b.find(' '));
}

template <typename Fits>
SimpleTree simple_tree(const ReplayedDatabase& database, const std::string& epd, query::Match match,
                       Fits fits) {
    SimpleTree tree;
    const auto add = [&](const std::string& place, bool mirrored) {
        const auto found = database.places().find(place);
        if (found == database.places().end()) return;
        for (const auto& [id, plies] : found->second) {
            const ReplayedGame& game = database.games().at(id);
            if (!fits(game)) continue;
            std::string result = game.tag("Result");
            if (mirrored && (result == "1-0" || result == "0-1")) {
                result = result == "1-0" ? "0-1" : "1-0";
            }
            const bool white = place.find(" w ") != std::string::npos;
            for (const std::uint32_t ply : plies) {
                ++tree.occurrences;
                std::string san = ply < game.sans.size() ? game.sans[ply] : "";
                if (mirrored) san = exchanged_san(san);
                tree.moves[san].add(id, game, result, white ? "WhiteElo" : "BlackElo");
                tree.total.add(id, game, result, "WhiteElo");
            }
        }
    };
    if (match == query::Match::kBoard) {
        for (const auto& [place, games] : database.places()) {
            if (same_board(place, epd)) add(place, false);
        }
    } else {
        add(epd, false);
        if (match == query::Match::kMirrored && exchanged(epd) != epd) add(exchanged(epd), true);
    }
    return tree;
}

unsigned result_of(const codec::Tally& tally, codec::Result result) {
    return static_cast<unsigned>(tally.results[result]);
}

void check_line(const codec::Tally& tally, Line expected) {
    CHECK(tally.games == expected.games.size());
    CHECK(result_of(tally, codec::Result::kWhiteWins) == expected.results["1-0"]);
    CHECK(result_of(tally, codec::Result::kBlackWins) == expected.results["0-1"]);
    CHECK(result_of(tally, codec::Result::kDraw) == expected.results["1/2-1/2"]);
}

void check_tree(const query::Tree& tree, SimpleTree expected) {
    check_line(tree.total, expected.total);
    CHECK(tree.total.occurrences == expected.occurrences);
    check_line(tree.ended, expected.moves[""]);
    expected.moves.erase("");
    REQUIRE(tree.moves.size() == expected.moves.size());
    std::uint64_t before = std::numeric_limits<std::uint64_t>::max();
    for (const query::TreeMove& move : tree.moves) {
        CAPTURE(move.san);
        REQUIRE(expected.moves.count(move.san) == 1);
        const Line& line = expected.moves[move.san];
        check_line(move.tally, line);
        CHECK(move.tally.games <= before);
        before = move.tally.games;
        const auto mean = move.mean_rating();
        REQUIRE(mean.has_value() == (line.mover_rated != 0));
        if (mean) {
            CHECK(*mean == std::lround(static_cast<double>(line.mover_elo) / line.mover_rated));
        }
        CHECK((move.tally.last_date == 0
                   ? ""
                   : std::to_string(10'000 + move.tally.last_date.year()).substr(1)) ==
              line.last_year);
        for (const auto& named : move.top_games) CHECK(line.games.count(named.game) == 1);
        CHECK(move.top_games.size() == std::min<std::size_t>(4, line.games.size()));
    }
}

const auto kAll = [](const ReplayedGame&) { return true; };

/// Returns one of two stores in turn: answers must not depend on how games are stored.
std::shared_ptr<store::Store> either_store(const std::string& path) {
    const bool in_memory = GENERATE(false, true);
    return in_memory ? kept_memory_store(path) : store::file_store(path);
}

}  // namespace

TEST_CASE("Trees of random positions agree with a replay of all games", "[full]") {
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    const auto reader = either_store(database.path())->reader();
    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    std::mt19937_64 random(31);
    for (unsigned i = 0; i < 200; ++i) {
        const std::string epd =
            i == 0 ? chess::to_epd(chess::Position()) : database.random_epd(random);
        CAPTURE(epd);
        const chess::Position position = *chess::parse_fen(epd).position;
        const query::Tree tree = query::opening_tree(*reader, search, position, {});
        check_tree(tree, simple_tree(database, epd, query::Match::kExact, kAll));
        // By any order of moves.
        for (const query::TreeMove& move : tree.moves) {
            chess::Position after = position;
            after.play(move.move);
            CHECK(move.reached == database.places().at(chess::to_epd(after)).size());
        }
    }
}

TEST_CASE("Trees of filtered games, of boards and of mirrored positions agree with a replay",
          "[full]") {
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    const auto reader = either_store(database.path())->reader();
    query::GameFilter filter;
    ask::set_field(filter, "min-elo", "2450");
    ask::set_field(filter, "since", "1996");
    query::GameMatcher strong(*reader, filter);
    query::PositionSearch search(*reader, strong);
    const auto fits = [](const ReplayedGame& game) {
        return game.elo("WhiteElo") >= 2450 && game.elo("BlackElo") >= 2450 &&
               game.tag("Date") >= "1996";
    };
    query::GameMatcher all(*reader);
    query::PositionSearch search_all(*reader, all);
    std::mt19937_64 random(32);
    for (unsigned i = 0; i < 60; ++i) {
        const std::string epd =
            i == 0 ? chess::to_epd(chess::Position()) : database.random_epd(random);
        CAPTURE(epd);
        const chess::Position position = *chess::parse_fen(epd).position;
        query::TreeOptions options{.transpositions = i % 2 == 0};
        for (const query::Match match :
             {query::Match::kExact, query::Match::kBoard, query::Match::kMirrored}) {
            if (match == query::Match::kBoard && i > 20) continue;  // the simple way is slow
            options.match = match;
            const query::Tree filtered = query::opening_tree(*reader, search, position, options);
            check_tree(filtered, simple_tree(database, epd, match, fits));
            const query::Tree whole = query::opening_tree(*reader, search_all, position, options);
            check_tree(whole, simple_tree(database, epd, match, kAll));
        }
    }
}

TEST_CASE("A pruned tree several plies deep agrees with a replay", "[full]") {
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    const auto reader = store::file_store(database.path())->reader();
    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    const query::TreeOptions options{.min_games = 3};
    query::TreeDescent descent({{&*reader, &search}}, options, 3);
    std::uint64_t lines = 0;
    unsigned deepest = 0;
    const auto visit = [&](const auto& self, const query::Tree& node, unsigned depth) -> void {
        deepest = std::max(deepest, depth);
        const query::Tree alone = query::opening_tree(*reader, search, node.position, {});
        CHECK(alone.total == node.total);
        CHECK(static_cast<std::size_t>(std::count_if(alone.moves.begin(), alone.moves.end(),
                                                     [](const query::TreeMove& m) {
                                                         return m.tally.games >= 3;
                                                     })) == node.moves.size());
        for (const query::TreeMove& move : node.moves) {
            ++lines;
            unsigned trees = 0;
            descent.replies(move, [&](const query::Tree& reply) {
                ++trees;
                CHECK(reply.position.key() == move.after.key());
                self(self, reply, depth + 1);
            });
            REQUIRE(trees == (depth < 3 ? 1 : 0));
        }
    };
    descent.from(chess::Position(), [&](const query::Tree& tree) { visit(visit, tree, 1); });
    CHECK(lines > 8);
    CHECK(deepest == 3);
}

TEST_CASE("A move has the performance and mean rating of its games") {
    query::TreeMove move;
    move.mover = chess::Color::kWhite;
    const auto game = [&](codec::Result result, std::uint16_t white, std::uint16_t black) {
        codec::GameFacts facts;
        facts.result = result;
        facts.white_elo = white;
        facts.black_elo = black;
        move.tally.add_game(facts);
    };
    CHECK_FALSE(move.performance());
    CHECK_FALSE(move.mean_rating());
    game(codec::Result::kDraw, 2700, 2500);
    CHECK(move.performance() == 2500U);
    CHECK(move.mean_rating() == 2700U);
    game(codec::Result::kWhiteWins, 0, 2500);
    CHECK(move.performance() == 2691U);  // three points of four: 400 log10 3 = 190.8
    CHECK(move.mean_rating() == 2700U);
    move.mover = chess::Color::kBlack;
    CHECK(move.performance() == 2509U);
    move.tally = {};
    game(codec::Result::kUnknown, 2000, 2000);
    CHECK_FALSE(move.performance());
    game(codec::Result::kBlackWins, 2000, 2000);
    CHECK(move.performance() == 2800U);
}
