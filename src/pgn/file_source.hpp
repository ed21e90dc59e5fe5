// Plain bytes of a file, a pipe or stdin, by read(2). A memory mapping would raise SIGBUS when the
// file shrinks, and cannot map a pipe. Decoders read their archives through this class, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "pgn/peeked_source.hpp"

namespace fendex::pgn {

/// An open file descriptor, closed with its owner unless it was only borrowed.
class Descriptor {
  public:
    enum class Ownership { kOwned, kBorrowed };

    Descriptor(int fd, Ownership ownership) : fd_(fd), ownership_(ownership) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();

    int get() const { return fd_; }

  private:
    int fd_;
    Ownership ownership_;
};

/// Opens a file, or borrows stdin for "-". Throws SourceError, which calls the file `name`.
Descriptor open_descriptor(const std::string& path, const std::string& name);

class FileSource final : public PeekedSource {
  public:
    /// Opens `path`, or borrows stdin for "-". Throws SourceError, also for a directory. `stop`:
    /// see SourceOptions.
    explicit FileSource(const std::string& path, std::function<bool()> stop = {});

    /// False for a pipe or a device, which cannot seek.
    bool is_regular() const { return size_.has_value(); }
    std::optional<std::uint64_t> size() const override { return size_; }
    std::uint64_t compressed_offset() const override { return delivered(); }

  private:
    /// One read(2), repeated while interrupted.
    std::size_t read_some(std::span<char> out) override;
    /// Waits until there is something to read. False if the stop function ended the input first.
    bool wait();

    Descriptor descriptor_;
    std::optional<std::uint64_t> size_;
    std::function<bool()> stop_;  // empty for files, which never wait
};

}  // namespace fendex::pgn
