#include "query/game_filter.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/key_text.hpp"
#include "base/text_fold.hpp"
#include "codec/columns.hpp"
#include "store/named_sources.hpp"

namespace fendex::query {

namespace {

using base::fold;
using store::GameColumn;
using store::GameId;

/// Up to this many games are tested one by one; after that, the set of all games that fit is made.
constexpr unsigned kSingleGames = 500;

/// A RankedGame of a reader without an engine, in half the memory.
struct RankedNumber {
    std::uint32_t rank = 0;
    std::uint32_t game = 0;

    bool operator<(const RankedNumber& other) const {
        return rank != other.rank ? rank > other.rank : game < other.game;
    }
};

/// Reads the ranks of games. If many games of a chunk are asked for, whole columns are decoded.
class Ranks {
  public:
    Ranks(store::StoreReader& reader, GameOrder order) : reader_(reader), order_(order) {}

    /// Appends the games, which ascend and are of one chunk.
    /// Leaves out those that rank no higher than `bar`.
    void append(std::span<const std::uint32_t> games, std::optional<std::uint32_t> bar,
                std::vector<RankedNumber>& out) {
        constexpr std::size_t kWorthDecoding = 256;
        const auto offer = [&](std::uint32_t game, std::uint32_t rank) {
            if (!bar || rank > *bar) out.push_back({rank, game});
        };
        if (games.size() < kWorthDecoding) {
            for (const std::uint32_t game : games) {
                read(game, 1);
                offer(game, rank(0));
            }
            return;
        }
        const std::uint32_t first = games.front();
        read(first, games.back() - first + 1);
        for (const std::uint32_t game : games) offer(game, rank(game - first));
    }

  private:
    void read(GameId first, std::size_t games) {
        const auto column = [&](GameColumn which, std::size_t n) {
            reader_.column(which, first, std::span(values_[n]).first(games));
        };
        switch (order_) {
            case GameOrder::kDate: return column(GameColumn::kDate, 0);
            case GameOrder::kPlies: return column(GameColumn::kPlies, 0);
            case GameOrder::kElo:
                column(GameColumn::kWhiteElo, 0);
                return column(GameColumn::kBlackElo, 1);
            case GameOrder::kId: break;
        }
    }
    std::uint32_t rank(std::size_t i) const {
        return order_ == GameOrder::kElo ? values_[0][i] + values_[1][i] : values_[0][i];
    }

