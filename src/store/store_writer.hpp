// The write side of a database: games in, commit, upkeep. One writer per database, in one thread.
// Everything between two commits is seen by readers at once or not at all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/game_facts.hpp"
#include "store/game_range.hpp"
#include "store/records.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

enum class PlyRows { kNo, kYes };

/// The sums of the games that remove_games() removed.
struct RemovedGames {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t positions = 0;
    std::uint64_t fingerprint = 0;
};

/// Work on what is stored that changes no answer.
struct Maintenance {
    enum class Phase { kIndexing, kVacuum };

    /// Makes the whole index anew, in as few pieces as may be: of the games that are committed.
    bool reindex = false;
    /// With reindex: the games whose variations are indexed; empty for those that are now.
    std::optional<std::vector<GameRange>> variations = {};
    /// Takes stored rows for every ply away, and the space they took.
    bool drop_ply_rows = false;
    /// Gives free space back. Temporary files lie beside the database.
    bool vacuum = false;
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    /// Called now and then, in the calling thread; what they throw ends the work.
    std::function<bool()> stop = {};
    std::function<void(Phase phase, double share)> progress = {};
};

struct MaintenancePlan {
    bool reindex = false;  // the index is in more pieces than need be, or not complete
    bool vacuum = false;   // there is free space, or will be
    /// Beside the database, beyond what it has: for the new index, sorting, and copies. Rather too
    /// much than too little.
    std::uint64_t bytes_needed = 0;
};

/// How games that are added are indexed.
struct IndexOptions {
    /// The threads that call help_index(); the writer uses as many of its own in write_index().
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    /// The index grows in pieces. One of so many postings (a position of a game) is written while
    /// games still come, unless what is indexed is so large that it may be larger; and it is not
    /// made anew with the pieces after it.
    std::uint64_t piece_postings = 32'000'000;
    /// The variations of games that are added are indexed as well.
    bool variations = false;
    /// Called now and then, in the writer's thread, with the share of a piece that is written; what
    /// it throws ends the work.
    std::function<void(double share)> progress = {};
};

struct StoredGame;

class StoreWriter {
  public:
    virtual ~StoreWriter() = default;

    virtual GameId next_game() const = 0;
    /// Empty before the first import has chosen.
    virtual std::optional<PlyRows> ply_rows() const = 0;
    virtual void choose_ply_rows(PlyRows rows) = 0;
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
    /// numbers are given again. The games of the source must be the last ones. While games are
    /// indexed, restart_index() must follow.
    virtual RemovedGames take_back(const SourceCounts& counts, const SourceProgress& progress) = 0;
    /// Takes away all that an earlier source has given, with its errors: nothing of it is known
    /// any more. Its games need not be the last ones.
    virtual RemovedGames take_back_row(const StoredSource& source) = 0;
    /// How far the source of the games that were added last has been read.
    virtual void update_source(const SourceProgress& progress) = 0;
    /// The file of an earlier source is the same, but looks different now.
    virtual void set_source_file(std::int64_t source, const SourceFile& file) = 0;
    /// Stores games and errors. The games get the ids that follow those given so far; the first of
    /// these is returned. Their positions are indexed if begin_index() has been called.
    virtual GameId add(NewGames batch) = 0;
    /// Rows of table `ply` for games that are stored and have none.
    virtual void add_ply_rows(std::span<const GamePlyRows> games, const PlyRowList& rows) = 0;
    virtual codec::GameFacts facts(GameId game) = 0;
    /// Reads a game as readers will see it. False if there is no such game.
    virtual bool game(GameId game, StoredGame& out) = 0;
    /// Takes games away from every answer, with all that belongs to them and names that no other
    /// game has; their numbers are not given again. Those that are not there are passed over.
    virtual RemovedGames remove_games(std::span<const GameId> games) = 0;

    virtual void commit() = 0;
    /// Takes back everything since the last commit. Before more games can be indexed,
    /// begin_index() must be called again.
    virtual void rollback() = 0;

    // The index of the positions. Without these calls games are stored, and the next writer that
    // calls begin_index() indexes them. A store may index games as they are added: then there is
    // never anything to write.

    /// From here on the positions of games that are added are indexed. What earlier writers have
    /// left is indexed with them or now, which commits.
    virtual void begin_index(const IndexOptions& options) = 0;
    /// After take_back(), once that is committed: the same for what is stored now.
    virtual void restart_index() = 0;
    /// Does a share of the work that add() has left, such as sorting. The threads that read the
    /// games call it, each with a number of its own below IndexOptions::threads; not while
    /// restart_index() or write_index() is running.
    virtual void help_index(unsigned thread) = 0;
    /// Whether so much waits that write_index() is to be called before many more games are added.
    /// Any thread.
    virtual bool index_is_due() const = 0;
    /// Whether games wait for write_index().
    virtual bool has_unindexed() const = 0;
    /// Indexes the games that wait, but for their variations. All that was added must be
    /// committed. Commits now and then, and at the end.
    virtual void write_index() = 0;
    /// Indexes the variations that wait, if there are any. The same holds.
    virtual void write_variations() = 0;

    /// Does what is asked, and commits it. False if request.stop() has ended it: what was done and
    /// committed stays, the rest is taken back.
    [[nodiscard]] virtual bool maintain(const Maintenance& request) = 0;
    /// What maintain() has to do so that the database is as small and as fast as it gets.
    virtual MaintenancePlan plan_maintenance(std::size_t memory_bytes) = 0;
    /// Leaves one self-contained file.
    virtual void close() = 0;
    /// The same, but removes a database that this writer has created if no source was added to it:
    /// returns false then.
    virtual bool close_unless_unused() = 0;
};

}  // namespace fendex::store
