#include "store/sqlite/engine/position_games.hpp"

#include <algorithm>
#include <map>

#include "base/key_text.hpp"

namespace fendex::store {

namespace {

/// The games of fewer occurrences are quickly found again.
constexpr std::size_t kWorthKeeping = 1000;

std::string key_of_games(std::uint64_t key) { return base::KeyText("position").add(key).text(); }

/// Makes a group of games, which may repeat themselves.
PositionGames::Group group_of(std::uint16_t move, std::vector<std::uint32_t>& games) {
    PositionGames::Group group{chess::Move::from_bits(move), {}, {}};
    if (!std::ranges::is_sorted(games)) std::ranges::sort(games);
    for (auto next = games.begin(); next != games.end();) {
        next = std::adjacent_find(next, games.end());
        if (next != games.end()) group.again.push_back(*next++);
    }
    group.games.add(games);
    return group;
}

}  // namespace

std::size_t PositionGames::bytes() const {
    std::size_t bytes = sizeof *this + all.bytes() + repeated.bytes() +
                        in_others.size() * sizeof(std::uint32_t) +
                        unverified.size() * sizeof(GameId);
    for (const Group& group : groups) {
        bytes += sizeof group + group.games.bytes() + group.again.size() * sizeof(std::uint32_t);
    }
    return bytes;
}

std::shared_ptr<const PositionGames> known_games_of_position(LocalReader& reader,
                                                             std::uint64_t key) {
    return reader.snapshot_cache().get<PositionGames>(key_of_games(key));
}

std::shared_ptr<const PositionGames> games_of_position(LocalReader& reader, std::uint64_t key,
                                                       base::StopCheck& stop) {
    if (auto known = known_games_of_position(reader, key)) return known;
    const auto out = std::make_shared<PositionGames>();
    std::map<std::uint16_t, std::vector<std::uint32_t>> by_move;
    std::size_t occurrences = 0;
    const std::unique_ptr<PositionPieces> lists = reader.pieces(key);
    std::vector<std::uint32_t> piece;
    for (std::size_t i = 0; i < lists->pieces().size(); ++i) {
        stop();
        lists->read(i, piece);
        std::vector<std::uint32_t>& games = by_move[lists->pieces()[i].next.bits()];
        games.insert(games.end(), piece.begin(), piece.end());
        occurrences += piece.size();
    }
    for (const Candidate& each : lists->others()) {
        stop();
        if (each.ply) {
            by_move[each.next.bits()].push_back(static_cast<std::uint32_t>(each.game));
        } else {
            out->unverified.push_back(each.game);
        }
    }
    occurrences += lists->others().size();
    for (auto& [move, games] : by_move) {
        const PositionGames::Group& group = out->groups.emplace_back(group_of(move, games));
        games = {};
        for (const std::uint32_t game : (out->all & group.games).numbers()) {
            out->in_others.push_back(game);
        }
        out->all |= group.games;
        out->repeated.add(group.again);
    }
    out->repeated.add(out->in_others);
    if (occurrences >= kWorthKeeping)
        reader.snapshot_cache().put(key_of_games(key), out, out->bytes());
    return out;
}

std::shared_ptr<const PositionGames> games_of_position_again(LocalReader& reader, std::uint64_t key,
                                                             base::StopCheck& stop) {
    constexpr std::uint64_t kMostGames = 1'000'000;
    if (auto known = known_games_of_position(reader, key)) return known;
    if (!reader.snapshot_cache().is_asked_again(key_of_games(key))) return nullptr;
    if (reader.pieces(key)->games() > kMostGames) return nullptr;
    return games_of_position(reader, key, stop);
}

}  // namespace fendex::store
