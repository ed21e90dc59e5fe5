// A byte source that reads from memory.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "pgn/byte_source.hpp"

namespace fendex::fuzz {

class MemorySource final : public pgn::ByteSource {
  public:
    explicit MemorySource(std::string_view text) : rest_(text) {}
    std::size_t read(std::span<char> out) override {
        const std::size_t n = std::min(out.size(), rest_.size());
        std::copy_n(rest_.data(), n, out.data());
        rest_.remove_prefix(n);
        return n;
    }
    std::uint64_t compressed_offset() const override { return 0; }

  private:
    std::string_view rest_;
};

}  // namespace fendex::fuzz
