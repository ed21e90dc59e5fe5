// A source that first returns bytes that were read ahead, and then the rest.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "pgn/byte_source.hpp"

namespace fendex::ingest {

class PrefixedSource final : public pgn::ByteSource {
  public:
    /// If `rest` is null, the text is only the prefix. The source ends when `stop` returns true.
    PrefixedSource(std::string prefix, std::unique_ptr<pgn::ByteSource> rest,
                   std::function<bool()> stop = {})
        : prefix_(std::move(prefix)), rest_(std::move(rest)), stop_(std::move(stop)) {}

    std::size_t read(std::span<char> out) override {
        if (stop_ && stop_()) return 0;
        if (begin_ == prefix_.size()) return rest_ != nullptr ? rest_->read(out) : 0;
        const std::size_t count = prefix_.copy(out.data(), out.size(), begin_);
        begin_ += count;
        if (begin_ == prefix_.size()) {
            prefix_ = {};
            begin_ = 0;
        }
        return count;
    }
    std::uint64_t compressed_offset() const override {
        return rest_ != nullptr ? rest_->compressed_offset() : begin_;
    }
    std::optional<std::uint64_t> unchecked_from() const override {
        return rest_ != nullptr ? rest_->unchecked_from() : std::nullopt;
    }
    std::string warning() const override {
        return rest_ != nullptr ? rest_->warning() : std::string();
    }

  private:
    std::string prefix_;
    std::size_t begin_ = 0;
    std::unique_ptr<pgn::ByteSource> rest_;
    std::function<bool()> stop_;
};

}  // namespace fendex::ingest
