// A worker's task: reads a batch of PGN text and returns its games in the form in which they are
// stored.
#pragma once

#include "ingest/game_languages.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/splitter.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

struct BatchTask {
    pgn::Batch batch;
    bool ply_rows = false;
    bool annotations = false;
    chess::Variant variant = chess::Variant::kStandard;  // for games without a Variant tag
    /// The language of the source. If null, every language is tried and no majority is known.
    std::shared_ptr<SourceLanguage> language = nullptr;
};

/// The games have views into the batch's text.
store::NewGames read_batch(const BatchTask& task, GameReplay& replay);

}  // namespace fendex::ingest
