// The write side of a database: adding games, commits, maintenance. There is one writer per
// database, in one thread. Readers see everything between two commits at once or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/game_facts.hpp"
#include "store/game_column.hpp"
#include "store/records.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

enum class PlyRows { kNo, kYes };

/// How added games are indexed.
struct IndexOptions {
    /// The number of threads that call GrowingIndex::help(), and of threads that the writer starts
    /// to write.
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    /// A piece of the index with this number of postings (positions of games) is written while
    /// games are still being added, and is not merged with later ones. In a large database pieces
    /// may be larger.
    std::uint64_t piece_postings = 32'000'000;
    /// Also indexes the variations of added games.
    bool variations = false;
    /// Called from time to time in the writer's thread with the written share of a piece. If it
    /// throws, the work ends.
    std::function<void(double share)> progress = {};
};

/// The index of added games that wait for it, which is written now and then. If a writer does not
/// call begin_index(), its games are indexed by the next writer that does.
class GrowingIndex {
  public:
    virtual ~GrowingIndex() = default;

    /// Begins again. Must be called after StoreWriter::retract() has been committed.
    virtual void restart() = 0;
    /// Does a share of the work that StoreWriter::add() has left, such as sorting. Several threads
    /// may call it at once, also during add(), each with its own number below
    /// IndexOptions::threads; but not during restart() and write().
    virtual void help(unsigned thread) = 0;
    /// Returns whether enough postings wait that write() should be called. Any thread.
    [[nodiscard]] virtual bool is_due() const = 0;
    /// Returns whether games wait for write().
    [[nodiscard]] virtual bool has_waiting() const = 0;
    /// Indexes the waiting games, without their variations. All games must be committed. Commits
    /// from time to time, and at the end.
    virtual void write() = 0;
    /// Indexes the variations of games that wait for it. All games must be committed. Commits.
    virtual void write_variations() = 0;
};

/// The records of positions of a writer. They come with StoreWriter::add(), and a commit writes
/// them.
class PositionRecordWriter {
  public:
    virtual ~PositionRecordWriter() = default;

    /// Returns whether so many wait in memory that a commit should follow.
    [[nodiscard]] virtual bool is_due() const = 0;
    /// Merges the records of all sources that were read to their end, so that a look-up is fast.
    /// Commits from time to time, and calls go_on() then; if it returns false, merging ends, and
    /// the next call continues.
    virtual void merge(const std::function<bool()>& go_on) = 0;
    /// Removes all records. Returns how many there were. The ledger keeps their sources.
    virtual std::uint64_t remove_all() = 0;
};

/// Joins names of a writer: they stand for one player, event or site from the next commit on. The
/// tags of games stay as they came.
class NameJoinWriter {
  public:
    virtual ~NameJoinWriter() = default;

    /// Joins a name to another, which need not be in any game. If that one is joined itself, both
    /// get the name that it has; names that are joined to the first one go with it. `origin` says
    /// who joined them. Returns how many names were joined anew: 0 if both were one already, or if
    /// there is no such name.
    virtual std::size_t join_name(NameKind kind, std::string_view name, std::string_view canonical,
                                  std::string_view origin) = 0;
    /// Returns whether a name is joined to another one that does not stand for `canonical`.
    virtual bool is_joined_otherwise(NameKind kind, std::string_view name,
                                     std::string_view canonical) = 0;
    /// Undoes the joins of a name: of all names that are joined to it, or its own. Returns how many
    /// these were.
    virtual std::size_t split_name(NameKind kind, std::string_view name) = 0;
};

struct StoredGame;

class StoreWriter {
  public:
    virtual ~StoreWriter() = default;

    virtual GameId next_game() const = 0;
    /// Returns whether ply rows are stored; empty before the first import has chosen.
    virtual std::optional<PlyRows> ply_rows() const = 0;
    virtual void choose_ply_rows(PlyRows rows) = 0;
    /// Begins a source. Games and errors added later belong to it. `options` are those of the
    /// import, as typed. Other sources have the text before `first_byte`.
    virtual void begin_source(const SourceFile& file, const std::string& options,
                              std::uint64_t first_byte = 0) = 0;
    /// Begins a source that is read on from source.progress.resume. Removes what had been read
    /// after that point. Keeps the source's row if the row has that file's name and its games are
    /// the last ones; otherwise makes a new row.
    virtual void continue_source(const StoredSource& source, const SourceFile& file,
                                 const std::string& options) = 0;
    virtual SourceCounts source_counts() const = 0;
    /// Returns the id of the current source's row.
    virtual std::int64_t source() const = 0;
    /// Removes what was added to the source after it had `counts` and was read up to
    /// progress.resume, even if it was committed or indexed. Other games may become unindexed
    /// because of this. The numbers of the removed games will be used again. The games of the
    /// source must be the last ones. If begin_index() was called before, a commit and
    /// GrowingIndex::restart() must follow.
    virtual GameSums retract(const SourceCounts& counts, const SourceProgress& progress) = 0;
    /// Removes all games and errors of an earlier source and its record of the text. Its games need
    /// not be the last ones.
    virtual GameSums retract_row(const StoredSource& source) = 0;
    /// Records how far the current source has been read.
    virtual void update_source(const SourceProgress& progress) = 0;
    /// Records new properties of the unchanged file of an earlier source.
    virtual void set_source_file(std::int64_t source, const SourceFile& file) = 0;
    /// Stores games and errors. Gives the games the next ids and returns the first of these ids.
    /// Indexes their positions if begin_index() has been called.
    virtual GameId add(NewGames batch) = 0;
    /// Returns whether games may come with the rows that LocalReader::rows() returns.
    [[nodiscard]] virtual bool takes_rows() const { return false; }
    /// Adds the notes of the batch to their games, except to games that have an annotation. If
    /// variations are indexed, so will be these. Returns the number of games that got notes.
    virtual std::uint64_t add_notes(const NewGames& batch) = 0;
    virtual codec::GameFacts facts(GameId game) = 0;
    /// Reads a game as readers will see it. Returns false if it does not exist.
    virtual bool game(GameId game, StoredGame& out) = 0;
    /// Removes games, everything that belongs to them, and names that no other game has. Their
    /// numbers are not used again. Games that do not exist are skipped.
    virtual GameSums remove_games(std::span<const GameId> games) = 0;

    virtual void commit() = 0;
    /// Undoes everything since the last commit. Before more games can be indexed, begin_index()
    /// must be called again.
    virtual void rollback() = 0;

    /// After this call the positions of added games are indexed. Games that earlier writers left
    /// without an index are indexed now or together with the added games. May commit. Returns the
    /// index that the caller must write; null if games are indexed while they are added. It is
    /// valid until rollback().
    virtual GrowingIndex* begin_index(const IndexOptions& options) = 0;

    /// Returns the records of positions; null if this store has none.
    virtual PositionRecordWriter* records() { return nullptr; }
    /// Returns the joined names; null if this store has none.
    virtual NameJoinWriter* joined_names() { return nullptr; }

    /// Closes the database, which is then one self-contained file.
    virtual void close() = 0;
    /// Like close(), but if this writer has created the database and no source was added, removes
    /// the database and returns false.
    virtual bool close_unless_unused() = 0;
};

}  // namespace fendex::store
