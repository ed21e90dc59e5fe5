// Standard output, buffered. Whoever reads it may go away: that is no error (BrokenPipe ends the
// program quietly).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/printable.hpp"
#include "cli/arguments.hpp"
#include "cli/screen.hpp"

namespace fendex::cli {

struct BrokenPipe {};

class Output {
  public:
    /// Follows --no-header.
    explicit Output(const Arguments& arguments)
        : screen_(cli::screen()), header_(!arguments.has("no-header")) {}

    /// What it is written to.
    const Screen& screen() const { return screen_; }
    /// The line, without its end if a terminal has no room for it.
    std::string fitting(const std::string& line) const;
    /// Whether tables and CSV have a line of names.
    bool has_header() const { return header_; }
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
    Screen screen_;
    bool header_;
    std::string buffer_;
};

using base::printable;

/// A line on standard error, as it may be shown on a terminal. If nobody reads it, it is lost: what
/// is done does not depend on what is said.
void say(const std::string& text);

/// "12,554,727".
std::string grouped(std::uint64_t number);

/// "1 game", "12,554 games"; the plural adds an s unless it is given.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many = {});

/// The line under a page of a table: how many more there are, of what `one` is called.
std::string more_line(std::uint64_t count, std::string_view one);

}  // namespace fendex::cli
