// Sums over the games of a position, apart by what the filters of an opening explorer compare: the
// month, the group of the mean rating, the time class, the mode and the variant. A filter is
// answered by adding up the sums of the games that fit, without looking at any game. Kept with
// summaries of big positions. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chess/types.hpp"
#include "codec/big_position.hpp"
#include "codec/game_facts.hpp"
#include "codec/named_games.hpp"

namespace fendex::codec {

/// Whether dates are told apart by months or, where these would be too many, by years.
enum class FinePeriod : std::uint8_t { kMonth = 0, kYear = 1 };

/// What the games of a sum have in common.
struct FineClass {
    /// The rating group of games with an unknown rating.
    static constexpr std::uint8_t kNoGroup = 15;

    std::uint32_t period = 0;  // Date::month_number(); that of a year has month 0
    std::uint8_t rating_group = kNoGroup;
    TimeClass time_class = TimeClass::kUnknown;
    Mode mode = Mode::kUnknown;
    chess::Variant variant = chess::Variant::kStandard;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for a pointer
    auto operator<=>(const FineClass&) const = default;
};

[[nodiscard]] std::uint32_t fine_period(Date date, FinePeriod period);
[[nodiscard]] FineClass fine_class(const GameFacts& facts, FinePeriod period);

/// The games of one class that played one move from a position.
struct FineSum {
    FineClass of;
    Tally tally;
    NamedGames top;
    NamedGames recent;
};

/// Collects the sums of one move. For one thread.
class FineSumsBuilder {
  public:
    /// Names up to so many games for each sum.
    explicit FineSumsBuilder(FinePeriod period = FinePeriod::kMonth,
                             std::size_t named_games = kNamedGames)
        : period_(period), named_games_(named_games) {}

    /// Adds a game, without an occurrence. Each game may be added only once.
    void add(std::uint32_t game, const GameFacts& facts);
    void add_occurrences(const GameFacts& facts, std::uint64_t occurrences);
    /// Adds sums over other games.
    void add(const FineSumsBuilder& other);
    [[nodiscard]] std::size_t size() const { return sums_.size(); }
    /// Returns the sums in the order of their classes, and empties the object.
    [[nodiscard]] std::vector<FineSum> take();

  private:
    FineSum& sum_of(const GameFacts& facts);

    FinePeriod period_;
    std::size_t named_games_;
    std::unordered_map<std::uint64_t, FineSum> sums_;  // by a number of the class
};

/// All moves from a position.
struct FineSums {
    struct Group {
        chess::Move next;           // kGameEndsHere: none
        std::vector<FineSum> sums;  // in the order of classes
    };
    FinePeriod period = FinePeriod::kMonth;
    std::size_t named_games = kNamedGames;  // for each sum, at most
    std::vector<Group> groups;
    /// The games that are in more than one group, once for each further one, without names and
    /// occurrences: totals must count each game once.
    std::vector<FineSum> again;

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::size_t bytes() const;
};

/// Encodes sums that name up to kNamedGames games each.
[[nodiscard]] std::string encode_fine_sums(const FineSums& sums);
/// Returns nothing if the bytes are not such sums over games with numbers below `games`.
[[nodiscard]] std::optional<FineSums> decode_fine_sums(std::string_view bytes, std::uint64_t games);

}  // namespace fendex::codec
