// The moves that were played from positions. The servers add them up.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/joined.hpp"
#include "chess/mirrored.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/engine.hpp"
#include "clickhouse/posting_sql.hpp"
#include "clickhouse/tally_sql.hpp"
#include "codec/posting.hpp"
#include "store/best_games.hpp"

namespace fendex::clickhouse {

namespace {

using codec::NamedGames;
using codec::Tally;
using store::Engine;

/// For a move with at most this many games, the first query returns them all, and the games to name
/// are chosen here. Other moves need a second query. With a filter by player, more games are
/// returned, so that most of these filters need none.
constexpr std::size_t kFewGames = 32;
constexpr std::size_t kFewGamesOfPlayers = 1024;

constexpr char kRating[] = "toUInt32(white_elo) + black_elo";
constexpr char kNoRank[] = "toUInt32(4294967295)";  // higher than every rating and date

/// The moves from one position that need the second query. Their games that have at least one of
/// these ranks are read.
struct WantedRanks {
    Keys moves;
    Keys ratings;
    Keys dates;
};

/// The sums over the games that played one move from one of the keys.
struct Group {
    Tally tally;
    Tally total;  // of the games that first left the position by this move
    std::vector<NamedGames::Entry> top;
    std::vector<NamedGames::Entry> recent;
};

using Groups = std::map<std::pair<std::uint64_t, std::uint16_t>, Group>;  // by key and move

template <typename Ranks>
void append(const AnswerRow& row, const std::vector<GameId>& games, const Ranks& ranks,
            std::vector<NamedGames::Entry>& out) {
    if (games.size() != ranks.size()) row.refuse("ranks");
    for (std::size_t i = 0; i < games.size(); ++i) out.push_back({ranks[i], games[i]});
}

/// Keeps the `most` best games, each once.
void keep_best(std::vector<NamedGames::Entry>& games, std::size_t most) {
    std::ranges::sort(games, {}, [](const auto& entry) {
        return std::pair(UINT64_MAX - entry.rank, entry.game);
    });
    // clang 14 cannot compile the range that std::ranges::unique returns.
    games.erase(std::unique(games.begin(), games.end(),
                            [](const auto& a, const auto& b) { return a.game == b.game; }),
                games.end());
    if (games.size() > most) games.resize(most);
}

void exchange(Tally& tally) {
    std::swap(tally.results[codec::Result::kWhiteWins], tally.results[codec::Result::kBlackWins]);
    std::swap(tally.white_elo_sum, tally.black_elo_sum);
    std::swap(tally.white_elo_games, tally.black_elo_games);
}

/// Subtracts sums that were added before; the dates stay. Returns false if a sum is larger than
/// what it is subtracted from.
bool subtract(const Tally& what, Tally& from) {
    bool has_all = true;
    const auto take = [&](std::uint64_t number, std::uint64_t& rest) {
        has_all = has_all && number <= rest;
        rest -= number;
    };
    take(what.games, from.games);
    for (std::size_t i = 0; i < 4; ++i) take(what.results.by_code[i], from.results.by_code[i]);
    take(what.white_elo_sum, from.white_elo_sum);
    take(what.white_elo_games, from.white_elo_games);
    take(what.black_elo_sum, from.black_elo_sum);
    take(what.black_elo_games, from.black_elo_games);
    return has_all;
}

class TreeQuestion {
  public:
    TreeQuestion(ReadSession& session, const FilterSql& filter, Engine::Targets targets,
                 const Engine::TreeLists& lists)
        : session_(session),
          filter_(filter),
          keys_(keys_of(targets)),
          place_(session.place_of(keys_)),
          lists_(lists),
          named_(lists.lists == store::GameLists::kNone ? 0 : lists.most) {
        for (const Engine::Target& target : targets) mirrored_[target.key] = target.mirrored;
    }

