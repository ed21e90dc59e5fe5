// Limits the memory that the bodies of all requests take together.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::serve {

/// The bytes of all bodies that are held in memory. Any thread.
class BodyBudget {
  public:
    explicit BodyBudget(std::size_t most) : most_(most) {}

    [[nodiscard]] bool take(std::size_t bytes) {
        if (taken_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most_) return true;
        give_back(bytes);
        return false;
    }
    void give_back(std::size_t bytes) { taken_.fetch_sub(bytes, std::memory_order_relaxed); }

  private:
    const std::size_t most_;
    std::atomic<std::size_t> taken_ = 0;
};

/// A body. Its bytes count against the budget as long as it lives.
class Body {
  public:
    Body() = default;
    explicit Body(BodyBudget& budget) : budget_(&budget) {}
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;
    ~Body() {
        if (taken_ > 0) budget_->give_back(taken_);
    }

    /// Appends bytes. If the budget is spent, returns false and leaves the text unchanged.
    [[nodiscard]] bool append(std::string_view bytes) {
        if (!budget_->take(bytes.size())) return false;
        taken_ += bytes.size();
        text.append(bytes);
        return true;
    }

    std::string text;

  private:
    BodyBudget* budget_;
    std::size_t taken_ = 0;
};

}  // namespace fendex::serve
