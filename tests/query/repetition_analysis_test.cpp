// Compares repetitions, claims and the halfmove clock with a replay of every game as text: equal
// EPDs are equal positions, and the clock is that of the FEN.
#include "query/repetition_analysis.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "ask/filter_fields.hpp"
#include "chess/movegen.hpp"
#include "query/repetition_summary.hpp"
#include "query/replayed_games.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/memory_store.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

/// A row of `repeats`, as text.
using Row = std::string;
using Rows = std::vector<Row>;

std::string plies_text(const std::vector<std::uint32_t>& plies) {
    std::string out;
    for (const std::uint32_t ply : plies) out += std::to_string(ply) + " ";
    return out;
}

/// The second field of a FEN or EPD.
char side_of(const std::string& fen) { return fen[fen.find(' ') + 1]; }

unsigned clock_of(const std::string& fen) {
    // The last field but one.
    const std::size_t end = fen.rfind(' ');
    const std::size_t begin = fen.rfind(' ', end - 1) + 1;
    return static_cast<unsigned>(std::stoul(fen.substr(begin, end - begin)));
}

bool lost(char side, codec::Result result) {
    return (side == 'w' && result == codec::Result::kBlackWins) ||
           (side == 'b' && result == codec::Result::kWhiteWins);
}

char other(char side) { return side == 'w' ? 'b' : 'w'; }

codec::Result result_of(store::StoreReader& reader, store::GameId game) {
    store::GameHeader header;
    reader.header(game, header);
    return header.result;
}

struct Asked {
    std::uint32_t min_count = 3;
    bool missed = false;
    bool announced = false;
    bool perpetual = false;
};

/// A move that a player could have announced, as text.
struct Announced {
    std::vector<std::uint32_t> plies;
    std::string move;
};

/// Tries all legal moves of a position; returns the first whose position is good, in SAN.
template <typename IsGood>
std::string announced_move(const std::string& fen, IsGood is_good) {
    const chess::Position position = *chess::parse_fen(fen).position;
    for (const chess::Move move : chess::legal_moves(position)) {
        chess::Position next = position;
        next.play(move);
        if (is_good(next)) return chess::to_san(position, move);
    }
    return {};
}

/// By EPD of the position. At every ply of the game every move is tried.
std::map<std::string, Announced> announced_repetitions(const ReplayedGame& game) {
    std::map<std::string, Announced> out;
    std::map<std::string, unsigned> counts;
    bool repeated = false;
    for (std::uint32_t ply = 0; ply < game.epds.size(); ++ply) {
        repeated = ++counts[game.epds[ply]] >= 2 || repeated;
        if (!repeated) continue;
        for (const auto& [epd, count] : counts) {
            if (count < 2 || side_of(epd) == side_of(game.epds[ply])) continue;
            const std::string move =
                announced_move(game.fens[ply], [&, &wanted = epd](const chess::Position& next) {
                    return chess::to_epd(next) == wanted;
                });
            if (move.empty()) continue;
            Announced& announced = out[epd];
            if (announced.plies.empty()) announced.move = move;
            announced.plies.push_back(ply);
        }
    }
    return out;
}

Row row_text(store::GameId game, const std::string& fen, const std::vector<std::uint32_t>& plies,
             std::uint32_t played_on, char claimant, const std::string& checks) {
    return std::to_string(game) + "|" + fen + "|" + plies_text(plies) + "|" +
           (plies.size() < 3 ? "-" : std::to_string(played_on)) + "|" + claimant + "|" + checks;
}

/// The sides that gave check with all their moves between two plies; the moves are in SAN.
std::string checking_sides(const ReplayedGame& game, std::uint32_t first, std::uint32_t last) {
    std::string out;
    for (const char side : {'w', 'b'}) {
        bool always = true;
        for (std::uint32_t ply = first; ply < last; ++ply) {
            const bool checks = game.sans[ply].ends_with('+') || game.sans[ply].ends_with('#');
            always = always && (side_of(game.epds[ply]) != side || checks);
        }
        if (always) out += side;
    }
    return out;
}

