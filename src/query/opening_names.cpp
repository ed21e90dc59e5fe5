#include "query/opening_names.hpp"

#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

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

chess::Position replay(std::string_view line) {
    chess::Position position;
    while (!line.empty()) {
        const std::string_view word = cut(line, ' ');
        if (word.ends_with('.')) continue;  // a move number
        chess::Move move;
        if (chess::read_san(position, word, move) != chess::SanError::kNone) {
            throw std::logic_error("the table of openings: " + std::string(word));
        }
        position.play(move);
    }
    return position;
}

void add(std::span<const std::string_view> pieces, OpeningTable& table) {
    bool header = true;
    for (std::string_view piece : pieces) {
        while (!piece.empty()) {
            std::string_view line = cut(piece, '\n');
            if (std::exchange(header, false)) continue;
            Opening opening;
            opening.eco = cut(line, '\t');
            opening.name = cut(line, '\t');
            opening.line = line;
            table.emplace(replay(line).key(), opening);
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
