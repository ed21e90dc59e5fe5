// The reader of a database on this machine: reads its index of positions, and whole columns of
// values and lists of names. Engines of such databases are built on it, and questions that only a
// scan of everything can answer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/big_position.hpp"
#include "codec/fine_sums.hpp"
#include "store/candidate.hpp"
#include "store/capability.hpp"
#include "store/game_column.hpp"
#include "store/game_range.hpp"
#include "store/name_join.hpp"
#include "store/player_lists.hpp"
#include "store/position_pieces.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

/// The candidates of a position, in the order of games and plies.
class CandidateCursor {
  public:
    virtual ~CandidateCursor() = default;
    virtual bool next(Candidate& out) = 0;
};

/// Sums over the games that played one move from a position, and the games to name for it.
struct MoveSums {
    chess::Move next;  // codec::kGameEndsHere if none
    codec::Tally tally;
    std::vector<GameId> top_games;     // the best rated first
    std::vector<GameId> recent_games;  // the latest first
};

/// Sums over the games of a range that reached a position.
struct PositionSums {
    GameRange games;
    codec::Tally total;  // counts each game once; a game may be in two of `moves`
    std::vector<MoveSums> moves;
};

/// All games that reached a position: as sums for the ranges that the store has summed up, as
/// candidates for the other games.
struct PositionOverview {
    std::vector<PositionSums> sums;
    std::vector<Candidate> candidates;
};

/// A PositionOverview without the moves. Its candidates are in any order.
struct PositionTotals {
    std::vector<codec::Tally> sums;
    std::vector<Candidate> candidates;
};

/// The games that reached a position as sums by what some filters compare: parts of different
/// games.
struct FineOverview {
    struct Part {
        GameRange games;  // those of the sums count from the first one
        codec::FineSums sums;
    };
    std::vector<Part> parts;
    std::vector<Candidate> candidates;  // the other games
};

/// The facts of the games of one chunk (codec/columns.hpp).
struct ChunkOfFacts {
    std::shared_ptr<const void> owner;  // of the bytes that `facts` reads
    codec::FactsChunk facts;
};

class GameRows;       // store/game_rows.hpp
class SegmentReader;  // store/sqlite/segments/segment_reader.hpp

/// In for_each_moves(), visit() must not call functions that return candidates, because these may
/// have to replay games.
class LocalReader : public StoreReader {
  public:
    LocalReader* local() final { return this; }

    /// Returns whether openings, facts and signatures of games are checked when they are read, and
    /// are what an import would store now.
    virtual bool has_current_facts() { return false; }
    /// Returns the segments of main lines if another database can take them as they are; null if
    /// it cannot. Summaries of positions have facts of games, so these must be current.
    virtual SegmentReader* copyable_segments() { return nullptr; }

    /// Returns the rows of a range of games for another database; null if it cannot take them. Then
    /// and without current facts, games are taken by their tags.
    virtual std::shared_ptr<GameRows> rows(const GameRange& /*games*/) { return nullptr; }

    virtual std::unique_ptr<CandidateCursor> candidates(std::uint64_t key) = 0;
    /// Calls visit() with all candidates of a key, in pieces, which come in any order. For sums
    /// over games this is several times as fast as the cursor. A piece is valid until visit()
    /// returns.
    virtual void for_each_candidate_group(
        std::uint64_t key, const std::function<void(std::span<const Candidate>)>& visit) = 0;
    virtual PositionOverview overview(std::uint64_t key) = 0;
    /// Takes less time than overview() where the store has the totals by themselves.
    virtual PositionTotals totals(std::uint64_t key);
    /// Returns the same with fine sums, each of which names up to codec::kNamedGames games; empty
    /// if the store does not have them.
    virtual std::optional<FineOverview> fine_overview(std::uint64_t /*key*/) {
        return std::nullopt;
    }
    /// Returns whether facts() tells modes, and ultraBullet from bullet. In formats before 6 only
    /// column() does.
    [[nodiscard]] virtual bool has_whole_facts() const { return true; }
    /// Returns all candidates of a key, those of frequent positions as pieces. The reader must
    /// outlive them, and keep its snapshot.
    virtual std::unique_ptr<PositionPieces> pieces(std::uint64_t key) = 0;

