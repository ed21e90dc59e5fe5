// Repertoires against an exhaustive search over games and lines, with positions as EPDs. The
// repertoires are made from games of the samples and the corpus.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <utility>

#include "ask/questions.hpp"
#include "query/replayed_games.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using test::ReplayedDatabase;
using test::ReplayedGame;
using Json = nlohmann::json;

/// Returns all rows of a question about a repertoire, read in small pieces.
std::vector<Json> answers(const std::string& question, const std::string& pgn, bool white,
                          ask::Given given = {}) {
    given.add("pgn", pgn);
    given.add("color", white ? "white" : "black");
    const ask::Plan plan = ask::question_named(question).plan(given);
    std::vector<ask::OpenDatabase> open;
    const std::string& database = ReplayedDatabase::instance().path();
    open.push_back(ask::open_database(database, 0, store::file_store(database)));
    const std::unique_ptr<ask::Rows> rows =
        plan.rows({.sources = std::make_shared<ask::Sources>(std::move(open), plan.filter)});
    std::vector<Json> out;
    const auto add = [&](const std::vector<ask::Cell>& cells) {
        std::string line;
        emit::append_json_row(rows->columns(), cells, line);
        out.push_back(Json::parse(line));
    };
    while (rows->read(100, add)) {
    }
    return out;
}

/// A repertoire as a map, found without the code that is tested.
struct Lines {
    struct Place {
        std::string fen;
        std::size_t depth = 0;           // the least number of moves before it
        std::vector<std::string> moves;  // in the order of the lines
        std::vector<std::string> next;   // the positions after them
    };
    std::map<std::string, Place> places;  // by EPD

    void add(const ReplayedGame& game, std::size_t plies) {
        for (std::size_t ply = 0; ply <= plies; ++ply) {
            Place& here = places[game.epds[ply]];
            if (here.fen.empty()) here = {game.fens[ply], ply, {}, {}};
            if (ply == plies || std::ranges::count(here.moves, game.sans[ply]) != 0) continue;
            here.moves.push_back(game.sans[ply]);
            here.next.push_back(game.epds[ply + 1]);
        }
    }
    /// A line that reaches a position sooner makes those after it shallower, too.
    void settle_depths() {
        for (bool changed = true; std::exchange(changed, false);) {
            for (const auto& [epd, place] : places) {
                for (const std::string& next : place.next) {
                    if (places[next].depth <= place.depth + 1) continue;
                    places[next].depth = place.depth + 1;
                    changed = true;
                }
            }
        }
    }
};

bool is_white(const std::string& epd) { return epd.find(" w ") != std::string::npos; }

std::string text_of(const ReplayedGame& game, std::size_t from, std::size_t to) {
    std::string out;
    for (std::size_t ply = from; ply < to; ++ply) {
        out += std::to_string(ply / 2 + 1) + (ply % 2 == 0 ? ". " : "... ") + game.sans[ply] + ' ';
    }
    return out;
}

struct MadeRepertoire {
    std::string pgn;
    Lines lines;
};

/// Makes chapters of which each has a game as its main line, and others as variations.
MadeRepertoire made_repertoire(std::mt19937_64& random) {
    std::vector<const ReplayedGame*> usable;
    for (const auto& [id, game] : ReplayedDatabase::instance().games()) {
        if (game.tag("FEN").empty() && game.tag("Variant").empty() && game.sans.size() >= 4) {
            usable.push_back(&game);
        }
    }
    MadeRepertoire out;
    for (unsigned chapter = 0; chapter < 3; ++chapter) {
        const ReplayedGame& main = *usable[random() % usable.size()];
        const std::size_t end = std::min<std::size_t>(main.sans.size(), 4 + random() % 12);
        out.lines.add(main, end);
        struct Variation {
            const ReplayedGame* game = nullptr;
            std::size_t from = 0;
            std::size_t to = 0;
        };
        std::vector<Variation> variations;
        for (const ReplayedGame* const game : usable) {
            std::size_t common = 0;
            while (common < std::min(end, game->sans.size()) &&
                   game->sans[common] == main.sans[common]) {
                ++common;
            }
            if (common == end || common == game->sans.size() || random() % 40 != 0) continue;
            variations.push_back(
                {game, common,
                 std::min<std::size_t>(game->sans.size(), common + random() % 9 + 1)});
        }
        std::ranges::stable_sort(variations, {}, &Variation::from);
        out.pgn += "[Event \"A chapter\"]\n\n";
        for (std::size_t ply = 0; ply < end; ++ply) {
            out.pgn += text_of(main, ply, ply + 1);
            for (const Variation& each : variations) {
                if (each.from != ply) continue;
                out.lines.add(*each.game, each.to);
                out.pgn += '(' + text_of(*each.game, each.from, each.to) + ") ";
            }
        }
        out.pgn += "*\n\n";
    }
    out.lines.settle_depths();
    return out;
}

