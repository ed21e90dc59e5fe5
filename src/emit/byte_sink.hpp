// Where an export goes: standard output or a file, compressed where its name says so. Bytes are
// passed on in the order of the calls; one thread at a time. What cannot be written is thrown as
// SinkError, and a reader that went away as SinkClosed. A sink that is destroyed before finish()
// leaves no file behind: a file gets its name when it is complete.
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

/// Nobody reads the pipe any more; no error.
struct SinkClosed {};

class ByteSink {
  public:
    virtual ~ByteSink() = default;
    virtual void write(std::string_view bytes) = 0;
    /// After the last write: everything is where it belongs.
    virtual void finish() = 0;
};

/// `path` "-" is standard output. A name that ends with .zst or .gz is compressed, with `threads`
/// threads where the library can. Devices and pipes are written to as they are.
std::unique_ptr<ByteSink> open_sink(const std::string& path, unsigned threads);

/// The same without a look at the name.
std::unique_ptr<ByteSink> open_file_sink(const std::string& path);
std::unique_ptr<ByteSink> make_zstd_sink(std::unique_ptr<ByteSink> output, unsigned threads);
std::unique_ptr<ByteSink> make_gzip_sink(std::unique_ptr<ByteSink> output);

}  // namespace fendex::emit
