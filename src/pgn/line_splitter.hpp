// Cuts a text of lines into batches of whole lines, for texts with a record in each line. Each line
// end is a checkpoint. A line that is too long makes a batch of its own with its beginning, whose
// only extent is marked as truncated; so does a last line that a damaged archive cuts off.
// Not thread-safe; use one per stream.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "pgn/batch.hpp"
#include "pgn/byte_source.hpp"

namespace fendex::pgn {

struct LineSplitterOptions {
    std::size_t batch_bytes = 512 * 1024;
    std::size_t read_bytes = 256 * 1024;
    std::size_t max_line_bytes = 8 * 1024 * 1024;
};

class LineSplitter final : public BatchSource {
  public:
    /// Resumes after `before`, which the caller has already read from the source.
    LineSplitter(ByteSource& source, LineSplitterOptions options, TextBefore before = {});

    [[nodiscard]] bool next(Batch& out) override;
    const Checkpoint& checkpoint() const override { return checkpoint_; }
    std::uint64_t text_bytes() const override { return offset_ + buffer_.size(); }
    std::string digest() const override { return digest_.hex(); }

  private:
    void skip_line();
    void cut(Batch& out, std::size_t end, bool truncated);
    void drop(std::size_t end);

    ByteSource& source_;
    LineSplitterOptions options_;
    std::string buffer_;
    std::uint64_t offset_;      // of the buffer in the text
    std::uint64_t line_;        // the number of its first line
    std::size_t searched_ = 0;  // bytes of the buffer that have no line end after lines_
    std::size_t lines_ = 0;     // the end of the last line in the buffer
    bool skips_ = false;        // the rest of a line that is too long
    bool eof_ = false;
    std::exception_ptr failure_;
    base::Digest digest_;  // of the text before the buffer
    Checkpoint checkpoint_;
    std::uint64_t next_mark_;
    std::vector<Mark> marks_;  // since the last batch
};

}  // namespace fendex::pgn
