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

using store::NumberRange;

struct GameFilter : store::GameFilter {
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

    /// As it is handed to a store, which may leave out games that do not fit.
    [[nodiscard]] const store::GameFilter& filter() const { return filter_; }
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
