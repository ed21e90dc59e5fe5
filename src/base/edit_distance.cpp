#include "base/edit_distance.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

namespace fendex::base {

namespace {

/// Returns a bit for each byte that a text has; a few bytes share each bit.
std::uint64_t letters_of(std::string_view text) {
    std::uint64_t letters = 0;
    for (const char c : text) letters |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
    return letters;
}

std::size_t count_of(std::uint64_t letters) {
    return static_cast<std::size_t>(std::popcount(letters));
}

}  // namespace

std::size_t edits_between(std::string_view a, std::string_view b, std::size_t most) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) return most + 1;
    // An edit takes away one letter at most, and adds one at most.
    const std::uint64_t of_a = letters_of(a);
    const std::uint64_t of_b = letters_of(b);
    if (std::max(count_of(of_a & ~of_b), count_of(of_b & ~of_a)) > most) return most + 1;
    // Rows of the table of edits: for the first i bytes of a, and the two rows before.
    std::vector<std::size_t> row(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> before_last(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                               last[j - 1] + std::size_t{a[i - 1] != b[j - 1] ? 1U : 0U}});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        if (*std::ranges::min_element(row) > most) return most + 1;
    }
    return std::min(row.back(), most + 1);
}

std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
    const std::string* best = nullptr;
    std::size_t best_edits =
        std::max<std::size_t>(1, std::min<std::size_t>(3, word.size() / 3)) + 1;
    for (const std::string& name : names) {
        const std::size_t edits = edits_between(word, name, best_edits);
        if (edits < best_edits) {
            best = &name;
            best_edits = edits;
        }
    }
    return best == nullptr ? std::string() : " (did you mean '" + *best + "'?)";
}

}  // namespace fendex::base
