// Filters of games by players, events, dates, ratings and the like; all conditions must hold. Every
// kind of question uses them.
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

    /// The name that GameFilter::set() takes; "sort" for an order.
    [[nodiscard]] const std::string& field() const noexcept { return field_; }

  private:
    std::string field_;
};

using store::NumberRange;

struct GameFilter : store::GameFilter {
    /// Sets a field from text: "white", "min-elo", "time-control" and so on, the same names as the
    /// options of the command line. Throws FilterError.
    void set(std::string_view field, const std::string& value);
};

/// Returns the sources with this number, path or end of a path. Throws FilterError if there are
/// none.
std::vector<store::StoredSource> sources_named(store::StoreReader& reader, const std::string& name);

/// A filter prepared for the snapshot that a reader sees, and again whenever that changes. Belongs
/// to the reader's thread. Looking up names and reading columns throws base::Stopped after a stop
/// was requested.
class GameMatcher {
  public:
    explicit GameMatcher(store::StoreReader& reader, GameFilter filter = {},
                         std::stop_token stop = {});
    ~GameMatcher();

    /// The conditions for the store, which may leave out games that do not fit.
    [[nodiscard]] const store::GameFilter& filter() const { return filter_; }
    /// True if there is no condition: every game fits.
    bool takes_all() const { return takes_all_; }
    bool operator()(store::GameId game);
    /// The same, for callers that already have the facts.
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
    // These members are valid for one snapshot.
    std::uint64_t snapshot_ = 0;
    std::unique_ptr<Columns> columns_;  // null without conditions on columns
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

/// Returns all games that fit, in order. Throws base::Stopped after a stop was requested.
std::vector<store::GameId> select_games(store::StoreReader& reader, GameMatcher& matcher,
                                        GameOrder order = GameOrder::kId,
                                        std::stop_token stop = {});

}  // namespace fendex::query
