// A source whose first bytes can be examined before they are read. They decide how the rest is
// decoded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

class PeekedSource : public ByteSource {
  public:
    /// Returns what messages call this input.
    const std::string& name() const { return name_; }

    /// Returns the first kPeek bytes without consuming them; fewer if the input ends or fails
    /// (read() reports the failure). Call it only before the first read().
    std::string_view peek();

    /// Returns the number of bytes that will be read; empty if it is not known beforehand.
    virtual std::optional<std::uint64_t> size() const = 0;

    std::size_t read(std::span<char> out) final;

    static constexpr std::size_t kPeek = 6;

  protected:
    explicit PeekedSource(std::string name) : name_(std::move(name)) {}

    /// Reads once. Returns 0 at the end, which is final, and after calling fail().
    virtual std::size_t read_some(std::span<char> out) = 0;
    void fail(const SourceError& error) { failure_ = error; }

    /// Bytes that read() has returned.
    std::uint64_t delivered() const { return delivered_; }
    /// Bytes that read_some() has returned.
    std::uint64_t taken() const { return delivered_ + (head_end_ - head_begin_); }

  private:
    /// Calls read_some(), unless the input has ended or failed.
    std::size_t read_more(std::span<char> out);

    std::string name_;
    std::array<char, kPeek> head_{};
    std::size_t head_begin_ = 0;  // bytes of head_ already delivered
    std::size_t head_end_ = 0;
    std::uint64_t delivered_ = 0;
    bool ended_ = false;  // do not read again: a terminal would go on after its end
    std::optional<SourceError> failure_;
};

}  // namespace fendex::pgn