/// The rows of games, without their headers.
std::vector<Json> departures(const Lines& lines, bool white) {
    std::vector<Json> out;
    for (const auto& [id, game] : ReplayedDatabase::instance().games()) {
        std::size_t ply = game.epds.size();
        while (ply != 0 && !lines.places.contains(game.epds[ply - 1])) --ply;
        if (ply-- == 0) continue;
        const Lines::Place& last = lines.places.at(game.epds[ply]);
        Json& row = out.emplace_back();
        row["game_id"] = id;
        row["left_by"] = nullptr;
        row["ply"] = ply;
        row["played"] = nullptr;
        row["expected"] = last.moves;
        row["fen"] = last.fen;
        const std::string result = game.tag("Result");
        row["points"] = nullptr;
        if (result == "1/2-1/2") row["points"] = 0.5;
        if (result == "1-0") row["points"] = white ? 1.0 : 0.0;
        if (result == "0-1") row["points"] = white ? 0.0 : 1.0;
        if (ply == game.sans.size()) continue;
        row["played"] = game.sans[ply];
        if (last.moves.empty()) continue;
        row["left_by"] = is_white(game.epds[ply]) == white ? "player" : "opponent";
    }
    return out;
}

/// What the games of the database played in a position: the games of each move, and the position
/// after it.
struct Played {
    std::set<store::GameId> games;
    std::map<std::string, std::set<store::GameId>> by_move;
    std::map<std::string, std::string> after;
};

const Played& played_at(const std::string& epd) {
    static std::map<std::string, Played> known;
    const auto [found, added] = known.try_emplace(epd);
    if (!added) return found->second;
    const auto places = ReplayedDatabase::instance().places().find(epd);
    if (places == ReplayedDatabase::instance().places().end()) return found->second;
    for (const auto& [id, plies] : places->second) {
        const ReplayedGame& game = ReplayedDatabase::instance().games().at(id);
        found->second.games.insert(id);
        for (const std::uint32_t ply : plies) {
            if (ply == game.sans.size()) continue;
            found->second.by_move[game.sans[ply]].insert(id);
            found->second.after[game.sans[ply]] = game.epds[ply + 1];
        }
    }
    return found->second;
}

/// Works out the probabilities of positions backwards, from their definition.
class Probabilities {
  public:
    Probabilities(const Lines& lines, bool white) : lines_(lines), white_(white) {}

    double of(const std::string& epd) {
        const auto known = known_.find(epd);
        if (known != known_.end()) return known->second;
        const std::size_t depth = lines_.places.at(epd).depth;
        double sum = depth == 0 ? 1 : 0;
        for (const auto& [before, place] : lines_.places) {
            if (place.depth >= depth) continue;
            const double share = share_of(before, place, epd);
            if (share != 0) sum += of(before) * share;
        }
        return known_[epd] = sum;
    }

  private:
    [[nodiscard]] double share_of(const std::string& before, const Lines::Place& place,
                                  const std::string& after) const {
        if (is_white(before) == white_) {
            if (place.moves.empty()) return 0;
            return static_cast<double>(std::ranges::count(place.next, after)) /
                   static_cast<double>(place.moves.size());
        }
        const Played& played = played_at(before);
        double share = 0;
        for (const auto& [san, games] : played.by_move) {
            if (played.after.at(san) != after) continue;
            share += static_cast<double>(games.size()) / static_cast<double>(played.games.size());
        }
        return share;
    }

    const Lines& lines_;
    bool white_;
    std::map<std::string, double> known_;
};

using Gaps = std::map<std::pair<std::string, std::string>, std::pair<std::size_t, double>>;

Gaps gaps(const Lines& lines, bool white, std::size_t min_games) {
    Gaps out;
    Probabilities probabilities(lines, white);
    for (const auto& [epd, place] : lines.places) {
        if (is_white(epd) == white || place.moves.empty()) continue;
        const Played& played = played_at(epd);
        for (const auto& [san, games] : played.by_move) {
            if (lines.places.contains(played.after.at(san)) || games.size() < min_games) continue;
            const double share = 100 * probabilities.of(epd) * static_cast<double>(games.size()) /
                                 static_cast<double>(played.games.size());
            out[{place.fen, san}] = {games.size(), share};
        }
    }
    return out;
}