/// Computes the rows of one game by comparing texts.
Rows replayed_rows(store::GameId id, const ReplayedGame& game, codec::Result result,
                   const Asked& asked) {
    std::map<std::string, std::vector<std::uint32_t>> plies_of;
    for (std::uint32_t ply = 0; ply < game.epds.size(); ++ply) {
        plies_of[game.epds[ply]].push_back(ply);
    }
    std::map<std::string, Announced> all_announced;
    if (asked.announced || asked.missed) all_announced = announced_repetitions(game);
    const auto last = static_cast<std::uint32_t>(game.epds.size() - 1);
    std::map<std::uint32_t, Row> rows;  // by first occurrence
    for (const auto& [epd, plies] : plies_of) {
        if (plies.size() < 2) continue;
        const auto found = all_announced.find(epd);
        const Announced announced = found == all_announced.end() ? Announced{} : found->second;
        const bool could_announce = !announced.plies.empty();
        if (plies.size() < asked.min_count && (!could_announce || asked.min_count > 3)) continue;
        const bool third = plies.size() >= 3;
        const std::uint32_t played_on = third ? last - plies[2] : 0;
        const char claimant = side_of(epd);
        const bool missed =
            (third && played_on > 0 && lost(claimant, result)) ||
            (could_announce && announced.plies[0] < last && lost(other(claimant), result));
        if (asked.missed && !missed) continue;
        const std::string checks = checking_sides(game, plies.front(), plies.back());
        if (asked.perpetual && checks.empty()) continue;
        Row row =
            row_text(id, game.fens[plies[0]], plies, played_on, third ? claimant : '-', checks);
        if (could_announce) {
            row += std::string("|") + other(claimant) + announced.move + "|" +
                   plies_text(announced.plies);
        }
        rows[plies[0]] = row;
    }
    Rows out;
    for (const auto& [ply, row] : rows) out.push_back(row);
    return out;
}

char letter(const std::optional<query::Claim>& claim) {
    if (!claim) return '-';
    return claim->by == chess::Color::kWhite ? 'w' : 'b';
}

Row run_text(store::GameId game, const std::optional<std::uint32_t>& ply, unsigned longest,
             const std::optional<std::uint32_t>& played_on, char claimant) {
    const auto text = [](const auto& value) { return value ? std::to_string(*value) : "-"; };
    return std::to_string(game) + "|" + text(ply) + "|" + std::to_string(longest) + "|" +
           text(played_on) + "|" + claimant;
}

class Listing {
  public:
    explicit Listing(const std::string& database) : Listing(*store::file_store(database)) {}
    explicit Listing(store::Store& store) : reader_(store.reader()), matcher_(*reader_) {}

    Rows rows(const query::RepetitionQuery& query) {
        query::RepetitionAnalysis analysis(*reader_, matcher_);
        Rows out;
        bool consistent = true;
        analysis.for_each(query, [&](const query::RepeatedPosition& row) {
            const auto game = row.repetition.game;
            const auto& plies = row.repetition.plies;
            const chess::AnyPosition position = analysis.position(game, plies.front());
            consistent = consistent && position.key() == row.repetition.key &&
                         row.third_ply == row.repetition.occurrence(3) &&
                         row.fifth_ply == row.repetition.occurrence(5) &&
                         row.played_on.has_value() == row.third_ply.has_value() &&
                         (!row.claim || row.claim->ply == row.third_ply) &&
                         (!row.third_ply || !query.announced || row.announced_claim);
            const std::string checks =
                std::string(row.white_checks ? "w" : "") + std::string(row.black_checks ? "b" : "");
            out.push_back(row_text(game, chess::to_fen(position), plies, row.played_on.value_or(0),
                                   letter(row.claim), checks));
            if (const auto& announced = row.announced_claim) {
                consistent = consistent && announced->ply == announced->plies.front();
                out.back() += std::string("|") + letter(announced) + announced->move + "|" +
                              plies_text(announced->plies);
            }
            return true;
        });
        CHECK(consistent);
        return out;
    }

    Rows runs(const query::ClockQuery& query) {
        query::RepetitionAnalysis analysis(*reader_, matcher_);
        Rows out;
        analysis.for_each_run(query, [&](const query::ClockRun& row) {
            out.push_back(
                run_text(row.game, row.ply, row.longest, row.played_on, letter(row.claim)));
            if (const auto& announced = row.announced_claim) {
                out.back() += std::string("|") + letter(announced) + std::to_string(announced->ply);
                moves_[out.back()] = announced->move;
            }
            return true;
        });
        return out;
    }

