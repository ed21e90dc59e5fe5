#include "query/opening_names.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "chess/san.hpp"
#include "openings_tsv.hpp"

namespace fendex::query {

namespace {

using OpeningTable = std::unordered_map<std::uint64_t, Opening>;

/// Cuts off and returns the text before the separator, or all of it if there is none.
std::string_view cut(std::string_view& text, char separator) {
    const std::string_view head = text.substr(0, text.find(separator));
    text.remove_prefix(head.size() < text.size() ? head.size() + 1 : head.size());
    return head;
}

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

void add(std::span<const std::string_view> pieces, OpeningTable& table) {
    bool header = true;
    LineReplay replay;
    for (std::string_view piece : pieces) {
        while (!piece.empty()) {
            std::string_view line = cut(piece, '\n');
            if (std::exchange(header, false)) continue;
            Opening opening;
            opening.eco = cut(line, '\t');
            opening.name = cut(line, '\t');
            opening.line = line;
            table.emplace(replay.key_after(line), opening);
        }
    }
}

OpeningTable make_table() {
    OpeningTable table;
    table.reserve(4096);
    add(data::kATsv, table);
    add(data::kBTsv, table);
    add(data::kCTsv, table);
    add(data::kDTsv, table);
    add(data::kETsv, table);
    return table;
}

}  // namespace

std::optional<Opening> opening_of(std::uint64_t key) {
    static const OpeningTable table = make_table();
    const auto found = table.find(key);
    if (found == table.end()) return std::nullopt;
    return found->second;
}

}  // namespace fendex::query
