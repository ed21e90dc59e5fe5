// Lists and counts of games, in any order: games that fit a filter, and games that reached
// positions.
#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <unordered_map>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/engine.hpp"
#include "clickhouse/posting_sql.hpp"
#include "clickhouse/sql_text.hpp"
#include "store/named_sources.hpp"

namespace fendex::clickhouse {

namespace {

using store::Engine;
using store::GameOrder;
using store::RankedGame;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// Returns the rank of a row in SQL. Rows of posting have no rank for kPlies.
std::string sql_rank(GameOrder order) {
    switch (order) {
        case GameOrder::kDate: return "date";
        case GameOrder::kPlies: return "plies";
        case GameOrder::kElo: return "toUInt32(white_elo + black_elo)";
        case GameOrder::kId: break;
    }
    return "toUInt32(0)";
}

/// Returns the condition that a game comes after another one in an order: "" or " AND ...".
std::string sql_after(const std::string& rank, const std::string& id, GameOrder order,
                      const std::optional<RankedGame>& after) {
    if (!after) return {};
    const std::string later = id + " > " + std::to_string(after->game);
    if (order == GameOrder::kId) return " AND " + later;
    const std::string last = std::to_string(after->rank);
    return " AND (" + rank + " < " + last + " OR (" + rank + " = " + last + " AND " + later + "))";
}

/// Returns " ORDER BY ... LIMIT ...".
std::string sql_first(const std::string& rank, const std::string& id, GameOrder order,
                      std::size_t most) {
    return " ORDER BY " + (order == GameOrder::kId ? id : rank + " DESC, " + id) +
           (most == kAll ? "" : " LIMIT " + std::to_string(most));
}

/// Refuses a row whose game does not come after the one before it.
class OrderCheck {
  public:
    explicit OrderCheck(std::optional<RankedGame> last) : last_(last) {}

    void operator()(const AnswerRow& row, std::string_view column, const RankedGame& game) {
        if (last_ && !(*last_ < game)) row.refuse_row(column, game.game);
        last_ = game;
    }

