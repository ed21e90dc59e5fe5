// A worker's task: a batch of PGN text in, rows and postings out.
#pragma once

#include "ingest/game_languages.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/splitter.hpp"
#include "store/posting_sorter.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

struct BatchTask {
    pgn::Batch batch;
    store::GameId first_game = 1;  // id of the batch's first game
    bool ply_rows = false;
    bool annotations = false;
    chess::Variant variant = chess::Variant::kStandard;  // of games without the tag
    /// Of the source. Null: every language is tried, and no majority known.
    std::shared_ptr<SourceLanguage> language = nullptr;
};

/// Postings have game ids modulo Posting::kMaxGames. The rows have views into the batch's text.
store::NewGames read_batch(const BatchTask& task, GameReplay& replay,
                           store::PostingSorter::Feeder& postings);
/// The same for who may not want all of the games: appends their postings.
store::NewGames read_batch(const BatchTask& task, GameReplay& replay,
                           std::vector<codec::Posting>& postings);

/// Appends the rows of table `ply` for a game from `start` on.
void append_ply_rows(store::GameId game, const chess::AnyPosition& start,
                     const std::vector<chess::Move>& moves,
                     const std::vector<store::Repetition>& repetitions, chess::Variant variant,
                     store::NewGames& out);

}  // namespace fendex::ingest
