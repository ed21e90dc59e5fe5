// Plain bytes of a file, a pipe or stdin, by read(2): a mapping would die of SIGBUS when the file
// shrinks, and cannot map a pipe. Decoders read their archives through it, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pgn/byte_source.hpp"

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

class FileSource final : public ByteSource {
  public:
    /// Opens `path`, or borrows stdin for "-". Throws SourceError, also for a directory. `stop`:
    /// see SourceOptions.
    explicit FileSource(const std::string& path, std::function<bool()> stop = {});

    /// What to call this input in a message.
    const std::string& name() const { return name_; }

    /// Returns the first bytes without consuming them: kPeek of them unless the input ends before,
    /// or fails (which read() reports). Call it only before the first read().
    std::string_view peek();

    std::size_t read(std::span<char> out) override;
    std::uint64_t compressed_offset() const override { return offset_; }

    static constexpr std::size_t kPeek = 6;

  private:
    /// One read(2), repeated while interrupted. A failure is kept in failure_ and returns 0.
    std::size_t read_some(std::span<char> out);
    /// Waits until there is something to read. False if the stop function ended the input first.
    bool wait();

    std::string name_;
    Descriptor descriptor_;
    std::function<bool()> stop_;  // empty for files, which never wait
    std::array<char, kPeek> head_{};
    std::size_t head_begin_ = 0;  // bytes of head_ already delivered
    std::size_t head_end_ = 0;
    std::uint64_t offset_ = 0;  // bytes delivered
    bool ended_ = false;        // do not read again: a terminal would go on after its end
    std::optional<SourceError> failure_;
};

}  // namespace fendex::pgn
