// What the importer's readers work on: one input after the other, cut into batches of whole games
// that are numbered as they come.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/batch_reader.hpp"
#include "ingest/importer.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/splitter.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// What the readers are handed: a batch, or the end of a source.
struct SourceTask {
    std::size_t source = 0;
    std::unique_ptr<BatchTask> batch;  // in one place: what is read has views of its text
    std::uint64_t compressed_offset = 0;
    std::uint64_t text_bytes = 0;  // of the source, up to here
    // At the end of a source:
    std::string failure;
    std::string warning;
    std::uint64_t failure_byte = 0;
};

/// Opens one input after the other and cuts it into batches. Asked by one thread at a time.
class TaskSource {
  public:
    TaskSource(const std::vector<std::string>& inputs, const ImportOptions& options,
               store::GameId first_game, bool ply_rows)
        : inputs_(inputs), options_(options), next_game_(first_game), ply_rows_(ply_rows) {}

    std::optional<SourceTask> next();

  private:
    const std::vector<std::string>& inputs_;
    const ImportOptions& options_;
    std::size_t current_ = 0;
    std::unique_ptr<pgn::ByteSource> source_;
    std::optional<pgn::Splitter> splitter_;
    std::uint64_t text_bytes_ = 0;
    store::GameId next_game_;
    bool ply_rows_;
};

}  // namespace fendex::ingest
