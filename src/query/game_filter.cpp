#include "query/game_filter.hpp"

#include <algorithm>
#include <iterator>

#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "query/filter_values.hpp"
#include "query/games_by_variant.hpp"

namespace fendex::query {

namespace {

using base::fold;
using base::NameWords;
using store::GameId;

/// Columns of up to so many games are read one by one; for more, all games are read once.
constexpr unsigned kSingleReads = 1000;

/// A set of names, by their ids in the store.
using NameSet = std::vector<bool>;

bool has(const NameSet& set, std::int64_t id) {
    return id > 0 && static_cast<std::size_t>(id) < set.size() && set[static_cast<std::size_t>(id)];
}

template <typename Accept>
NameSet names_where(store::StoreReader& reader, store::NameKind kind, base::StopCheck& stop,
                    Accept accept) {
    NameSet set;
    reader.for_each_name(kind, [&](std::int64_t id, std::string_view name) {
        stop();
        if (id <= 0 || !accept(fold(name))) return;
        if (static_cast<std::size_t>(id) >= set.size()) {
            set.resize(static_cast<std::size_t>(id) + 1);
        }
        set[static_cast<std::size_t>(id)] = true;
    });
    return set;
}

std::string folded_condition(const std::string& value) {
    std::string folded = fold(value);
    if (folded.empty()) throw std::invalid_argument("'" + value + "' has no letters or digits");
    return folded;
}

bool asks_facts(const GameFilter& f) {
    return f.result || f.time_class || f.variant || !f.date.is_everything() ||
           !f.white_elo.is_everything() || !f.black_elo.is_everything() || !f.plies.is_everything();
}

bool asks_columns(const GameFilter& f) {
    return !f.white.empty() || !f.black.empty() || !f.player.empty() || !f.event.empty() ||
           !f.site.empty() || f.eco;
}

bool fits_facts(const GameFilter& f, const codec::GameFacts& facts) {
    const auto rated = [](const NumberRange& range, std::uint32_t elo) {
        return range.is_everything() || (elo != 0 && range.contains(elo));
    };
    return (!f.result || facts.result == *f.result) &&
           (!f.time_class || facts.time_class == *f.time_class) &&
           (!f.variant || is_of_variant(facts.variant, *f.variant)) &&
           (f.date.is_everything() || (facts.date >= 10'000 && f.date.contains(facts.date))) &&
           rated(f.white_elo, facts.white_elo) && rated(f.black_elo, facts.black_elo) &&
           f.plies.contains(facts.plies);
}

bool fits_eco(const std::pair<std::string, std::string>& range, std::string_view eco) {
    return eco >= range.first && !eco.empty() && eco.substr(0, range.second.size()) <= range.second;
}

/// Returns the file names of the first few sources.
std::string names_of(const std::vector<store::StoredSource>& sources) {
    constexpr std::size_t kMostNamed = 8;
    std::string names;
    for (std::size_t i = 0; i < std::min(kMostNamed, sources.size()); ++i) {
        const std::string& path = sources[i].file.path;
        names += (i == 0 ? "" : ", ") + path.substr(path.rfind('/') + 1);
    }
    if (sources.size() > kMostNamed) names += ", ...";
    return names.empty() ? "none" : names;
}

/// Returns the rank of a game in this order; the greatest comes first.
std::uint64_t rank_of(GameOrder order, const codec::GameFacts& facts) {
    const unsigned rated = (facts.white_elo != 0 ? 1U : 0U) + (facts.black_elo != 0 ? 1U : 0U);
    switch (order) {
        case GameOrder::kDate: return facts.date;
        case GameOrder::kPlies: return facts.plies;
        case GameOrder::kElo:
            return rated == 0 ? 0 : (std::uint64_t{facts.white_elo} + facts.black_elo) * 2 / rated;
        case GameOrder::kId: break;
    }
    return 0;
}

}  // namespace

void GameFilter::set(std::string_view field, const std::string& value) {
    try {
        if (field == "white") {
            white = folded_condition(value);
        } else if (field == "black") {
            black = folded_condition(value);
        } else if (field == "player") {
            player = folded_condition(value);
        } else if (field == "event") {
            event = folded_condition(value);
        } else if (field == "site") {
            site = folded_condition(value);
        } else if (field == "termination") {
            termination = folded_condition(value);
        } else if (field == "eco") {
            eco = eco_range(value);
        } else if (field == "result") {
            result = result_value(value);
        } else if (field == "since") {
            date.low = first_date(value);
        } else if (field == "until") {
            date.high = last_date(value);
        } else if (field == "min-elo") {
            white_elo.low = std::max(white_elo.low, filter_number(value));
            black_elo.low = std::max(black_elo.low, filter_number(value));
        } else if (field == "max-elo") {
            white_elo.high = std::min(white_elo.high, filter_number(value));
            black_elo.high = std::min(black_elo.high, filter_number(value));
        } else if (field == "white-elo" || field == "black-elo") {
            const NumberRange range = number_range(value);
            NumberRange& elo = field == "white-elo" ? white_elo : black_elo;
            elo = {std::max(elo.low, range.low), std::min(elo.high, range.high)};
        } else if (field == "time-control") {
            time_class = time_class_value(value);
        } else if (field == "variant") {
            variant = variant_value(value);
        } else if (field == "min-plies") {
            plies.low = filter_number(value);
        } else if (field == "max-plies") {
            plies.high = filter_number(value);
        } else if (field == "source") {
            source = value;
        } else if (field == "tag") {
            const std::size_t sign = value.find('=');
            if (sign == 0 || sign == std::string::npos) {
                throw std::invalid_argument("'" + value + "' is not NAME=VALUE");
            }
            tags.emplace_back(value.substr(0, sign), value.substr(sign + 1));
        } else {
            throw std::invalid_argument("there is no such condition");
        }
    } catch (const std::invalid_argument& error) {
        throw FilterError(field, error.what());
    }
}

/// The conditions on names and codes, which are columns of the game's row.
class GameMatcher::Columns {
  public:
    Columns(store::StoreReader& reader, const GameFilter& filter, std::stop_token stop)
        : reader_(reader), stop_(std::move(stop)) {
        const auto set = [&](const std::string& typed, store::NameKind kind) {
            if (typed.empty()) return std::optional<NameSet>();
            const NameWords words(typed);
            return std::optional(names_where(
                reader, kind, stop_, [&](const std::string& name) { return words.fit(name); }));
        };
        white_ = set(filter.white, store::NameKind::kPlayer);
        black_ = set(filter.black, store::NameKind::kPlayer);
        player_ = set(filter.player, store::NameKind::kPlayer);
        event_ = set(filter.event, store::NameKind::kEvent);
        site_ = set(filter.site, store::NameKind::kSite);
        site_words_ = NameWords(filter.site);
        eco_ = filter.eco;
    }

    bool operator()(GameId game) {
        if (!scanned_) {
            if (single_reads_++ < kSingleReads) {
                store::GameColumns columns;
                return reader_.columns(game, columns) && fits(columns);
            }
            scan();
        }
        return game < fitting_.size() && fitting_[game];
    }

  private:
    bool fits(const store::GameColumns& game) const {
        return (!white_ || has(*white_, game.white)) && (!black_ || has(*black_, game.black)) &&
               (!player_ || has(*player_, game.white) || has(*player_, game.black)) &&
               (!event_ || has(*event_, game.event)) &&
               (!site_ || has(*site_, game.site) ||
                (!game.site_text.empty() && site_words_.fit(fold(game.site_text)))) &&
               (!eco_ || fits_eco(*eco_, game.eco));
    }

    void scan() {
        reader_.for_each_columns([&](const store::GameColumns& game) {
            stop_();
            if (!fits(game)) return;
            if (game.id >= fitting_.size()) {
                fitting_.resize(std::max<std::size_t>(game.id + 1, fitting_.size() * 2));
            }
            fitting_[game.id] = true;
        });
        scanned_ = true;
    }

    store::StoreReader& reader_;
    base::StopCheck stop_;
    std::optional<NameSet> white_;
    std::optional<NameSet> black_;
    std::optional<NameSet> player_;
    std::optional<NameSet> event_;
    std::optional<NameSet> site_;
    NameWords site_words_;
    std::optional<std::pair<std::string, std::string>> eco_;
    unsigned single_reads_ = 0;
    bool scanned_ = false;
    std::vector<bool> fitting_;
};

std::vector<store::StoredSource> sources_named(store::StoreReader& reader,
                                               const std::string& name) {
    const std::vector<store::StoredSource> all = reader.sources();
    std::vector<store::StoredSource> named;
    std::copy_if(all.begin(), all.end(), std::back_inserter(named),
                 [&](const store::StoredSource& source) {
                     return std::to_string(source.id) == name || source.file.path == name ||
                            source.file.path.ends_with('/' + name);
                 });
    if (named.empty()) {
        throw FilterError("source",
                          "there is no source '" + name + "'; there are " + names_of(all));
    }
    return named;
}

GameMatcher::GameMatcher(store::StoreReader& reader, GameFilter filter, std::stop_token stop)
    : reader_(reader),
      filter_(std::move(filter)),
      stop_(std::move(stop)),
      asks_facts_(asks_facts(filter_)),
      asks_columns_(asks_columns(filter_)) {
    takes_all_ = !asks_facts_ && !asks_columns_ && filter_.source.empty() && filter_.tags.empty() &&
                 filter_.termination.empty();
    make_ready();
}

/// Looks up ids of names and games of sources again if the snapshot has changed: in another
/// snapshot an id may be another name's.
void GameMatcher::make_ready() {
    columns_.reset();
    source_games_.clear();
    if (asks_columns_) columns_ = std::make_unique<Columns>(reader_, filter_, stop_);
    if (!filter_.source.empty()) {
        for (const store::StoredSource& source : sources_named(reader_, filter_.source)) {
            source_games_.emplace_back(source.first_game, source.first_game + source.games);
        }
    }
    snapshot_ = reader_.snapshot();
}

GameMatcher::~GameMatcher() = default;

bool GameMatcher::operator()(GameId game) {
    if (takes_all_) return true;
    return (*this)(game, asks_facts_ ? reader_.facts(game) : codec::GameFacts{});
}

bool GameMatcher::operator()(GameId game, const codec::GameFacts& facts) {
    if (takes_all_) return true;
    if (asks_facts_ && !fits_facts(filter_, facts)) return false;
    const bool knows_snapshot = asks_columns_ || !filter_.source.empty();
    if (knows_snapshot && snapshot_ != reader_.snapshot()) make_ready();
    if (!source_games_.empty() &&
        std::none_of(source_games_.begin(), source_games_.end(),
                     [&](const auto& r) { return game >= r.first && game < r.second; })) {
        return false;
    }
    if (columns_ && !(*columns_)(game)) return false;
    if (filter_.tags.empty() && filter_.termination.empty()) return true;
    if (!reader_.game(game, game_)) return false;
    const auto& tags = game_.tags;
    return std::all_of(filter_.tags.begin(), filter_.tags.end(),
                       [&](const auto& asked) {
                           return std::find(tags.begin(), tags.end(), asked) != tags.end();
                       }) &&
           (filter_.termination.empty() ||
            std::any_of(tags.begin(), tags.end(), [&](const auto& tag) {
                return tag.first == "Termination" &&
                       fold(tag.second).starts_with(filter_.termination);
            }));
}

GameOrder game_order_of(std::string_view name) {
    if (name == "id") return GameOrder::kId;
    if (name == "date") return GameOrder::kDate;
    if (name == "elo") return GameOrder::kElo;
    if (name == "plies") return GameOrder::kPlies;
    throw FilterError("sort", "'" + std::string(name) + "' is not one of id, date, elo, plies");
}

void sort_games(store::StoreReader& reader, GameOrder order, std::vector<GameId>& games) {
    if (order == GameOrder::kId) return;
    std::vector<std::pair<std::uint64_t, GameId>> ranked;
    ranked.reserve(games.size());
    for (const GameId game : games) ranked.emplace_back(rank_of(order, reader.facts(game)), game);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < games.size(); ++i) games[i] = ranked[i].second;
}

std::vector<GameId> select_games(store::StoreReader& reader, GameMatcher& matcher, GameOrder order,
                                 std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    std::vector<GameId> games;
    const GameId last = reader.last_game();
    for (GameId game = 1; game <= last; ++game) {
        check();
        if (reader.has_game(game) && matcher(game)) games.push_back(game);
    }
    sort_games(reader, order, games);
    return games;
}

}  // namespace fendex::query