    /// The move that runs() found announced in a row.
    std::string move_of(const Row& row) const { return moves_.at(row); }
    store::StoreReader& reader() { return *reader_; }
    query::GameMatcher& matcher() { return matcher_; }

  private:
    store::Reader reader_;
    query::GameMatcher matcher_;
    std::map<Row, std::string> moves_;
};

query::RepetitionQuery query_of(const Asked& asked) {
    query::RepetitionQuery query{.min_count = asked.min_count,
                                 .missed = asked.missed,
                                 .announced = asked.announced,
                                 .perpetual = asked.perpetual};
    return query;
}

bool can_move(const chess::Position& position) {
    return !announced_move(chess::to_fen(position), [](const chess::Position&) {
                return true;
            }).empty();
}

/// Computes the runs from the FENs; `sans` shows mates.
Rows replayed_runs(store::GameId id, const ReplayedGame& game, codec::Result result,
                   const query::ClockQuery& query) {
    const bool fifty = query.rule == query::ClockQuery::Rule::kFiftyMoves;
    const bool mated = !game.sans.empty() && game.sans.back().ends_with('#');
    const std::size_t last = game.fens.empty() ? 0 : game.fens.size() - 1;
    Rows out;
    for (std::size_t first = 0; first < game.fens.size();) {
        std::size_t end = first + 1;
        while (end < game.fens.size() && clock_of(game.fens[end]) > clock_of(game.fens[end - 1]))
            ++end;
        const auto reached = [&](unsigned clock) -> std::optional<std::uint32_t> {
            for (std::size_t ply = first; ply < end; ++ply) {
                if (clock_of(game.fens[ply]) < clock) continue;
                if (mated && ply == last) return std::nullopt;
                return static_cast<std::uint32_t>(ply);
            }
            return std::nullopt;
        };
        std::optional<std::size_t> announced;
        for (std::size_t ply = first; (query.announced || query.missed) && ply < end; ++ply) {
            if (clock_of(game.fens[ply]) != 99) continue;
            const std::string move =
                announced_move(game.fens[ply], [](const chess::Position& next) {
                    return next.halfmove_clock() == 100 && can_move(next);
                });
            if (!move.empty()) announced = ply;
        }
        const auto ply50 = reached(100);
        const auto ply = reached(fifty ? 100 : 150);
        if (ply || (fifty && announced)) {
            const bool may_claim =
                ply50 && (*ply50 < last || can_move(*chess::parse_fen(game.fens[last]).position));
            const char claimant = may_claim ? side_of(game.fens[*ply50]) : '-';
            const char announcer = announced ? side_of(game.fens[*announced]) : '-';
            const bool missed = (may_claim && last > *ply50 && lost(claimant, result)) ||
                                (announced && last > *announced && lost(announcer, result));
            if (!query.missed || missed) {
                std::optional<std::uint32_t> played_on;
                if (ply) played_on = static_cast<std::uint32_t>(last) - *ply;
                out.push_back(run_text(id, ply, clock_of(game.fens[end - 1]), played_on, claimant));
                if (announced) {
                    out.back() += std::string("|") + announcer + std::to_string(*announced);
                }
            }
        }
        first = end;
    }
    return out;
}