/// Compares each position of the lines.
void check_coverage(const MadeRepertoire& made, bool white) {
    const std::vector<Json> rows = answers("repertoire_coverage", made.pgn, white);
    CHECK(rows.size() == made.lines.places.size());
    Probabilities probabilities(made.lines, white);
    std::set<std::string> seen;
    for (const Json& row : rows) {
        const std::string fen = row["fen"];
        const auto found = std::ranges::find_if(
            made.lines.places, [&](const auto& each) { return each.second.fen == fen; });
        REQUIRE(found != made.lines.places.end());
        const auto& [epd, place] = *found;
        CHECK(seen.insert(epd).second);
        const Played& played = played_at(epd);
        CHECK(row["games"] == played.games.size());
        CHECK(row["share"].get<double>() == Approx(100 * probabilities.of(epd)).margin(0.0006));
        if (const Json& before = row["before"]; !before.is_null()) {
            const Json& from = rows.at(before.get<std::size_t>() - 1);
            const auto at = std::ranges::find_if(made.lines.places, [&](const auto& each) {
                return each.second.fen == from["fen"];
            });
            const auto move = std::ranges::find(at->second.moves, row["san"].get<std::string>());
            REQUIRE(move != at->second.moves.end());
            CHECK(at->second.next[static_cast<std::size_t>(move - at->second.moves.begin())] ==
                  epd);
        }
        std::size_t all = 0;
        std::size_t covered = 0;
        for (const auto& [san, games] : played.by_move) {
            all += games.size();
            if (made.lines.places.contains(played.after.at(san))) covered += games.size();
        }
        if (is_white(epd) == white || place.moves.empty() || all == 0) {
            CHECK(row["covered"].is_null());
        } else {
            CHECK(row["covered"].get<double>() ==
                  Approx(100 * static_cast<double>(covered) / static_cast<double>(all))
                      .margin(0.0006));
        }
    }
}

}  // namespace

TEST_CASE("repertoires: games leave them where an exhaustive search says", "[full]") {
    std::mt19937_64 random(31);
    for (unsigned i = 0; i < test::fewer(test::at_size(10U, 20U), 4); ++i) {
        const MadeRepertoire made = made_repertoire(random);
        for (const bool white : {true, false}) {
            INFO(made.pgn);
            const std::vector<Json> expected = departures(made.lines, white);
            std::vector<Json> found = answers("repertoire", made.pgn, white);
            REQUIRE(found.size() == expected.size());
            for (std::size_t row = 0; row < found.size(); ++row) {
                Json first;
                for (const auto& [name, value] : expected[row].items())
                    first[name] = found[row][name];
                REQUIRE(first == expected[row]);
            }
            std::size_t rows = 0;
            for (const std::string by : {"player", "opponent", "nobody"}) {
                ask::Given given;
                given.add("left-by", by);
                const std::vector<Json> some = answers("repertoire", made.pgn, white, given);
                rows += some.size();
                std::erase_if(found, [&](const Json& each) {
                    return each["left_by"] == (by == "nobody" ? Json() : Json(by)) &&
                           std::ranges::count(some, each) == 1;
                });
            }
            CHECK(found.empty());
            CHECK(rows == expected.size());
        }
    }
}

TEST_CASE("repertoires: gaps and contradictions are those of an exhaustive search") {
    std::mt19937_64 random(31);
    std::size_t all = 0;
    for (unsigned i = 0; i < 20; ++i) {
        const MadeRepertoire made = made_repertoire(random);
        const bool white = i % 2 == 0;
        const std::size_t min_games = 1 + i % 3;
        INFO(made.pgn);
        ask::Given given;
        given.add("min-games", std::to_string(min_games));
        Gaps expected = gaps(made.lines, white, min_games);
        all += expected.size();
        double before = 100;
        for (const Json& row : answers("repertoire_gaps", made.pgn, white, given)) {
            const auto gap = expected.find({row["fen"], row["san"]});
            REQUIRE(gap != expected.end());
            CHECK(row["games"] == gap->second.first);
            CHECK(row["share"].get<double>() == Approx(gap->second.second).margin(0.0006));
            CHECK(row["share"].get<double>() <= before);
            before = row["share"];
            expected.erase(gap);
        }
        for (const auto& [place, gap] : expected) CHECK(gap.second == 0);
        check_coverage(made, white);

        std::map<std::string, std::vector<std::string>> contradictions;
        for (const auto& [epd, place] : made.lines.places) {
            if (is_white(epd) == white && place.moves.size() > 1) {
                contradictions[place.fen] = place.moves;
            }
        }
        for (const Json& row : answers("repertoire_contradictions", made.pgn, white)) {
            CHECK(contradictions[row["fen"]] == row["moves"]);
            contradictions.erase(row["fen"]);
        }
        CHECK(contradictions.empty());
    }
    CHECK(all > 100);
}
