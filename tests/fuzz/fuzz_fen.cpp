// FEN: what is read is written in every dialect, and read back as the same position.
#include <string>

#include "chess/fen.hpp"
#include "fuzz.hpp"

using namespace fendex;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    for (const chess::FenMode mode : {chess::FenMode::kStrict, chess::FenMode::kLenient}) {
        const chess::FenResult result = chess::parse_fen(text, mode);
        if (!result.position) {
            fuzz::require(!result.error.field.empty() && !result.error.reason.empty());
            continue;
        }
        const chess::Position& position = *result.position;
        fuzz::require(position.key() == position.computed_key());
        for (const chess::FenDialect dialect :
             {chess::FenDialect::kStandard, chess::FenDialect::kLegal, chess::FenDialect::kXfen,
              chess::FenDialect::kShredder}) {
            const std::string fen = chess::to_fen(position, dialect);
            fuzz::require(fen.size() <= chess::kMaxFenLength);
            const chess::FenResult again = chess::parse_fen(fen);
            fuzz::require(again.position && again.position->same_as(position));
            fuzz::require(chess::to_fen(*again.position, dialect) == fen);
        }
        const chess::FenResult epd = chess::parse_fen(chess::to_epd(position));
        fuzz::require(epd.position && epd.position->same_as(position));
    }
    return 0;
}
