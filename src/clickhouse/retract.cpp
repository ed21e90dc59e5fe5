#include "clickhouse/retract.hpp"

#include <algorithm>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/push_blocks.hpp"
#include "clickhouse/push_rows.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/sql_text.hpp"

namespace fendex::clickhouse {

namespace {

using store::GameId;

constexpr char kCopyColumns[] = ", start, moves, annotation, variations FROM game WHERE ";
constexpr std::size_t kGamesAtOnce = 2000;

std::string list_of_ids(Origin origin, std::span<const GameId> numbers) {
    return sql_list(numbers, [&](GameId number) { return cluster_id(origin, number); });
}

/// Calls use(piece) for pieces of the games that fit into a query.
template <typename Use>
void in_pieces(std::span<const GameId> games, Use use) {
    while (!games.empty()) {
        const std::size_t size = std::min(games.size(), kGamesAtOnce);
        use(games.first(size));
        games = games.subspan(size);
    }
}

/// A game as the cluster stores it.
struct StoredCopy {
    store::StoredMoves moves;
    std::string annotation;
    PushedGame game;
};

/// Reads a game; returns its id.
GameId read_copy(AnswerRow& row, StoredCopy& out) {
    const GameId id = row.facts(out.game.facts);
    out.game.number = number_of_game(id);
    out.moves.facts = out.game.facts;
    out.moves.start = row.text();
    out.moves.moves = row.text();
    out.annotation = row.text();
    out.game.index_variations = row.flag("variations");
    out.game.moves = &out.moves;
    out.game.annotation = out.annotation;
    return id;
}

/// Refuses a row whose game is not one of `games`, which ascend.
void require_asked(const AnswerRow& row, GameId id, Origin origin, std::span<const GameId> games) {
    const bool is_asked =
        origin_of_game(id) == origin && std::ranges::binary_search(games, number_of_game(id));
    if (!is_asked) row.refuse_row("id", id);
}

}  // namespace

std::string sql_of_pushes(std::span<const PushRecord> pushes) {
    return "push IN " + sql_list(pushes, &PushRecord::number);
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
        read_rows(connection, "game",
                  "SELECT id FROM game WHERE " + of_pushes + " AND id IN " + ids +
                      " AND id GLOBAL NOT IN (SELECT game FROM taken_back WHERE " + of_pushes + ")",
                  [&](AnswerRow& row) {
                      const GameId id = row.game("id");
                      require_asked(row, id, origin, piece);
                      out.push_back(number_of_game(id));
                  });
    });
    std::ranges::sort(out);
    return out;
}

PushCounters retract(Connection& connection, PushNumber push, const OriginPushes& pushes,
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
        read_rows(
            connection, "game",
            std::string("SELECT ") + kFactColumns + kCopyColumns + of_pushes + " AND id IN " + ids,
            [&](AnswerRow& row) {
                const GameId id = read_copy(row, copy);
                require_asked(row, id, origin_of_push(push), piece);
                ++found;
                const std::size_t before = postings.size();
                try {
                    postings.add(copy.game);
                    append_variations(push, -1, copy.game, rows.of("variation"));
                } catch (const store::DamageError&) {
                    row.refuse("moves");
                }
                rows.of("taken_back").u32(push);
                rows.of("taken_back").u64(id);
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
        throw damaged(connection, "table game has " + std::to_string(found) + " of " +
                                      std::to_string(games.size()) + " games to take back");
    }
    return sum;
}

}  // namespace fendex::clickhouse
