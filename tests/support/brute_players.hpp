// The players of games, counted one game after the other, as a model of what stores count.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "chess/types.hpp"
#include "codec/game_facts.hpp"
#include "store/local_reader.hpp"
#include "store/players.hpp"

namespace fendex::test {

struct GameWithNames {
    store::GameId id = 0;
    codec::GameFacts facts;
    std::string white;  // empty: unknown
    std::string black;
    std::string opening;

    [[nodiscard]] const std::string& player(chess::Color color) const {
        return color == chess::Color::kWhite ? white : black;
    }
};

/// For each joined name of a player, the name that stands for it.
using NameJoins = std::map<std::string, std::string>;

NameJoins name_joins(store::LocalReader& reader);

/// Returns these names, and all that are joined with them.
std::set<std::string> joined_with(std::span<const std::string> names, const NameJoins& joins);

std::unique_ptr<store::Players> brute_players(const std::vector<GameWithNames>& games,
                                              NameJoins joins);

}  // namespace fendex::test
