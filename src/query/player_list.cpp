#include "query/player_list.hpp"

#include <algorithm>

#include "base/text_fold.hpp"
#include "codec/game_codes.hpp"
#include "query/column_scan.hpp"

namespace fendex::query {

namespace {

using base::NameWords;

/// The shortest word by which names are taken for spellings of one another; initials are not
/// enough.
constexpr std::size_t kTellingLetters = 3;
constexpr std::size_t kMostCompared = 10;

/// Counts of one player, by code.
struct Counts {
    std::uint32_t white = 0;
    std::uint32_t black = 0;
    std::uint32_t both = 0;  // games against the same name
    std::uint16_t first_year = 0;
    std::uint16_t last_year = 0;

    void add_year(std::uint16_t year) {
        if (year == 0) return;
        if (first_year == 0 || year < first_year) first_year = year;
        last_year = std::max(last_year, year);
    }
};

void sort_by_games(std::vector<PlayerCount>& players) {
    std::sort(players.begin(), players.end(), [](const PlayerCount& a, const PlayerCount& b) {
        return a.games != b.games ? a.games > b.games : a.name < b.name;
    });
}

bool may_be_spellings(const std::string& a, const std::string& b) {
    const NameWords of_a(a);
    const NameWords of_b(b);
    const auto tells = [](const NameWords& words) {
        return !words.empty() && words.words().front().size() >= kTellingLetters;
    };
    return (tells(of_a) && of_a.fit(b)) || (tells(of_b) && of_b.fit(a));
}

}  // namespace

std::vector<PlayerCount> count_players(store::StoreReader& reader, GameMatcher& matcher,
                                       std::stop_token stop) {
    using enum store::GameColumn;
    std::vector<Counts> by_code;
    const auto of = [&](std::uint32_t code) -> Counts& {
        if (code >= by_code.size()) by_code.resize(code + code / 2 + std::size_t{1});
        return by_code[code];
    };
    ColumnScan scan(reader, matcher, {kWhite, kBlack, kDate}, stop);
    while (scan.next()) {
        for (const std::uint32_t place : scan.places()) {
            const std::uint32_t white = scan.values(0)[place];
            const std::uint32_t black = scan.values(1)[place];
            const auto year = static_cast<std::uint16_t>(scan.values(2)[place] / 10'000);
            Counts& of_white = of(white);
            ++of_white.white;
            of_white.add_year(year);
            if (white == black) ++of_white.both;
            Counts& of_black = of(black);
            ++of_black.black;
            of_black.add_year(year);
        }
    }
    std::vector<PlayerCount> players;
    reader.for_each_name(store::NameKind::kPlayer, [&](std::int64_t id, std::string_view name) {
        const std::uint32_t code = codec::code_of_id(id);
        if (code == codec::kCodeInRow || code >= by_code.size()) return;
        const Counts& counts = by_code[code];
        const std::uint64_t games = std::uint64_t{counts.white} + counts.black - counts.both;
        if (games == 0) return;
        players.push_back({std::string(name), games, counts.white, counts.black, counts.first_year,
                           counts.last_year});
    });
    sort_by_games(players);
    return players;
}

std::vector<PlayerCount> joined_players(std::span<const std::vector<PlayerCount>> databases) {
    std::vector<PlayerCount> all;
    for (const auto& players : databases) all.insert(all.end(), players.begin(), players.end());
    if (databases.size() == 1) return all;
    std::sort(all.begin(), all.end(),
              [](const PlayerCount& a, const PlayerCount& b) { return a.name < b.name; });
    std::vector<PlayerCount> out;
    for (PlayerCount& each : all) {
        if (out.empty() || out.back().name != each.name) {
            out.push_back(std::move(each));
            continue;
        }
        PlayerCount& sum = out.back();
        sum.games += each.games;
        sum.white += each.white;
        sum.black += each.black;
        sum.last_year = std::max(sum.last_year, each.last_year);
        if (sum.first_year == 0 || (each.first_year != 0 && each.first_year < sum.first_year)) {
            sum.first_year = each.first_year;
        }
    }
    sort_by_games(out);
    return out;
}

PlayerCodes::PlayerCodes(store::StoreReader& reader, std::span<const std::string> names) {
    reader.for_each_name(store::NameKind::kPlayer, [&](std::int64_t id, std::string_view name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) return;
        const std::uint32_t code = codec::code_of_id(id);
        if (code >= codes_.size()) codes_.resize(code + std::size_t{1});
        codes_[code] = true;
    });
}

PlayerChoice choose_players(std::span<const PlayerCount> players, std::string_view typed) {
    PlayerChoice out;
    const std::string folded = base::fold(typed);
    const NameWords words(folded);
    std::vector<std::string> names;
    names.reserve(players.size());
    for (const PlayerCount& each : players) names.push_back(base::fold(each.name));
    const auto take = [&](auto is_it) {
        for (std::size_t i = 0; i < players.size(); ++i) {
            if (is_it(i)) out.named.push_back(players[i]);
        }
        return !out.named.empty();
    };
    if (!take([&](std::size_t i) { return players[i].name == typed; }) && !folded.empty() &&
        !take([&](std::size_t i) { return names[i] == folded; })) {
        take([&](std::size_t i) { return words.fit(names[i]); });
    }
    // If many fit, the question is which of them is meant.
    if (out.named.empty() || out.named.size() > kMostCompared) return out;
    for (std::size_t i = 0; i < players.size(); ++i) {
        const auto same = [&](const PlayerCount& each) { return each.name == players[i].name; };
        if (std::any_of(out.named.begin(), out.named.end(), same)) continue;
        const auto alike = [&](const PlayerCount& each) {
            return may_be_spellings(base::fold(each.name), names[i]);
        };
        if (std::any_of(out.named.begin(), out.named.end(), alike)) out.alike.push_back(players[i]);
    }
    return out;
}

}  // namespace fendex::query
