#include "query/player_list.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/key_text.hpp"
#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "codec/game_codes.hpp"
#include "query/alike_names.hpp"
#include "query/column_scan.hpp"
#include "store/name_index.hpp"
#include "store/named_codes.hpp"

namespace fendex::query {

namespace {

using base::NameWords;

/// First years are stored as one less.
constexpr std::uint16_t kNoYear = 0xFFFF;

}  // namespace

/// The counts of all players, by code.
struct PlayerCounts::ByCode {
    struct Counts {
        std::uint32_t white = 0;
        std::uint32_t black = 0;
        std::uint32_t both = 0;  // games against the same name
        std::uint16_t first_year = kNoYear;
        std::uint16_t last_year = 0;

        [[nodiscard]] std::uint64_t games() const { return std::uint64_t{white} + black - both; }
    };
    std::vector<Counts> counts;

    void add(const ColumnScan& scan, const store::JoinedNames& joined);
    /// Returns a player without spellings; empty if the name is missing.
    [[nodiscard]] std::optional<PlayerCount> player(std::uint32_t code,
                                                    const std::optional<std::string>& name) const;
};

std::optional<PlayerCount> PlayerCounts::ByCode::player(
    std::uint32_t code, const std::optional<std::string>& name) const {
    if (!name) return std::nullopt;
    const Counts& of = counts[code];
    return PlayerCount{
        *name,       of.games(), of.white, of.black, static_cast<std::uint16_t>(of.first_year + 1),
        of.last_year};
}

/// Some 5 ns a game: the counts of many players do not fit the processor's cache.
void PlayerCounts::ByCode::add(const ColumnScan& scan, const store::JoinedNames& joined) {
    if (counts.size() < joined.end_of_codes()) counts.resize(joined.end_of_codes());
    for (const std::size_t column : {0U, 1U}) {
        const auto values = scan.values(column);
        const std::uint32_t last = *std::ranges::max_element(values);
        if (last >= counts.size()) counts.resize(last + last / 2 + std::size_t{1});
    }
    for (const std::uint32_t place : scan.places()) {
        const std::uint32_t white = joined.canonical(scan.values(0)[place]);
        const std::uint32_t black = joined.canonical(scan.values(1)[place]);
        const auto year = static_cast<std::uint16_t>(codec::Date(scan.values(2)[place]).year());
        // 0, which is unknown, becomes the greatest number.
        const auto first = static_cast<std::uint16_t>(year - 1);
        Counts& of_white = counts[white];
        Counts& of_black = counts[black];
        ++of_white.white;
        ++of_black.black;
        of_white.both += white == black ? 1U : 0U;
        of_white.first_year = std::min(of_white.first_year, first);
        of_black.first_year = std::min(of_black.first_year, first);
        of_white.last_year = std::max(of_white.last_year, year);
        of_black.last_year = std::max(of_black.last_year, year);
    }
}

PlayerCounts::PlayerCounts(store::StoreReader& reader, GameMatcher& matcher, std::stop_token stop)
    : reader_(require(reader, store::Capability::kPlayerScan)),
      joined_(store::JoinedNames::of(reader_, store::NameKind::kPlayer)) {
    const std::string key = base::KeyText("players").text();
    if (matcher.takes_all()) by_code_ = reader.snapshot_cache().get<ByCode>(key);
    if (!by_code_) {
        using enum store::GameColumn;
        const auto counted = std::make_shared<ByCode>();
        ColumnScan scan(reader_, matcher, {kWhite, kBlack, kDate}, std::move(stop));
        while (scan.next()) counted->add(scan, *joined_);
        by_code_ = counted;
        if (matcher.takes_all()) {
            reader.snapshot_cache().put(key, counted,
                                        counted->counts.capacity() * sizeof(ByCode::Counts));
        }
    }
    for (std::uint32_t code = codec::kCodeInRow + 1; code < by_code_->counts.size(); ++code) {
        if (by_code_->counts[code].games() != 0) ranked_.push_back(code);
    }
}

void PlayerCounts::keep_named(std::string_view words, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const std::vector<std::uint32_t> codes = store::codes_with_words(
        reader_, store::NameKind::kPlayer, NameWords(base::fold(words)), check);
    std::erase_if(ranked_,
                  [&](std::uint32_t code) { return !std::ranges::binary_search(codes, code); });
}

/// Among players with equally many games, the one that came into the database first is first.
bool PlayerCounts::is_before(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t of_a = by_code_->counts[a].games();
    const std::uint64_t of_b = by_code_->counts[b].games();
    return of_a != of_b ? of_a > of_b : a < b;
}

std::vector<PlayerCount> PlayerCounts::first(std::size_t most) {
    most = std::min(most, ranked_.size());
    std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(most),
                      ranked_.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return is_before(a, b); });
    return players(std::span(ranked_).first(most));
}

