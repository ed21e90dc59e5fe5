// Sums over the games of a position, apart by what the filters of an opening explorer compare: the
// month, the group of the mean rating, the time class, the mode and the variant. A filter is
// answered by adding up the sums of the games that fit, without looking at any game. Kept in the
// snapshot cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/stop_check.hpp"
#include "chess/types.hpp"
#include "codec/big_position.hpp"
#include "codec/game_facts.hpp"
#include "codec/named_games.hpp"
#include "store/game_filter.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

/// A list of more games cannot be made from fine sums.
inline constexpr std::size_t kFineNamedGames = 15;

/// The games of one position and move that are equal in the values above.
struct FineSum {
    NumberRange dates;  // the lowest and the highest
    /// The lowest and the highest mean rating; empty if the mean is unknown.
    std::optional<NumberRange> mean_elos;
    codec::TimeClass time_class = codec::TimeClass::kUnknown;
    codec::Mode mode = codec::Mode::kUnknown;
    chess::Variant variant = chess::Variant::kStandard;
    codec::Tally tally;
    codec::NamedGames top{kFineNamedGames};
    codec::NamedGames recent{kFineNamedGames};
};

/// Collects the sums of one move. For one thread.
class FineSumsBuilder {
  public:
    /// Adds a game, without an occurrence. Each game may be added only once.
    void add(std::uint32_t game, const codec::GameFacts& facts);
    void add_occurrences(const codec::GameFacts& facts, std::uint64_t occurrences);
    /// Adds sums over other games.
    void add(const FineSumsBuilder& other);
    [[nodiscard]] std::size_t size() const { return sums_.size(); }
    /// Returns the sums in the order of months.
    [[nodiscard]] std::vector<FineSum> take();

  private:
    FineSum& sum_of(const codec::GameFacts& facts);

    std::unordered_map<std::uint64_t, FineSum> sums_;  // by a number of the values above
};

/// All moves from a position.
struct FineSums {
    struct Group {
        chess::Move next;           // codec::kGameEndsHere: none
        std::vector<FineSum> sums;  // in the order of months
    };
    std::vector<Group> groups;
    /// The facts of games that are in more than one group, once for each further group.
    std::vector<codec::GameFacts> in_others;
    /// Candidates that are not in the sums and have not been tested.
    std::vector<Candidate> others;

    [[nodiscard]] std::size_t bytes() const;
};

/// Whether the games of a sum fit a filter.
enum class FineFit : std::uint8_t { kNone, kAll, kSome };

/// Returns whether a filter compares nothing but the values that sums are apart by. `kSome` is
/// still possible then.
[[nodiscard]] bool is_for_fine_sums(const GameFilter& filter);
/// For such filters. Appends the sums of a group whose games fit; returns false if only some of the
/// games of a sum fit.
[[nodiscard]] bool add_fitting(const GameFilter& filter, const FineSums::Group& group,
                               std::vector<const FineSum*>& out);
[[nodiscard]] FineFit fit_of(const GameFilter& filter, const FineSum& sum);
[[nodiscard]] bool fits(const GameFilter& filter, const codec::GameFacts& facts);

/// Returns them if they are known, or if this function was called for the position before: then
/// they are worth the time that it takes to make them. Null if it was not, if the position has so
/// few games that it is not worth while, or so many different values that sums save nothing.
/// Throws base::Stopped.
std::shared_ptr<const FineSums> fine_sums_again(LocalReader& reader, std::uint64_t key,
                                                base::StopCheck& stop);

}  // namespace fendex::store
