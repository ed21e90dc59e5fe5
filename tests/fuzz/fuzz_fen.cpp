// FEN: a position that is read, in any variant, is written in every dialect and read back as the
// same position.
#include <string>

#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "chess/position_status.hpp"
#include "fuzz.hpp"

using namespace fendex;

namespace {

const chess::Position* position_in(const chess::FenResult& result, const chess::Position&) {
    return result.position ? &*result.position : nullptr;
}
const chess::VariantPosition* position_in(const chess::FenResult& result,
                                          const chess::VariantPosition&) {
    return result.variant_position ? &*result.variant_position : nullptr;
}

template <typename Board>
void require_round_trip(const Board& position, chess::Variant variant) {
    const std::string standard = chess::to_fen(position);
    for (const auto& [dialect, name] : chess::kFenDialects) {
        const std::string fen = chess::to_fen(position, dialect);
        fuzz::require(fen.size() <= chess::kMaxFenLength);
        const chess::FenResult result = chess::parse_any_fen(fen, variant);
        const Board* const again = position_in(result, position);
        fuzz::require(again != nullptr && again->same_as(position));
        fuzz::require(again->key() == position.key());
        fuzz::require(chess::to_fen(*again, dialect) == fen);
        const bool keeps_the_square =
            dialect == chess::FenDialect::kStandard || dialect == chess::FenDialect::kShredder;
        fuzz::require(!keeps_the_square || chess::to_fen(*again) == standard);
    }
    const chess::FenResult epd = chess::parse_any_fen(chess::to_epd(position), variant);
    const Board* const again = position_in(epd, position);
    fuzz::require(again != nullptr && again->same_as(position));
    fuzz::require(!chess::status_of(position).name.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using enum chess::Variant;
    const std::string_view text = fuzz::text_of(data, size);
    const std::optional<chess::Variant> variants[] = {
        std::nullopt, kStandard, kCrazyhouse, kThreeCheck, kKingOfTheHill, kAtomic,
        kAntichess,   kSuicide,  kLosers,     kHorde,      kRacingKings};
    for (const chess::FenMode mode : {chess::FenMode::kStrict, chess::FenMode::kLenient}) {
        for (const std::optional<chess::Variant> variant : variants) {
            const chess::FenResult result = chess::parse_any_fen(text, variant, mode);
            chess::epd_operations(result.operations);
            if (result.position) {
                fuzz::require(result.position->key() == result.position->computed_key());
                require_round_trip(*result.position, kStandard);
            } else if (result.variant_position) {
                require_round_trip(*result.variant_position, result.variant_position->variant());
            } else {
                fuzz::require(!result.error.field.empty() && !result.error.reason.empty());
            }
        }
    }
    return 0;
}
