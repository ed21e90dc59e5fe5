#include "ingest/game_start.hpp"

#include "chess/fen.hpp"
#include "ingest/tag_facts.hpp"

namespace fendex::ingest {

GameStart start_of(std::span<const store::TagPair> tags) {
    static const chess::Position standard;
    GameStart out;
    std::string_view fen;
    for (const store::TagPair& pair : tags) {
        if (pair.name == "FEN") fen = pair.value;
        if (pair.name != "Variant") continue;
        out.variant = variant_of(pair.value);
        if (out.variant == chess::Variant::kOther) {
            out.problems.push_back({"Variant", "variant not supported: game kept, not indexed",
                                    std::string(pair.value)});
            return out;
        }
    }
    if (fen.empty()) {
        out.position = standard;
        return out;
    }
    chess::FenResult parsed = chess::parse_fen(fen, chess::FenMode::kLenient);
    if (!parsed.position) {
        out.variant = chess::Variant::kOther;
        out.problems.push_back({"FEN",
                                "FEN tag, " + std::string(parsed.error.field) + ": " +
                                    parsed.error.reason + ": game kept, not indexed",
                                std::string(fen)});
        return out;
    }
    for (const chess::FenError& dropped : parsed.dropped) {
        out.problems.push_back(
            {"FEN", "FEN tag, " + std::string(dropped.field) + ": " + dropped.reason + ": left out",
             std::string(fen)});
    }
    if (parsed.chess960) out.variant = chess::Variant::kChess960;
    out.position = parsed.position;
    const chess::Position& start = *out.position;
    out.elsewhere = !start.same_as(standard) || start.halfmove_clock() != 0 ||
                    start.fullmove_number() != 1 || start.en_passant_square() != chess::kNoSquare;
    return out;
}

}  // namespace fendex::ingest
