// Reads texts with a record of a position in each line: Lichess's evaluations (a JSON object a
// line) and EPD. A line that cannot be read is an error of the batch; of a PV with an illegal move,
// what comes before it is kept.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "chess/types.hpp"
#include "codec/bits.hpp"
#include "codec/position_record.hpp"
#include "pgn/batch.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// One thread at a time.
class RecordLineReader {
  public:
    RecordLineReader();
    ~RecordLineReader();
    RecordLineReader(RecordLineReader&&) noexcept;
    RecordLineReader& operator=(RecordLineReader&&) noexcept;

    /// Returns the records and errors of a batch of lines. Lines that begin with # are comments.
    /// `variant` is that of positions whose line does not tell one.
    store::NewGames read(const pgn::Batch& batch, chess::Variant variant);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Returns whether a text begins with records: one of its first lines is a JSON object with a FEN,
/// or an EPD with operations.
bool begins_with_records(std::string_view head);

}  // namespace fendex::ingest
