// The read side of a database: values and cursors for queries, independent of how the database is
// stored. A reader has one connection and one snapshot: it sees only whole commits, and the same
// ones until refresh(). Each reader is used by one thread; there may be any number of readers.
// Throws StoreError if the database is damaged.
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

#include "codec/game_codes.hpp"
#include "codec/named_games.hpp"
#include "store/position_records.hpp"
#include "store/records.hpp"
#include "store/snapshot_cache.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

class Engine;       // store/engine.hpp
class LocalReader;  // store/local_reader.hpp

struct StoreInfo {
    std::string id;  // 32 hexadecimal digits; empty before version 5
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t positions = 0;  // plies and starts
    /// Summed over the pieces of the index and includes deleted games, so it is an upper bound.
    std::uint64_t distinct_positions = 0;
    std::uint64_t sources = 0;
    std::uint64_t errors = 0;        // without warnings
    std::uint64_t warnings = 0;      // 0 before version 5, which counts them as errors
    std::uint64_t joined_names = 0;  // of all kinds
    std::uint64_t last_game = 0;
    std::uint64_t index_pieces = 0;  // a look-up reads each of them
    std::uint64_t variation_pieces = 0;
    std::uint64_t postings = 0;          // in the index of main lines
    std::uint64_t postings_written = 0;  // of any kind, by all imports and maintenance
    std::uint64_t unindexed_games = 0;
    std::uint64_t annotated_games = 0;
    std::uint64_t annotation_bytes = 0;  // compressed
    std::uint64_t records = 0;           // of positions (PositionRecords::count())
    std::uint64_t record_runs = 0;       // runs of them that are not merged
    std::uint64_t bytes = 0;
    std::uint64_t free_bytes = 0;  // part of `bytes`, in pages without content
    std::uint64_t fingerprint = 0;
    std::optional<PlyRows> ply_rows;
};

/// The facts of a game that lists show. Views are valid until the next call of the reader.
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

/// A game with all its tag pairs, in their order.
struct StoredGame {
    StoredMoves moves;
    std::vector<std::pair<std::string, std::string>> tags;
};

/// A row of table `import_error`.
struct StoredError {
    std::int64_t id = 0;
    std::int64_t source = 0;
    std::string path;            // of the source
    std::optional<GameId> game;  // empty: outside any game
    ImportError error;
};

/// visit() may call other functions of the reader, but not the function that is calling it.
class StoreReader {
  public:
    virtual ~StoreReader() = default;

    /// Returns the engine, which computes sums, filters and lists of the same snapshot.
    virtual Engine& engine() = 0;
    /// Returns this reader if the database is on this machine; null if it is not.
    virtual LocalReader* local() { return nullptr; }
    /// Returns whether each call is a round trip to a server. Numbers of games have gaps there, so
    /// games are listed by the engine, not counted up.
    [[nodiscard]] bool is_remote() { return local() == nullptr; }

    /// How many games to read at once: in the first batch, so that results come soon, and at most.
    struct BatchSizes {
        std::size_t first = 1;
        std::size_t most = 64;
        std::size_t annotated = 1;  // with their annotations
    };
    /// The batches are large if each call is a round trip.
    BatchSizes games_at_once() {
        return is_remote() ? BatchSizes{.first = 32, .most = 1024, .annotated = 128} : BatchSizes{};
    }

    virtual StoreInfo info() = 0;
    /// Counts the names of players, joined ones included. Reads all of them: of millions of names,
    /// that takes a quarter of a second.
    virtual std::uint64_t count_players() = 0;
    /// Games are numbered from 1 to this number; the numbers of deleted games stay unused.
    virtual GameId last_game() = 0;
    /// Returns the records of positions; null if this store has none.
    virtual PositionRecords* records() { return nullptr; }
    /// Returns whether there is a game with this number: it is not after the last one and was not
    /// deleted. No function returns a game for which this is false.
    virtual bool has_game(GameId game) = 0;

    /// Returns the facts of a game that filters and sums need. Random access is fast. Throws
    /// StoreError for a game after the last one; the facts of a deleted game are empty.
    virtual codec::GameFacts facts(GameId game) = 0;
    /// Returns the ranks of a game, like codec::ranks_of(facts(game)). This is faster for a few
    /// games that are far apart.
    virtual codec::GameRanks ranks(GameId game) { return codec::ranks_of(facts(game)); }
    virtual std::vector<StoredSource> sources() = 0;
    /// Calls visit() with the errors of imports, in the order in which they occurred, until it
    /// returns false.
    virtual void for_each_error(const std::function<bool(const StoredError&)>& visit) = 0;
    /// Returns the text of the game that has the error; empty for an error outside any game.
    virtual std::optional<std::string> broken_game(std::int64_t error) = 0;

    // These call visit() with the given games in their order, except for those that do not exist.
    // Views in a header are valid until the next call of the reader.
    virtual void headers(std::span<const GameId> games,
                         const std::function<void(const GameHeader&)>& visit) = 0;
    virtual void moves(std::span<const GameId> games,
                       const std::function<void(GameId, const StoredMoves&)>& visit) = 0;
    virtual void games(std::span<const GameId> games,
                       const std::function<void(GameId, const StoredGame&)>& visit) = 0;

    // Read one game; return false if it does not exist.
    bool header(GameId game, GameHeader& out);
    bool moves(GameId game, StoredMoves& out);
    bool game(GameId game, StoredGame& out);
    /// Calls visit() with the games from `first` on, in order, until it returns false.
    virtual void for_each_moves(GameId first,
                                const std::function<bool(GameId, const StoredMoves&)>& visit) = 0;
    /// Like for_each_moves(), but with the tags. Faster than game() for each game.
    virtual void for_each_game(GameId first,
                               const std::function<bool(GameId, const StoredGame&)>& visit) = 0;

    /// Reads the comments, glyphs and variations of a game, for codec::AnnotationStreamReader.
    /// Returns false if there are none.
    virtual bool annotation(GameId game, std::string& stream) = 0;
    /// Calls visit() with each of these games that has an annotation, in their order.
    virtual void annotations(std::span<const GameId> games,
                             const std::function<void(GameId, std::string_view stream)>& visit);
    /// Calls visit() with the games from `first` on that have an annotation, until it returns
    /// false.
    virtual void for_each_annotation(
        GameId first, const std::function<bool(GameId game, std::string_view stream)>& visit) = 0;

    virtual std::vector<Repetition> repetitions(GameId game) = 0;
    virtual std::vector<QuietRun> quiet_runs(GameId game) = 0;

    /// Begins a new snapshot, which includes all commits since the last one. Fast if there were
    /// none. Throws StoreError if the database was upgraded to another format in the meantime.
    virtual void refresh() = 0;
    /// Ends the snapshot, so that the write-ahead log can shrink while the reader is idle; a reader
    /// that is asked very often keeps it for a second at most. The next call must be refresh().
    virtual void release() = 0;
    /// Returns a number that changes whenever refresh() has seen a commit. Ids of names and lists
    /// of games that were read before the change may be wrong.
    [[nodiscard]] virtual std::uint64_t snapshot() const = 0;
    /// Returns the cache of results for this snapshot. A new snapshot has an empty one.
    [[nodiscard]] virtual SnapshotCache& snapshot_cache() = 0;
};

}  // namespace fendex::store
