// Values that an import passes to the store and that readers return.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/recycled_blocks.hpp"
#include "codec/game_facts.hpp"
#include "codec/game_signature.hpp"
#include "codec/swing.hpp"
#include "pgn/checkpoint.hpp"
#include "store/fingerprint.hpp"

namespace fendex::store {

/// Games are numbered from 1 in the order of the input.
using GameId = std::uint64_t;

struct TagPair {
    std::string_view name;
    std::string_view value;  // UTF-8
};

/// A range of a vector or string of the batch.
struct Range {
    std::size_t begin = 0;
    std::size_t size = 0;

    template <typename Value, typename Allocator>
    std::span<const Value> of(const std::vector<Value, Allocator>& values) const {
        return std::span(values).subspan(begin, size);
    }
    std::string_view of(std::string_view text) const { return text.substr(begin, size); }
};

struct NewGame {
    codec::GameFacts facts;
    codec::GameSignature signature;
    codec::GameSwings swings;  // by its own evaluations
    std::string_view start;    // canonical FEN of the start, empty for the standard one
    std::string_view opening;  // replay::Opening::text, empty if it has none
    /// The index of its row in NewGames::rows, if this has its tags and moves.
    std::optional<std::size_t> row;
    Range tags;        // in NewGames::tags
    Range moves;       // in NewGames::moves
    Range annotation;  // in NewGames::annotations; empty if there is none
    // Empty if the game could not be replayed:
    Range positions;    // in NewGames::positions
    Range repetitions;  // in NewGames::repetitions
    Range quiet_runs;   // in NewGames::quiet_runs
    Range ply_rows;     // in NewGames::ply_rows; empty also if the database stores none
    /// What the game adds to the fingerprint if it gets the number `counted_as`
    /// (NewGames::count_as).
    GameId counted_as = 0;
    std::uint64_t fingerprint = 0;

    /// Plies that could be replayed.
    std::uint64_t plies() const { return positions.size == 0 ? 0 : positions.size - 1; }
};

/// A position of a game, and the move that was played next.
struct NewPosition {
    std::uint64_t key = 0;
    chess::Move next;  // codec::kGameEndsHere in the last position
};

using NewPositions = std::vector<NewPosition, base::RecycledBlocks<NewPosition>>;

/// A position (FIDE 9.2) that occurred more than once in a game.
struct RepeatedPosition {
    std::uint64_t key = 0;
    std::vector<std::uint32_t> plies;  // plies of all occurrences, ascending

    /// Returns the ply of the nth occurrence, counted from 1; empty if there are fewer.
    std::optional<std::uint32_t> occurrence(std::size_t n) const {
        return n <= plies.size() ? std::optional(plies[n - 1]) : std::nullopt;
    }
    bool operator==(const RepeatedPosition&) const = default;
};

/// A row of table `repetition`.
struct Repetition : RepeatedPosition {
    GameId game = 0;

    bool operator==(const Repetition&) const = default;
};

/// Returns the plies as they are stored: "[12,16,20]".
std::string plies_text(const std::vector<std::uint32_t>& plies);

/// A run of plies without capture or pawn move in which the halfmove clock reached 100. The clock
/// of the start position counts, too. A move that makes the clock reach a limit and also mates does
/// not count (FIDE 9.6.2).
struct QuietPlies {
    std::uint32_t ply50 = 0;             // the first ply with the clock at 100 or more
    std::optional<std::uint32_t> ply75;  // the first ply with it at 150 or more
    std::uint32_t longest = 0;           // the clock at the end of the run

    bool operator==(const QuietPlies&) const = default;
};

/// A row of table `quiet_run`.
struct QuietRun : QuietPlies {
    GameId game = 0;

    bool operator==(const QuietRun&) const = default;
};

/// Counts how often each ply's position has occurred up to that ply. Must be given all repetitions
/// of the game.
class Occurrences {
  public:
    template <typename Repeated>
    explicit Occurrences(const std::vector<Repeated>& repetitions) {
        for (const RepeatedPosition& each : repetitions) add(each);
    }
    std::uint32_t at(std::uint32_t ply) const {
        const auto known = later_.find(ply);
        return known == later_.end() ? 1 : known->second;
    }

  private:
    void add(const RepeatedPosition& repetition);

    /// The second and later occurrences, by ply.
    std::unordered_map<std::uint32_t, std::uint32_t> later_;
};

/// The values of import_error.severity. Do not change: on disk.
inline constexpr std::int64_t kError = 0;
inline constexpr std::int64_t kWarning = 1;

struct ImportError {
    std::uint64_t byte = 0;  // in the uncompressed text
    std::uint64_t line = 0;
    std::optional<std::uint32_t> ply;  // number of plies that could be read before the error
    std::string reason;
    std::string text;      // the text that could not be read
    std::string pgn;       // in the first error of a game: the game's packed text
    bool warning = false;  // nothing is lost
};

/// A record of a position, packed (codec/record_block.hpp).
struct NewRecord {
    std::uint64_t key = 0;
    Range bits;  // in NewGames::record_bits
};

struct NewError {
    ImportError error;
    std::optional<std::size_t> game;  // index in NewGames::games; empty: outside any game
};

/// The properties of a source when it was opened.
struct SourceFile {
    std::string path;
    std::optional<std::uint64_t> size;     // on disk; empty for a stream
    std::optional<std::int64_t> modified;  // nanoseconds since 1970; empty for a stream

