// The tasks of the importer's workers: a source begins, is read batch by batch, and ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ingest/batch_reader.hpp"
#include "ingest/pgn_check.hpp"
#include "ingest/source_ledger.hpp"
#include "ingest/stored_batch.hpp"
#include "pgn/checkpoint.hpp"
#include "store/game_column.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// The row is that to continue, or that of an input that was imported before.
struct BeginSource : KnownSource {
    std::size_t source = 0;  // index of the input
    pgn::Checkpoint from;    // the text before is known
    bool untouched = false;  // nothing is read of it, and nothing is written
    /// Set if the source is taken from another database: where its text begins. Then `from` is a
    /// place there.
    std::optional<std::uint64_t> first_byte_of_original = {};
};

struct SourceBatch {
    std::unique_ptr<BatchTask> task;         // on the heap: games have views of its text
    std::optional<StoredBatch> stored = {};  // set instead of `task` if it is from a database
    std::uint64_t compressed_offset = 0;
    /// The progress at the batch's end, without prefixes and open game.
    store::SourceProgress progress;
    bool open_game = false;        // the last game of the source is after that checkpoint
    std::vector<pgn::Mark> marks;  // of the batch
    bool checked = true;           // see pgn::Batch
    TextKind kind = TextKind::kGames;
    /// The number that its first game gets, unless games before it are left out.
    store::GameId expected_first = 1;

    /// Returns how many games it has; of another database, with those that were deleted there.
    std::uint64_t games() const {
        return task ? task->batch.games() : stored->games.last + 1 - stored->games.first;
    }
};

/// Two names of another database that are joined there.
struct JoinedThere {
    store::NameKind kind = store::NameKind::kPlayer;
    std::string name;
    std::string canonical;
    std::string origin;
};

struct EndSource {
    /// As in SourceBatch.
    store::SourceProgress progress;
    bool open_game = false;
    std::string failure;
    std::string warning;
    std::uint64_t failure_byte = 0;
    bool wrong_text = false;  // unverified text must be removed
    std::uint64_t wrong_from = 0;
    /// The name of a source that was taken from another database.
    std::optional<store::SourceFile> original = {};
    /// The games that a source of another database has there: all, and those that have been taken
    /// now.
    std::uint64_t games_there = 0;
    std::uint64_t games_taken = 0;
    std::vector<JoinedThere> joins = {};  // of the whole database, with its last source
    bool ends_input = true;               // false: another source of the input follows
};

using SourceTask = std::variant<BeginSource, SourceBatch, EndSource>;

}  // namespace fendex::ingest
