// Standard output, buffered. If its reader closes the pipe, BrokenPipe ends the program quietly:
// that is not an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/printable.hpp"
#include "base/screen.hpp"
#include "cli/options/arguments.hpp"

namespace fendex::cli {

struct BrokenPipe {};

class Output {
  public:
    /// Obeys --no-header.
    explicit Output(const Arguments& arguments)
        : screen_(base::screen()), header_(!arguments.has("no-header")) {}

    /// The terminal that standard output is connected to.
    const base::Screen& screen() const { return screen_; }
    /// Returns the line, cut if the terminal is too narrow for it.
    std::string fitting(const std::string& line) const;
    /// Returns the text, which begins at column `indent` of a line, broken into lines that fit the
    /// terminal.
    std::string in_lines(const std::string& text, std::size_t indent) const;
    /// Returns whether tables and CSV begin with a line of column names.
    bool has_header() const { return header_; }
    /// Returns the buffer, to append text to. Call maybe_flush() after each line: it writes the
    /// buffer when it is large enough.
    std::string& buffer() { return buffer_; }
    /// Calls append(text), which appends data of several lines that has no other form, such as PGN.
    /// On a terminal its control characters are escaped.
    template <typename Append>
    void append_data(Append append) {
        if (screen_.width == 0) return append(buffer_);
        std::string text;
        append(text);
        base::append_printable_lines(text, buffer_);
    }
    void maybe_flush() {
        if (buffer_.size() >= kFlushAt) flush();
    }
    /// Throws BrokenPipe, or std::runtime_error if the output cannot be written.
    void flush();

  private:
    static constexpr std::size_t kFlushAt = std::size_t{64} * 1024;
    base::Screen screen_;
    bool header_;
    std::string buffer_;
};

using base::printable;

/// Returns a number as "12,554,727".
std::string grouped(std::uint64_t number);

/// Returns "1 game" or "12,554 games"; the plural adds an s unless it is given.
std::string counted(std::uint64_t number, std::string_view one, std::string_view many = {});

/// Returns a score, from 0 to 100, as "57.1 %".
std::string score_text(double percent);

/// Returns the line under a page of a table that says how many more rows there are. `one` is the
/// singular of what they are, such as "game".
std::string more_line(std::uint64_t count, std::string_view one);

}  // namespace fendex::cli
