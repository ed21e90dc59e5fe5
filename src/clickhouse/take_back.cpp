#include "clickhouse/take_back.hpp"

#include <algorithm>

#include "clickhouse/push_blocks.hpp"
#include "clickhouse/push_rows.hpp"
#include "clickhouse/schema.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

using store::GameId;

constexpr char kSelectGames[] =
    "SELECT id, result, white_elo, black_elo, date, time_class, variant, plies, start, moves,"
    " annotation, variations FROM game WHERE ";
constexpr std::size_t kGamesAtOnce = 2000;

std::string list_of_ids(Origin origin, std::span<const GameId> numbers) {
    std::string list;
    for (const GameId number : numbers) {
        if (!list.empty()) list += ',';
        list += std::to_string(cluster_id(origin, number));
    }
    return list;
}

/// Calls use(numbers) with the next of the games, in pieces that fit a query.
template <typename Use>
void in_pieces(std::span<const GameId> games, Use use) {
    while (!games.empty()) {
        const std::size_t size = std::min(games.size(), kGamesAtOnce);
        use(games.first(size));
        games = games.subspan(size);
    }
}

/// A game as the cluster has it.
struct StoredCopy {
    store::StoredMoves moves;
    std::string annotation;
    PushedGame game;
};

void read_copy(RowReader& row, StoredCopy& out) {
    out.game.number = number_of_game(row.u64());
    codec::GameFacts& facts = out.game.facts;
    facts.result = static_cast<codec::Result>(row.u8());
    facts.white_elo = row.u16();
    facts.black_elo = row.u16();
    facts.date = row.u32();
    facts.time_class = static_cast<codec::TimeClass>(row.u8());
    facts.variant = static_cast<chess::Variant>(row.u8());
    facts.plies = row.u32();
    out.moves.facts = facts;
    out.moves.start = row.string();
    out.moves.moves = row.string();
    out.annotation = row.string();
    out.game.index_variations = row.u8() != 0;
    out.game.moves = &out.moves;
    out.game.annotation = out.annotation;
}

}  // namespace

std::string sql_of_pushes(std::span<const PushRecord> pushes) {
    std::string list;
    for (const PushRecord& push : pushes) {
        list += (list.empty() ? "" : ",") + std::to_string(push.number);
    }
    return "push IN (" + list + ")";
}

std::vector<GameId> deleted_since(Connection& connection, Origin origin, const OriginPushes& pushes,
                                  store::StoreReader& database) {
    std::vector<GameId> deleted;
    const GameId last = pushes.last_game();
    for (GameId game = 1; game <= last; ++game) {
        if (!database.has_game(game)) deleted.push_back(game);
    }
    const auto present = static_cast<std::uint64_t>(pushes.sum().games);
    if (last - deleted.size() == present) return {};
    const std::string of_pushes = sql_of_pushes(pushes.complete);
    std::vector<GameId> out;
    in_pieces(deleted, [&](std::span<const GameId> piece) {
        const std::string ids = list_of_ids(origin, piece);
        connection.query("SELECT id FROM game WHERE " + of_pushes + " AND id IN (" + ids +
                             ") AND id GLOBAL NOT IN (SELECT game FROM taken_back WHERE " +
                             of_pushes + ")",
                         [&](RowReader& row) { out.push_back(number_of_game(row.u64())); });
    });
    std::sort(out.begin(), out.end());
    return out;
}

PushCounters take_back(Connection& connection, PushNumber push, const OriginPushes& pushes,
                       std::span<const GameId> games) {
    PushCounters sum;
    const std::string of_pushes = sql_of_pushes(pushes.complete);
    PendingRows rows;
    PostingRows postings(push, -1);
    std::string packed;
    StoredCopy copy;
    std::uint64_t found = 0;
    in_pieces(games, [&](std::span<const GameId> piece) {
        const std::string ids = list_of_ids(origin_of_push(push), piece);
        connection.query(
            kSelectGames + of_pushes + " AND id IN (" + ids + ")", [&](RowReader& row) {
                read_copy(row, copy);
                ++found;
                const std::size_t before = postings.size();
                postings.add(copy.game);
                append_variations(push, -1, copy.game, rows.of("variation"));
                rows.of("taken_back").u32(push);
                rows.of("taken_back").u64(cluster_id(origin_of_push(push), copy.game.number));
                --sum.games;
                sum.plies -= copy.moves.facts.plies;
                sum.positions -= static_cast<std::int64_t>(postings.size() - before);
                if (!copy.annotation.empty()) --sum.annotated_games;
            });
        sum.fingerprint -= postings.fingerprint();
        packed.clear();
        postings.append_to(packed);
        postings.clear();
        rows.send(connection);
        insert_rows(connection, "posting", packed);
    });
    if (found != games.size()) {
        throw store::StoreError(store::StoreError::kDamaged,
                                to_text(connection.url()) + ": damaged: has " +
                                    std::to_string(found) + " of " + std::to_string(games.size()) +
                                    " games to take back");
    }
    return sum;
}

}  // namespace fendex::clickhouse