/// Returns games with long runs and different ends, and some without.
std::string shuffling_games() {
    const std::string knights[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    std::string pgn;
    for (const char* const result : {"1-0", "0-1", "1/2-1/2"}) {
        for (const unsigned plies : {8U, 9U, 17U, 98U, 99U, 100U, 101U, 150U, 163U}) {
            pgn += "[Result \"" + std::string(result) + "\"]\n\n1. e4 e5 ";
            for (unsigned i = 0; i < plies; ++i) pgn += knights[i % 4] + (i % 8 == 7 ? "\n" : " ");
            pgn += std::string(result) + "\n\n";
        }
        // Mate at a clock of 100, of 150, and after these.
        for (const unsigned clock : {99U, 100U, 149U, 150U, 120U}) {
            pgn += "[Result \"" + std::string(result) + "\"]\n[FEN \"7k/8/6K1/8/8/8/8/R7 w - - " +
                   std::to_string(clock) + " 90\"]\n\n1. Ra8# " + result + "\n\n";
        }
        // Stalemate by the fiftieth move, a capture instead of it, no move but a capture, and a
        // game that ends before it.
        for (const char* const game : {"7k/8/6K1/8/8/8/8/Q7 w - - 99 90\"]\n\n1. Qf6 ",
                                       "7k/8/6K1/p7/8/8/8/R7 w - - 99 90\"]\n\n1. Rxa5 Kg8 ",
                                       "k7/8/8/8/8/8/1r6/K7 w - - 99 90\"]\n\n",
                                       "7k/8/6K1/8/8/8/8/R7 w - - 98 90\"]\n\n1. Ra2 "}) {
            pgn += "[Result \"" + std::string(result) + "\"]\n[FEN \"" + game + result + "\n\n";
        }
        // Perpetual check, and a third occurrence that was not played.
        pgn += "[Result \"" + std::string(result) +
               "\"]\n[FEN \"6k1/6p1/7p/4Q3/8/8/q7/2K5 w - - 3 40\"]\n\n1. Qe8+ Kh7 2. Qe4+ Kg8 3. "
               "Qe8+ "
               "Kh7 4. Qe4+ Kg8 5. Qe8+ " +
               std::string(result) + "\n\n";
    }
    return pgn;
}

const std::string& shuffles_database() {
    static const TemporaryDirectory directory;
    static const std::string path = [] {
        const std::string database = directory / "shuffles.db";
        ingest::import_files(database, {directory.write("a.pgn", shuffling_games())}, {});
        return database;
    }();
    return path;
}

std::map<store::GameId, ReplayedGame> shuffling_games_replayed() {
    std::map<store::GameId, ReplayedGame> games;
    const auto reader = store::file_store(shuffles_database())->reader();
    reader->for_each_moves(1, [&](store::GameId id, const store::StoredMoves& stored) {
        ReplayedGame& game = games[id];
        for (codec::GameWalk walk = replay::walk(id, stored);; walk.advance()) {
            game.epds.push_back(chess::to_epd(walk.position()));
            game.fens.push_back(chess::to_fen(walk.position()));
            if (walk.at_end()) break;
            game.sans.push_back(chess::to_san(walk.position(), walk.next_move()));
        }
        return true;
    });
    return games;
}

void check_all(const std::string& database, const std::map<store::GameId, ReplayedGame>& games,
               std::size_t least_rows, std::size_t least_runs) {
    const auto memory = kept_memory_store(database);
    Listing listing(database);
    Listing in_memory(*memory);
    std::map<store::GameId, codec::Result> results;
    for (const auto& [id, game] : games) results[id] = result_of(listing.reader(), id);
    CHECK(std::all_of(results.begin(), results.end(), [&](const auto& each) {
        return result_of(in_memory.reader(), each.first) == each.second;
    }));
    std::size_t most = 0;
    for (const Asked& asked :
         {Asked{3, false, false}, Asked{2, false, false}, Asked{5, false, false},
          Asked{3, true, false}, Asked{3, false, true}, Asked{2, true, true}, Asked{4, false, true},
          Asked{2, false, false, true}, Asked{3, true, false, true}}) {
        Rows expected;
        for (const auto& [id, game] : games) {
            for (Row& row : replayed_rows(id, game, results[id], asked)) {
                expected.push_back(std::move(row));
            }
        }
        CAPTURE(asked.min_count, asked.missed, asked.announced, expected.size());
        CHECK((listing.rows(query_of(asked)) == expected));
        CHECK((in_memory.rows(query_of(asked)) == expected));
        most = std::max(most, expected.size());
    }
    CHECK(most >= least_rows);
    most = 0;
    using Rule = query::ClockQuery::Rule;
    for (const Rule rule : {Rule::kFiftyMoves, Rule::kSeventyFiveMoves}) {
        for (const bool missed : {false, true}) {
            for (const bool announced : {false, true}) {
                const query::ClockQuery query{rule, std::nullopt, missed, announced};
                Rows expected;
                for (const auto& [id, game] : games) {
                    for (Row& row : replayed_runs(id, game, results[id], query)) {
                        expected.push_back(std::move(row));
                    }
                }
                CAPTURE(missed, announced, expected.size());
                CHECK((listing.runs(query) == expected));
                CHECK((in_memory.runs(query) == expected));
                most = std::max(most, expected.size());
            }
        }
    }
    CHECK(most >= least_runs);
}

/// Compares the summary with a count over all games as text.
void check_summary(store::Store& store, const std::map<store::GameId, ReplayedGame>& all) {
    const auto reader = store.reader();
    for (const bool only_draws : {false, true}) {
        query::GameFilter filter;
        if (only_draws) ask::set_field(filter, "result", "1/2-1/2");
        query::GameMatcher matcher(*reader, filter);
        const query::SummarySource source{&*reader, &matcher};
        const query::RepetitionSummary summary = query::summarize_repetitions({&source, 1}, 3, 10);
        query::RepetitionSummary expected;
        // By EPD of positions that occurred three times.
        std::map<std::string, std::set<store::GameId>> games_of;
        std::multiset<std::uint32_t, std::greater<>> lengths;
        using Rule = query::ClockQuery::Rule;
        for (const auto& [id, game] : all) {
            const codec::Result result = result_of(*reader, id);
            if (only_draws && result != codec::Result::kDraw) continue;
            std::map<std::string, std::vector<std::uint32_t>> plies_of;
            for (std::uint32_t ply = 0; ply < game.epds.size(); ++ply) {
                plies_of[game.epds[ply]].push_back(ply);
            }
            std::size_t most = 0;
            std::uint32_t length = 0;
            for (const auto& [epd, plies] : plies_of) {
                most = std::max(most, plies.size());
                if (plies.size() < 3) continue;
                games_of[epd].insert(id);
                length = std::max(length, plies.back() - plies.front());
            }
            if (length != 0) lengths.insert(length);
            ++expected.games;
            expected.twofold += most >= 2 ? 1 : 0;
            expected.threefold += most >= 3 ? 1 : 0;
            expected.fivefold += most >= 5 ? 1 : 0;
            const auto has_run = [&, &game = game, id = id](Rule rule) {
                return !replayed_runs(id, game, result, {rule, {}, false, false}).empty();
            };
            if (has_run(Rule::kFiftyMoves)) ++expected.fifty_moves;
            if (has_run(Rule::kSeventyFiveMoves)) ++expected.seventy_five_moves;
            if (result != codec::Result::kDraw) continue;
            ++expected.draws;
            if (!game.epds.empty() && plies_of[game.epds.back()].size() >= 3) {
                ++expected.draws_by_repetition;
            }
        }
        CHECK(summary.games == expected.games);
        CHECK(summary.twofold == expected.twofold);
        CHECK(summary.threefold == expected.threefold);
        CHECK(summary.fivefold == expected.fivefold);
        CHECK(summary.draws == expected.draws);
        CHECK(summary.draws_by_repetition == expected.draws_by_repetition);
        CHECK(summary.fifty_moves == expected.fifty_moves);
        CHECK(summary.seventy_five_moves == expected.seventy_five_moves);
        CHECK(summary.threefold > 5);

        REQUIRE(summary.positions.size() == std::min<std::size_t>(10, games_of.size()));
        std::multiset<std::size_t, std::greater<>> most_games;
        for (const auto& [epd, games] : games_of) most_games.insert(games.size());
        auto next = most_games.begin();
        for (const auto& each : summary.positions) {
            CHECK(each.games == *next++);
            CHECK(games_of[each.epd].size() == each.games);
            CHECK(*games_of[each.epd].begin() == each.game);
            CHECK(chess::parse_fen(each.epd).position->key() == each.key);
        }
        REQUIRE(summary.shuffles.size() == std::min<std::size_t>(10, lengths.size()));
        auto length = lengths.begin();
        for (const auto& each : summary.shuffles) {
            CHECK(each.length() == *length++);
            const auto& epds = all.at(each.repetition.game).epds;
            for (const std::uint32_t ply : each.repetition.plies) CHECK(epds[ply] == each.epd);
        }
    }
}

}  // namespace

