#include <algorithm>

#include "replay/stored_walk.hpp"
#include "store/sqlite/reader/sqlite_reader.hpp"

namespace fendex::store {

/// Replays the games that are in no segment, because their import was killed, and adds the
/// positions with this key.
void SqliteReader::scan_unindexed(std::uint64_t key, std::vector<Candidate>& out) {
    if (segments_.indexed_games() == last_game_) return;
    games_.for_each_moves(segments_.indexed_games() + 1,
                          [&](GameId game, const StoredMoves& moves) {
                              replay::for_each_position(game, moves, [&](const auto& at) {
                                  if (at.position().key() == key)
                                      out.push_back({game, at.ply(), at.next_move()});
                              });
                              return true;
                          });
}

std::vector<GameId> SqliteReader::games_with_variations(std::uint64_t key) {
    std::vector<GameId> games;
    variations_.for_each_group(key, variations_.find(key), [&](std::span<const Candidate> group) {
        for (const Candidate& each : group) games.push_back(each.game);
    });
    if (variations_from_ != 0) {
        annotations_.for_each(variations_from_, [&](GameId game, std::string_view) {
            games.push_back(game);
            return true;
        });
    }
    std::ranges::sort(games);
    games.erase(std::unique(games.begin(), games.end()), games.end());
    return games;
}

std::vector<GameRange> SqliteReader::games_with_indexed_variations() {
    std::vector<GameRange> ranges;
    for (const SegmentRecord& segment : variations_.segments()) {
        ranges.push_back({segment.first_game, segment.last_game});
    }
    if (variations_from_ != 0) {
        ranges.push_back({variations_from_, last_game_});
    }
    return ranges;
}

KeyPostings SqliteReader::find_all(std::uint64_t key, SummaryPart part) {
    KeyPostings out = segments_.find(key, part);
    scan_unindexed(key, out.small);
    return out;
}

std::unique_ptr<CandidateCursor> SqliteReader::candidates(std::uint64_t key) {
    return segments_.merge(key, find_all(key));
}

void SqliteReader::for_each_candidate_group(
    std::uint64_t key, const std::function<void(std::span<const Candidate>)>& visit) {
    segments_.for_each_group(key, find_all(key), visit);
}

std::unique_ptr<PositionPieces> SqliteReader::pieces(std::uint64_t key) {
    return segments_.pieces(key, find_all(key));
}

namespace {

/// Returns the sums of a big position. The summary counts its games from the segment's first game,
/// which is added here.
PositionSums sums_of(const BigPosition& position) {
    const GameId first = position.segment.first_game;
    const auto ids = [&](const std::vector<std::uint32_t>& numbers) {
        std::vector<GameId> games;
        games.reserve(numbers.size());
        for (const std::uint32_t number : numbers) games.push_back(first + number);
        return games;
    };
    PositionSums out;
    out.games = {first, position.segment.last_game};
    out.total = position.summary.total;
    for (const codec::GroupSummary& group : position.summary.groups) {
        if (group.tally.games == 0) continue;
        out.moves.push_back(
            {group.next, group.tally, ids(group.top_games), ids(group.recent_games)});
    }
    return out;
}

}  // namespace

PositionOverview SqliteReader::overview(std::uint64_t key) {
    KeyPostings postings = find_all(key);
    PositionOverview out;
    sort_candidates(postings.small);
    out.candidates = std::move(postings.small);
    for (const BigPosition& position : postings.big) {
        // If all its games were deleted, the sums are zero.
        if (position.summary.total.games != 0) out.sums.push_back(sums_of(position));
    }
    return out;
}

PositionTotals SqliteReader::totals(std::uint64_t key) {
    KeyPostings postings = find_all(key, SummaryPart::kTotal);
    PositionTotals out;
    out.candidates = std::move(postings.small);
    for (const BigPosition& position : postings.big) {
        if (position.summary.total.games != 0) out.sums.push_back(position.summary.total);
    }
    return out;
}

/// A position of few games in a segment has no fine sums there. They are made here, if there are
/// few such games and if they are of few kinds.
std::optional<FineOverview> SqliteReader::fine_overview(std::uint64_t key) {
    constexpr std::uint64_t kQuicklySummedUp = 20'000;
    constexpr std::uint64_t kPostingsOfSum = 4;
    KeyPostings postings = find_all(key);
    FineOverview out;
    std::uint64_t to_sum_up = 0;
    for (const BigPosition& position : postings.big) {
        auto sums = segments_.fine_sums().find(position.segment, key, position.mark);
        if (!sums) {
            to_sum_up += position.summary.total.occurrences;
            if (to_sum_up > kQuicklySummedUp) return std::nullopt;
            sums = segments_.sum_finely(
                position.segment, key, position.summary, [&](GameId game) { return facts(game); },
                {.most = position.summary.total.occurrences / kPostingsOfSum});
        }
        if (!sums) return std::nullopt;
        out.parts.push_back(
            {{position.segment.first_game, position.segment.last_game}, *std::move(sums)});
    }
    sort_candidates(postings.small);
    out.candidates = std::move(postings.small);
    return out;
}

}  // namespace fendex::store
