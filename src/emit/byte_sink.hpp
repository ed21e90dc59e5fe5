// The output of an export: standard output or a file, compressed according to the file's name.
// Bytes are written in the order of the calls; one thread at a time. Throws SinkError if something
// cannot be written, and SinkClosed if the reader of a pipe has gone. A sink that is destroyed
// before finish() leaves no file: a file gets its name when it is complete.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fendex::emit {

class SinkError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The reader of the pipe has gone; this is not an error.
struct SinkClosed {};

class ByteSink {
  public:
    virtual ~ByteSink() = default;
    virtual void write(std::string_view bytes) = 0;
    /// Call it after the last write. When it returns, everything has been written.
    virtual void finish() = 0;
};

/// Opens `path`, or standard output for "-". If the name ends with .zst or .gz, the output is
/// compressed, with `threads` threads if the library supports them. Devices and pipes are written
/// in place. On a terminal, control characters are escaped.
[[nodiscard]] std::unique_ptr<ByteSink> open_sink(const std::string& path, unsigned threads);

/// Like open_sink(), but without compression.
[[nodiscard]] std::unique_ptr<ByteSink> open_file_sink(const std::string& path);

/// Escapes control characters line by line, so that a terminal shows them instead of obeying them.
[[nodiscard]] std::unique_ptr<ByteSink> make_terminal_sink(std::unique_ptr<ByteSink> output);

}  // namespace fendex::emit
