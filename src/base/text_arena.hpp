// Texts that stay where they are until all are dropped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace fendex::base {

class TextArena {
  public:
    /// Copies a text. The copy lives until clear().
    std::string_view keep(std::string_view text) {
        constexpr std::size_t kBlock = std::size_t{1} << 16;
        if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < text.size()) {
            blocks_.emplace_back().reserve(std::max(kBlock, text.size()));
        }
        std::string& block = blocks_.back();
        block += text;
        return std::string_view(block).substr(block.size() - text.size());
    }
    /// Drops all texts; keeps the memory of one block.
    void clear() {
        if (blocks_.empty()) return;
        blocks_.resize(1);
        blocks_.front().clear();
    }

  private:
    std::deque<std::string> blocks_;  // which are never grown beyond their capacity
};

}  // namespace fendex::base
