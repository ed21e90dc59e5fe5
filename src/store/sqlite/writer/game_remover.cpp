#include "store/sqlite/writer/game_remover.hpp"

#include <algorithm>
#include <string>

#include "replay/stored_walk.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/segments/group_tally.hpp"
#include "store/sqlite/segments/position_summary.hpp"
#include "store/sqlite/sums/seals.hpp"
#include "store/sqlite/tables/name_alias_table.hpp"

namespace fendex::store {

namespace {

constexpr char kUpdateSummary[] =
    "UPDATE block SET data = ?3 WHERE segment = ?1 AND first_key = ?2 AND part = 1";
constexpr char kSelectErrorGames[] =
    "SELECT id, game_id FROM import_error WHERE game_id IS NOT NULL";
constexpr char kDisownError[] = "UPDATE import_error SET game_id = NULL WHERE id = ?1";
constexpr char kSelectNames[] = "SELECT white, black, event, site FROM game";
/// Deletes the rows that belong to one game; table `ply` may not exist.
constexpr const char* kDeleteRows[] = {
    "DELETE FROM game WHERE id = ?1",
    "DELETE FROM repetition WHERE game_id = ?1",
    "DELETE FROM quiet_run WHERE game_id = ?1",
};
constexpr char kDeletePlies[] = "DELETE FROM ply WHERE game_id = ?1";

/// The number of postings that are collected before they are used; they take 64 MiB.
constexpr std::size_t kPostingsAtOnce = std::size_t{1} << 22;
constexpr std::size_t kGamesAtOnce = std::size_t{1} << 18;

/// Returns the games of sorted postings, each once.
std::vector<std::uint32_t> games_of(std::span<const codec::Posting> postings) {
    std::vector<std::uint32_t> games;
    for (const codec::Posting& each : postings) games.push_back(each.game());
    std::ranges::sort(games);
    games.erase(std::unique(games.begin(), games.end()), games.end());
    return games;
}

bool names(const std::vector<std::uint32_t>& named, std::uint32_t game) {
    return std::ranges::find(named, game) != named.end();
}

}  // namespace

GameRemover::GameRemover(Connection& connection, ChunkTables& chunks, RowSum& errors)
    : connection_(connection),
      chunks_(chunks),
      errors_(errors),
      deleted_(connection),
      segments_(connection, SegmentKind::kMainLine, deleted_),
      games_(connection),
      codes_(connection),
      update_summary_(connection, kUpdateSummary),
      fine_sum_table_(connection) {
    deleted_.load();
    segments_.load();
}

GameSums GameRemover::remove(std::span<const GameId> games, GameId last_game) {
    std::vector<GameId> ids;
    for (const GameId game : games) {
        if (game >= 1 && game <= last_game && !deleted_.contains(game)) ids.push_back(game);
    }
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    const SegmentRecord* segment = nullptr;
    for (std::span<const GameId> rest = ids; !rest.empty();) {
        const SegmentRecord* const current = segments_.segment_of(rest.front());
        if (current != nullptr && current != segment) {
            const std::vector<std::uint64_t> keys = segments_.big_keys(*current);
            big_keys_ = {keys.begin(), keys.end()};
        }
        segment = current;
        gone_.clear();
        std::size_t n = 0;
        while (n < std::min(rest.size(), kGamesAtOnce) && gone_.size() < kPostingsAtOnce &&
               segments_.segment_of(rest[n]) == segment) {
            collect(rest[n++], segment);
        }
        deleted_.add(rest.first(n));
        if (segment != nullptr) update_summaries(*segment);
        delete_rows(rest.first(n));
        rest = rest.subspan(n);
    }
    if (!ids.empty()) {
        disown_errors();
        remove_unused_names();
    }
    return removed_;
}

/// Replays a game to be removed and collects its postings.
void GameRemover::collect(GameId game, const SegmentRecord* segment) {
    if (!games_.moves(game, moves_)) connection_.throw_damaged("no game " + std::to_string(game));
    const codec::GameCodes codes = codes_.codes(game);
    const auto note = [](std::unordered_set<std::int64_t>& ids, std::uint32_t code) {
        if (const auto id = codec::id_of_code(code)) ids.insert(*id);
    };
    for (const std::uint32_t code : codes.players) note(players_, code);
    note(events_, codes.names[codec::kEventName]);
    note(sites_, codes.names[codec::kSiteName]);
    keys_.clear();
    replay::for_each_position(game, moves_, [&](const auto& at) {
        keys_.push_back(at.position().key());
        if (segment != nullptr && big_keys_.contains(keys_.back())) {
            gone_.emplace_back(keys_.back(), at.next_move(),
                               static_cast<std::uint32_t>(game - segment->first_game), at.ply());
        }
    });
    removed_.add_game(game, keys_);
}

void GameRemover::update_summaries(const SegmentRecord& segment) {
    std::ranges::sort(gone_);
    for (std::span<const codec::Posting> rest = gone_; !rest.empty();) {
        std::size_t n = 1;
        while (n < rest.size() && rest[n].key == rest[0].key) ++n;
        update_summary(segment, rest.first(n));
        rest = rest.subspan(n);
    }
}

/// Subtracts the removed postings from the summary of one position.
void GameRemover::update_summary(const SegmentRecord& segment,
                                 std::span<const codec::Posting> gone) {
    const std::uint64_t key = gone.front().key;
    codec::PositionSummary summary = segments_.big_position(segment, key).summary;
    codec::Tally& total = summary.total;
    const std::vector<std::uint32_t> games = games_of(gone);
    if (total.occurrences < gone.size() || total.games < games.size()) damaged(segment, key);
    total.occurrences -= gone.size();
    for (const std::uint32_t game : games) {
        total.remove_game(chunks_.facts(segment.first_game + game));
    }
    total.first_date = total.last_date = 0;
    unsigned part = 2;
    for (codec::GroupSummary& group : summary.groups) {
        std::size_t n = 0;
        while (n < gone.size() && gone[n].next() == group.next) ++n;
        if (n != 0 && !subtract(segment, gone.first(n), group)) {
            sum_again(segment, key, part, group);
        }
        gone = gone.subspan(n);
        part += group.chunks;
        total.add_dates(group.tally);
    }
    if (!gone.empty()) damaged(segment, key);
    std::string data = codec::encode_summary(summary);
    sum_finely_again(segment, key, summary, mark_of_summary(data));
    base::seal(data, part_seed(segment.shape, key, 1));
    update_summary_.run(segment.id, sql_order(key), Blob{data});
}

/// Subtracts removed postings from a group. Returns false if the group must be summed up again,
/// because its first or last date or one of its listed games was removed.
bool GameRemover::subtract(const SegmentRecord& segment, std::span<const codec::Posting> gone,
                           codec::GroupSummary& group) {
    codec::Tally& tally = group.tally;
    const std::vector<std::uint32_t> games = games_of(gone);
    if (tally.occurrences < gone.size() || tally.games < games.size()) {
        damaged(segment, gone.front().key);
    }
    tally.occurrences -= gone.size();
    for (const std::uint32_t game : games) {
        const codec::GameFacts facts = chunks_.facts(segment.first_game + game);
        const bool at_end =
            facts.date != 0 && (facts.date == tally.first_date || facts.date == tally.last_date);
        if (at_end || names(group.top_games, game) || names(group.recent_games, game)) return false;
        tally.remove_game(facts);
    }
    return true;
}

void GameRemover::sum_again(const SegmentRecord& segment, std::uint64_t key, unsigned part,
                            codec::GroupSummary& group) {
    GroupTally tally;
    for (const unsigned end = part + group.chunks; part != end; ++part) {
        chunk_.clear();
        segments_.read_chunk(segment, key, part, chunk_);
        for (const Candidate& each : chunk_) {
            tally.add(static_cast<std::uint32_t>(each.game - segment.first_game),
                      [&] { return chunks_.facts(each.game); });
        }
    }
    tally.put(group);
}

/// Makes the fine sums of a position anew, if it has some: a removed game may have been one of
/// those that they name.
void GameRemover::sum_finely_again(const SegmentRecord& segment, std::uint64_t key,
                                   const codec::PositionSummary& summary, std::uint32_t mark) {
    const auto old = segments_.fine_sums().find(segment, key, std::nullopt);
    if (!old) return;
    const auto fine = segments_.sum_finely(segment, key, summary,
                                           [&](GameId game) { return chunks_.facts(game); },
                                           {.period = old->period});
    fine_sum_table_.put(segment.id, key,
                        fine_row(codec::encode_fine_sums(*fine), mark, segment.shape, key));
}

void GameRemover::delete_rows(std::span<const GameId> games) {
    chunks_.clear(games);
    std::vector<Statement> statements;
    for (const char* const sql : kDeleteRows) statements.emplace_back(connection_, sql);
    if (connection_.integer("SELECT 1 FROM sqlite_master WHERE name = 'ply'")) {
        statements.emplace_back(connection_, kDeletePlies);
    }
    for (Statement& statement : statements) {
        for (const GameId game : games) {
            statement.run(as_signed(game));
        }
    }
}

/// Removes the numbers of removed games from import errors. The errors remain.
void GameRemover::disown_errors() {
    std::vector<std::int64_t> ids;
    Statement select(connection_, kSelectErrorGames);
    while (select.step()) {
        if (deleted_.contains(static_cast<GameId>(select.integer(1)))) {
            ids.push_back(select.integer(0));
        }
    }
    Statement disown(connection_, kDisownError);
    for (const std::int64_t id : ids) {
        errors_.subtract(id);
        disown.run(id);
        errors_.add(id);
    }
}

/// Removes the names that only removed games had; other names are still used, and joined names are
/// kept for games to come.
void GameRemover::remove_unused_names() {
    Statement used(connection_, kSelectNames);
    while ((!players_.empty() || !events_.empty() || !sites_.empty()) && used.step()) {
        players_.erase(used.integer(0));
        players_.erase(used.integer(1));
        events_.erase(used.integer(2));
        if (used.is_integer(3)) sites_.erase(used.integer(3));
    }
    used.reset();
    if (has_alias_table(connection_)) {
        for_each_name_join(connection_, [&](const NameJoin& join) {
            auto& ids = join.kind == NameKind::kPlayer  ? players_
                        : join.kind == NameKind::kEvent ? events_
                                                        : sites_;
            ids.erase(join.name);
            ids.erase(join.canonical);
        });
    }
    delete_names(kPlayers, players_);
    delete_names(kEvents, events_);
    delete_names(kSites, sites_);
}

void GameRemover::delete_names(const SealedTable& table,
                               const std::unordered_set<std::int64_t>& ids) {
    if (ids.empty()) return;
    Statement remove(connection_,
                     "DELETE FROM " + std::string(table.name) + " WHERE id = ?1 RETURNING name");
    for (const std::int64_t id : ids) {
        remove.bind(1, id);
        if (remove.step()) removed_names_sum_ += name_sum(table, id, remove.text(0));
        remove.reset();
    }
}

void GameRemover::damaged(const SegmentRecord& segment, std::uint64_t key) const {
    connection_.throw_damaged("segment " + std::to_string(segment.id) + ", summary of key " +
                              std::to_string(key));
}

}  // namespace fendex::store