    Engine::Tree answer() {
        SummedKeys summed(session_, filter_, keys_, {.named_games = named_});
        read_sums(summed);
        rows_ = summed.sql_other_rows();
        if (!rows_.empty()) {
            read_groups();
            read_named();
        }
        for (const auto& [at, group] : groups_) {
            if (group.tally.occurrences != 0) add(at.first, at.second, group);
        }
        subtract_doubles();
        return finish();
    }

  private:
    struct Move {
        Tally tally;
        std::vector<NamedGames::Entry> top;
        std::vector<NamedGames::Entry> recent;
    };

    void read_sums(SummedKeys& summed) {
        if (summed.sql_sums().empty()) return;
        read_rows(
            place_.connection, "position_sum",
            "SELECT push, key, next, occurrences, games, unknown_results, white_wins, black_wins,"
            " draws, white_elo_sum, white_elo_games, black_elo_sum, black_elo_games, first_date,"
            " last_date, total_games, total_unknown_results, total_white_wins, total_black_wins,"
            " total_draws, total_white_elo_sum, total_white_elo_games, total_black_elo_sum,"
            " total_black_elo_games, total_first_date, total_last_date, top_games, top_ranks,"
            " recent_games, recent_ranks FROM " +
                summed.sql_sums(),
            [&](AnswerRow& row) {
                const PushNumber push = row.push();
                const std::uint64_t key = asked_key(row);
                summed.add(key, push);
                Group& group = groups_[{key, row.next().bits()}];
                read_tallies(row, group);
                const std::vector<GameId> top = row.games("top_games");
                append(row, top, row.any_u64s(), group.top);
                const std::vector<GameId> recent = row.games("recent_games");
                append(row, recent, row.any_u64s(), group.recent);
            });
    }

    /// Sums up rows of posting by key and move. Chooses the games to name for groups with few
    /// games; for the others, notes the best ranks.
    void read_groups() {
        std::string sql = "SELECT key, next, count(), " + tally_columns("first_of_move") + ", " +
                          tally_columns("first_of_key");
        if (named_ != 0) {
            const std::string few = std::to_string(few_games());
            const auto array = [&](const std::string& value) {
                sql += ", groupArrayIf(" + few + ")(" + value + ", first_of_move)";
            };
            const auto best = [&](const std::string& value) {
                sql += ", arraySlice(arrayReverseSort(groupUniqArrayIf(" + value +
                       ", first_of_move)), 1, " + std::to_string(named_) + ")";
            };
            array("game");
            array(kRating);
            array("date");
            best(kRating);
            best("date");
        }
        read_rows(
            place_.connection, "posting",
            sql + " FROM " + place_.table("posting") + " WHERE " + rows_ + " GROUP BY key, next",
            filter_.tables(), [&](AnswerRow& row) { read_group(row); });
    }

    void read_group(AnswerRow& row) {
        const std::uint64_t key = asked_key(row);
        const std::uint16_t next = row.next().bits();
        Group& group = groups_[{key, next}];
        const std::uint64_t games = read_tallies(row, group);
        if (named_ == 0) return;
        const std::vector<GameId> few = row.games("game");
        const std::vector<std::uint64_t> ratings = row.any_u64s();
        const std::vector<std::uint32_t> dates = row.any_u32s();
        const std::vector<std::uint64_t> best_ratings = row.any_u64s();
        const std::vector<std::uint32_t> best_dates = row.any_u32s();
        if (games <= few_games()) {
            append(row, few, ratings, group.top);
            append(row, few, dates, group.recent);
            return;
        }
        if (best_ratings.empty() || best_dates.empty()) row.refuse("ranks");
        WantedRanks& wanted = wanted_ranks_[key];
        wanted.moves.push_back(next);
        wanted.ratings.push_back(best_ratings.back());
        wanted.dates.push_back(best_dates.back());
    }