std::vector<PlayerCount> PlayerCounts::of(std::vector<std::uint32_t> codes) const {
    std::erase_if(codes, [&](std::uint32_t code) {
        return code >= by_code_->counts.size() || by_code_->counts[code].games() == 0;
    });
    std::ranges::sort(codes, [&](std::uint32_t a, std::uint32_t b) { return is_before(a, b); });
    return players(codes);
}

std::vector<PlayerCount> PlayerCounts::players(std::span<const std::uint32_t> ranked) const {
    // Of each player, the code and those of its spellings.
    std::vector<std::uint32_t> codes;
    for (const std::uint32_t code : ranked) {
        const auto spellings = joined_->spellings(code);
        codes.push_back(code);
        codes.insert(codes.end(), spellings.begin(), spellings.end());
    }
    const auto names = store::names_of_codes(reader_, store::NameKind::kPlayer, codes);
    std::vector<PlayerCount> out;
    for (std::size_t i = 0; i < codes.size();) {
        const std::size_t end = i + 1 + joined_->spellings(codes[i]).size();
        std::optional<PlayerCount> player = by_code_->player(codes[i], names[i]);
        while (++i != end) {
            if (player && names[i]) player->spellings.push_back(*names[i]);
        }
        if (player) out.push_back(std::move(*player));
    }
    return out;
}

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
    std::ranges::stable_sort(out, std::ranges::greater(), &PlayerCount::games);
    return out;
}

PlayerCodes::PlayerCodes(store::LocalReader& reader, std::span<const std::string> names) {
    const std::vector<std::uint32_t> codes =
        store::codes_named(reader, store::NameKind::kPlayer, names);
    if (!codes.empty()) codes_.resize(codes.back() + std::size_t{1});
    for (const std::uint32_t code : codes) codes_[code] = true;
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

PlayerChoice choose_players(std::span<const PlayerCounts> databases, std::string_view typed,
                            std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const auto players_in_all = [&](const auto& codes_in) {
        std::vector<std::vector<PlayerCount>> lists;
        for (const PlayerCounts& each : databases)
            lists.push_back(each.of(codes_in(each.reader())));
        return joined_players(std::move(lists));
    };
    const NameWords words(base::fold(typed));
    PlayerChoice out;
    out.named = players_in_all([&](store::LocalReader& reader) {
        // A name without letters, such as "?", has no words.
        const std::string name(typed);
        if (words.empty()) return store::codes_named(reader, store::NameKind::kPlayer, {&name, 1});
        return store::codes_with_words(reader, store::NameKind::kPlayer, words, check);
    });
    keep_exact(out.named, typed);
    if (out.named.empty() || out.named.size() > kMostCompared) return out;
    const std::vector<std::string> names = all_names(out.named);
    out.alike = players_in_all(
        [&](store::LocalReader& reader) { return alike_codes(reader, names, check); });
    std::erase_if(out.alike, [&](const PlayerCount& each) {
        return std::ranges::find(out.named, each.name, &PlayerCount::name) != out.named.end();
    });
    return out;
}

}  // namespace fendex::query
