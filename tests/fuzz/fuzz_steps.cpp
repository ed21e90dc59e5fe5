// Sequences: a line for the move, and one for each step that follows. An accepted sequence, looked
// for in a game, must keep its order and its gaps, find at least as much with colours exchanged,
// and meet the conditions on the game's signature. A refused one must have a reason.
#include <algorithm>
#include <array>
#include <vector>

#include "chess/bare_board.hpp"
#include "chess/san.hpp"
#include "fuzz.hpp"
#include "query/sequence_matcher.hpp"
#include "query/sequence_text.hpp"

using namespace fendex;

namespace {

struct Found {
    std::vector<std::uint32_t> begins;
    std::vector<std::uint32_t> first;
};

struct Game {
    std::vector<chess::Move> moves;
    codec::SignatureFinder signature;
};

/// Sacrifices, castling on both sides, a capture en passant, a promotion that captures.
const Game& game() {
    static const Game kGame = [] {
        Game out;
        chess::Position position;
        out.signature.start(position);
        for (const char* const san :
             {"e4",   "e5",   "Nf3",  "Nc6", "Bc4",    "Bc5",  "O-O", "Nf6",  "Ng5",
              "d6",   "Nxf7", "Rf8",  "d4",  "exd4",   "e5",   "d5",  "exf6", "dxc4",
              "Nxd8", "Rxf6", "Qh5+", "g6",  "Qxc5",   "Nxd8", "c3",  "Be6",  "b4",
              "cxb3", "cxd4", "bxa2", "d5",  "axb1=Q", "Rxb1", "Rf7"}) {
            chess::Move move;
            if (chess::read_san(position, san, move) != chess::SanError::kNone) std::abort();
            position.play(move);
            out.signature.next(position);
            out.moves.push_back(move);
        }
        return out;
    }();
    return kGame;
}

Found find(const query::PatternSequence& sequence) {
    query::SequenceMatcher matcher(sequence.steps());
    chess::Position position;
    matcher.start(position);
    std::uint32_t ply = 0;
    for (const chess::Move move : game().moves) {
        const chess::PieceType moved = chess::type_of(position.piece_on(move.from()));
        matcher.count_pieces(position);
        matcher.visit(ply++, position, &move, moved);
        position.play(move);
    }
    matcher.count_pieces(position);
    matcher.visit(ply, position, nullptr, chess::PieceType::kNone);
    Found out;
    matcher.finish(out.begins, out.first);
    return out;
}

/// Checks that the first match has its steps in order, and none of them too late.
void check_steps(const std::vector<query::PatternStep>& steps, const Found& found) {
    fuzz::require(std::is_sorted(found.begins.begin(), found.begins.end()));
    if (found.first.empty()) return;
    fuzz::require(found.first.front() == found.begins.front());
    auto at = found.first.begin();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i != 0) fuzz::require(*at > at[-1] && *at - at[-1] <= steps[i].within);
        for (std::size_t n = steps[i].length(); --n != 0; ++at) fuzz::require(at[1] > *at);
        ++at;
    }
    fuzz::require(at == found.first.end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest = fuzz::text_of(data, size);
    std::vector<std::string_view> lines;
    while (true) {
        const std::size_t end = rest.find('\n');
        lines.push_back(rest.substr(0, end));
        if (end == std::string_view::npos) break;
        rest.remove_prefix(end + 1);
    }
    query::SequenceText text;
    text.move = lines.front();
    text.then.assign(lines.begin() + 1, lines.end());
    const query::SequenceResult plain = query::parse_sequence(text);
    text.pattern.either_side = true;
    const query::SequenceResult either = query::parse_sequence(text);
    fuzz::require(plain.sequence.has_value() == either.sequence.has_value());
    if (!plain.sequence) {
        fuzz::require(!plain.field.empty() && !plain.error.empty());
        return 0;
    }
    const Found found = find(*plain.sequence);
    check_steps(plain.sequence->steps(), found);
    const Found more = find(*either.sequence);
    check_steps(either.sequence->steps(), more);
    fuzz::require(std::includes(more.begins.begin(), more.begins.end(), found.begins.begin(),
                                found.begins.end()));
    if (!found.begins.empty()) {
        const auto conditions = plain.sequence->conditions();
        fuzz::require(std::ranges::any_of(conditions, [](const auto& each) {
            return each.may_hold(game().signature.signature());
        }));
    }
    return 0;
}
