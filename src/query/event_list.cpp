#include "query/event_list.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/key_text.hpp"
#include "base/text_fold.hpp"
#include "codec/game_codes.hpp"
#include "store/column_scan.hpp"

namespace fendex::query {

namespace {

using store::NameKind;

/// Counts different names, in one group after another.
class DifferentNames {
  public:
    void begin_group() {
        ++group_;
        count_ = 0;
    }
    void add(std::uint32_t number) {
        if (number == codec::kNoCode) return;
        if (number >= last_group_.size()) last_group_.resize(number + number / 2 + std::size_t{1});
        if (last_group_[number] == group_) return;
        last_group_[number] = group_;
        ++count_;
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }

  private:
    std::vector<std::uint32_t> last_group_;  // in which each number was added
    std::uint32_t group_ = 0;
    std::uint64_t count_ = 0;
};

/// Sums up the games of events: first what needs one game at a time, then players and sites. For
/// these, the games are grouped by event.
class EventCounting {
  public:
    EventCounting(std::span<const EventSource> sources,
                  std::span<store::LocalReader* const> readers, const NameNumbers& events,
                  std::stop_token stop)
        : sources_(sources),
          readers_(readers),
          events_(events),
          players_(readers, NameKind::kPlayer),
          sites_(readers, NameKind::kSite),
          stop_(std::move(stop)) {}

    std::vector<EventSums> count() {
        for (std::size_t i = 0; i < sources_.size(); ++i) sum_games(i);
        std::uint64_t games = 0;
        for (const EventSums& each : sums_) {
            ends_.push_back(games);
            games += each.games;
        }
        names_.resize(games);
        for (std::size_t i = 0; i < sources_.size(); ++i) group_names(i);
        count_names();
        return std::move(sums_);
    }

  private:
    /// The numbers of names of a game that are counted.
    struct Names {
        std::uint32_t white;
        std::uint32_t black;
        std::uint32_t site;
    };

    store::ColumnScan scan(std::size_t database, std::vector<store::GameColumn> columns) const {
        return {*readers_[database], sources_[database].matcher->filter(), std::move(columns),
                stop_};
    }
    void sum_games(std::size_t database);
    void group_names(std::size_t database);
    void count_names();

