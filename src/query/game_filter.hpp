// Which games an answer is about: conditions on players, events, dates, ratings and the like, all
// of which must hold. The same for every question.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/store_reader.hpp"

namespace fendex::query {

/// A value that is none for its condition. what() is a whole sentence.
class FilterError : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

/// From low to high, both included.
struct NumberRange {
    std::uint32_t low = 0;
    std::uint32_t high = std::numeric_limits<std::uint32_t>::max();

    bool contains(std::uint32_t number) const { return number >= low && number <= high; }
    bool is_everything() const { return *this == NumberRange{}; }
    bool operator==(const NumberRange&) const = default;
};

struct GameFilter {
    // Without regard to case and accents: names by words, each as a beginning, in any order; the
    // termination by how it begins.
    std::string white;
    std::string black;
    std::string player;  // either side
    std::string event;
    std::string site;
    std::string termination;
    /// ECO codes from..to, by their beginnings: "B9" to "B9" is B90 to B99.
    std::optional<std::pair<std::string, std::string>> eco;
    std::optional<codec::Result> result;
    /// As yyyymmdd. A game without year never fits; unknown months and days count as the earliest.
    NumberRange date;
    /// A game without the rating never fits.
    NumberRange white_elo;
    NumberRange black_elo;
    NumberRange plies;
    std::optional<codec::TimeClass> time_class;
    /// kStandard is Chess960 too; kChess960 that alone. kOther: games whose rules are not known.
    std::optional<chess::Variant> variant;
    /// The number of a source, its path or the end of it.
    std::string source;
    std::vector<std::pair<std::string, std::string>> tags;  // name, exact value

    /// Sets the condition that the command line calls --name. Throws FilterError.
    void set(std::string_view name, const std::string& value);
};

/// The sources that --source means. Throws FilterError where there are none.
std::vector<store::StoredSource> sources_named(store::StoreReader& reader, const std::string& name);

/// A filter made ready for one database. Belongs to the reader's thread.
class GameMatcher {
  public:
    explicit GameMatcher(store::StoreReader& reader, GameFilter filter = {});
    ~GameMatcher();

    /// Nothing is asked: every game fits.
    bool takes_all() const { return takes_all_; }
    bool operator()(store::GameId game);
    /// The same, for who has the facts already.
    bool operator()(store::GameId game, const codec::GameFacts& facts);

  private:
    class Columns;

    store::StoreReader& reader_;
    GameFilter filter_;
    bool takes_all_ = true;
    bool asks_facts_ = false;
    std::unique_ptr<Columns> columns_;  // null: no column is asked for
    std::vector<std::pair<store::GameId, store::GameId>> source_games_;  // first, behind the last
    store::StoredGame game_;
};

enum class GameOrder {
    kId,
    kDate,   // the latest first
    kElo,    // by the mean of both ratings, the highest first
    kPlies,  // the longest first
};
GameOrder game_order_of(std::string_view name);

/// Sorts games that are in the order of their numbers.
void sort_games(store::StoreReader& reader, GameOrder order, std::vector<store::GameId>& games);

/// All games that fit, in order.
std::vector<store::GameId> select_games(store::StoreReader& reader, GameMatcher& matcher,
                                        GameOrder order = GameOrder::kId);

}  // namespace fendex::query
