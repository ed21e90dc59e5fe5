// The read side of a database: what queries need, as values and cursors, independent of how it is
// stored. A reader has one connection and one snapshot: it sees only whole commits, and the same
// ones until refresh(). One reader per thread, any number at once. Damage is thrown as StoreError.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/big_position.hpp"
#include "codec/game_codes.hpp"
#include "codec/named_games.hpp"
#include "store/game_filter.hpp"
#include "store/game_range.hpp"
#include "store/records.hpp"
#include "store/snapshot_shelf.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

class Engine;  // store/engine.hpp

struct StoreInfo {
    std::string id;  // of the database, 32 hexadecimal digits; empty before version 5
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t positions = 0;  // plies and starts
    /// Summed over the pieces of the index, with deleted games: an upper bound.
    std::uint64_t distinct_positions = 0;
    std::uint64_t sources = 0;
    std::uint64_t errors = 0;    // without warnings
    std::uint64_t warnings = 0;  // 0 before version 5, where they count as errors
    std::uint64_t players = 0;
    std::uint64_t last_game = 0;
    std::uint64_t index_pieces = 0;  // a look-up reads each of them
    std::uint64_t variation_pieces = 0;
    std::uint64_t postings = 0;          // in the index of main lines
    std::uint64_t postings_written = 0;  // by all imports and maintenance, of any kind
    std::uint64_t unindexed_games = 0;
    std::uint64_t annotated_games = 0;
    std::uint64_t annotation_bytes = 0;  // compressed
    std::uint64_t bytes = 0;
    std::uint64_t free_bytes = 0;  // of these, in pages without content
    std::uint64_t fingerprint = 0;
    std::optional<PlyRows> ply_rows;
};

/// The facts of a game that lists show. Views live until the next call of the reader.
struct GameHeader {
    GameId id = 0;
    std::optional<std::string_view> white;
    std::optional<std::string_view> black;
    std::optional<std::string_view> event;
    std::optional<std::string_view> site;
    std::optional<std::string_view> date;
    std::optional<std::string_view> round;
    std::optional<std::string_view> eco;
    codec::Result result = codec::Result::kUnknown;
    std::optional<std::int64_t> white_elo;
    std::optional<std::int64_t> black_elo;
    std::uint32_t plies = 0;
    chess::Variant variant = chess::Variant::kStandard;
};

/// Filters compare these values. Each is one number for each game: a fact (codec/game_facts.hpp) or
/// the code of a name (codec/game_codes.hpp). 0 is unknown.
enum class GameColumn : std::uint8_t {
    kResult,
    kTimeClass,
    kMode,
    kVariant,
    kWhiteElo,
    kBlackElo,
    kDate,
    kPlies,
    kWhite,
    kBlack,
    kEvent,
    kSite,
    kEco,
    kTermination,
    kOpening,
    kEloSum,  // of both ratings; 0 if one of them is unknown
};

enum class NameKind : std::uint8_t { kPlayer, kEvent, kSite, kTagValue, kOpening };

/// A game with all its tag pairs, in their order.
struct StoredGame {
    StoredMoves moves;
    std::vector<std::pair<std::string, std::string>> tags;
};

/// A game that may have reached a position, with the contents of its posting. `ply` and `next` are
/// empty for a game with at most one ply of that position; replaying it finds the ply.
struct Candidate {
    GameId game = 0;
    std::optional<std::uint32_t> ply;
    chess::Move next;
};

/// The candidates of a position, in the order of games and plies.
class CandidateCursor {
  public:
    virtual ~CandidateCursor() = default;
    virtual bool next(Candidate& out) = 0;
};

/// How often one move was played from a position, and the games to name for it.
struct MoveSums {
    chess::Move next;  // codec::kGameEndsHere: none
    codec::Tally tally;
    std::vector<GameId> top_games;     // the best rated first
    std::vector<GameId> recent_games;  // the latest first
};

/// Sums over the games of a range that reached a position.
struct PositionSums {
    GameRange games;
    codec::Tally total;  // a game that returned and played another move is in two of `moves`
    std::vector<MoveSums> moves;
};