  private:
    std::optional<RankedGame> last_;
};

/// The highest possible rank: no date, rating or number of plies is larger.
constexpr std::uint32_t kMostRank = 9999'12'31;

/// Reads ranks and games of table game in their order. Refuses games that do not come after
/// `after`.
std::vector<RankedGame> read_ranked(ReadSession& session, const std::string& sql,
                                    const std::vector<ExternalTable>& tables,
                                    std::optional<RankedGame> after = {}) {
    std::vector<RankedGame> out;
    OrderCheck check(after);
    read_rows(session.connection(), "game", sql, tables, [&](AnswerRow& row) {
        RankedGame& game = out.emplace_back();
        game.rank = row.u32("rank", kMostRank);
        game.game = row.game("id");
        check(row, "id", game);
    });
    return out;
}

/// Reads games of a table in the order of ids. Refuses games that do not come after `after`.
std::vector<GameId> read_ids(Connection& connection, std::string_view table, const std::string& sql,
                             const std::vector<ExternalTable>& tables, GameId after = 0) {
    std::vector<GameId> out;
    OrderCheck check(RankedGame{0, after});
    read_rows(connection, table, sql, tables, [&](AnswerRow& row) {
        out.push_back(row.game());
        check(row, "game", {0, out.back()});
    });
    return out;
}

/// Returns codec::SignatureCondition::may_hold() as SQL for rows of table game.
std::string sql_may_hold(const codec::SignatureCondition& condition) {
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    const auto has_pawns = [&](const std::string& column, std::uint64_t squares) {
        return "bitAnd(" + column + ", toUInt64(" + number(squares) + ")) = " + number(squares);
    };
    std::string out = "(" + has_pawns("white_pawns", condition.white_pawns) + " AND " +
                      has_pawns("black_pawns", condition.black_pawns);
    for (const auto& [piece_number, allowed] : condition.counts) {
        // An allowed number must be at least the game's least number and, without a surplus, at
        // most the number at the standard start. So the greatest such number is compared.
        const auto piece = static_cast<chess::Piece>(piece_number);
        const unsigned start = codec::kStartingSet[chess::index(chess::type_of(piece))];
        const std::uint64_t usual = allowed & ((std::uint64_t{2} << start) - 1);
        const std::string least =
            "bitAnd(bitShiftRight(least, " + number(4 * piece_number) + "), 15)";
        const std::string surplus = "bitAnd(surplus, " +
                                    number(chess::color_of(piece) == chess::Color::kWhite ? 1 : 2) +
                                    ") != 0";
        const auto reaches = [&](std::uint64_t numbers) {
            if (numbers == 0) return std::string("0");
            return least + " <= " + number(static_cast<std::uint64_t>(std::bit_width(numbers)) - 1);
        };
        out += " AND (" + reaches(usual) + " OR (" + surplus + " AND " + reaches(allowed) + "))";
    }
    return out + ")";
}

/// Returns the last plies at which games, in the order of a list, had one of the keys.
std::vector<Engine::Reached> with_last_plies(ReadSession& session, const Keys& keys,
                                             const std::vector<RankedGame>& games) {
    if (games.empty()) return {};
    RowWriter rows;
    for (const RankedGame& each : games) rows.u64(each.game);
    std::unordered_map<GameId, std::uint32_t> plies;
    const PlaceOfKeys place = session.place_of(keys);
    read_rows(place.connection, "posting",
              "SELECT game, max(ply) FROM " + place.table("posting") + " WHERE " +
                  sql_rows(session.snapshot(), keys) + " AND game IN listed GROUP BY game",
              {{"listed", "game UInt64", rows.bytes()}}, [&](AnswerRow& row) {
                  const GameId game = row.game();
                  plies[game] = row.ply();
              });
    std::vector<Engine::Reached> out;
    for (const RankedGame& game : games) {
        const auto found = plies.find(game.game);
        if (found == plies.end()) {
            throw damaged(session.connection(),
                          "table posting lacks rows of game " + std::to_string(game.game));
        }
        out.push_back({game, found->second});
    }
    return out;
}

/// Returns the first games of a query whose rows begin with rank, game and ply, and are sorted by
/// them. A game has several rows if it had several of the keys, or one of them more than once.
std::vector<Engine::Reached> first_of_rows(Connection& connection, const std::string& sql,
                                           const std::vector<ExternalTable>& tables,
                                           const std::optional<RankedGame>& after,
                                           std::size_t most) {
    // Most games have one row. With some extra rows, one query is nearly always enough.
    constexpr std::size_t kMoreRows = 16;
    std::vector<Engine::Reached> out;
    for (std::size_t limit = most > kAll / 4 ? kAll : most + most / 4 + kMoreRows;; limit *= 2) {
        out.clear();
        std::size_t rows = 0;
        OrderCheck check(after);
        read_rows(connection, "posting",
                  limit == kAll ? sql : sql + " LIMIT " + std::to_string(limit), tables,
                  [&](AnswerRow& row) {
                      ++rows;
                      const std::uint32_t rank = row.u32("rank", kMostRank);
                      const RankedGame game{rank, row.game()};
                      if (out.empty() || !(out.back().game == game)) {
                          check(row, "game", game);
                          out.push_back({game, 0});
                      }
                      out.back().last_ply = std::max(*out.back().last_ply, row.ply());
                  });
        const bool all = rows < limit;
        // The last game may have other rows.
        if (!all) out.pop_back();
        if (!all && out.size() < most) continue;
        out.resize(std::min(out.size(), most));
        return out;
    }
}

/// Returns the first games after `after`, in the order of ids, that also meet `condition`.
std::vector<GameId> games_where(ReadSession& session, const FilterSql& filter,
                                const std::string& condition, GameId after, std::size_t most) {
    if (most == 0) return {};
    return read_ids(session.connection(), "game",
                    "SELECT id FROM game WHERE " + filter.games() + " AND replayed = 1 AND (" +
                        condition + ")" +
                        sql_after({}, "id", GameOrder::kId, RankedGame{0, after}) +
                        sql_first({}, "id", GameOrder::kId, most),
                    filter.tables(), after);
}

}  // namespace

void ClusterEngine::prepare(const GameFilter& filter, std::stop_token /*stop*/) {
    if (!filter.source.empty()) static_cast<void>(store::sources_named(reader_, filter.source));
}

std::uint64_t ClusterEngine::count_games(const GameFilter& filter, std::stop_token stop) {
    const Asked asked = ask(filter, std::move(stop));
    return read_count(session_.connection(), "game",
                      "SELECT count() FROM game WHERE " + asked.filter.games(),
                      asked.filter.tables());
}

std::vector<std::uint64_t> ClusterEngine::count_by_variant(std::stop_token stop) {
    const Asked asked = ask({}, std::move(stop));
    std::vector<std::uint64_t> out(chess::kVariants);
    read_rows(
        session_.connection(), "game",
        "SELECT variant, count() FROM game WHERE " + asked.filter.games() + " GROUP BY variant",
        asked.filter.tables(), [&](AnswerRow& row) {
            const auto variant = static_cast<std::size_t>(row.variant());
            out[variant] = row.count("count()");
        });
    return out;
}

std::vector<RankedGame> ClusterEngine::games(const GameFilter& filter, GameOrder order,
                                             std::optional<RankedGame> after, std::size_t most,
                                             std::stop_token stop) {
    if (most == 0) return {};
    const Asked asked = ask(filter, std::move(stop));
    const std::string rank = sql_rank(order);
    return read_ranked(session_,
                       "SELECT " + rank + ", id FROM game WHERE " + asked.filter.games() +
                           sql_after(rank, "id", order, after) + sql_first(rank, "id", order, most),
                       asked.filter.tables(), after);
}

std::vector<RankedGame> ClusterEngine::ranks(const GameFilter& filter, GameOrder order,
                                             std::span<const GameId> games, std::stop_token stop) {
    if (games.empty()) return {};
    const Asked asked = ask(filter, std::move(stop));
    RowWriter rows;
    for (const GameId game : games) rows.u64(game);
    std::vector<ExternalTable> tables = asked.filter.tables();
    tables.push_back({"listed", "game UInt64", rows.bytes()});
    // The rows are in the order of ids, so the ranks are not.
    std::vector<RankedGame> out;
    OrderCheck check(std::nullopt);
    read_rows(session_.connection(), "game",
              "SELECT " + sql_rank(order) + ", id FROM game WHERE " + asked.filter.games() +
                  " AND id IN listed ORDER BY id",
              tables, [&](AnswerRow& row) {
                  RankedGame& game = out.emplace_back();
                  game.rank = row.u32("rank", kMostRank);
                  game.game = row.game("id");
                  check(row, "id", {0, game.game});
              });
    return out;
}

std::vector<GameId> ClusterEngine::games_at_site(std::string_view part, std::size_t most,
                                                 std::stop_token stop) {
    if (most == 0) return {};
    const Asked asked = ask({}, std::move(stop));
    const std::string contains =
        part.empty() ? "" : " AND position(site, " + sql_text(part) + ") > 0";
    return read_ids(session_.connection(), "game",
                    "SELECT id FROM game WHERE " + asked.filter.games() + contains +
                        sql_first({}, "id", GameOrder::kId, most),
                    asked.filter.tables());
}

std::vector<GameId> ClusterEngine::possible_games(const GameFilter& filter,
                                                  std::span<const codec::SignatureCondition> any_of,
                                                  const store::GameRange& games, std::size_t most,
                                                  std::stop_token stop) {
    const Asked asked = ask(filter, std::move(stop));
    std::string any;
    for (const codec::SignatureCondition& each : any_of) {
        any += (any.empty() ? "" : " OR ") + sql_may_hold(each);
    }
    if (any.empty()) return {};
    any = "(" + any + ") AND id <= " + std::to_string(games.last);
    return games_where(session_, asked.filter, any, games.first - 1, most);
}

std::vector<GameId> ClusterEngine::games_for_clock(const GameFilter& filter, std::uint32_t clock,
                                                   GameId after, std::size_t most,
                                                   std::stop_token stop) {
    const Asked asked = ask(filter, std::move(stop));
    return games_where(session_, asked.filter,
                       "plies >= " + std::to_string(clock) + " OR start != ''", after, most);
}

std::vector<Engine::Reached> ClusterEngine::reached(Targets targets, const GameFilter& filter,
                                                    GameOrder order,
                                                    std::optional<RankedGame> after,
                                                    std::size_t most, std::stop_token stop) {
    if (targets.empty() || most == 0) return {};
    Asked asked = ask(filter, std::move(stop));
    const Keys keys = keys_of(targets);
    asked.filter.send_fewer(session_, keys);
    const Snapshot& snapshot = session_.snapshot();
    const std::string rank = sql_rank(order);
    if (order == GameOrder::kPlies) {
        return with_last_plies(
            session_, keys,
            read_ranked(session_,
                        "SELECT " + rank + ", id FROM game WHERE " + asked.filter.games() +
                            " AND id GLOBAL IN (SELECT game FROM posting WHERE " +
                            sql_rows(snapshot, asked.filter, keys) + " AND first_of_key = 1)" +
                            sql_after(rank, "id", order, after) +
                            sql_first(rank, "id", order, most),
                        asked.filter.tables(), after));
    }
    const PlaceOfKeys place = session_.place_of(keys);
    return first_of_rows(place.connection,
                         "SELECT " + rank + ", game, ply FROM " + place.table("posting") +
                             " WHERE " + sql_rows(snapshot, asked.filter, keys) +
                             sql_after(rank, "game", order, after) +
                             sql_first(rank, "game", order, kAll),
                         asked.filter.tables(), after, most);
}

std::vector<GameId> ClusterEngine::in_variations(Targets targets, const GameFilter& filter,
                                                 GameId after, std::size_t most,
                                                 std::stop_token stop) {
    if (targets.empty() || most == 0) return {};
    const Asked asked = ask(filter, std::move(stop));
    const Snapshot& snapshot = session_.snapshot();
    const Keys keys = keys_of(targets);
    const std::string added = sql_keys(keys) + " AND " + snapshot.sql_pushes() +
                              std::string(snapshot.sql_and_added()) + " AND game > " +
                              std::to_string(after);
    const PlaceOfKeys place = session_.place_of(keys);
    return read_ids(place.connection, "variation",
                    "SELECT game FROM " + place.table("variation") + " WHERE " + added +
                        snapshot.sql_and_present() + asked.filter.and_variation_fits(added) +
                        " GROUP BY game" + sql_first({}, "game", GameOrder::kId, most),
                    asked.filter.tables(), after);
}

}  // namespace fendex::clickhouse
