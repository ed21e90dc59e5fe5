// Patterns, a line of board and one of material. An accepted pattern must match the same on both
// kinds of board and with colours swapped, and no signature may exclude a game that matches. A
// refused pattern must have a reason.
#include <algorithm>

#include "chess/bare_board.hpp"
#include "chess/fen.hpp"
#include "chess/mirrored.hpp"
#include "fuzz.hpp"
#include "query/pattern_text.hpp"

using namespace fendex;

namespace {

const chess::Position& position(unsigned i) {
    static const chess::Position kPositions[] = {
        chess::Position(),
        *chess::parse_fen("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1").position,
        *chess::parse_fen("8/8/4k3/8/3RP3/4K3/r7/8 w - - 0 1").position,
        *chess::parse_fen("r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23").position,
    };
    return kPositions[i];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const std::size_t line_end = text.find('\n');
    query::PatternText question;
    if (line_end != 0) question.board = text.substr(0, line_end);
    if (line_end != std::string_view::npos) question.material = text.substr(line_end + 1);

    const query::PatternResult plain = query::parse_pattern(question);
    question.either_side = true;
    const query::PatternResult either = query::parse_pattern(question);
    fuzz::require(plain.pattern.has_value() == either.pattern.has_value());
    if (!plain.pattern) {
        fuzz::require(!plain.field.empty() && !plain.error.empty());
        return 0;
    }
    for (unsigned i = 0; i < 4; ++i) {
        const chess::Position& p = position(i);
        const bool matches = plain.pattern->matches(p);
        fuzz::require(plain.pattern->matches(chess::BareBoard(p)) == matches);
        fuzz::require(either.pattern->matches(p) ==
                      (matches || plain.pattern->matches(*chess::mirrored(p).standard())));
        codec::SignatureFinder finder;
        finder.start(p);
        if (matches) {
            const auto conditions = plain.pattern->conditions();
            fuzz::require(std::any_of(conditions.begin(), conditions.end(), [&](const auto& each) {
                return each.may_hold(finder.signature());
            }));
            fuzz::require(plain.pattern->may_come(p));
        }
    }
    return 0;
}
