// The write side of a database: games in, segments in, commit. One writer per database, in one
// thread. Everything between two commits is seen by readers at once or not at all.
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
#include "codec/key_block.hpp"
#include "store/records.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

/// Games that are stored, but whose postings are in no segment: an import was killed before its
/// end. Deleted ones count.
struct UnindexedGames {
    GameId first = 1;
    std::uint64_t games = 0;
};

/// Do not change: on disk.
enum class SegmentKind { kMainLine = 0, kVariations = 1 };

/// A row of table `segment`.
struct SegmentRecord {
    std::int64_t id = 0;  // as begin_segment() gave it
    SegmentKind kind = SegmentKind::kMainLine;
    GameId first_game = 1;
    GameId last_game = 0;
    std::uint64_t postings = 0;
    std::uint64_t positions = 0;
    codec::SegmentShape shape;
};

enum class PlyRows { kNo, kYes };

/// What remove_games() took away.
struct RemovedGames {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t positions = 0;
    std::uint64_t fingerprint = 0;
};

struct StoredGame;

class StoreWriter {
  public:
    virtual ~StoreWriter() = default;

    virtual GameId next_game() const = 0;
    /// Empty before the first import has chosen.
    virtual std::optional<PlyRows> ply_rows() const = 0;
    virtual void choose_ply_rows(PlyRows rows) = 0;
    /// Takes the rows of table `ply` away, and the space they took.
    virtual void drop_ply_rows() = 0;
    virtual UnindexedGames unindexed() = 0;

    /// Games and errors that follow belong to this source. `options`: of the import, as given.
    /// `first_byte`: the text before it is known by other sources.
    virtual void begin_source(const SourceFile& file, const std::string& options,
                              std::uint64_t first_byte = 0) = 0;
    /// The same for a source that is read on from source.progress.resume: takes back what had been
    /// read behind that. The row stays if it has that name and its games are the last ones, else
    /// there is a new one.
    virtual void continue_source(const StoredSource& source, const SourceFile& file,
                                 const std::string& options) = 0;
    virtual SourceCounts source_counts() const = 0;
    /// The row of that source.
    virtual std::int64_t source() const = 0;
    /// Takes away what was added to the source since it had given `counts`, up to progress.resume:
    /// also what was committed and what is in segments, whose other games then are in none. The
    /// numbers are given again. The games of the source must be the last ones.
    virtual RemovedGames take_back(const SourceCounts& counts, const SourceProgress& progress) = 0;
    /// Takes away all that an earlier source has given, with its errors: nothing of it is known
    /// any more. Its games need not be the last ones.
    virtual RemovedGames take_back_row(const StoredSource& source) = 0;
    /// How far the source of the games that were added last has been read.
    virtual void update_source(const SourceProgress& progress) = 0;
    /// The file of an earlier source is the same, but looks different now.
    virtual void set_source_file(std::int64_t source, const SourceFile& file) = 0;
    /// Stores games and errors. The games get the ids that follow those given so far; the first of
    /// these is returned.
    virtual GameId add(const NewGames& batch) = 0;
    /// Rows of table `ply` for games that are stored and have none.
    virtual void add_ply_rows(std::span<const GamePlyRows> games, const PlyRowList& rows) = 0;
    virtual codec::GameFacts facts(GameId game) = 0;
    /// As readers will see it. False where there is no such game.
    virtual bool game(GameId game, StoredGame& out) = 0;
    /// Takes games away from every answer, with all that belongs to them and names that no other
    /// game has; their numbers are not given again. Those that are not there are passed over.
    virtual RemovedGames remove_games(std::span<const GameId> games) = 0;

    /// Those of a kind, in the order of games.
    virtual std::vector<SegmentRecord> segments(SegmentKind kind) = 0;
    /// The rows of a segment, in key order: they count once put_segments() has been committed.
    virtual std::int64_t begin_segment() = 0;
    virtual void add_block(std::uint64_t first_key, unsigned part, std::string_view data) = 0;
    /// Segments of one kind that take the place of those that have games of theirs.
    virtual void put_segments(std::span<const SegmentRecord> segments) = 0;

    /// The first game whose variations are to be indexed and are not yet: from there on all are. 0
    /// where there is none.
    virtual GameId variations_from() = 0;
    virtual void set_variations_from(GameId game) = 0;

    /// Also deletes, in further commits, the blocks of segments that were replaced.
    virtual void commit() = 0;
    /// Takes back everything since the last commit.
    virtual void rollback() = 0;
    /// Writes the file anew without its free pages; what is not committed yet is. Its temporary
    /// file lies beside the database. False where stop(), asked now and then, has ended it.
    virtual bool vacuum(const std::function<bool()>& stop) = 0;
    /// Leaves one self-contained file.
    virtual void close() = 0;
    /// The same, but removes a database that this writer has created if no source was added to it:
    /// returns false then.
    virtual bool close_unless_unused() = 0;
};

/// Opens a database for appending; creates it where there is none. Throws StoreError for a file
/// that is no database, is another program's, or has a newer format, and where another process is
/// writing: `purpose` (a word, the verb) is what that is told.
std::unique_ptr<StoreWriter> open_writer(const std::string& path,
                                         std::string_view purpose = "write");

}  // namespace fendex::store
