// The events of games: how many games, players and sites each has, and when it was. Names that a
// database has joined are one event, one player, one site. Reads columns, twice.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "codec/date.hpp"
#include "query/game_filter.hpp"
#include "query/name_numbers.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct EventSums {
    std::uint64_t games = 0;
    std::uint64_t players = 0;  // different ones that are known
    std::uint64_t sites = 0;    // the same; web addresses do not count
    std::uint64_t elo_sum = 0;
    std::uint64_t elo_count = 0;  // ratings in elo_sum
    codec::Date first_date;       // 0: no game has a date
    codec::Date last_date;
};

/// Returns the mean rating, rounded; 0 if no player has one.
[[nodiscard]] std::uint64_t rating_of(const EventSums& sums);

struct Event {
    std::string name;  // store::kUnknownName: the games whose event is unknown
    EventSums sums;
};

enum class EventOrder { kGames, kName, kDate, kPlayers, kRating };

/// One of the databases whose events are listed together.
struct EventSource {
    store::StoreReader* reader;
    GameMatcher* matcher;
};

/// The events of the games that fit, in all databases together.
class EventList {
  public:
    /// Throws base::Stopped after a stop was requested. Readers and matchers must outlive the list.
    EventList(std::span<const EventSource> sources, const std::stop_token& stop = {});

    /// The number of events.
    [[nodiscard]] std::size_t size() const { return listed_.size(); }
    /// Returns the first `most` events: with most games or players, the latest, the best rated, or
    /// by name regardless of case and accents. Of equal ones, the event that came into the
    /// databases first is first, and the unknown event last.
    [[nodiscard]] std::vector<Event> first(EventOrder order, std::size_t most);

  private:
    using ByNumber = std::vector<EventSums>;

    void sort_by_name();

    std::vector<store::LocalReader*> readers_;
    NameNumbers events_;
    std::shared_ptr<const ByNumber> sums_;  // kept for the snapshot, if all games of one fit
    std::vector<std::uint32_t> listed_;     // numbers with games; sorted as far as needed
};

}  // namespace fendex::query