    /// Reads the games that have the best ranks. Only the few rows with these ranks are sorted, not
    /// all rows.
    void read_named() {
        if (wanted_ranks_.empty()) return;
        const std::string is_top = sql_is_wanted(kRating, &WantedRanks::ratings);
        const std::string is_recent = sql_is_wanted("date", &WantedRanks::dates);
        const std::string ranked =
            " AND first_of_move = 1 AND (" + is_top + " OR " + is_recent + ")";
        // The rows are read once for both lists; a row may be in both.
        read_rows(place_.connection, "posting",
                  std::string("SELECT list, key, next, if(list = 0, rating, day) AS rank, game"
                              " FROM (SELECT key, next, game, toUInt64(") +
                      kRating + ") AS rating, toUInt64(date) AS day, " + is_top + " AS is_top, " +
                      is_recent + " AS is_recent FROM " + place_.table("posting") + " WHERE " +
                      (filter_.reads_games() ? sql_rows(session_.snapshot(), filter_, keys_, ranked)
                                             : rows_) +
                      ranked +
                      ") ARRAY JOIN arrayFilter((each, is_of) -> is_of,"
                      " [toUInt8(0), toUInt8(1)], [is_top, is_recent]) AS list"
                      " ORDER BY list, key, next, rank DESC, game LIMIT " +
                      std::to_string(named_) + " BY list, key, next",
                  filter_.tables(), [&](AnswerRow& row) {
                      const bool is_recent_list = row.flag("list");
                      const std::uint64_t key = asked_key(row);
                      Group& group = groups_[{key, row.next().bits()}];
                      const std::uint64_t rank = row.any_u64();
                      const GameId game = row.game();
                      (is_recent_list ? group.recent : group.top).push_back({rank, game});
                  });
    }

    /// Returns the number of games that were added.
    static std::uint64_t read_tallies(AnswerRow& row, Group& group) {
        const std::uint64_t occurrences = row.count("occurrences");
        const Tally tally = read_tally(row, occurrences);
        group.tally.add(tally);
        group.total.add(read_tally(row, occurrences));
        return tally.games;
    }

    std::uint64_t asked_key(AnswerRow& row) const {
        const std::uint64_t key = row.any_u64();
        if (!mirrored_.contains(key)) row.refuse_row("key", key);
        return key;
    }

    /// Returns the condition that a row has one of the best ranks of its move.
    std::string sql_is_wanted(const std::string& rank, Keys WantedRanks::*ranks) const {
        std::string out;
        for (const auto& [key, wanted] : wanted_ranks_) {
            out += out.empty() ? "(" : " OR ";
            out.append("key = ").append(std::to_string(key)).append(" AND ").append(rank);
            out.append(" >= transform(next, [").append(base::joined(",", wanted.moves));
            out.append("], [").append(base::joined(",", wanted.*ranks));
            out.append("], ").append(kNoRank).append(")");
        }
        return out + ")";
    }

    std::size_t few_games() const {
        return std::max(named_, filter_.uses_index() ? kFewGamesOfPlayers : kFewGames);
    }

    std::uint16_t asked_move(std::uint64_t key, std::uint16_t next) const {
        const chess::Move move = chess::Move::from_bits(next);
        if (move == codec::kGameEndsHere || !mirrored_.at(key)) return next;
        return chess::mirrored(move).bits();
    }

    void add(std::uint64_t key, std::uint16_t next, const Group& group) {
        Tally tally = group.tally;
        Tally total = group.total;
        if (mirrored_.at(key)) {
            exchange(tally);
            exchange(total);
        }
        games_of_key_[key] += total.games;
        Move& move = moves_[asked_move(key, next)];
        move.tally.add(tally);
        total_.add(total);
        move.top.insert(move.top.end(), group.top.begin(), group.top.end());
        move.recent.insert(move.recent.end(), group.recent.begin(), group.recent.end());
    }

    /// The rows by which a game that reached several of the keys was counted. For each row the
    /// value is whether its key is mirrored.
    struct Doubles {
        codec::GameFacts facts;
        std::vector<bool> total;                           // the first row of each key
        std::map<std::uint16_t, std::vector<bool>> moves;  // the first row of each key and move
    };

