// SAN and UCI of variants: what san.hpp reads and writes, and drops ("N@f3", "@e4", "P@e4") and
// promotions to a king ("e8=K"). A move that ends the game by the variant's own rule is marked '#',
// as its servers do. Moves are found among the legal ones.
#pragma once

#include <string>
#include <string_view>

#include "chess/variant_position.hpp"

namespace fendex::chess {

/// Finds the one legal move that the text names. Returns why there is none, in words; empty where
/// `out` is it.
std::string_view read_san(const VariantPosition& position, std::string_view text, Move& out);

/// The SAN of a legal move, with + or #.
std::string to_san(const VariantPosition& position, Move move);

/// The same, behind what is there already.
void append_san(const VariantPosition& position, Move move, std::string& out);

/// e2e4, e7e8q, N@f3, 0000; castling as e1g1, or as king takes rook where the right is not a
/// standard one.
std::string to_uci(const VariantPosition& position, Move move);
/// The position knows its variant: of the one given it counts only that kChess960 writes all
/// castling as king takes rook, for code that serves standard chess as well.
void append_uci(const VariantPosition& position, Move move, Variant variant, std::string& out);

}  // namespace fendex::chess
