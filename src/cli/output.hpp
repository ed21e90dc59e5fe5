// Standard output, buffered. Whoever reads it may go away: that is no error (BrokenPipe ends the
// program quietly).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/printable.hpp"

namespace fendex::cli {

struct BrokenPipe {};

class Output {
  public:
    ~Output() = default;
    /// Text appended here is written when there is enough of it: call maybe_flush() after each
    /// line.
    std::string& buffer() { return buffer_; }
    void maybe_flush() {
        if (buffer_.size() >= kFlushAt) flush();
    }
    /// Throws BrokenPipe, or std::runtime_error where the output cannot be written.
    void flush();

  private:
    static constexpr std::size_t kFlushAt = 64 * 1024;
    std::string buffer_;
};

using base::printable;

/// "12,554,727".
std::string grouped(std::uint64_t number);

/// The line under a page of a table: how many games (or `what`) there are beyond it.
std::string more_line(std::uint64_t count, std::string_view what);

}  // namespace fendex::cli
