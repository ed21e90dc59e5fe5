#include "query/game_conditions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "base/key_text.hpp"
#include "codec/columns.hpp"
#include "query/name_index.hpp"
#include "replay/opening_names.hpp"

namespace fendex::query {

namespace {

using base::fold;
using base::NameWords;
using store::GameColumn;
using store::GameId;
using store::NumberRange;

enum class Fit : std::uint8_t { kNo, kYes, kAskRow };

using Rule = GameCondition::Rule;

/// Returns whether values without a code are in the rows of their games.
bool may_be_in_row(const GameCondition& condition) {
    return condition.rule == Rule::kWords || condition.rule == Rule::kBeginning ||
           condition.rule == Rule::kEco;
}

Fit fit_of(const GameCondition& condition, std::uint32_t value) {
    if (condition.rule == Rule::kRange) {
        return condition.range.contains(value) ? Fit::kYes : Fit::kNo;
    }
    if (value == codec::kCodeInRow && may_be_in_row(condition)) return Fit::kAskRow;
    return value < condition.table.size() && condition.table[value] ? Fit::kYes : Fit::kNo;
}

using Flags = std::array<std::uint8_t, codec::kGamesPerChunk>;

/// Sets the flag of each value that is in the range; all flags are 0 before.
void flag_range(const NumberRange& range, std::span<const std::uint32_t> values, Flags& flags) {
    // One comparison without jumps, so that compilers vectorise the loop. Below `low` the
    // difference is a large number.
    if (range.low > range.high) return;
    const std::uint32_t low = range.low;
    const std::uint32_t size = range.high - low;
    for (std::size_t i = 0; i < values.size(); ++i) {
        flags[i] = static_cast<std::uint8_t>(values[i] - low <= size);
    }
}

/// Sets the flag of each value that the table marks; appends the games whose rows must be read.
void flag_table(const GameCondition& condition, std::span<const std::uint32_t> values, GameId first,
                Flags& flags, std::vector<GameId>& in_rows) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Fit fit = fit_of(condition, values[i]);
        flags[i] = fit == Fit::kYes ? 1 : 0;
        if (fit == Fit::kAskRow) in_rows.push_back(first + i);
    }
}

/// Tests games whose value is only in their rows.
class RowReader {
  public:
    RowReader(store::StoreReader& reader, const GameCondition& condition)
        : reader_(reader), condition_(condition) {}

    /// Calls visit() for the games that fit by the texts of their rows.
    template <typename Visit>
    void fitting(std::span<const GameId> games, Visit visit) {
        if (condition_.columns.front() == GameColumn::kTermination) {
            reader_.games(games, [&](GameId game, const store::StoredGame& stored) {
                const auto fits = [&](const auto& tag) {
                    return tag.first == "Termination" && condition_.fits_text(tag.second);
                };
                if (std::any_of(stored.tags.begin(), stored.tags.end(), fits)) visit(game);
            });
            return;
        }
        reader_.headers(games, [&](const store::GameHeader& header) {
            const auto fits = [&](GameColumn column) {
                const std::optional<std::string_view> text = text_of(header, column);
                return text && condition_.fits_text(*text);
            };
            if (std::any_of(condition_.columns.begin(), condition_.columns.end(), fits)) {
                visit(header.id);
            }
        });
    }

  private:
    static std::optional<std::string_view> text_of(const store::GameHeader& header,
                                                   GameColumn column) {
        switch (column) {
            case GameColumn::kWhite: return header.white;
            case GameColumn::kBlack: return header.black;
            case GameColumn::kEvent: return header.event;
            case GameColumn::kSite: return header.site;
            default: return header.eco;
        }
    }

    store::StoreReader& reader_;
    const GameCondition& condition_;
};

/// Marks games as bits, 64 to a word.
class GameBits {
  public:
    explicit GameBits(GameId last) : words_(last / 64 + 1) {}

    void mark(GameId game) { words_[game / 64] |= std::uint64_t{1} << (game % 64); }
    /// Marks the games from `first` on whose flag is 1; others are 0. There are a multiple of 8.
    void mark(GameId first, std::span<const std::uint8_t> flags) {
        for (std::size_t i = 0; i < flags.size(); i += 8, first += 8) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, &flags[i], sizeof bytes);
            if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
            // Each byte is 0 or 1: the product has them next to one another in its highest byte.
            const std::uint64_t bits = bytes * 0x0102040810204080 >> 56;
            const unsigned shift = first % 64;
            words_[first / 64] |= bits << shift;
            if (shift > 56) words_[first / 64 + 1] |= bits >> (64 - shift);
        }
    }
    GameSet set() const { return GameSet::of_bits(words_); }

  private:
    std::vector<std::uint64_t> words_;
};