    /// Prepares for reading values of many games, or many pieces: as long as the result lives,
    /// pages that were read are soon forgotten, because each is needed once.
    [[nodiscard]] virtual std::shared_ptr<const void> begin_scan() { return nullptr; }
    /// Returns how many threads may call column(), facts_of_chunk() and PositionPieces::read() at
    /// once. While they do, no other function may be called.
    [[nodiscard]] virtual unsigned threads() const { return 1; }
    /// Returns the games, in order, that may have reached the key in an indexed variation. They
    /// must be replayed to find out.
    virtual std::vector<GameId> games_with_variations(std::uint64_t key) = 0;
    /// Returns the ranges of games whose variations are indexed, as far as the store knows them.
    virtual std::vector<GameRange> games_with_indexed_variations() = 0;

    /// Returns the signatures of the games of a range, up to the last game. A signature can show
    /// that a pattern does not occur in a game. A deleted game has no positions.
    virtual std::vector<codec::GameSignature> signatures(const GameRange& games) = 0;
    /// Returns the games of a range, in order, whose signatures allow at least one of the
    /// conditions.
    virtual std::vector<GameId> possible_games(
        const GameRange& games, std::span<const codec::SignatureCondition> any_of) = 0;
    /// Returns false if it is known, without looking at the games, that all are standard chess.
    virtual bool may_have_variants() = 0;

    /// Returns false if it is known, without looking at the games, that none has a tag whose name
    /// contains this text.
    virtual bool may_have_tag(std::string_view /*part*/) { return true; }

    /// Returns the deleted games, ascending.
    virtual std::vector<GameId> deleted_games() {
        std::vector<GameId> out;
        for (GameId game = 1; game <= last_game(); ++game) {
            if (!has_game(game)) out.push_back(game);
        }
        return out;
    }

    /// Reads one value of each of the out.size() games from `first` on. None may be after the last
    /// game; the value of a deleted game is not specified. Fast for many games at once.
    virtual void column(GameColumn which, GameId first, std::span<std::uint32_t> out) = 0;
    /// Returns the facts of the games in the chunk of a game, up to the last game.
    virtual ChunkOfFacts facts_of_chunk(GameId game) = 0;
    /// Returns the name with this id; empty if there is no such name.
    [[nodiscard]] virtual std::optional<std::string> name(NameKind kind, std::int64_t id) = 0;
    /// Returns the id of exactly this name; empty if the database does not have it.
    [[nodiscard]] virtual std::optional<std::int64_t> name_id(NameKind kind,
                                                              std::string_view name) = 0;
    /// Calls visit() with every name and its id; codec::code_of_id() returns its code.
    void for_each_name(NameKind kind,
                       const std::function<void(std::int64_t, std::string_view)>& visit) {
        for_each_name_from(kind, 1, visit);
    }
    /// The same with the names whose ids are `first` or more.
    virtual void for_each_name_from(
        NameKind kind, std::int64_t first,
        const std::function<void(std::int64_t, std::string_view)>& visit) = 0;
    /// Returns the lists of players; null if this store has none.
    virtual PlayerLists* player_lists() { return nullptr; }
    /// Calls visit() with every name that is joined to another, of all kinds. By default there are
    /// none.
    virtual void for_each_name_join(const std::function<void(const NameJoin&)>& /*visit*/) {}

    /// Calls visit() with the positions that occurred at least `min_count` times in games from
    /// `first` on, in the order of games and, within a game, of keys (as signed numbers), until it
    /// returns false.
    virtual void for_each_repetition(GameId first, std::uint32_t min_count,
                                     const std::function<bool(const Repetition&)>& visit) = 0;
    /// Calls visit() with the repetitions of one position in the order of games. Takes as long as
    /// reading its candidates.
    virtual void for_each_repetition_of(std::uint64_t key, std::uint32_t min_count,
                                        const std::function<bool(const Repetition&)>& visit) = 0;
    virtual void for_each_quiet_run(GameId first,
                                    const std::function<bool(const QuietRun&)>& visit) = 0;
};

/// Returns the value of one game in a column.
inline std::uint32_t value_in(LocalReader& reader, GameColumn column, GameId game) {
    std::uint32_t value = 0;
    reader.column(column, game, {&value, 1});
    return value;
}

/// Returns the overview of a position; kept in the snapshot cache if it has sums, which take time
/// to decode.
std::shared_ptr<const PositionOverview> overview_of_position(LocalReader& reader,
                                                             std::uint64_t key);
/// Does the same with its totals.
std::shared_ptr<const PositionTotals> totals_of_position(LocalReader& reader, std::uint64_t key);

}  // namespace fendex::store
