#include "ask/position_reason.hpp"

#include <algorithm>

#include "ingest/typed_line.hpp"

namespace fendex::ask {

std::string reason_of(const std::string& text, const PositionText& read, const PasteWords& words) {
    if (!read.problem.empty()) return read.problem;
    if (are_moves(text)) return "these are moves: give them with " + std::string(words.moves);
    std::string reason = std::string(read.fen.error.field) + ": " + read.fen.error.reason;
    if (is_placement(text)) {
        reason += "; " + std::string(words.match_board) + " asks for the board alone";
    }
    return reason;
}

std::string detail_of(const std::string& text, const PositionText& read) {
    if (!read.problem.empty()) return "no_position";
    if (are_moves(text)) return "moves";
    std::string field(read.fen.error.field);
    std::ranges::replace(field, ' ', '_');
    return field;
}

bool are_moves(const std::string& text) {
    if (text.find('/') != std::string::npos) return false;
    if (text.starts_with("1.")) return true;
    try {
        return !ingest::play_typed_line({}, text).moves.empty();
    } catch (const ingest::TypedLineError&) {
        return false;
    }
}

}  // namespace fendex::ask