GameSet games_by_columns(store::StoreReader& reader, const GameCondition& condition,
                         base::StopCheck& stop) {
    const GameId last = reader.last_game();
    GameBits bits(last + codec::kGamesPerChunk);
    std::vector<GameId> in_rows;
    std::array<std::uint32_t, codec::kGamesPerChunk> values;
    Flags flags;
    for (const GameColumn column : condition.columns) {
        for (GameId first = 1; first <= last; first += values.size()) {
            stop();
            const std::span<std::uint32_t> piece =
                std::span(values).first(std::min<std::size_t>(values.size(), last - first + 1));
            reader.column(column, first, piece);
            flags.fill(0);
            if (condition.rule == Rule::kRange) {
                flag_range(condition.range, piece, flags);
            } else {
                flag_table(condition, piece, first, flags, in_rows);
            }
            bits.mark(first, flags);
            RowReader(reader, condition).fitting(in_rows, [&](GameId game) { bits.mark(game); });
            in_rows.clear();
        }
    }
    return bits.set();
}

GameSet games_of_either(store::StoreReader& reader, const GameCondition& condition,
                        base::StopCheck& stop) {
    GameSet out;
    for (const std::vector<GameCondition>& all : condition.either) {
        GameSet games = *games_that_fit(reader, all.front(), stop);
        for (const GameCondition& each : all) games &= *games_that_fit(reader, each, stop);
        out |= games;
    }
    return out;
}

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
    for (const Value value : list) values.push_back(static_cast<std::uint32_t>(value));
    return one_of(column, std::move(values));
}

/// The mean of both ratings is in one of the ranges. Ranges that meet are read as one.
GameCondition mean_elo_condition(std::vector<NumberRange> ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const auto& a, const auto& b) { return a.low < b.low; });
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
GameCondition opening_condition(store::StoreReader& reader, GameCondition out, Fits fits) {
    out.columns = {GameColumn::kOpening};
    out.table.resize(1);
    reader.for_each_name(store::NameKind::kOpening, [&](std::int64_t id, std::string_view text) {
        const std::uint32_t code = codec::code_of_id(id);
        if (code >= out.table.size()) out.table.resize(code + 1);
        out.table[code] = fits(replay::opening_of_text(text));
    });
    return out;
}

GameCondition name_condition(store::StoreReader& reader, const std::string& typed,
                             store::NameKind kind, std::vector<GameColumn> columns,
                             base::StopCheck& stop) {
    GameCondition out{.rule = Rule::kWords, .columns = std::move(columns), .text = typed};
    out.words = NameWords(typed);
    out.table = table_of(NameIndex::of(reader, kind, stop)->codes(out.words));
    return out;
}

/// Returns the condition for the names that equal a typed one; if there are none, for those that
/// equal it after folding.
GameCondition exact_name_condition(store::StoreReader& reader, const std::string& typed,
                                   GameColumn column, base::StopCheck& stop) {
    const auto index = NameIndex::of(reader, store::NameKind::kPlayer, stop);
    const std::string folded = fold(typed);
    std::vector<std::uint32_t> equal;
    std::vector<std::uint32_t> alike;
    for (const std::uint32_t code : index->codes(NameWords(folded))) {
        const auto id = codec::id_of_code(code);
        const auto found = id ? reader.name(store::NameKind::kPlayer, *id) : std::nullopt;
        if (!found) continue;
        if (*found == typed) equal.push_back(code);
        if (fold(*found) == folded) alike.push_back(code);
    }
    GameCondition out{.rule = Rule::kExactName, .columns = {column}, .text = typed};
    out.table = table_of(equal.empty() ? alike : equal);
    return out;
}

/// Two players against one another, whoever has White.
GameCondition opponents_condition(store::StoreReader& reader, const std::string& one,
                                  const std::string& other, base::StopCheck& stop) {
    const auto with = [&](const std::string& white, const std::string& black) {
        return std::vector{
            name_condition(reader, white, store::NameKind::kPlayer, {GameColumn::kWhite}, stop),
            name_condition(reader, black, store::NameKind::kPlayer, {GameColumn::kBlack}, stop)};
    };
    return {.rule = Rule::kEither, .either = {with(one, other), with(other, one)}};
}

GameCondition termination_condition(store::StoreReader& reader, const std::string& typed,
                                    base::StopCheck& stop) {
    std::vector<std::uint32_t> codes =
        NameIndex::of(reader, store::NameKind::kTagValue, stop)->codes_beginning(typed);
    std::sort(codes.begin(), codes.end());
    GameCondition out{
        .rule = Rule::kBeginning, .columns = {GameColumn::kTermination}, .text = typed};
    out.table = table_of(codes);
    return out;
}

GameCondition time_condition(codec::TimeClass time_class) {
    using enum codec::TimeClass;
    std::vector<std::uint32_t> values{static_cast<std::uint32_t>(time_class)};
    if (time_class == kBullet) values.push_back(static_cast<std::uint32_t>(kUltraBullet));
    return one_of(GameColumn::kTimeClass, std::move(values));
}

