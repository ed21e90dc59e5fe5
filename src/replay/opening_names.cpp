#include "replay/opening_names.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/cut.hpp"
#include "openings_tsv.hpp"

namespace fendex::replay {

namespace {

using base::cut;

/// The named positions. Most positions of games have no name. A bit for each value of a key's
/// lowest bits, and one for each value of its highest, show this for nearly all of them without a
/// look-up. Small, because each run of the program that needs a name makes it.
class OpeningTable {
  public:
    OpeningTable() {
        add(data::kATsv);
        add(data::kBTsv);
        add(data::kCTsv);
        add(data::kDTsv);
        add(data::kETsv);
    }

    std::optional<Opening> find(std::uint64_t key) const {
        if (!may_have_[key % kBits] || !may_have_[highest_bits(key)]) return std::nullopt;
        for (std::size_t slot = key % kSlots; slots_[slot] != 0; slot = (slot + 1) % kSlots) {
            const std::size_t number = slots_[slot] - 1U;
            if (data::kKeysTxt[number] == key) return opening_of_line(lines_[number]);
        }
        return std::nullopt;
    }

  private:
    static constexpr std::size_t kBits = std::size_t{1} << 16;
    static constexpr std::size_t kLines = std::size(data::kKeysTxt);
    static constexpr std::size_t kSlots = 8192;
    static_assert(kLines < kSlots * 3 / 4);

    static std::size_t highest_bits(std::uint64_t key) { return key / kBits / kBits / kBits; }

    /// The columns are the opening as databases store it, and its moves.
    static Opening opening_of_line(const char* begin) {
        std::string_view line(begin, static_cast<std::size_t>(std::strchr(begin, '\n') - begin));
        Opening opening = opening_of_text(cut(line, '\t'));
        opening.line = line;
        return opening;
    }

    void add(std::span<const std::string_view> pieces) {
        bool header = true;
        for (std::string_view piece : pieces) {
            while (!piece.empty()) {
                const char* const line = cut(piece, '\n').data();
                if (!std::exchange(header, false)) add(line);
            }
        }
    }
    void add(const char* line) {
        if (count_ == kLines) throw std::logic_error("keys.txt lacks openings");
        const std::uint64_t key = data::kKeysTxt[count_];
        may_have_[key % kBits] = may_have_[highest_bits(key)] = true;
        std::size_t slot = key % kSlots;
        while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
        lines_[count_++] = line;
        slots_[slot] = static_cast<std::uint16_t>(count_);
    }

    std::size_t count_ = 0;
    std::array<const char*, kLines> lines_{};
    std::array<std::uint16_t, kSlots> slots_{};  // 1 + number of a line; 0 if the slot is free
    std::bitset<kBits> may_have_;
};

const OpeningTable& table() {
    static const OpeningTable table;
    return table;
}

}  // namespace

std::optional<Opening> opening_of(std::uint64_t key) { return table().find(key); }

std::optional<Opening> opening_of_game(std::span<const std::uint64_t> keys) {
    const OpeningTable& openings = table();
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot compile std::views::reverse.
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
        if (const auto found = openings.find(*key)) return found;
    }
    return std::nullopt;
}

Opening opening_of_text(std::string_view text) {
    Opening out;
    out.text = text;
    out.eco = cut(text, ' ');
    out.name = text;
    return out;
}

}  // namespace fendex::replay
