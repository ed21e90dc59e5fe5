#include "replay/game_start.hpp"

#include <algorithm>

#include "chess/fen.hpp"
#include "chess/variant_names.hpp"

namespace fendex::replay {

namespace {

/// Returns whether a FEN has to be stored.
template <typename Position>
bool differs(const Position& start, const Position& usual) {
    return !start.same_as(usual) || start.halfmove_clock() != 0 || start.fullmove_number() != 1 ||
           start.en_passant_square() != chess::kNoSquare;
}

/// Returns whether this is a start of Chess960: all pawns at home, and the same pieces in the same
/// order on both back ranks.
bool is_chess960_start(const chess::Position& position) {
    for (unsigned file = 0; file < 8; ++file) {
        const auto at = [&](unsigned rank) {
            return position.piece_on(chess::make_square(file, rank));
        };
        const chess::Piece white = at(0);
        if (at(1) != chess::make_piece(chess::Color::kWhite, chess::PieceType::kPawn) ||
            at(6) != chess::make_piece(chess::Color::kBlack, chess::PieceType::kPawn) ||
            white == chess::Piece::kNone || at(7) == chess::Piece::kNone ||
            chess::color_of(white) != chess::Color::kWhite ||
            at(7) != chess::make_piece(chess::Color::kBlack, chess::type_of(white))) {
            return false;
        }
    }
    return true;
}

/// For a game that has castling rights unknown in standard chess and no Chess960 tag: returns
/// whether it is Chess960. `tagged` means that a tag names standard chess.
bool means_chess960(const chess::FenResult& parsed, bool tagged) {
    return !tagged && (parsed.rook_files || is_chess960_start(*parsed.position));
}

bool is_elsewhere(const chess::AnyPosition& start) {
    static const chess::Position standard;
    if (const chess::VariantPosition* const position = start.of_variant()) {
        return differs(*position, chess::VariantPosition(position->variant()));
    }
    return differs(*start.standard(), standard);
}

GameStart read_start(std::span<const store::TagPair> tags, bool as_earlier) {
    GameStart out;
    std::string_view fen;
    bool tagged = false;
    for (const store::TagPair& pair : tags) {
        if (pair.name == "FEN") fen = pair.value;
        if (pair.name != "Variant") continue;
        tagged = !pair.value.empty() && pair.value != "?";
        out.variant = chess::variant_of(pair.value);
        if (out.variant == chess::Variant::kOther) {
            out.problems.push_back({"Variant", "variant not supported: game kept, not indexed",
                                    std::string(pair.value)});
            return out;
        }
    }
    if (fen.empty() || (fen == "?" && !as_earlier)) {
        out.position = chess::AnyPosition::start_of(out.variant);
        return out;
    }
    // If the tag names no variant, the FEN may show it.
    const auto rules =
        chess::has_variant_rules(out.variant) ? std::optional(out.variant) : std::nullopt;
    chess::FenResult parsed = chess::parse_any_fen(fen, rules, chess::FenMode::kLenient);
    if (!as_earlier && parsed.chess960 && out.variant == chess::Variant::kStandard &&
        !means_chess960(parsed, tagged)) {
        parsed = chess::parse_any_fen(fen, rules, chess::FenMode::kLenientStandard);
    }
    out.position = chess::any_position(parsed);
    if (!out.position) {
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
             std::string(fen), true});
    }
    if (out.position->of_variant() != nullptr) {
        out.variant = out.position->variant();
    } else if (parsed.chess960) {
        out.variant = chess::Variant::kChess960;
    }
    out.elsewhere = is_elsewhere(*out.position);
    return out;
}

}  // namespace

bool say_variant(std::span<const store::TagPair> tags) {
    const auto says = [](const store::TagPair& pair) {
        if (pair.name == "Variant") return !pair.value.empty() && pair.value != "?";
        return pair.name == "FEN" &&
               chess::parse_any_fen(pair.value, std::nullopt, chess::FenMode::kLenient)
                   .variant_position.has_value();
    };
    return std::ranges::any_of(tags, says);
}

GameStart start_of(std::span<const store::TagPair> tags) { return read_start(tags, false); }

std::string stored_fen(const GameStart& start) {
    return start.elsewhere ? chess::to_fen(*start.position) : std::string();
}

GameStart start_of_stored(std::span<const store::TagPair> tags, chess::Variant variant,
                          std::string_view fen) {
    const auto is_stored = [&](const GameStart& start) {
        return start.variant == variant && stored_fen(start) == fen;
    };
    GameStart start = start_of(tags);
    if (is_stored(start)) return start;
    GameStart earlier = read_start(tags, true);
    return is_stored(earlier) ? earlier : start;
}

}  // namespace fendex::replay
