// Counts how much of an import's inputs has been read, in bytes on disk, for the progress bar.
// Consecutive inputs from one archive count once, at the last of them, because their offsets are
// offsets in the archive.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pgn/byte_source.hpp"
#include "pgn/member_path.hpp"

namespace fendex::ingest {

class InputBytes {
  public:
    explicit InputBytes(const std::vector<std::string>& inputs) {
        std::string file;
        for (const std::string& input : inputs) {
            std::string next = pgn::file_of(input);
            if (next != input && next == file) sizes_.back() = 0;
            file = std::move(next);
            sizes_.push_back(pgn::source_size(input));
            streams_ |= !sizes_.back();
        }
        for (const auto& size : sizes_) total_ += size.value_or(0);
    }

    void begin(std::size_t input) { current_ = input; }
    void read_up_to(std::uint64_t offset) { offset_ = offset; }
    void end() {
        done_ += sizes_[current_].value_or(0);
        offset_ = 0;
    }

    std::size_t current() const { return current_; }
    std::uint64_t read() const { return done_ + offset_; }
    /// The bytes of all inputs that are not streams.
    std::uint64_t known() const { return total_; }
    /// Empty if an input is a stream.
    std::optional<std::uint64_t> total() const {
        return streams_ ? std::nullopt : std::optional(total_);
    }

  private:
    std::vector<std::optional<std::uint64_t>> sizes_;
    std::uint64_t total_ = 0;
    bool streams_ = false;
    std::size_t current_ = 0;   // the current input
    std::uint64_t offset_ = 0;  // in it
    std::uint64_t done_ = 0;    // bytes of finished inputs
};

}  // namespace fendex::ingest