TEST_CASE("Repetitions, claims and quiet runs agree with a replay of all games", "[full]") {
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    check_all(database.path(), database.games(), test::use_whole_corpus() ? 2000 : 100, 1);
}

TEST_CASE("Repetitions, claims and quiet runs agree with a replay of games full of them") {
    check_all(shuffles_database(), shuffling_games_replayed(), 60, 24);
}

TEST_CASE("Repetitions of one game and of one position agree with a replay", "[full]") {
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    Listing listing(database.path());
    std::mt19937_64 random(130);
    std::set<std::string> repeated;  // EPDs
    for (const auto& [id, game] : database.games()) {
        std::map<std::string, unsigned> counts;
        for (const std::string& epd : game.epds) {
            if (++counts[epd] == 2) repeated.insert(epd);
        }
    }
    for (int i = 0; i < 100; ++i) {
        query::RepetitionQuery query{.min_count = 2 + static_cast<std::uint32_t>(random() % 2)};
        const auto any = std::next(database.games().begin(),
                                   static_cast<std::ptrdiff_t>(random() % database.games().size()));
        query.game = any->first;
        CHECK(listing.rows(query) ==
              replayed_rows(any->first, any->second, codec::Result::kUnknown, {query.min_count}));

        // These include positions that many games reached without repeating them.
        const std::string epd =
            i % 3 == 0 ? database.random_epd(random)
                       : *std::next(repeated.begin(),
                                    static_cast<std::ptrdiff_t>(random() % repeated.size()));
        query.game = std::nullopt;
        query.position =
            *chess::parse_fen(i == 0 ? chess::to_fen(chess::Position()) : epd).position;
        const std::string wanted = chess::to_epd(*query.position);
        Rows expected;
        for (const auto& [id, game] : database.games()) {
            std::vector<std::uint32_t> plies;
            for (std::uint32_t ply = 0; ply < game.epds.size(); ++ply) {
                if (game.epds[ply] == wanted) plies.push_back(ply);
            }
            if (plies.size() < query.min_count) continue;
            const bool third = plies.size() >= 3;
            expected.push_back(row_text(
                id, game.fens[plies[0]], plies,
                third ? static_cast<std::uint32_t>(game.epds.size() - 1 - plies[2]) : 0,
                third ? side_of(wanted) : '-', checking_sides(game, plies.front(), plies.back())));
        }
        CHECK(listing.rows(query) == expected);
    }
}

