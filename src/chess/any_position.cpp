#include "chess/any_position.hpp"

#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/variant_movegen.hpp"
#include "chess/variant_names.hpp"

namespace fendex::chess {

AnyPosition AnyPosition::start_of(Variant variant) {
    static const Position standard;
    if (has_standard_rules(variant)) return standard;
    return VariantPosition(variant);
}

bool AnyPosition::same_as(const AnyPosition& other) const {
    return visit([&](const auto& p) {
        const auto* same_kind = std::get_if<std::decay_t<decltype(p)>>(&other.position_);
        return same_kind != nullptr && p.same_as(*same_kind);
    });
}

void AnyPosition::play(Move move) {
    std::visit([&](auto& p) { p.play(move); }, position_);
}

std::optional<AnyPosition> any_position(const FenResult& result) {
    if (result.position) return *result.position;
    if (result.variant_position) return *result.variant_position;
    return std::nullopt;
}

std::optional<AnyPosition> any_position(Variant variant, const VariantSetup& setup) {
    if (placement_error(setup, variant) || !castling_is_possible(setup)) return std::nullopt;
    if (setup.en_passant != kNoSquare && !why_no_en_passant(setup, setup.en_passant).empty()) {
        return std::nullopt;
    }
    const AnyPosition position = has_standard_rules(variant)
                                     ? AnyPosition(Position(setup))
                                     : AnyPosition(VariantPosition(variant, setup));
    if (position.visit([](const auto& p) { return position_error(p); })) return std::nullopt;
    return position;
}

std::size_t count_legal_moves(const AnyPosition& position) {
    return position.visit([](const auto& p) { return std::size_t{legal_moves(p).size()}; });
}

bool has_chess960_rights(const AnyPosition& position) {
    return position.visit([](const auto& p) {
        Bitboard rooks = p.castling_rooks();
        while (rooks != 0) {
            const Square rook = pop_lowest(rooks);
            const Color side = rank_of(rook) == 0 ? Color::kWhite : Color::kBlack;
            const unsigned file = file_of(rook);
            if ((file != 0 && file != 7) || file_of(p.king(side)) != 4) return true;
        }
        return false;
    });
}

std::string to_fen(const AnyPosition& position, FenDialect dialect) {
    return position.visit([&](const auto& p) { return to_fen(p, dialect); });
}

std::string to_epd(const AnyPosition& position) {
    return position.visit([](const auto& p) { return to_epd(p); });
}

char* write_fen(const AnyPosition& position, FenDialect dialect, char* out) {
    return position.visit([&](const auto& p) { return write_fen(p, dialect, out); });
}

char* write_epd(const AnyPosition& position, FenDialect dialect, char* out) {
    return position.visit([&](const auto& p) { return write_epd(p, dialect, out); });
}

void append_san(const AnyPosition& position, Move move, std::string& out) {
    position.visit([&](const auto& p) { append_san(p, move, out); });
}

std::string to_san(const AnyPosition& position, Move move) {
    return position.visit([&](const auto& p) { return to_san(p, move); });
}

SanError read_uci(const AnyPosition& position, std::string_view text, Move& out) {
    return position.visit([&](const auto& p) { return read_uci(p, text, out); });
}

void append_uci(const AnyPosition& position, Move move, Variant variant, std::string& out) {
    position.visit([&](const auto& p) { append_uci(p, move, variant, out); });
}

std::string to_uci(const AnyPosition& position, Move move, Variant variant) {
    std::string out;
    append_uci(position, move, variant, out);
    return out;
}

}  // namespace fendex::chess
