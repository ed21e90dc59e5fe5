#include "serve/explorer/tree_answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "ask/alike.hpp"
#include "ask/sources.hpp"
#include "base/json.hpp"
#include "query/opening_tree.hpp"
#include "query/tree_json.hpp"
#include "serve/explorer/game_ids.hpp"
#include "serve/explorer/parameters.hpp"
#include "serve/explorer/performance.hpp"

namespace fendex::serve::explorer {

namespace {

using codec::Result;
using query::NamedGame;

std::string month_text(codec::Date month) {
    return fmt::format("{:04}-{:02}", month.year(), month.month());
}

template <typename Number>
void add_rounded(std::string_view name, const std::optional<Number>& number, json::Object& object) {
    if (number) object.add(name, std::llround(*number));
}

/// The tree for a question, and the headers of the games that it names.
class TreeAnswer {
  public:
    TreeAnswer(const TreeQuestion& question, std::vector<OpenDatabase>& databases,
               std::stop_token stop)
        : question_(question), databases_(databases), stop_(std::move(stop)) {
        ask::Sources searches(&databases_, question_.filter, stop_);
        make_tree(searches);
        leave_out_ratings_of_unfinished();
        if (question_.history) add_history(searches);
        if (question_.family == Family::kPlayer) alike_ = ask::alike_names(searches, stop_);
    }

    std::string json() const {
        std::string out;
        json::append_object(out, [&](json::Object& object) { add(object); });
        return out;
    }

  private:
    void make_tree(ask::Sources& searches);
    query::Tree tree_of(ask::Sources& searches, std::size_t named_games) const;
    void leave_out_ratings_of_unfinished();
    void find_singles();
    bool drop_unfinished(std::vector<NamedGame>& games, std::size_t most) const;
    void add_history(ask::Sources& searches);

    void add(json::Object& object) const;
    void add_move(const query::TreeMove& move, json::Object& object) const;
    void add_game(const NamedGame& named, json::Object& object) const;
    void add_games(std::string_view name, const std::vector<NamedGame>& games,
                   json::Object& object) const;
    void add_history(json::Object& object) const;
    const store::GameHeader& header(const NamedGame& named) const {
        if (const auto* const found = headers_->find({named.database, named.game})) return *found;
        throw store::DamageError(databases_[named.database].name + ": damaged: no game " +
                                 std::to_string(named.game));
    }

