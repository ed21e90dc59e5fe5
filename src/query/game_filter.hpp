// Which games an answer is about: conditions on players, events, dates, ratings and the like, all
// of which must hold. The same for every question.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/store_reader.hpp"

namespace fendex::query {

/// A field of a filter has a value that cannot be used. what() is the field's name, a colon, and
/// what is wrong with the value.
class FilterError : public std::invalid_argument {
  public:
    FilterError(std::string_view field, const std::string& problem)
        : std::invalid_argument(std::string(field) + ": " + problem), field_(field) {}

    /// As GameFilter::set() takes it; "sort" for an order.
    [[nodiscard]] const std::string& field() const noexcept { return field_; }

  private:
    std::string field_;
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

    /// Sets a field from text: "white", "min-elo", "time-control" and so on, as the options of the
    /// command line are called. Throws FilterError.
    void set(std::string_view field, const std::string& value);
};

/// The sources with this number, path or end of a path. Throws FilterError if there are none.
std::vector<store::StoredSource> sources_named(store::StoreReader& reader, const std::string& name);

/// A filter made ready for the snapshot that a reader sees; made ready anew when the reader has
/// moved on to another one. Belongs to the reader's thread. Looking up names and reading columns
/// throws base::Stopped after a stop was requested.
class GameMatcher {
  public:
    explicit GameMatcher(store::StoreReader& reader, GameFilter filter = {},
                         std::stop_token stop = {});
    ~GameMatcher();

    /// Nothing is asked: every game fits.
    bool takes_all() const { return takes_all_; }
    bool operator()(store::GameId game);
    /// The same, for who has the facts already.
    bool operator()(store::GameId game, const codec::GameFacts& facts);

  private:
    class Columns;

    void make_ready();

    store::StoreReader& reader_;
    GameFilter filter_;
    std::stop_token stop_;
    bool takes_all_ = true;
    bool asks_facts_ = false;
    bool asks_columns_ = false;
    // What follows is true of one snapshot only.
    std::uint64_t snapshot_ = 0;
    std::unique_ptr<Columns> columns_;  // null if no column is asked for
    std::vector<std::pair<store::GameId, store::GameId>> source_games_;  // first, after the last
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

/// All games that fit, in order. Throws base::Stopped after a stop was requested.
std::vector<store::GameId> select_games(store::StoreReader& reader, GameMatcher& matcher,
                                        GameOrder order = GameOrder::kId,
                                        std::stop_token stop = {});

}  // namespace fendex::query
