// What an engine says while it searches. The first line is the number of PVs, the second a FEN, the
// rest comes from the engine. What is taken from it must be legal, and can be stored.
#include <algorithm>
#include <string>

#include "base/cut.hpp"
#include "base/number_of.hpp"
#include "chess/fen.hpp"
#include "codec/record_block.hpp"
#include "fuzz.hpp"
#include "uci/search_limit.hpp"
#include "uci/search_lines.hpp"

using namespace fendex;

namespace {

void check_result(const chess::AnyPosition& position, std::size_t pvs,
                  const codec::Evaluation& result) {
    fuzz::require(result.pvs.size() == pvs);
    for (const codec::Variation& pv : result.pvs) {
        fuzz::require(!pv.moves.empty() && !(pv.score.is_mate && pv.score.value == 0));
        chess::AnyPosition board = position;
        for (const chess::Move move : pv.moves) {
            fuzz::require(board.visit([&](const auto& b) { return b.is_legal(move); }));
            board.play(move);
        }
    }
    codec::PositionRecord record;
    codec::add_evaluation(result, record);
    codec::BitWriter scratch;
    std::string packed;
    codec::pack_record(position, record, scratch, packed);
    chess::AnyPosition again;
    codec::PositionRecord same;
    fuzz::require(codec::unpack_record(packed, again, same) && same == record);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = fuzz::text_of(data, size);
    const std::size_t asked = base::number_of<std::size_t>(base::cut(text, '\n')).value_or(1);
    const auto position =
        chess::any_position(chess::parse_any_fen(base::cut(text, '\n'), std::nullopt));
    if (!position) return 0;
    const std::size_t pvs = std::min({asked, chess::count_legal_moves(*position), codec::kMostPvs});
    if (pvs == 0) return 0;
    uci::SearchLines lines(*position, pvs);
    try {
        while (!text.empty()) {
            const std::string_view line = base::cut(text, '\n');
            if (line.starts_with("bestmove")) lines.end(line);
            lines.add_info(line);
        }
    } catch (const uci::Nonsense&) {
        return 0;
    }
    if (const auto result = lines.result()) check_result(*position, pvs, *result);
    return 0;
}
