// Tag pairs and clocks as in the monthly archives of a server with some 3 million games a day:
// names of millions of players, some of whom play much more than others, ratings, differences of
// ratings, times that grow with the number of the game, time controls, and a clock after each move.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "random.hpp"

namespace fendex::bench {

/// The game with a number. The same number and seed always give the same game.
class OnlineGame {
  public:
    OnlineGame(std::uint64_t seed, std::uint64_t number);

    /// `opening` is as databases store it: "C50 Italian Game". Lines end with LF.
    void append_tags(std::string_view result, std::string_view opening, std::string& out) const;
    /// Appends "{ [%clk 0:04:57] }", the clock after the next ply, counted from 0. Must be called
    /// for one ply after the other.
    void append_clock(std::uint32_t ply, std::string& out);

  private:
    struct Player {
        std::uint64_t number;
        unsigned rating;
    };
    Player any_player();

    Random random_;
    std::uint64_t number_;
    std::uint64_t id_;
    std::size_t speed_;
    Player players_[2];    // White, Black
    unsigned clocks_[2];   // seconds left
    unsigned difference_;  // of the winner's rating
    bool rated_;
    bool in_time_;
};

}  // namespace fendex::bench