/// All games that reached a position: as sums for the ranges that the store has summed up, and as
/// candidates for the others.
struct PositionOverview {
    std::vector<PositionSums> sums;
    std::vector<Candidate> candidates;
};

/// A row of table `import_error`.
struct StoredError {
    std::int64_t id = 0;
    std::int64_t source = 0;
    std::string path;            // of the source
    std::optional<GameId> game;  // empty: outside any game
    ImportError error;
};

/// A visit() may call other functions of the reader, but not the one that is calling it; and in
/// for_each_moves() it must not ask for candidates, because games may have to be replayed for them.
class StoreReader {
  public:
    virtual ~StoreReader() = default;

    /// Returns the engine that answers questions where the data is; null if there is none. If there
    /// is one, these throw a StoreError of kind kUnanswered: candidates(),
    /// for_each_candidate_group(), overview(), games_with_variations(), signatures(),
    /// possible_games(), column(), for_each_name() and for_each_repetition_of().
    virtual Engine* engine() { return nullptr; }

    /// How many games to read at once: in the first batch, so that answers come soon, and at most.
    struct BatchSizes {
        std::size_t first = 1;
        std::size_t most = 64;
    };
    /// Large if each call is a round trip.
    BatchSizes games_at_once() {
        return engine() == nullptr ? BatchSizes{} : BatchSizes{.first = 32, .most = 1024};
    }

    virtual StoreInfo info() = 0;
    /// Games are numbered from 1 to this; numbers of deleted games stay empty.
    virtual GameId last_game() = 0;
    /// Returns whether a game has this number: it is not after the last one and was not deleted. No
    /// other function returns a game for which this is false.
    virtual bool has_game(GameId game) = 0;

    // A store may leave out games that do not fit the filter, but need not.
    virtual std::unique_ptr<CandidateCursor> candidates(std::uint64_t key,
                                                        const GameFilter& only) = 0;
    std::unique_ptr<CandidateCursor> candidates(std::uint64_t key) { return candidates(key, {}); }
    /// Visits all candidates of a key in pieces, which come in any order. For sums over games this
    /// is several times as fast as the cursor. A piece is valid until visit() returns.
    virtual void for_each_candidate_group(
        std::uint64_t key, const GameFilter& only,
        const std::function<void(std::span<const Candidate>)>& visit) = 0;
    virtual PositionOverview overview(std::uint64_t key) = 0;

    /// Returns games, in order, that may have reached the key in an indexed variation; replaying
    /// them tells.
    virtual std::vector<GameId> games_with_variations(std::uint64_t key) = 0;
    /// Returns the ranges of games whose variations are indexed, as far as the store can tell.
    virtual std::vector<GameRange> games_with_indexed_variations() { return {}; }

    /// Returns the facts of a game that filters and sums need, at random access. Throws StoreError
    /// for a game after the last one; a deleted game has no facts.
    virtual codec::GameFacts facts(GameId game) = 0;
    /// Returns the ranks of a game, like codec::ranks_of(facts(game)). For a few games that are far
    /// apart this is cheaper.
    virtual codec::GameRanks ranks(GameId game) { return codec::ranks_of(facts(game)); }
    /// Returns the signatures of the games of a range, up to the last game; they tell that a
    /// pattern cannot occur in a game. A deleted game has no positions.
    virtual std::vector<codec::GameSignature> signatures(const GameRange& games) = 0;
    /// Returns the games of a range, in order, whose signatures allow one of the conditions.
    virtual std::vector<GameId> possible_games(const GameRange& games,
                                               std::span<const codec::SignatureCondition> any_of,
                                               const GameFilter& only) = 0;
    /// Returns false if it can tell without looking at the games that all are standard chess.
    virtual bool may_have_variants() { return true; }
    virtual std::vector<StoredSource> sources() = 0;
    /// Visits the errors of imports in the order in which they occurred, until visit() returns
    /// false.
    virtual void for_each_error(const std::function<bool(const StoredError&)>& visit) = 0;
    /// Returns the text of the game that has the error; empty for an error outside any game.
    virtual std::optional<std::string> broken_game(std::int64_t error) = 0;