    /// Games that reached several of the keys were counted for each key. Makes them count once.
    void subtract_doubles() {
        Keys keys;
        for (const auto& [key, games] : games_of_key_) {
            if (games != 0) keys.push_back(key);
        }
        if (keys.size() < 2) return;
        std::ranges::sort(keys, {}, [&](std::uint64_t key) { return games_of_key_[key]; });
        const std::span<const std::uint64_t> few = std::span(keys).first(keys.size() - 1);
        const Snapshot& snapshot = session_.snapshot();
        std::unordered_map<GameId, Doubles> games;
        read_rows(
            session_.connection(), "posting",
            "SELECT game, key, next, first_of_key, first_of_move, result, white_elo, black_elo"
            " FROM posting WHERE " +
                sql_rows(snapshot, keys) +
                " AND (first_of_key = 1 OR first_of_move = 1) AND game GLOBAL IN (" +
                sql_games_of_several(snapshot, filter_, keys, few) + ")",
            filter_.tables(), [&](AnswerRow& row) {
                Doubles& game = games[row.game()];
                const std::uint64_t key = asked_key(row);
                const std::uint16_t next = asked_move(key, row.next().bits());
                const bool first_of_key = row.flag("first_of_key");
                const bool first_of_move = row.flag("first_of_move");
                game.facts.result = row.result();
                game.facts.white_elo = row.elo("white_elo");
                game.facts.black_elo = row.elo("black_elo");
                if (first_of_key) game.total.push_back(mirrored_[key]);
                if (first_of_move) game.moves[next].push_back(mirrored_[key]);
            });
        for (const auto& [id, game] : games) {
            bool were_counted = count_once(game.facts, game.total, total_);
            for (const auto& [next, rows] : game.moves) {
                were_counted &= count_once(game.facts, rows, moves_[next].tally);
            }
            if (!were_counted) {
                throw damaged(session_.connection(), "the rows of game " + std::to_string(id) +
                                                         " in table posting contradict its sums");
            }
        }
    }

    /// Removes a game that was added to `tally` once for each of `rows`, and adds it once. It is
    /// added with colours exchanged only if all rows are mirrored. Returns false if the tally
    /// cannot have included all these rows.
    static bool count_once(const codec::GameFacts& facts, const std::vector<bool>& rows,
                           Tally& tally) {
        Tally one;
        one.add_game(facts);
        Tally exchanged = one;
        exchange(exchanged);
        bool were_added = true;
        for (const bool mirrored : rows) were_added &= subtract(mirrored ? exchanged : one, tally);
        const bool all = std::ranges::find(rows, false) == rows.end();
        tally.add(all ? exchanged : one);
        return were_added;
    }

    Engine::Tree finish() {
        Engine::Tree tree;
        tree.total = total_;
        std::vector<store::RankedLists> named;
        for (auto& [next, move] : moves_) {
            keep_best(move.top, named_);
            keep_best(move.recent, named_);
            tree.moves.push_back({chess::Move::from_bits(next), move.tally, {}});
            named.push_back({std::move(move.top), std::move(move.recent)});
        }
        store::add_lists(named, lists_, tree);
        return tree;
    }

    ReadSession& session_;
    const FilterSql& filter_;
    const Keys keys_;
    const PlaceOfKeys place_;
    const Engine::TreeLists& lists_;
    const std::size_t named_;
    std::map<std::uint64_t, bool> mirrored_;  // by key
    std::string rows_;                        // the condition on rows of posting to sum up
    Groups groups_;
    std::map<std::uint64_t, WantedRanks> wanted_ranks_;  // by key
    std::map<std::uint64_t, std::uint64_t> games_of_key_;
    Tally total_;
    std::map<std::uint16_t, Move> moves_;
};

}  // namespace

Engine::Tree ClusterEngine::tree(Targets targets, const GameFilter& filter, const TreeLists& lists,
                                 std::stop_token stop) {
    if (targets.empty()) return {};
    Asked asked = ask(filter, std::move(stop));
    asked.filter.send_fewer(session_, keys_of(targets));
    return TreeQuestion(session_, asked.filter, targets, lists).answer();
}

}  // namespace fendex::clickhouse
