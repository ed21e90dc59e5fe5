#include "support/brute_players.hpp"

#include <algorithm>
#include <utility>

#include "base/text_fold.hpp"

namespace fendex::test {

namespace {

const std::string& one_of(const std::string& name, const NameJoins& joins) {
    const auto found = joins.find(name);
    return found == joins.end() ? name : found->second;
}

bool is_asked(const std::string& name, const store::AskedPlayers& asked) {
    const std::string folded = base::fold(name);
    if (const auto* const words = std::get_if<base::NameWords>(&asked)) {
        return !words->empty() && words->fit(folded);
    }
    if (const auto* const names = std::get_if<std::vector<std::string>>(&asked)) {
        return std::find(names->begin(), names->end(), name) != names->end();
    }
    if (const auto* const test = std::get_if<store::LikeNames>(&asked)) {
        const auto words = base::words_of(folded);
        const auto may_begin = [&](std::string_view word) {
            return word.size() > 1 && test->may_begin(word.substr(0, 2));
        };
        return std::any_of(words.begin(), words.end(), may_begin) && test->fits(folded);
    }
    return true;
}

class BrutePlayers final : public store::Players {
  public:
    BrutePlayers(const std::vector<GameWithNames>& games, NameJoins joins)
        : joins_(std::move(joins)) {
        for (const GameWithNames& game : games) {
            const std::string& white = one_of(game.white, joins_);
            const std::string& black = one_of(game.black, joins_);
            if (!white.empty()) add(game, white).white += 1;
            if (!black.empty()) add(game, black).black += 1;
            if (!white.empty() && white == black) --players_[white].games;
        }
        for (const auto& [name, one] : joins_) {
            const auto player = players_.find(one);
            if (player != players_.end()) player->second.spellings.push_back(name);
        }
    }

    std::uint64_t count(const store::AskedPlayers& asked, std::stop_token stop) override {
        return first(asked, SIZE_MAX, std::move(stop)).size();
    }

    std::vector<store::PlayerCount> first(const store::AskedPlayers& asked, std::size_t most,
                                          std::stop_token /*stop*/) override {
        std::vector<store::PlayerCount> out;
        for (const auto& [name, player] : players_) {
            const std::vector<std::string>& others = player.spellings;
            if (is_asked(name, asked) ||
                std::any_of(others.begin(), others.end(),
                            [&](const std::string& each) { return is_asked(each, asked); })) {
                out.push_back(player);
            }
        }
        std::sort(out.begin(), out.end(), store::is_listed_before);
        if (out.size() > most) out.resize(most);
        return out;
    }

  private:
    store::PlayerCount& add(const GameWithNames& game, const std::string& name) {
        store::PlayerCount& player = players_[name];
        player.name = name;
        ++player.games;
        const std::uint32_t year = game.facts.date.year();
        if (year != 0 && (player.first_year == 0 || year < player.first_year)) {
            player.first_year = year;
        }
        player.last_year = std::max(player.last_year, year);
        return player;
    }

    NameJoins joins_;
    std::map<std::string, store::PlayerCount> players_;
};

}  // namespace

NameJoins name_joins(store::LocalReader& reader) {
    NameJoins out;
    reader.for_each_name_join([&](const store::NameJoin& each) {
        if (each.kind != store::NameKind::kPlayer) return;
        out.emplace(reader.name(each.kind, each.name).value(),
                    reader.name(each.kind, each.canonical).value());
    });
    return out;
}

std::set<std::string> joined_with(std::span<const std::string> names, const NameJoins& joins) {
    std::set<std::string> ones;
    for (const std::string& name : names) ones.insert(one_of(name, joins));
    std::set<std::string> out = ones;
    for (const auto& [name, one] : joins) {
        if (ones.contains(one)) out.insert(name);
    }
    return out;
}

std::unique_ptr<store::Players> brute_players(const std::vector<GameWithNames>& games,
                                              NameJoins joins) {
    return std::make_unique<BrutePlayers>(games, std::move(joins));
}

}  // namespace fendex::test
