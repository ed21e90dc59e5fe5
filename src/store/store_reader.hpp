// The read side of a database: what a query needs, as values and cursors; how it is stored stays
// inside. A reader is one connection and one snapshot: it sees whole commits only, and the same
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
#include "store/records.hpp"
#include "store/store_writer.hpp"

struct sqlite3;

namespace fendex::store {

struct StoreInfo {
    std::string id;  // of the database, 32 hexadecimal digits; empty before version 5
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t positions = 0;  // plies and starts
    /// Summed over segments, deleted games included: no more than that.
    std::uint64_t distinct_positions = 0;
    std::uint64_t sources = 0;
    std::uint64_t errors = 0;    // without warnings
    std::uint64_t warnings = 0;  // none before version 5, where they count as errors
    std::uint64_t players = 0;
    std::uint64_t last_game = 0;
    std::uint64_t segments = 0;  // of main lines
    std::uint64_t variation_segments = 0;
    std::uint64_t postings = 0;          // in segments of main lines
    std::uint64_t postings_written = 0;  // in all there ever were, of any kind
    std::uint64_t unindexed_games = 0;
    std::uint64_t annotated_games = 0;
    std::uint64_t annotation_bytes = 0;  // compressed
    std::uint64_t bytes = 0;
    std::uint64_t free_bytes = 0;  // of these, in pages that hold nothing
    std::uint64_t fingerprint = 0;
    std::optional<PlyRows> ply_rows;
};

/// What lists of games show. Views live until the next call of the reader.
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

/// What filters look at, names as ids: 0 where there is none. Views live until the next call.
struct GameColumns {
    GameId id = 0;
    std::int64_t white = 0;
    std::int64_t black = 0;
    std::int64_t event = 0;
    std::int64_t site = 0;
    std::string_view site_text;  // of a site without an id
    std::string_view eco;
};

enum class NameKind { kPlayer, kEvent, kSite };

/// A game with all its tag pairs, in their order.
struct StoredGame {
    StoredMoves moves;
    std::vector<std::pair<std::string, std::string>> tags;
};

/// A game that may have stood in the position asked for, with what its posting says. `ply` and
/// `next` are empty for a game that has at most one ply of that position: replaying it tells.
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

/// What is known of a position without looking at its games: sums of the segments where many games
/// reach it, and the candidates of all others.
struct SegmentSummary {
    GameId first_game = 1;  // the games that the summary names count from here
    codec::PositionSummary position;
};
struct PositionOverview {
    std::vector<SegmentSummary> summaries;
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

/// A visit() may ask the reader other things, but not the method that visits; and in
/// for_each_moves() no candidates, for which games may have to be replayed.
class StoreReader {
  public:
    virtual ~StoreReader() = default;

    virtual StoreInfo info() = 0;
    /// Games are numbered from 1 to this; numbers of deleted games stay empty.
    virtual GameId last_game() = 0;
    /// Whether a game has this number: neither beyond the last one nor deleted. Nothing names a
    /// game for which this is false.
    virtual bool has_game(GameId game) = 0;
    virtual std::unique_ptr<CandidateCursor> candidates(std::uint64_t key) = 0;
    /// All candidates of a key piece by piece, in no order between pieces: for sums over games,
    /// several times as fast as the cursor. A piece's view lives until visit() returns.
    virtual void for_each_candidate_group(
        std::uint64_t key, const std::function<void(std::span<const Candidate>)>& visit) = 0;
    virtual PositionOverview overview(std::uint64_t key) = 0;

    /// Games, in order, that may have reached the key in a variation that is indexed: replaying
    /// tells.
    virtual std::vector<GameId> games_with_variations(std::uint64_t key) = 0;

    /// What filters and sums need to know of a game, at random access. Throws StoreError for a game
    /// beyond the last; nothing is known of a deleted one.
    virtual codec::GameFacts facts(GameId game) = 0;
    /// What tells that a pattern cannot be in a game, for the codec::kGamesPerChunk games of a
    /// chunk (numbered from 0), fewer in the last one. A deleted game has no positions.
    virtual std::vector<codec::GameSignature> signatures(std::uint64_t chunk) = 0;
    virtual std::vector<StoredSource> sources() = 0;
    /// What could not be read, in the order in which it was met, until visit() returns false.
    virtual void for_each_error(const std::function<bool(const StoredError&)>& visit) = 0;
    /// The text of the game that an error is in; empty for an error outside any game.
    virtual std::optional<std::string> broken_game(std::int64_t error) = 0;

    /// False where there is no such game.
    virtual bool header(GameId game, GameHeader& out) = 0;
    virtual bool moves(GameId game, StoredMoves& out) = 0;
    virtual bool game(GameId game, StoredGame& out) = 0;
    virtual bool columns(GameId game, GameColumns& out) = 0;
    /// Of all games, in order.
    virtual void for_each_columns(const std::function<void(const GameColumns&)>& visit) = 0;
    /// Every name and its id.
    virtual void for_each_name(
        NameKind kind, const std::function<void(std::int64_t, std::string_view)>& visit) = 0;
    /// Games from `first` on, in order, until visit() returns false.
    virtual void for_each_moves(GameId first,
                                const std::function<bool(GameId, const StoredMoves&)>& visit) = 0;
    /// The same with their tags: what game() gives, without a look-up for each.
    virtual void for_each_game(GameId first,
                               const std::function<bool(GameId, const StoredGame&)>& visit) = 0;

    /// What stands around the moves of a game, as codec::AnnotationStreamReader reads it. False
    /// where there is nothing.
    virtual bool annotation(GameId game, std::string& stream) = 0;
    /// Those of the games from `first` on that have one, until visit() returns false.
    virtual void for_each_annotation(
        GameId first, const std::function<bool(GameId game, std::string_view stream)>& visit) = 0;

    /// Repeated positions of the games from `first` on that occurred `min_count` times or more, in
    /// the order of games and (within one) of keys, until visit() returns false.
    virtual void for_each_repetition(GameId first, std::uint32_t min_count,
                                     const std::function<bool(const Repetition&)>& visit) = 0;
    /// Those of one position, in the order of games: costs what reading its candidates costs.
    virtual void for_each_repetition_of(std::uint64_t key, std::uint32_t min_count,
                                        const std::function<bool(const Repetition&)>& visit) = 0;
    virtual std::vector<Repetition> repetitions(GameId game) = 0;
    virtual void for_each_quiet_run(GameId first,
                                    const std::function<bool(const QuietRun&)>& visit) = 0;
    virtual std::vector<QuietRun> quiet_runs(GameId game) = 0;

    /// Sees what has been committed since. Throws StoreError if the database was upgraded to
    /// another format meanwhile: open it again.
    virtual void refresh() = 0;
    /// Ends what header() and columns() left open for the views they handed out: between two
    /// statements of a borrowed connection nothing may hold a lock.
    virtual void let_go() = 0;
};

inline constexpr std::size_t kReaderCacheBytes = std::size_t{64} << 20;
/// Throws StoreError for what is no fendex database or has a newer format. `cache_bytes`: of pages
/// that SQLite keeps; less where many readers read each page once.
std::unique_ptr<StoreReader> open_reader(const std::string& path,
                                         std::size_t cache_bytes = kReaderCacheBytes);
/// Reads main through a connection that others opened, inside whatever statement of theirs is
/// running: it begins no transaction, so each statement calls refresh() first, and let_go() after
/// header() or columns().
/// The reader must be gone before the connection is closed.
std::unique_ptr<StoreReader> open_reader(sqlite3* borrowed);

}  // namespace fendex::store
