// A position of standard chess or of a variant, for code whose speed does not matter. Code that
// replays games is a template over the kind of position instead, and chooses the kind once per
// game.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "chess/fen.hpp"
#include "chess/position.hpp"
#include "chess/san.hpp"
#include "chess/variant_position.hpp"

namespace fendex::chess {

class AnyPosition {
  public:
    /// The standard starting position.
    AnyPosition() = default;
    // Not explicit, so that a position of either kind converts to an AnyPosition.
    AnyPosition(const Position& position) : position_(position) {}
    AnyPosition(const VariantPosition& position) : position_(position) {}
    /// Returns the variant's starting position; for Chess960, the standard one. Not for kOther.
    static AnyPosition start_of(Variant variant);

    /// Returns null if this is a position of a variant.
    const Position* standard() const { return std::get_if<Position>(&position_); }
    /// Returns null if this is a position of standard chess or Chess960.
    const VariantPosition* of_variant() const { return std::get_if<VariantPosition>(&position_); }
    /// Returns kStandard for Chess960 too.
    Variant variant() const {
        return of_variant() != nullptr ? of_variant()->variant() : Variant::kStandard;
    }

    template <typename Use>
    decltype(auto) visit(Use&& use) const {
        return std::visit(std::forward<Use>(use), position_);
    }

    std::uint64_t key() const {
        return visit([](const auto& p) { return p.key(); });
    }
    Color side_to_move() const {
        return visit([](const auto& p) { return p.side_to_move(); });
    }
    unsigned halfmove_clock() const {
        return visit([](const auto& p) { return p.halfmove_clock(); });
    }
    unsigned fullmove_number() const {
        return visit([](const auto& p) { return p.fullmove_number(); });
    }
    bool in_check() const {
        return visit([](const auto& p) { return p.in_check(); });
    }
    /// Positions of different variants are never the same.
    bool same_as(const AnyPosition& other) const;
    /// Plays a legal move, or the null move.
    void play(Move move);

  private:
    std::variant<Position, VariantPosition> position_;
};

/// Returns the position that parse_any_fen() found; empty if the text is not a position.
std::optional<AnyPosition> any_position(const FenResult& result);
/// Returns the position of `variant` (not kOther) that a setup describes; empty if the setup makes
/// no sense in that variant.
std::optional<AnyPosition> any_position(Variant variant, const VariantSetup& setup);

/// Returns the number of legal moves; 0 if the game is over.
std::size_t count_legal_moves(const AnyPosition& position);
/// Returns whether a castling right is one that only Chess960 has.
bool has_chess960_rights(const AnyPosition& position);

std::string to_fen(const AnyPosition& position, FenDialect dialect = FenDialect::kStandard);
std::string to_epd(const AnyPosition& position);
char* write_fen(const AnyPosition& position, FenDialect dialect, char* out);
char* write_epd(const AnyPosition& position, FenDialect dialect, char* out);

void append_san(const AnyPosition& position, Move move, std::string& out);
std::string to_san(const AnyPosition& position, Move move);
/// Finds the legal move that UCI notation names: e2e4, e7e8q, N@f3, 0000; castling as e1g1 or as
/// king takes rook.
[[nodiscard]] SanError read_uci(const AnyPosition& position, std::string_view text, Move& out);
/// `variant` says whether castling is written as in standard chess or as in Chess960.
void append_uci(const AnyPosition& position, Move move, Variant variant, std::string& out);
std::string to_uci(const AnyPosition& position, Move move, Variant variant);

}  // namespace fendex::chess
