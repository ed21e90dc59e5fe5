// The openings and tags of an archive's games, from which made-up games are continued.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/types.hpp"

namespace fendex::bench {

struct OpeningMove {
    chess::Move move;
    std::uint8_t san_size = 0;
    char san[7] = {};  // including + or #

    std::string_view text() const { return {san, san_size}; }
};

/// Tag values in UTF-8; empty if the game has none.
struct SourceGame {
    std::string_view event;
    std::string_view site;
    std::string_view date;
    std::string_view round;
    std::string_view white;
    std::string_view black;
    std::string_view white_elo;
    std::string_view black_elo;
    std::string_view eco;
    std::string_view result;
    std::uint32_t plies = 0;  // of the whole game
    std::uint32_t opening_plies = 0;
    std::size_t first_move = 0;
};

class Openings {
  public:
    /// Reads the first `max_plies` plies of each game. Games with fewer than `min_plies`, and those
    /// that do not start from the standard position, are skipped. Throws std::runtime_error if no
    /// game is left.
    Openings(const std::string& path, std::uint32_t min_plies, std::uint32_t max_plies);
    Openings(const Openings&) = delete;
    Openings& operator=(const Openings&) = delete;

    const std::vector<SourceGame>& games() const { return games_; }
    std::span<const OpeningMove> moves(const SourceGame& game) const {
        return std::span(moves_).subspan(game.first_move, game.opening_plies);
    }

  private:
    std::vector<SourceGame> games_;
    std::vector<OpeningMove> moves_;
    std::deque<std::string> texts_;  // holds the texts of the views
};

}  // namespace fendex::bench