    bool operator==(const SourceFile&) const = default;
};

/// While a source is taken from another database, a place in it is this number plus the number of
/// the next game there. No text has as many bytes. Do not change: on disk.
inline constexpr std::uint64_t kPlacesInDatabases = std::uint64_t{1} << 62;

/// How far a source has been read.
struct SourceProgress {
    std::uint64_t bytes = 0;  // bytes of text
    std::string digest;       // of these bytes of text
    pgn::Checkpoint resume;
    std::optional<GameId> open_game;  // the last game, if it is after the checkpoint
    bool complete = false;
    std::string prefixes;  // marks of the text (source_prefixes.hpp)

    /// Returns whether the source was being read from another database, not from a text.
    bool is_in_database() const { return resume.byte >= kPlacesInDatabases; }
};

/// Returns what a game adds to the fingerprint. all[n] is the position after n plies, or
/// key(all[n]).
template <typename All, typename Key = std::identity>
std::uint64_t fingerprint_of(GameId game, const All& all, Key key = {}) {
    const GameFingerprint terms(game);
    std::uint64_t sum = 0;
    std::uint32_t ply = 0;
    for (const auto& each : all) sum += terms.term(ply++, std::invoke(key, each));
    return sum;
}

/// Sums over games.
struct GameSums {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t positions = 0;  // plies and starts
    std::uint64_t fingerprint = 0;

    /// Adds a game with these keys of its positions.
    void add_game(GameId game, std::span<const std::uint64_t> keys) {
        add_game(keys.size(), fingerprint_of(game, keys));
    }
    void add_game(std::uint64_t its_positions, std::uint64_t its_fingerprint) {
        ++games;
        plies += its_positions == 0 ? 0 : its_positions - 1;
        positions += its_positions;
        fingerprint += its_fingerprint;
    }
    GameSums& operator+=(const GameSums& other);
    GameSums& operator-=(const GameSums& other);

    bool operator==(const GameSums&) const = default;
};

/// The counts of a source so far.
struct SourceCounts {
    std::uint64_t games = 0;
    std::uint64_t duplicates = 0;  // left out
    std::uint64_t plies = 0;
    std::optional<std::uint64_t> records;  // of positions, if it has these
};

/// A row of the ledger, table `source`. Its games have consecutive numbers; some may be deleted.
struct StoredSource : SourceCounts {
    std::int64_t id = 0;
    SourceFile file;
    std::uint64_t first_byte = 0;  // not 0 if an earlier row has the text before it
    SourceProgress progress;
    GameId first_game = 1;
    std::uint64_t errors = 0;
    std::int64_t started = 0;              // seconds since 1970
    std::optional<std::int64_t> finished;  // time of the last commit
    std::string options;
};

/// A row of table `ply`. Its texts are stored one after the other in PlyRowList::text.
struct PlyRow {
    std::uint32_t ply = 0;
    std::uint64_t key = 0;
    std::size_t text = 0;
    std::uint32_t occurrence = 1;
    std::uint8_t san_size = 0;  // 0 at the start
    std::uint8_t uci_size = 0;
    std::uint8_t fen_size = 0;
    std::uint8_t epd_size = 0;
};

struct PlyRowList {
    std::vector<PlyRow> rows;
    std::string text;

    void clear() {
        rows.clear();
        text.clear();
    }
};

/// The rows of one game in a PlyRowList.
struct GamePlyRows {
    GameId game = 0;
    Range rows;
};

/// The comments, NAGs and variations of a game that is stored already.
struct NewNotes {
    GameId game = 0;
    Range annotation;          // in NewGames::annotations
    codec::GameSwings swings;  // by the evaluations in them
};

class GameRows;     // store/game_rows.hpp
class LocalReader;  // store/local_reader.hpp

/// Where games are stored in another database.
struct GamesElsewhere {
    std::shared_ptr<LocalReader> reader;
    GameId first = 1;
};

/// Games in the order of the input, as a worker read them. They get their ids when they are stored
/// (StoreWriter::add()). The ranges of a game name its elements in the other lists. So a game can
/// be left out by removing it from `games`, and its errors from `errors`.
struct NewGames {
    std::vector<NewGame> games;
    std::vector<TagPair> tags;
    std::string moves;
    std::string annotations;  // streams of codec::AnnotationStreamWriter
    NewPositions positions;
    std::vector<RepeatedPosition> repetitions;
    std::vector<QuietPlies> quiet_runs;
    std::vector<NewError> errors;
    PlyRowList ply_rows;
    /// Records of positions. Their source has no games.
    std::vector<NewRecord> records;
    bool is_of_records = false;  // also set if none of them could be read
    std::string record_bits;
    std::deque<std::string> owned;  // texts that are not views of the input
    std::uint64_t duplicates = 0;   // left out
    /// Set if these are, one by one, the games of another database from this one on, and their
    /// segment there can be taken (LocalReader::copyable_segments()).
    std::optional<GamesElsewhere> copied;
    std::shared_ptr<const GameRows> rows;  // of games of another database
    std::vector<NewNotes> notes;           // of games that were left out, in the order of their ids
    std::uint64_t unknown_records = 0;     // left out: no game has reached their positions

    /// Sets NewGame::fingerprint for the case that the games get the numbers from `first` on. It is
    /// for workers: the writer need not look at every position then.
    void count_as(GameId first);
    /// Returns what a game adds to the fingerprint if it gets this number.
    [[nodiscard]] std::uint64_t fingerprint_as(GameId number, const NewGame& game) const;
    /// Counts the plies of the games that could be replayed.
    std::uint64_t count_plies() const;
    /// Counts the plies and the start positions of these games.
    std::uint64_t count_positions() const;
};

/// The part of a stored game that is needed to replay it.
struct StoredMoves {
    codec::GameFacts facts;  // plies, variant and result only
    std::string start;       // canonical FEN; empty for the standard start
    std::string moves;
};

}  // namespace fendex::store
