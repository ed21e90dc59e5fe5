#include "store/sqlite/engine/game_conditions.hpp"

#include <algorithm>

#include "base/key_text.hpp"
#include "codec/game_codes.hpp"
#include "replay/opening_names.hpp"
#include "store/name_index.hpp"
#include "store/named_codes.hpp"
#include "store/sqlite/engine/record_swings.hpp"

namespace fendex::store {

namespace {

using base::fold;
using base::NameWords;

using Rule = GameCondition::Rule;

GameCondition range_of(GameColumn column, NumberRange range) {
    return {.columns = {column}, .range = range};
}

/// Unknown values, which are 0, do not fit.
GameCondition known_range(GameColumn column, NumberRange range, std::uint32_t least) {
    range.low = std::max(range.low, least);
    return range_of(column, range);
}

GameCondition one_of(GameColumn column, std::vector<std::uint32_t> values) {
    GameCondition out{.rule = Rule::kValues, .columns = {column}, .values = std::move(values)};
    for (const std::uint32_t value : out.values) {
        if (value >= out.table.size()) out.table.resize(value + 1);
        out.table[value] = true;
    }
    return out;
}

template <typename Value>
GameCondition one_of_list(GameColumn column, const std::vector<Value>& list) {
    std::vector<std::uint32_t> values;
    values.reserve(list.size());
    for (const Value value : list) values.push_back(static_cast<std::uint32_t>(value));
    return one_of(column, std::move(values));
}

/// The mean of both ratings is in one of the ranges. Ranges that meet are read as one.
GameCondition mean_elo_condition(std::vector<NumberRange> ranges) {
    std::ranges::sort(ranges, [](const auto& a, const auto& b) { return a.low < b.low; });
    std::vector<NumberRange> joined;
    for (const NumberRange& each : ranges) {
        if (each.low > each.high) continue;
        if (joined.empty() || each.low > std::uint64_t{joined.back().high} + 1) {
            joined.push_back(each);
        } else {
            joined.back().high = std::max(joined.back().high, each.high);
        }
    }
    constexpr std::uint32_t kMostElo = UINT32_MAX / 2;
    GameCondition out{.rule = Rule::kEither};
    for (const NumberRange& each : joined) {
        const NumberRange sums{2 * std::min(each.low, kMostElo),
                               each.high < kMostElo ? 2 * each.high + 1 : UINT32_MAX};
        out.either.push_back({known_range(GameColumn::kEloSum, sums, 1)});
    }
    if (out.either.size() == 1) return out.either.front().front();
    if (out.either.empty()) out.either.push_back({range_of(GameColumn::kEloSum, {1, 0})});
    return out;
}

std::vector<bool> table_of(std::span<const std::uint32_t> codes) {
    std::vector<bool> table(codes.empty() ? 0 : codes.back() + 1);
    for (const std::uint32_t code : codes) table[code] = true;
    return table;
}

GameCondition eco_condition(const std::pair<std::string, std::string>& range) {
    GameCondition out{.rule = Rule::kEco,
                      .columns = {GameColumn::kEco},
                      .text = range.first,
                      .text_end = range.second};
    out.table.resize(codec::kEcoCodes);
    for (std::uint32_t code = codec::kCodeInRow + 1; code < codec::kEcoCodes; ++code) {
        out.table[code] = out.fits_text(codec::eco_of_code(code));
    }
    return out;
}

/// Completes a condition on openings: adds the codes of the openings that fit.
template <typename Fits>
GameCondition opening_condition(LocalReader& reader, GameCondition out, Fits fits) {
    out.columns = {GameColumn::kOpening};
    out.table.resize(1);
    reader.for_each_name(NameKind::kOpening, [&](std::int64_t id, std::string_view text) {
        const std::uint32_t code = codec::code_of_id(id);
        if (code >= out.table.size()) out.table.resize(code + 1);
        out.table[code] = fits(replay::opening_of_text(text));
    });
    return out;
}

GameCondition name_condition(LocalReader& reader, const std::string& typed, NameKind kind,
                             std::vector<GameColumn> columns, base::StopCheck& stop) {
    GameCondition out{.rule = Rule::kWords, .columns = std::move(columns), .text = typed};
    out.words = NameWords(typed);
    std::vector<std::uint32_t> codes = codes_with_words(reader, kind, out.words, stop);
    out.table = table_of(codes);
    if (kind == NameKind::kPlayer) out.players = std::move(codes);
    return out;
}

/// Returns the condition that a player has this name.
GameCondition exact_name_condition(LocalReader& reader, const std::string& typed, GameColumn column,
                                   base::StopCheck& stop) {
    GameCondition out{.rule = Rule::kExactName, .columns = {column}, .text = typed};
    out.players = codes_of_player(reader, typed, stop);
    out.table = table_of(out.players);
    return out;
}

GameCondition event_condition(LocalReader& reader, const std::string& name) {
    GameCondition out{.rule = Rule::kExactName, .columns = {GameColumn::kEvent}, .text = name};
    out.table = table_of(name == kUnknownName ? codes_unknown(reader, NameKind::kEvent)
                                              : codes_named(reader, NameKind::kEvent, {&name, 1}));
    return out;
}

/// Two players against one another, whoever has White.
GameCondition opponents_condition(LocalReader& reader, const std::string& one,
                                  const std::string& other, base::StopCheck& stop) {
    const auto with = [&](const std::string& white, const std::string& black) {
        return std::vector{player_condition(reader, white, GameColumn::kWhite, stop),
                           player_condition(reader, black, GameColumn::kBlack, stop)};
    };
    return {.rule = Rule::kEither, .either = {with(one, other), with(other, one)}};
}

GameCondition termination_condition(LocalReader& reader, const std::string& typed,
                                    base::StopCheck& stop) {
    std::vector<std::uint32_t> codes = codes_beginning(reader, NameKind::kTagValue, typed, stop);
    std::ranges::sort(codes);
    GameCondition out{
        .rule = Rule::kBeginning, .columns = {GameColumn::kTermination}, .text = typed};
    out.table = table_of(codes);
    return out;
}

GameCondition variant_condition(chess::Variant asked) {
    std::vector<std::uint32_t> values;
    for (std::uint32_t i = 0; i < chess::kVariants; ++i) {
        if (is_of_variant(static_cast<chess::Variant>(i), asked)) values.push_back(i);
    }
    return one_of(GameColumn::kVariant, std::move(values));
}

/// Appends the conditions on facts.
void add_facts(const GameFilter& filter, std::vector<GameCondition>& out) {
    using enum GameColumn;
    const auto number = [](auto value) { return static_cast<std::uint32_t>(value); };
    if (filter.result) out.push_back(one_of(kResult, {number(*filter.result)}));
    if (filter.time_classes) out.push_back(one_of_list(kTimeClass, *filter.time_classes));
    if (filter.mode) out.push_back(one_of(kMode, {number(*filter.mode)}));
    if (filter.modes) out.push_back(one_of_list(kMode, *filter.modes));
    if (filter.variant) out.push_back(variant_condition(*filter.variant));
    if (!filter.date.is_everything())
        out.push_back(known_range(kDate, filter.date, codec::kFirstYear.number()));
    if (!filter.white_elo.is_everything()) {
        out.push_back(known_range(kWhiteElo, filter.white_elo, 1));
    }
    if (!filter.black_elo.is_everything()) {
        out.push_back(known_range(kBlackElo, filter.black_elo, 1));
    }
    if (filter.mean_elo) out.push_back(mean_elo_condition(*filter.mean_elo));
    if (!filter.plies.is_everything()) out.push_back(range_of(kPlies, filter.plies));
}

/// Appends the conditions on ECO codes and openings.
void add_openings(LocalReader& reader, const GameFilter& filter, std::vector<GameCondition>& out) {
    if (filter.eco) out.push_back(eco_condition(*filter.eco));
    if (const auto& range = filter.opening_eco) {
        out.push_back(opening_condition(
            reader, {.rule = Rule::kOpeningEco, .text = range->first, .text_end = range->second},
            [&](const replay::Opening& opening) { return has_eco(*range, opening.eco); }));
    }
    if (!filter.opening.empty()) {
        out.push_back(
            opening_condition(reader, {.rule = Rule::kOpeningWords, .text = filter.opening},
                              [words = NameWords(filter.opening)](const replay::Opening& opening) {
                                  return words.fit(fold(opening.name));
                              }));
    }
}

/// A player's swing is at least so large.
GameCondition swing_condition(GameColumn column, std::uint32_t least) {
    return range_of(column, {.low = least + 1});
}

/// Appends the conditions on swings.
void add_swings(LocalReader& reader, const GameFilter& filter, std::vector<GameCondition>& out,
                base::StopCheck& stop) {
    using enum GameColumn;
    const bool has_records = has_position_records(reader);
    const auto add = [&](std::vector<std::vector<GameCondition>> either) {
        if (has_records) {
            either.push_back({one_of(kWhiteSwing, {0}), one_of(kBlackSwing, {0})});
        }
        out.push_back({.rule = Rule::kEither, .either = std::move(either)});
    };
    if (filter.white_swing) add({{swing_condition(kWhiteSwing, *filter.white_swing)}});
    if (filter.black_swing) add({{swing_condition(kBlackSwing, *filter.black_swing)}});
    if (!filter.swing) return;
    std::vector<GameCondition> by_white{swing_condition(kWhiteSwing, *filter.swing)};
    std::vector<GameCondition> by_black{swing_condition(kBlackSwing, *filter.swing)};
    if (filter.is_swing_of_player()) {
        by_white.push_back(player_condition(reader, filter.player, kWhite, stop));
        by_black.push_back(player_condition(reader, filter.player, kBlack, stop));
    }
    add({std::move(by_white), std::move(by_black)});
}

/// Appends the conditions on names and texts.
void add_names(LocalReader& reader, const GameFilter& filter, std::vector<GameCondition>& out,
               base::StopCheck& stop) {
    using enum GameColumn;
    const auto add_name = [&](const std::string& typed, NameKind kind,
                              std::vector<GameColumn> columns) {
        if (typed.empty()) return;
        out.push_back(name_condition(reader, typed, kind, std::move(columns), stop));
    };
    add_name(filter.white, NameKind::kPlayer, {kWhite});
    add_name(filter.black, NameKind::kPlayer, {kBlack});
    if (!filter.white_named.empty()) {
        out.push_back(exact_name_condition(reader, filter.white_named, kWhite, stop));
    }
    if (!filter.black_named.empty()) {
        out.push_back(exact_name_condition(reader, filter.black_named, kBlack, stop));
    }
    if (filter.opponent.empty()) {
        add_name(filter.player, NameKind::kPlayer, {kWhite, kBlack});
    } else {
        out.push_back(opponents_condition(reader, filter.player, filter.opponent, stop));
    }
    add_name(filter.event, NameKind::kEvent, {kEvent});
    if (!filter.event_named.empty()) out.push_back(event_condition(reader, filter.event_named));
    add_name(filter.site, NameKind::kSite, {kSite});
    if (!filter.termination.empty()) {
        out.push_back(termination_condition(reader, filter.termination, stop));
    }
}

void add_to_key(const GameCondition& condition, base::KeyText& key) {
    key.add(static_cast<std::uint64_t>(condition.rule)).add(condition.columns.size());
    for (const GameColumn column : condition.columns) {
        key.add(static_cast<std::uint64_t>(column));
    }
    key.add(condition.range.low).add(condition.range.high).add(condition.values.size());
    for (const std::uint32_t value : condition.values) key.add(value);
    key.add(condition.text).add(condition.text_end).add(condition.either.size());
    for (const std::vector<GameCondition>& all : condition.either) {
        key.add(all.size());
        for (const GameCondition& each : all) add_to_key(each, key);
    }
}

}  // namespace

bool GameCondition::fits_text(std::string_view value) const {
    switch (rule) {
        case Rule::kWords: return words.fit(fold(value));
        case Rule::kBeginning: return fold(value).starts_with(text);
        case Rule::kEco: return has_eco({text, text_end}, value);
        default: return false;
    }
}

std::string key_of(const GameCondition& condition) {
    base::KeyText key("condition");
    add_to_key(condition, key);
    return key.text();
}

GameCondition player_condition(LocalReader& reader, const std::string& typed, GameColumn column,
                               base::StopCheck& stop) {
    return name_condition(reader, typed, NameKind::kPlayer, {column}, stop);
}

std::vector<GameCondition> conditions_of(LocalReader& reader, const GameFilter& filter,
                                         base::StopCheck& stop) {
    // Conditions that cost least come first.
    std::vector<GameCondition> out;
    add_facts(filter, out);
    add_swings(reader, filter, out, stop);
    add_openings(reader, filter, out);
    add_names(reader, filter, out, stop);
    return out;
}

}  // namespace fendex::store
