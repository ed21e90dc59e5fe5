#include "replay/opening_names.hpp"

#include <algorithm>
#include <bitset>
#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/checksum.hpp"
#include "base/cut.hpp"
#include "chess/san.hpp"
#include "openings_tsv.hpp"

namespace fendex::replay {

namespace {

using base::cut;

/// Replays lines. Most begin like the one before, so the positions of that one are kept.
class LineReplay {
  public:
    /// Returns the key of the position after the line.
    std::uint64_t key_after(std::string_view line) {
        const auto same = static_cast<std::size_t>(
            std::mismatch(line.begin(), line.end(), last_.begin(), last_.end()).first -
            line.begin());
        while (places_.back().end > same || !ends_word(line, places_.back().end)) {
            places_.pop_back();
        }
        for (std::string_view rest = line.substr(places_.back().end); !rest.empty();) {
            const std::string_view word = cut(rest, ' ');
            if (word.empty() || word.ends_with('.')) continue;  // a move number
            chess::Position position = places_.back().position;
            chess::Move move;
            if (chess::read_san(position, word, move) != chess::SanError::kNone) {
                throw std::logic_error("the table of openings: " + std::string(word));
            }
            position.play(move);
            const auto end = static_cast<std::size_t>(word.data() + word.size() - line.data());
            places_.push_back({end, position});
        }
        last_ = line;
        return places_.back().position.key();
    }

  private:
    struct Place {
        std::size_t end = 0;  // of the text of the last move
        chess::Position position;
    };
    static bool ends_word(std::string_view line, std::size_t at) {
        return at == 0 || at == line.size() || line[at] == ' ';
    }

    std::string_view last_;
    std::vector<Place> places_{Place{}};  // of the last line, after each move
};

/// The named positions. Most positions of games have no name. A bit for each value of a key's
/// lowest bits, and one for each value of its highest, show this for nearly all of them without a
/// look-up.
class OpeningTable {
  public:
    OpeningTable() {
        openings_.reserve(4096);
        add(data::kATsv);
        add(data::kBTsv);
        add(data::kCTsv);
        add(data::kDTsv);
        add(data::kETsv);
    }

    const Opening* find(std::uint64_t key) const {
        if (!may_have_[key % kBits] || !may_have_[key / kBits / kBits / kBits]) return nullptr;
        const auto found = openings_.find(key);
        return found == openings_.end() ? nullptr : &found->second;
    }
    std::uint64_t mark() const { return mark_; }

  private:
    static constexpr std::size_t kBits = std::size_t{1} << 16;

    void add(std::span<const std::string_view> pieces) {
        bool header = true;
        LineReplay replay;
        for (std::string_view piece : pieces) {
            mark_ = base::checksum(piece, mark_);
            while (!piece.empty()) {
                std::string_view line = cut(piece, '\n');
                if (std::exchange(header, false)) continue;
                Opening opening;
                opening.eco = cut(line, '\t');
                opening.name = cut(line, '\t');
                opening.line = line;
                opening.text =
                    texts_.emplace_back(std::string(opening.eco) + ' ' + std::string(opening.name));
                const std::uint64_t key = replay.key_after(line);
                may_have_[key % kBits] = may_have_[key / kBits / kBits / kBits] = true;
                openings_.emplace(key, opening);
            }
        }
    }

    std::unordered_map<std::uint64_t, Opening> openings_;
    std::bitset<kBits> may_have_;
    std::deque<std::string> texts_;
    std::uint64_t mark_ = 0;
};

const OpeningTable& table() {
    static const OpeningTable table;
    return table;
}

}  // namespace

std::optional<Opening> opening_of(std::uint64_t key) {
    const Opening* const found = table().find(key);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

std::optional<Opening> opening_of_game(std::span<const std::uint64_t> keys) {
    const OpeningTable& openings = table();
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot compile std::views::reverse.
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
        if (const Opening* const found = openings.find(*key)) return *found;
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

std::uint64_t opening_table_mark() { return table().mark(); }

}  // namespace fendex::replay
