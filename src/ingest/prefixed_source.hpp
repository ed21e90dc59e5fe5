// A source of which some bytes have been read ahead.
#pragma once

#include <memory>
#include <string>

#include "pgn/byte_source.hpp"

namespace fendex::ingest {

class PrefixedSource final : public pgn::ByteSource {
  public:
    /// `rest` may be null: then the text is the prefix.
    PrefixedSource(std::string prefix, std::unique_ptr<pgn::ByteSource> rest)
        : prefix_(std::move(prefix)), rest_(std::move(rest)) {}

    std::size_t read(std::span<char> out) override {
        if (begin_ == prefix_.size()) return rest_ != nullptr ? rest_->read(out) : 0;
        const std::size_t count = prefix_.copy(out.data(), out.size(), begin_);
        begin_ += count;
        return count;
    }
    std::uint64_t compressed_offset() const override {
        return rest_ != nullptr ? rest_->compressed_offset() : begin_;
    }
    std::string warning() const override {
        return rest_ != nullptr ? rest_->warning() : std::string();
    }

  private:
    std::string prefix_;
    std::size_t begin_ = 0;
    std::unique_ptr<pgn::ByteSource> rest_;
};

}  // namespace fendex::ingest