GameCondition variant_condition(chess::Variant asked) {
    std::vector<std::uint32_t> values;
    for (std::uint32_t i = 0; i < chess::kVariants; ++i) {
        if (store::is_of_variant(static_cast<chess::Variant>(i), asked)) values.push_back(i);
    }
    return one_of(GameColumn::kVariant, std::move(values));
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
        case Rule::kEco: return store::has_eco({text, text_end}, value);
        default: return false;
    }
}

std::string key_of(const GameCondition& condition) {
    base::KeyText key("condition");
    add_to_key(condition, key);
    return key.text();
}

std::vector<GameCondition> conditions_of(store::StoreReader& reader,
                                         const store::GameFilter& filter, base::StopCheck& stop) {
    using enum GameColumn;
    std::vector<GameCondition> out;
    const auto number = [](auto value) { return static_cast<std::uint32_t>(value); };
    // Conditions that cost least come first.
    if (filter.result) out.push_back(one_of(kResult, {number(*filter.result)}));
    if (filter.time_class) out.push_back(time_condition(*filter.time_class));
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
    if (filter.eco) out.push_back(eco_condition(*filter.eco));
    if (const auto& range = filter.opening_eco) {
        out.push_back(opening_condition(
            reader, {.rule = Rule::kOpeningEco, .text = range->first, .text_end = range->second},
            [&](const replay::Opening& opening) { return store::has_eco(*range, opening.eco); }));
    }
    if (!filter.opening.empty()) {
        out.push_back(
            opening_condition(reader, {.rule = Rule::kOpeningWords, .text = filter.opening},
                              [words = NameWords(filter.opening)](const replay::Opening& opening) {
                                  return words.fit(fold(opening.name));
                              }));
    }
    const auto add_name = [&](const std::string& typed, store::NameKind kind,
                              std::vector<GameColumn> columns) {
        if (typed.empty()) return;
        out.push_back(name_condition(reader, typed, kind, std::move(columns), stop));
    };
    add_name(filter.white, store::NameKind::kPlayer, {kWhite});
    add_name(filter.black, store::NameKind::kPlayer, {kBlack});
    if (!filter.white_named.empty()) {
        out.push_back(exact_name_condition(reader, filter.white_named, kWhite, stop));
    }
    if (!filter.black_named.empty()) {
        out.push_back(exact_name_condition(reader, filter.black_named, kBlack, stop));
    }
    if (filter.opponent.empty()) {
        add_name(filter.player, store::NameKind::kPlayer, {kWhite, kBlack});
    } else {
        out.push_back(opponents_condition(reader, filter.player, filter.opponent, stop));
    }
    add_name(filter.event, store::NameKind::kEvent, {kEvent});
    add_name(filter.site, store::NameKind::kSite, {kSite});
    if (!filter.termination.empty()) {
        out.push_back(termination_condition(reader, filter.termination, stop));
    }
    return out;
}

bool fits(store::StoreReader& reader, const GameCondition& condition, GameId game) {
    if (condition.rule == Rule::kEither) {
        return std::any_of(condition.either.begin(), condition.either.end(), [&](const auto& all) {
            return std::all_of(all.begin(), all.end(),
                               [&](const auto& each) { return fits(reader, each, game); });
        });
    }
    for (const GameColumn column : condition.columns) {
        std::uint32_t value = 0;
        reader.column(column, game, {&value, 1});
        Fit fit = fit_of(condition, value);
        if (fit == Fit::kAskRow) {
            fit = Fit::kNo;
            RowReader(reader, condition).fitting({&game, 1}, [&](GameId) { fit = Fit::kYes; });
        }
        if (fit == Fit::kYes) return true;
    }
    return false;
}

std::shared_ptr<const GameSet> games_that_fit(store::StoreReader& reader,
                                              const GameCondition& condition,
                                              base::StopCheck& stop) {
    const std::string key = key_of(condition);
    if (auto known = reader.snapshot_cache().get<GameSet>(key)) return known;
    const auto games = std::make_shared<GameSet>(condition.rule == Rule::kEither
                                                     ? games_of_either(reader, condition, stop)
                                                     : games_by_columns(reader, condition, stop));
    reader.snapshot_cache().put(key, games, games->bytes());
    return games;
}

std::shared_ptr<const GameSet> existing_games(store::StoreReader& reader) {
    const std::string key = base::KeyText("all games").text();
    if (auto known = reader.snapshot_cache().get<GameSet>(key)) return known;
    const auto games = std::make_shared<GameSet>();
    const GameId last = reader.last_game();
    games->add_range(1, last + 1);
    for (GameId game = 1; game <= last; ++game) {
        if (!reader.has_game(game)) games->remove(game);
    }
    reader.snapshot_cache().put(key, games, games->bytes());
    return games;
}

}  // namespace fendex::query
