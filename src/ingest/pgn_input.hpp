// Reads games of PGN files like an import, but stores nothing. Inputs are read one after the other;
// several threads may read the batches.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/batch_reader.hpp"
#include "pgn/byte_source.hpp"
#include "store/store_reader.hpp"

namespace fendex::ingest {

struct PgnInputOptions {
    bool annotations = false;                            // keep comments, NAGs and variations
    chess::Variant variant = chess::Variant::kStandard;  // of games without a Variant tag
    /// Some ten games: in a large database a question about a game takes milliseconds, so that the
    /// first answers come soon, and a few hundred games are work for all threads.
    std::size_t batch_bytes = std::size_t{8} << 10;
};

/// A batch of games for read_batch().
struct PgnInputBatch {
    std::size_t input = 0;         // index of the input
    std::uint64_t first_game = 1;  // the number of its first game in that input
    BatchTask task;
};

/// One thread at a time.
class PgnInput {
  public:
    /// The inputs are files, archives, or "-" for standard input.
    PgnInput(std::vector<std::string> inputs, const PgnInputOptions& options);
    /// Reads one text, which messages call `name`. Throws pgn::SourceError if it is not PGN.
    PgnInput(std::unique_ptr<pgn::ByteSource> text, const std::string& name,
             const PgnInputOptions& options);

    /// Returns the next batch; empty at the end. Throws pgn::SourceError for an input that cannot
    /// be read, is not PGN or has no games, after all games before the damage have been returned.
    [[nodiscard]] std::optional<PgnInputBatch> next();

  private:
    struct Opened {
        std::unique_ptr<pgn::ByteSource> text;
        std::optional<pgn::Splitter> splitter;
        std::shared_ptr<SourceLanguage> language;
    };
    void open(std::unique_ptr<pgn::ByteSource> text, const std::string& name);

    std::vector<std::string> inputs_;
    PgnInputOptions options_;
    pgn::SourceOptions source_options_;
    std::size_t next_ = 0;  // the input after the opened one
    std::optional<Opened> opened_;
    std::uint64_t games_ = 0;  // of the opened input
};

/// Returns a game as a reader would return it if it were stored.
store::StoredGame stored_game(const store::NewGames& games, const store::NewGame& game);

}  // namespace fendex::ingest
