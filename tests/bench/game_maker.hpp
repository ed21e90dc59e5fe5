// Makes up archives: new, legal, varied games that begin as real ones did. A game leaves the
// opening it was given somewhere between the first and the last ply that is known of it, goes on
// with random moves of some sense (captures are liked, pieces are not put where a pawn takes them),
// and ends with mate, stalemate, or after as many plies as some real game took. Names, events,
// ratings and dates are put together from the same archive's.
//
// Game n depends on the seed and on n only. Distinct threads may make games at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "openings.hpp"
#include "random.hpp"

namespace fendex::bench {

struct MakerOptions {
    std::uint64_t seed = 1;
    bool crlf = false;
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
    std::string_view append_moves(const SourceGame& opening, Random& random,
                                  std::string& out) const;

    const Openings& openings_;
    MakerOptions options_;
};

/// The plies of an opening that games leave it between.
inline constexpr std::uint32_t kMinOpeningPlies = 6;
inline constexpr std::uint32_t kMaxOpeningPlies = 30;

/// Makes games on `threads` threads and hands their text over in order, in the calling thread.
void make_games(const GameMaker& maker, std::uint64_t games, unsigned threads,
                const std::function<void(std::string_view text)>& take);

}  // namespace fendex::bench
