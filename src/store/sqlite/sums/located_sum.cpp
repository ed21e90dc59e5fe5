#include "store/sqlite/sums/located_sum.hpp"

namespace fendex::store {

/// If one row has changed, the sums differ by d and by the number of the row times d.
std::optional<std::uint64_t> only_changed_row(const LocatedSum& difference) {
    const auto d = static_cast<std::int64_t>(difference.sum);
    const auto times = static_cast<std::int64_t>(difference.place);
    constexpr std::int64_t kMost = UINT32_MAX;
    if (d == 0 || d < -kMost || d > kMost || times == INT64_MIN) return std::nullopt;
    if (times % d != 0 || times / d <= 0) return std::nullopt;
    return static_cast<std::uint64_t>(times / d);
}

}  // namespace fendex::store