    // These visit the given games in their order and skip those that do not exist. Views in a
    // header live until the next call of the reader.
    virtual void headers(std::span<const GameId> games,
                         const std::function<void(const GameHeader&)>& visit) = 0;
    virtual void moves(std::span<const GameId> games,
                       const std::function<void(GameId, const StoredMoves&)>& visit) = 0;
    virtual void games(std::span<const GameId> games,
                       const std::function<void(GameId, const StoredGame&)>& visit) = 0;

    // The same for one game; false if it does not exist.
    bool header(GameId game, GameHeader& out);
    bool moves(GameId game, StoredMoves& out);
    bool game(GameId game, StoredGame& out);
    /// Reads one value of out.size() games with the numbers from `first` on, which all exist or
    /// were deleted: then the value may be anything. Fast for many games at once.
    virtual void column(GameColumn which, GameId first, std::span<std::uint32_t> out) = 0;
    /// Returns the name with this id; empty if there is none.
    [[nodiscard]] virtual std::optional<std::string> name(NameKind kind, std::int64_t id) = 0;
    /// Visits every name and its id; codec::code_of_id() tells its code.
    virtual void for_each_name(
        NameKind kind, const std::function<void(std::int64_t, std::string_view)>& visit) = 0;
    /// Visits the games from `first` on, in order, until visit() returns false.
    virtual void for_each_moves(GameId first,
                                const std::function<bool(GameId, const StoredMoves&)>& visit) = 0;
    /// The same with their tags, like game() but without a look-up for each.
    virtual void for_each_game(GameId first,
                               const std::function<bool(GameId, const StoredGame&)>& visit) = 0;

    /// Reads the comments, glyphs and variations of a game, as codec::AnnotationStreamReader reads
    /// them. False if there are none.
    virtual bool annotation(GameId game, std::string& stream) = 0;
    /// Visits those of the games that have an annotation, in their order.
    virtual void annotations(std::span<const GameId> games,
                             const std::function<void(GameId, std::string_view stream)>& visit);
    /// Visits the games from `first` on that have an annotation, until visit() returns false.
    virtual void for_each_annotation(
        GameId first, const std::function<bool(GameId game, std::string_view stream)>& visit) = 0;

    /// Visits positions that occurred `min_count` times or more in games from `first` on, in the
    /// order of games and, within a game, of keys (as signed numbers), until visit() returns false.
    virtual void for_each_repetition(GameId first, std::uint32_t min_count,
                                     const std::function<bool(const Repetition&)>& visit) = 0;
    /// Visits the repetitions of one position in the order of games. Costs as much as its
    /// candidates.
    virtual void for_each_repetition_of(std::uint64_t key, std::uint32_t min_count,
                                        const std::function<bool(const Repetition&)>& visit) = 0;
    virtual std::vector<Repetition> repetitions(GameId game) = 0;
    virtual void for_each_quiet_run(GameId first,
                                    const std::function<bool(const QuietRun&)>& visit) = 0;
    virtual std::vector<QuietRun> quiet_runs(GameId game) = 0;

    /// Begins a new snapshot, which includes what was committed since the last one. Cheap if
    /// nothing was. Throws StoreError if the database was upgraded to another format meanwhile.
    virtual void refresh() = 0;
    /// Ends the snapshot, so that the write-ahead log can shrink while the reader is idle. The next
    /// call must be refresh().
    virtual void release() = 0;
    /// Returns a number that changes whenever refresh() has seen a commit. Ids of names and lists
    /// of games that were read at another number may be wrong.
    [[nodiscard]] virtual std::uint64_t snapshot() const = 0;
    /// Returns the shelf that keeps results for this snapshot. A new snapshot has an empty one.
    [[nodiscard]] virtual SnapshotShelf& shelf() = 0;
};

}  // namespace fendex::store
