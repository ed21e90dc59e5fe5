// Numbers of a cluster: databases (origins), pushes and games. Do not change: stored.
#pragma once

#include <cstdint>

#include "store/records.hpp"

namespace fendex::clickhouse {

/// A database in the cluster: 0 for the first one that was pushed.
using Origin = std::uint16_t;
inline constexpr Origin kMaxOrigin = 8191;

inline constexpr unsigned kGameBits = 40;
/// The highest number that a game can have in its database.
inline constexpr store::GameId kMaxGame = (store::GameId{1} << kGameBits) - 1;

/// Returns the id in the cluster of a game with this number in its database. Ids are less than
/// 2^53, so that they are exact as numbers of JSON.
constexpr store::GameId cluster_id(Origin origin, store::GameId number) {
    return store::GameId{origin} << kGameBits | number;
}
constexpr Origin origin_of_game(store::GameId id) { return static_cast<Origin>(id >> kGameBits); }
constexpr store::GameId number_of_game(store::GameId id) { return id & kMaxGame; }

/// A push of an origin: origin << 19 | n, with n from 1. Pushes of two origins never have the same
/// number.
using PushNumber = std::uint32_t;
inline constexpr unsigned kPushBits = 19;
inline constexpr PushNumber kMaxPushes = (PushNumber{1} << kPushBits) - 1;

constexpr PushNumber push_number(Origin origin, PushNumber n) {
    return PushNumber{origin} << kPushBits | n;
}
constexpr Origin origin_of_push(PushNumber push) { return static_cast<Origin>(push >> kPushBits); }

}  // namespace fendex::clickhouse
