#include "query/player_list.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/text_fold.hpp"
#include "query/alike_names.hpp"

namespace fendex::query {

std::vector<PlayerCount> joined_players(std::vector<std::vector<PlayerCount>> databases) {
    if (databases.size() == 1) return std::move(databases.front());
    std::vector<PlayerCount> all;
    for (const auto& players : databases) all.insert(all.end(), players.begin(), players.end());
    std::ranges::sort(all, {}, &PlayerCount::name);
    std::vector<PlayerCount> out;
    for (PlayerCount& each : all) {
        if (out.empty() || out.back().name != each.name) {
            out.push_back(std::move(each));
            continue;
        }
        PlayerCount& sum = out.back();
        sum.spellings.insert(sum.spellings.end(), each.spellings.begin(), each.spellings.end());
        sum.games += each.games;
        sum.white += each.white;
        sum.black += each.black;
        sum.last_year = std::max(sum.last_year, each.last_year);
        if (sum.first_year == 0 || (each.first_year != 0 && each.first_year < sum.first_year)) {
            sum.first_year = each.first_year;
        }
    }
    std::ranges::sort(out, store::is_listed_before);
    return out;
}

namespace {

std::vector<std::string> all_names(std::span<const PlayerCount> players) {
    std::vector<std::string> names;
    for (const PlayerCount& each : players) {
        names.push_back(each.name);
        names.insert(names.end(), each.spellings.begin(), each.spellings.end());
    }
    return names;
}

/// Of the players whose names have the words that were typed, keeps those with exactly the typed
/// name; if there are none, those whose names equal it after folding; else all.
void keep_exact(std::vector<PlayerCount>& players, std::string_view typed) {
    const std::string folded = base::fold(typed);
    const auto is_exact = [&](const std::string& name) { return name == typed; };
    const auto is_equal = [&](const std::string& name) { return base::fold(name) == folded; };
    const auto keep = [&](const auto& fits) {
        const auto has_fitting = [&](const PlayerCount& each) {
            return std::ranges::any_of(all_names({&each, 1}), fits);
        };
        if (std::ranges::none_of(players, has_fitting)) return false;
        std::erase_if(players, [&](const PlayerCount& each) { return !has_fitting(each); });
        return true;
    };
    if (!keep(is_exact)) keep(is_equal);
}

}  // namespace

PlayerChoice choose_players(std::span<const std::unique_ptr<store::Players>> databases,
                            std::string_view typed, const std::stop_token& stop) {
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    const auto players_in_all = [&](const store::AskedPlayers& asked) {
        std::vector<std::vector<PlayerCount>> lists;
        for (const auto& each : databases) lists.push_back(each->first(asked, kAll, stop));
        return joined_players(std::move(lists));
    };
    base::NameWords words(base::fold(typed));
    PlayerChoice out;
    // A name without letters, such as "?", has no words.
    out.named = words.empty() ? players_in_all(std::vector{std::string(typed)})
                              : players_in_all(std::move(words));
    keep_exact(out.named, typed);
    if (out.named.empty() || out.named.size() > kMostCompared) return out;
    out.alike = players_in_all(like_names(all_names(out.named)));
    std::erase_if(out.alike, [&](const PlayerCount& each) {
        return std::ranges::find(out.named, each.name, &PlayerCount::name) != out.named.end();
    });
    return out;
}

}  // namespace fendex::query