TEST_CASE("Repetitions are those of games that pass the filter, until the callback stops",
          "[full]") {
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    const auto reader = store::file_store(database.path())->reader();
    query::GameFilter filter;
    ask::set_field(filter, "result", "1/2-1/2");
    ask::set_field(filter, "min-plies", "60");
    query::GameMatcher matcher(*reader, filter);
    query::RepetitionAnalysis analysis(*reader, matcher);
    std::vector<store::GameId> games;
    analysis.for_each({}, [&](const query::RepeatedPosition& row) {
        games.push_back(row.repetition.game);
        return true;
    });
    std::vector<store::GameId> expected;
    for (const auto& [id, game] : database.games()) {
        if (game.epds.size() < 61) continue;
        const codec::Result result = result_of(*reader, id);
        if (result != codec::Result::kDraw) continue;
        expected.insert(expected.end(), replayed_rows(id, game, result, {}).size(), id);
    }
    CHECK((games == expected));
    REQUIRE(expected.size() > 5);
    unsigned visited = 0;
    analysis.for_each({}, [&](const query::RepeatedPosition&) { return ++visited < 3; });
    CHECK(visited == 3);
}

TEST_CASE("Repetitions and runs beyond the end of their game are damage") {
    const TemporaryFile path("a.db");
    std::filesystem::copy_file(shuffles_database(), path);
    store::Connection(path, store::Connection::Mode::kReadWrite)
        .run(
            "UPDATE repetition SET plies = '[1,2,999]', count = 3 WHERE game_id = 3;"
            " UPDATE quiet_run SET ply50 = 999");
    Listing listing(path);
    CHECK_THROWS_WITH(listing.rows({}), Catch::Contains("damaged") && Catch::Contains("game 3"));
    CHECK_THROWS_WITH(listing.runs({}), Catch::Contains("damaged") && Catch::Contains("game "));
}

TEST_CASE("The summary of repetitions agrees with a replay of all games", "[full]") {
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    for (const auto& store :
         {store::file_store(database.path()), kept_memory_store(database.path())}) {
        check_summary(*store, database.games());
    }
    for (const auto& store :
         {store::file_store(shuffles_database()), kept_memory_store(shuffles_database())})
        check_summary(*store, shuffling_games_replayed());
}
