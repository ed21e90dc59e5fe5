// Replays a packed game position by position. It does not check legality: stored moves were
// checked.
#pragma once

#include <string_view>

#include "chess/position.hpp"
#include "chess/variant_position.hpp"
#include "codec/move_list.hpp"

namespace fendex::codec {

template <typename Position>
class BasicGameWalk {
  public:
    BasicGameWalk(const Position& start, std::string_view moves, std::uint32_t plies)
        : position_(start), reader_(moves), plies_(plies) {
        read_next();
    }

    const Position& position() const { return position_; }
    std::uint32_t ply() const { return ply_; }
    bool at_end() const { return ply_ == plies_; }
    /// The move played from here; the null value Move{} at the end.
    chess::Move next_move() const { return next_; }
    /// True if the stored moves cannot be decoded: then the walk ends early.
    bool corrupt() const { return corrupt_; }

    void advance() {
        position_.play(next_);
        ++ply_;
        read_next();
    }

  private:
    void read_next() {
        if (at_end()) {
            next_ = chess::Move{};
        } else if (!reader_.next(position_, next_)) {
            corrupt_ = true;
            plies_ = ply_;
            next_ = chess::Move{};
        }
    }

    Position position_;
    MoveListReader reader_;
    std::uint32_t plies_;
    std::uint32_t ply_ = 0;
    chess::Move next_;
    bool corrupt_ = false;
};

using GameWalk = BasicGameWalk<chess::Position>;
using VariantWalk = BasicGameWalk<chess::VariantPosition>;

}  // namespace fendex::codec