    const TreeQuestion& question_;
    std::vector<OpenDatabase>& databases_;
    std::stop_token stop_;
    query::Tree tree_;
    std::optional<store::KeptHeadersOfSeveral> headers_;
    std::map<std::uint32_t, codec::ResultCounts> history_;  // by month, yyyymm
    std::vector<query::AlikeName> alike_;                   // left out, of the player
};

query::Tree TreeAnswer::tree_of(ask::Sources& searches, std::size_t named_games) const {
    query::TreeOptions options;
    options.transpositions = false;
    options.lists = query::GameLists::kOfTreeAndSingles;
    options.named_games = named_games;
    return query::opening_tree(searches.of_trees(), question_.asked.position, options, stop_);
}

/// Removes games without a result, and games that end here, because they have no move to show. Then
/// keeps the first `most`. Returns false if there may be more such games: the tree named too few.
bool TreeAnswer::drop_unfinished(std::vector<NamedGame>& games, std::size_t most) const {
    const std::size_t before = games.size();
    std::erase_if(games, [&](const NamedGame& named) {
        return named.uci.empty() || header(named).result == Result::kUnknown;
    });
    const bool enough = games.size() >= most || games.size() == before;
    games.resize(std::min(games.size(), most));
    return enough;
}

void TreeAnswer::make_tree(ask::Sources& searches) {
    constexpr std::size_t kMostNamed = 64;
    if (question_.asked.too_much_material) {
        tree_.position = question_.asked.position;
        return;
    }
    std::vector<store::StoreReader*> readers;
    for (OpenDatabase& each : databases_) readers.push_back(&*each.reader);
    for (std::size_t named =
             std::max({std::size_t{1}, question_.top_games, question_.recent_games});
         ; named *= 2) {
        tree_ = tree_of(searches, named);
        std::erase_if(tree_.moves,
                      [](const auto& move) { return move.tally.results.decided() == 0; });
        std::ranges::stable_sort(tree_.moves, std::ranges::greater(),
                                 [](const auto& move) { return move.tally.results.decided(); });
        tree_.moves.resize(std::min(tree_.moves.size(), question_.moves));
        find_singles();
        headers_.emplace(query::headers_of(tree_, readers));

        const bool top = drop_unfinished(tree_.top_games, question_.top_games);
        const bool recent = drop_unfinished(tree_.recent_games, question_.recent_games);
        if ((top && recent) || named > kMostNamed) return;
    }
}

/// Subtracts the ratings of games without a result, which do not count, from the sums of ratings.
void TreeAnswer::leave_out_ratings_of_unfinished() {
    if (std::ranges::all_of(tree_.moves, [](const query::TreeMove& move) {
            return move.tally.results[Result::kUnknown] == 0;
        })) {
        return;
    }
    query::GameFilter filter = question_.filter;
    filter.result = Result::kUnknown;
    ask::Sources searches(&databases_, filter, stop_);
    for (const query::TreeMove& unfinished : tree_of(searches, 1).moves) {
        for (query::TreeMove& move : tree_.moves) {
            if (move.move != unfinished.move) continue;
            move.tally.white_elo_sum -= unfinished.tally.white_elo_sum;
            move.tally.white_elo_games -= unfinished.tally.white_elo_games;
            move.tally.black_elo_sum -= unfinished.tally.black_elo_sum;
            move.tally.black_elo_games -= unfinished.tally.black_elo_games;
        }
    }
}

/// Finds the game of each move that only one game with a result played, but also games without a
/// result. Searches the games with that result for it.
void TreeAnswer::find_singles() {
    for (query::TreeMove& move : tree_.moves) {
        if (move.tally.results.decided() != 1 || move.tally.games == 1) continue;
        query::GameFilter filter = question_.filter;
        for (const Result result : {Result::kWhiteWins, Result::kDraw, Result::kBlackWins}) {
            if (move.tally.results[result] == 1) filter.result = result;
        }
        ask::Sources searches(&databases_, filter, stop_);
        for (const query::TreeMove& each : tree_of(searches, 1).moves) {
            if (each.move == move.move) move.top_games = each.top_games;
        }
    }
}

void TreeAnswer::add_history(ask::Sources& searches) {
    if (question_.asked.too_much_material) return;
    const auto question = query::Question::of(question_.asked.position);
    for (std::size_t i = 0; i < databases_.size(); ++i) {
        for (const store::Engine::Month& each : databases_[i].reader->engine().months(
                 question.keys(), searches[i].positions.matcher().filter(), stop_)) {
            if (each.results.decided() == 0) continue;
            codec::ResultCounts& month = history_[each.month];
            for (const Result result : {Result::kWhiteWins, Result::kDraw, Result::kBlackWins}) {
                month[result] += each.results[result];
            }
        }
    }
}

void TreeAnswer::add_game(const NamedGame& named, json::Object& object) const {
    const store::GameHeader& game = header(named);
    store::StoreReader& reader = *databases_[named.database].reader;
    object.add("id",
               id_of({named.database, named.game}, databases_.size(), game.site.value_or("")));
    object.add("winner", query::winner(game.result));

    if (question_.family != Family::kMasters) {
        const codec::GameFacts facts = reader.facts(named.game);
        if (const auto speed = name_of(facts.time_class)) object.add("speed", *speed);
        if (const auto mode = name_of(facts.mode)) object.add("mode", *mode);
    }
    const auto player = [&](std::string_view side, const std::optional<std::string_view>& name,
                            const std::optional<std::int64_t>& rating) {
        object.add_object(side, [&](json::Object& of) {
            of.add("name", name.value_or("?"));
            of.add("rating", rating.value_or(0));  // clients expect a number
        });
    };
    player("black", game.black, game.black_elo);
    player("white", game.white, game.white_elo);
    const codec::Date date = reader.ranks(named.game).date;
    object.add("year", json::known(date.year()));
    date.month() == 0 ? object.add_null("month") : object.add("month", month_text(date));
    // The explorer has no such members.
    object.add("game_id", named.game);
    if (databases_.size() > 1) object.add("database", databases_[named.database].name);
}

void TreeAnswer::add_games(std::string_view name, const std::vector<NamedGame>& games,
                           json::Object& object) const {
    object.add_objects(name, games, [&](json::Object& of_game, const NamedGame& named) {
        of_game.add("uci", named.uci);
        add_game(named, of_game);
    });
}

void TreeAnswer::add_move(const query::TreeMove& move, json::Object& object) const {
    object.add("uci", move.uci);
    object.add("san", move.san);
    if (question_.family == Family::kPlayer) {
        const chess::Color player = question_.player;
        add_rounded("averageOpponentRating", query::mean_rating(move.tally, ~player), object);
        add_rounded("performance", performance(move.tally, player), object);
    } else {
        add_rounded("averageRating", query::mean_rating(move.tally, move.mover), object);
    }
    query::add_results(move.tally.results, object);
    if (move.tally.results.decided() == 1 && !move.top_games.empty()) {
        object.add_object("game",
                          [&](json::Object& game) { add_game(move.top_games.front(), game); });
    } else {
        object.add_null("game");
    }
    query::add_opening(move.opening, object);
    // The explorer has no such member, so it is there only if it says something.
    if (move.verdict) object.add("eval", move.verdict);
}

/// Adds a row for each month up to the last with games, also for months without games. The first
/// month is the first with games or, if that is earlier, the beginning of the filter.
void TreeAnswer::add_history(json::Object& object) const {
    constexpr codec::Date kEarliest{1900, 1, 0};  // a filter begins the list no earlier
    std::vector<std::pair<codec::Date, codec::ResultCounts>> months;
    if (!history_.empty()) {
        const codec::Date low = question_.filter.date.low;
        std::uint32_t first = codec::Date::of_month(history_.begin()->first).months();
        if (low.number() != 0) {
            first = std::min(first, std::max(low.months(), kEarliest.months()));
        }
        const std::uint32_t last = codec::Date::of_month(history_.rbegin()->first).months();
        for (std::uint32_t i = first; i <= last; ++i) {
            const auto month = codec::Date::of_months(i);
            const auto known = history_.find(month.month_number());
            months.emplace_back(month,
                                known == history_.end() ? codec::ResultCounts{} : known->second);
        }
    }
    object.add_objects("history", months, [](json::Object& row, const auto& each) {
        row.add("month", month_text(each.first));
        query::add_results(each.second, row);
    });
}

void TreeAnswer::add(json::Object& object) const {
    query::add_results(tree_.total.results, object);
    object.add_objects(
        "moves", tree_.moves,
        [&](json::Object& of_move, const query::TreeMove& move) { add_move(move, of_move); });
    if (question_.family != Family::kMasters) {
        add_games("recentGames", tree_.recent_games, object);
    }
    if (question_.family != Family::kPlayer) add_games("topGames", tree_.top_games, object);
    query::add_opening(question_.asked.opening, object);
    if (question_.family == Family::kPlayer) object.add("queuePosition", 0);
    if (question_.history) add_history(object);
    // The explorer has no such member.
    ask::add_alike(alike_, object);
}

}  // namespace

std::string answer(const TreeQuestion& question, std::vector<OpenDatabase>& databases,
                   std::stop_token stop) {
    return TreeAnswer(question, databases, std::move(stop)).json();
}

}  // namespace fendex::serve::explorer