    store::StoreReader& reader_;
    GameOrder order_;
    std::array<std::array<std::uint32_t, codec::kGamesPerChunk>, 2> values_;
};

}  // namespace

GameMatcher::GameMatcher(store::StoreReader& reader, GameFilter filter, std::stop_token stop)
    : reader_(reader),
      filter_(std::move(filter)),
      token_(std::move(stop)),
      stop_(token_),
      takes_all_(filter_ == GameFilter{}) {
    make_ready();
}

GameMatcher::~GameMatcher() = default;

/// Looks up codes of names and games of sources again if the snapshot has changed: in another
/// snapshot a code may be another name's.
void GameMatcher::make_ready() {
    if (snapshot_ == reader_.snapshot()) return;
    games_.reset();
    single_games_ = 0;
    if (reader_.engine() == nullptr) conditions_ = conditions_of(reader_, filter_, stop_);
    source_games_.clear();
    if (!filter_.source.empty()) {
        for (const store::StoredSource& source : store::sources_named(reader_, filter_.source)) {
            source_games_.emplace_back(source.first_game, source.first_game + source.games);
        }
    }
    snapshot_ = reader_.snapshot();
}

bool GameMatcher::operator()(GameId game) {
    if (takes_all_) return true;
    make_ready();
    if (store::Engine* const engine = reader_.engine()) {
        return !engine->ranks(filter_, GameOrder::kId, {&game, 1}, token_).empty();
    }
    if (games_ || ++single_games_ > kSingleGames) return games().contains(game);
    const auto is_of = [&](const auto& range) {
        return game >= range.first && game < range.second;
    };
    if (!filter_.source.empty() &&
        std::none_of(source_games_.begin(), source_games_.end(), is_of)) {
        return false;
    }
    for (const GameCondition& condition : conditions_) {
        stop_();
        if (!fits(reader_, condition, game)) return false;
    }
    return filter_.tags.empty() || has_tags(game);
}

bool GameMatcher::has_tags(GameId game) {
    if (!reader_.game(game, game_)) return false;
    return std::all_of(filter_.tags.begin(), filter_.tags.end(), [&](const auto& asked) {
        return std::find(game_.tags.begin(), game_.tags.end(), asked) != game_.tags.end();
    });
}

std::uint64_t GameMatcher::count() {
    store::Engine* const engine = reader_.engine();
    if (engine == nullptr) return games().size();
    make_ready();
    return engine->count_games(filter_, token_);
}

const GameSet& GameMatcher::games() {
    make_ready();
    if (reader_.engine() != nullptr) store::throw_unsupported("questions about sets of games");
    if (!games_) games_ = fitting();
    return *games_;
}

std::shared_ptr<const GameSet> GameMatcher::fitting() {
    std::shared_ptr<const GameSet> all = existing_games(reader_);
    if (takes_all_) return all;
    const auto games = std::make_shared<GameSet>(*all);
    for (const GameCondition& condition : conditions_) {
        *games &= *games_that_fit(reader_, condition, stop_);
    }
    if (!filter_.source.empty()) *games &= source_games();
    if (filter_.tags.empty()) return games;
    base::KeyText key("tags");
    for (const auto& [name, value] : filter_.tags) key.add(name).add(value);
    for (const GameCondition& condition : conditions_) key.add(key_of(condition));
    key.add(filter_.source);
    if (auto known = reader_.snapshot_cache().get<GameSet>(key.text())) return known;
    for (const std::uint32_t game : games->numbers()) {
        stop_();
        if (!has_tags(game)) games->remove(game);
    }
    reader_.snapshot_cache().put(key.text(), games, games->bytes());
    return games;
}

GameSet GameMatcher::source_games() const {
    GameSet games;
    for (const auto& [first, end] : source_games_) games.add_range(first, end);
    return games;
}

GameOrder game_order_of(std::string_view name) {
    if (name == "id") return GameOrder::kId;
    if (name == "date") return GameOrder::kDate;
    if (name == "elo") return GameOrder::kElo;
    if (name == "plies") return GameOrder::kPlies;
    throw FilterError("sort", "'" + std::string(name) + "' is not one of id, date, elo, plies");
}

namespace {

/// Returns the first `most` games in an order. The numbers ascend.
std::vector<RankedGame> first_games(store::StoreReader& reader, GameOrder order,
                                    std::span<const std::uint32_t> numbers, std::size_t most,
                                    std::stop_token stop) {
    if (most == 0) return {};
    base::StopCheck check(std::move(stop));
    Ranks ranks(reader, order);
    std::vector<RankedNumber> ranked;
    // Games that cannot be among the first are left out as soon as their ranks are known. Of equal
    // ranks the earlier game comes first.
    std::optional<std::uint32_t> bar;
    const auto keep_first = [&] {
        if (ranked.size() <= most) return;
        const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(ranked.begin(), end - 1, ranked.end());
        ranked.erase(end, ranked.end());
        bar = ranked.back().rank;
    };
    while (!numbers.empty()) {
        check();
        ranks.append(take_games_before(end_of_chunk(numbers.front()), numbers), bar, ranked);
        if (ranked.size() / 2 >= most) keep_first();
    }
    keep_first();
    std::sort(ranked.begin(), ranked.end());
    std::vector<RankedGame> out;
    out.reserve(ranked.size());
    for (const auto& [rank, game] : ranked) out.push_back({rank, game});
    return out;
}

std::vector<GameId> without_ranks(const std::vector<RankedGame>& ranked) {
    std::vector<GameId> games;
    games.reserve(ranked.size());
    for (const RankedGame& each : ranked) games.push_back(each.game);
    return games;
}

}  // namespace

std::vector<RankedGame> rank_games(store::StoreReader& reader, GameOrder order,
                                   std::span<const GameId> games, std::stop_token stop) {
    if (store::Engine* const engine = reader.engine()) {
        std::vector<RankedGame> ranked = engine->ranks({}, order, games, std::move(stop));
        std::sort(ranked.begin(), ranked.end());
        return ranked;
    }
    std::vector<std::uint32_t> numbers;
    numbers.reserve(games.size());
    for (const GameId game : games) numbers.push_back(static_cast<std::uint32_t>(game));
    return first_games(reader, order, numbers, games.size(), std::move(stop));
}

void sort_games(store::StoreReader& reader, GameOrder order, std::vector<GameId>& games,
                std::stop_token stop) {
    if (order == GameOrder::kId) return;
    games = without_ranks(rank_games(reader, order, games, std::move(stop)));
}

std::vector<RankedGame> select_ranked_games(store::StoreReader& reader, GameMatcher& matcher,
                                            GameOrder order, std::size_t most,
                                            std::stop_token stop) {
    if (store::Engine* const engine = reader.engine()) {
        return engine->games(matcher.filter(), order, std::nullopt, most, std::move(stop));
    }
    return first_games(reader, order, matcher.games().numbers(), most, std::move(stop));
}

std::vector<GameId> select_games(store::StoreReader& reader, GameMatcher& matcher, GameOrder order,
                                 std::size_t most, std::stop_token stop) {
    base::StopCheck check(stop);
    check();
    if (reader.engine() != nullptr) {
        return without_ranks(select_ranked_games(reader, matcher, order, most, std::move(stop)));
    }
    const GameSet& games = matcher.games();
    if (order != GameOrder::kId) {
        return without_ranks(select_ranked_games(reader, matcher, order, most, std::move(stop)));
    }
    const std::vector<std::uint32_t> numbers = games.numbers(most);
    return {numbers.begin(), numbers.end()};
}

std::vector<GameId> games_after(store::StoreReader& reader, GameMatcher& matcher, GameId after,
                                std::size_t most, std::stop_token stop) {
    if (store::Engine* const engine = reader.engine()) {
        return without_ranks(engine->games(matcher.filter(), GameOrder::kId, RankedGame{0, after},
                                           most, std::move(stop)));
    }
    const std::vector<std::uint32_t> numbers = matcher.games().numbers_after(after, most);
    return {numbers.begin(), numbers.end()};
}

}  // namespace fendex::query
