// Makes up archives: new, legal, varied games that begin like real ones. A game leaves its opening
// somewhere between the first and the last known ply, continues with random but sensible moves (it
// prefers captures and avoids squares attacked by pawns), and ends with mate, stalemate, or after
// as many plies as some real game. Names, events, ratings and dates are combined from those of the
// archive, or they are like those of online servers (online_tags.hpp).
//
// Game n depends only on the seed and n. Several threads may make games at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "online_tags.hpp"
#include "openings.hpp"
#include "random.hpp"

namespace fendex::bench {

struct MakerOptions {
    std::uint64_t seed = 1;
    bool crlf = false;
    bool online = false;  // tags and clocks as in archives of online servers; lines end with LF
};

class GameMaker {
  public:
    GameMaker(const Openings& openings, MakerOptions options)
        : openings_(openings), options_(options) {}

    /// Appends game `number`, counted from 0.
    void append_game(std::uint64_t number, std::string& out) const;

  private:
    const SourceGame& any_game(Random& random) const;
    void append_tags(std::uint64_t number, const SourceGame& opening, Random& random,
                     std::string_view result, std::string& out) const;
    void append_player(Random& random, std::string& out) const;
    /// Appends the moves and returns the result. Clocks stand after them if there is an `online`
    /// game; then `keys` gets those of the first positions, else of none.
    std::string_view append_moves(const SourceGame& opening, Random& random, OnlineGame* online,
                                  std::vector<std::uint64_t>& keys, std::string& out) const;

    const Openings& openings_;
    MakerOptions options_;
};

/// Games leave an opening between these plies.
inline constexpr std::uint32_t kMinOpeningPlies = 6;
inline constexpr std::uint32_t kMaxOpeningPlies = 30;

/// Makes games in `threads` threads and calls take() with their text, in order, in the calling
/// thread.
void make_games(const GameMaker& maker, std::uint64_t games, unsigned threads,
                const std::function<void(std::string_view text)>& take);

}  // namespace fendex::bench
