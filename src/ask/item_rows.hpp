// Rows of items that are in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/rows.hpp"

namespace fendex::ask {

/// Returns how many of `all` items the page needs, counted from the first item of the list to the
/// one after the page.
inline std::size_t items_for(const Page& page, std::size_t all) {
    const std::size_t before = std::min<std::uint64_t>(page.from.after, all);
    return page.limit >= all - before ? all : before + page.limit + 1;
}

/// Rows of items that are computed before: all, or at least those up to the end of the page. A
/// place is a number of items before it.
template <typename Item>
class ItemRows final : public Rows {
  public:
    using Cells = std::vector<Cell> (*)(const Item&);

    /// `all` is the number of items, including those that were not computed.
    ItemRows(std::vector<Item> items, std::size_t all, const Page& page,
             std::span<const std::string_view> columns, Cells cells)
        : items_(std::move(items)),
          all_(all),
          cells_(cells),
          next_(std::min<std::uint64_t>(page.from.after, items_.size())) {
        columns_.assign(columns.begin(), columns.end());
    }

    bool read(std::uint64_t most, const Visit& visit) override {
        if (next_ == items_.size()) return false;
        for (; most != 0 && next_ != items_.size(); --most) visit(cells_(items_[next_++]));
        return true;
    }
    std::uint64_t skip(std::uint64_t most) override {
        const std::uint64_t skipped = std::min<std::uint64_t>(most, items_.size() - next_);
        next_ += skipped;
        return skipped;
    }
    [[nodiscard]] Place place() const override { return {0, next_}; }
    std::optional<std::uint64_t> total() override { return all_; }

  private:
    std::vector<Item> items_;
    std::size_t all_;
    Cells cells_;
    std::size_t next_;
};

/// Returns the rows of all items of a list.
template <typename Item>
std::unique_ptr<Rows> item_rows(std::vector<Item> items, const Page& page,
                                std::span<const std::string_view> columns,
                                typename ItemRows<Item>::Cells cells) {
    const std::size_t all = items.size();
    return std::make_unique<ItemRows<Item>>(std::move(items), all, page, columns, cells);
}

}  // namespace fendex::ask