    std::span<const EventSource> sources_;
    std::span<store::LocalReader* const> readers_;
    const NameNumbers& events_;
    NameNumbers players_;
    NameNumbers sites_;
    std::stop_token stop_;
    std::vector<EventSums> sums_;      // by the event's number
    std::vector<Names> names_;         // of all games, event after event
    std::vector<std::uint64_t> ends_;  // of each event's games in names_, so far
};

void EventCounting::sum_games(std::size_t database) {
    using enum store::GameColumn;
    store::ColumnScan games = scan(database, {kEvent, kDate, kWhiteElo, kBlackElo, kPlies});
    while (games.next()) {
        for (const std::uint32_t place : games.places()) {
            const std::uint32_t event = events_.number(database, games.values(0)[place]);
            // A deleted game has neither an event nor plies.
            if (event == codec::kNoCode && games.values(4)[place] == 0 &&
                !readers_[database]->has_game(games.first() + place)) {
                continue;
            }
            if (event >= sums_.size()) sums_.resize(event + event / 2 + std::size_t{1});
            EventSums& sums = sums_[event];
            ++sums.games;
            for (const std::size_t column : {2U, 3U}) {
                const std::uint32_t elo = games.values(column)[place];
                sums.elo_sum += elo;
                sums.elo_count += elo != 0 ? 1U : 0U;
            }
            const codec::Date date(games.values(1)[place]);
            if (date.year() == 0) continue;
            if (sums.first_date.year() == 0 || date < sums.first_date) sums.first_date = date;
            sums.last_date = std::max(sums.last_date, date);
        }
    }
}

void EventCounting::group_names(std::size_t database) {
    using enum store::GameColumn;
    store::ColumnScan games = scan(database, {kEvent, kWhite, kBlack, kSite});
    while (games.next()) {
        for (const std::uint32_t place : games.places()) {
            const std::uint32_t event = events_.number(database, games.values(0)[place]);
            const Names names{players_.number(database, games.values(1)[place]),
                              players_.number(database, games.values(2)[place]),
                              sites_.number(database, games.values(3)[place])};
            // Also left out are deleted games, which the sums do not have.
            if (names.white == codec::kNoCode && names.black == codec::kNoCode &&
                names.site == codec::kNoCode) {
                continue;
            }
            names_[ends_[event]++] = names;
        }
    }
}

void EventCounting::count_names() {
    DifferentNames players;
    DifferentNames sites;
    std::uint64_t begin = 0;
    for (std::size_t event = 0; event < sums_.size(); ++event) {
        players.begin_group();
        sites.begin_group();
        for (std::uint64_t i = begin; i < ends_[event]; ++i) {
            players.add(names_[i].white);
            players.add(names_[i].black);
            sites.add(names_[i].site);
        }
        sums_[event].players = players.count();
        sums_[event].sites = sites.count();
        begin += sums_[event].games;
    }
}

std::vector<store::LocalReader*> local_readers(std::span<const EventSource> sources) {
    std::vector<store::LocalReader*> readers;
    for (const EventSource& each : sources) {
        readers.push_back(&require(*each.reader, store::Capability::kEventScan));
    }
    return readers;
}

/// Returns what an order compares, besides names; the greatest is first.
std::uint64_t rank_of(const EventSums& sums, EventOrder order) {
    switch (order) {
        case EventOrder::kDate: return sums.last_date.number();
        case EventOrder::kPlayers: return sums.players;
        case EventOrder::kRating: return rating_of(sums);
        default: return sums.games;
    }
}

}  // namespace

std::uint64_t rating_of(const EventSums& sums) {
    return sums.elo_count == 0 ? 0 : (sums.elo_sum + sums.elo_count / 2) / sums.elo_count;
}

EventList::EventList(std::span<const EventSource> sources, const std::stop_token& stop)
    : readers_(local_readers(sources)), events_(readers_, NameKind::kEvent) {
    const std::string key = base::KeyText("events").text();
    const bool is_kept = sources.size() == 1 && sources.front().matcher->takes_all();
    if (is_kept) sums_ = readers_.front()->snapshot_cache().get<ByNumber>(key);
    if (!sums_) {
        const auto counted =
            std::make_shared<ByNumber>(EventCounting(sources, readers_, events_, stop).count());
        sums_ = counted;
        if (is_kept) {
            readers_.front()->snapshot_cache().put(key, counted,
                                                   counted->capacity() * sizeof(EventSums));
        }
    }
    for (std::uint32_t number = 0; number < sums_->size(); ++number) {
        if ((*sums_)[number].games != 0) listed_.push_back(number);
    }
}

void EventList::sort_by_name() {
    struct Named {
        std::string folded;
        std::string name;
        std::uint32_t number;
    };
    std::vector<std::string> names = events_.names(listed_);
    std::vector<Named> all;
    for (std::size_t i = 0; i < listed_.size(); ++i) {
        all.push_back({base::fold(names[i]), std::move(names[i]), listed_[i]});
    }
    std::ranges::sort(all, [](const Named& a, const Named& b) {
        return std::tie(a.folded, a.name, a.number) < std::tie(b.folded, b.name, b.number);
    });
    for (std::size_t i = 0; i < all.size(); ++i) listed_[i] = all[i].number;
}

std::vector<Event> EventList::first(EventOrder order, std::size_t most) {
    most = std::min(most, listed_.size());
    if (order == EventOrder::kName) {
        sort_by_name();
    } else {
        std::partial_sort(listed_.begin(), listed_.begin() + static_cast<std::ptrdiff_t>(most),
                          listed_.end(), [&](std::uint32_t a, std::uint32_t b) {
                              const std::uint64_t of_a = rank_of((*sums_)[a], order);
                              const std::uint64_t of_b = rank_of((*sums_)[b], order);
                              if (of_a != of_b) return of_a > of_b;
                              // codec::kNoCode becomes the greatest number.
                              return a - 1U < b - 1U;
                          });
    }
    const std::span<const std::uint32_t> numbers = std::span(listed_).first(most);
    std::vector<std::string> names = events_.names(numbers);
    std::vector<Event> out;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        out.push_back({std::move(names[i]), (*sums_)[numbers[i]]});
    }
    return out;
}

}  // namespace fendex::query
