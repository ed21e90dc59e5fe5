#include "serve/explorer/tree_answer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "ask/sources.hpp"
#include "base/json.hpp"
#include "query/month_results.hpp"
#include "query/opening_tree.hpp"
#include "query/tree_json.hpp"
#include "serve/explorer/game_ids.hpp"
#include "serve/explorer/performance.hpp"
#include "store/kept_headers.hpp"

namespace fendex::serve::explorer {

namespace {

using codec::Result;
using codec::Tally;
using query::NamedGame;
using Place = store::KeptHeadersOfSeveral::Place;

const char* name_of(codec::TimeClass time_class) {
    switch (time_class) {
        case codec::TimeClass::kUltraBullet: return "ultraBullet";
        case codec::TimeClass::kBullet: return "bullet";
        case codec::TimeClass::kBlitz: return "blitz";
        case codec::TimeClass::kRapid: return "rapid";
        case codec::TimeClass::kClassical: return "classical";
        case codec::TimeClass::kCorrespondence: return "correspondence";
        case codec::TimeClass::kUnknown: break;
    }
    return nullptr;
}

std::string month_text(codec::Date month) {
    return fmt::format("{:04}-{:02}", month.year(), month.month());
}

void add_counts(std::uint64_t white, std::uint64_t draws, std::uint64_t black,
                json::Object& object) {
    object.add("white", white);
    object.add("draws", draws);
    object.add("black", black);
}

void add_counts(const Tally& tally, json::Object& object) {
    add_counts(tally.results.white(), tally.results.draws(), tally.results.black(), object);
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
    void read_headers();
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
    query::MonthResults history_;
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
        read_headers();
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

/// Reads the headers of all games that the tree names together.
void TreeAnswer::read_headers() {
    std::vector<store::StoreReader*> readers;
    for (OpenDatabase& each : databases_) readers.push_back(&*each.reader);
    std::vector<Place> places;
    const auto name = [&](const std::vector<NamedGame>& named) {
        for (const NamedGame& each : named) places.emplace_back(each.database, each.game);
    };
    for (const query::TreeMove& move : tree_.moves) name(move.top_games);
    name(tree_.top_games);
    name(tree_.recent_games);
    headers_.emplace(readers, places);
}

void TreeAnswer::add_history(ask::Sources& searches) {
    if (question_.asked.too_much_material) return;
    for (std::size_t i = 0; i < databases_.size(); ++i) {
        query::add_month_results(*databases_[i].reader, searches[i].positions,
                                 question_.asked.position, history_, stop_);
    }
}

void TreeAnswer::add_game(const NamedGame& named, json::Object& object) const {
    const store::GameHeader& game = header(named);
    store::StoreReader& reader = *databases_[named.database].reader;
    object.add("id", id_of({named.database, named.game}, game.site.value_or("")));
    switch (game.result) {
        case Result::kWhiteWins: object.add("winner", "white"); break;
        case Result::kBlackWins: object.add("winner", "black"); break;
        default: object.add_null("winner"); break;
    }
    if (question_.family != Family::kMasters) {
        const codec::GameFacts facts = reader.facts(named.game);
        if (const char* const speed = name_of(facts.time_class)) object.add("speed", speed);
        if (facts.mode == codec::Mode::kRated) object.add("mode", "rated");
        if (facts.mode == codec::Mode::kCasual) object.add("mode", "casual");
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
    date == 0 ? object.add_null("year") : object.add("year", date.year());
    date.month() == 0 ? object.add_null("month") : object.add("month", month_text(date));
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
        add_rounded("averageOpponentRating", mean_rating(move.tally, ~player), object);
        add_rounded("performance", performance(move.tally, player), object);
    } else {
        add_rounded("averageRating", mean_rating(move.tally, move.mover), object);
    }
    add_counts(move.tally, object);
    if (move.tally.results.decided() == 1 && !move.top_games.empty()) {
        object.add_object("game",
                          [&](json::Object& game) { add_game(move.top_games.front(), game); });
    } else {
        object.add_null("game");
    }
    query::add_opening(move.opening, object);
}

/// Adds a row for each month up to the last with games, also for months without games. The first
/// month is the first with games or, if that is earlier, the beginning of the filter.
void TreeAnswer::add_history(json::Object& object) const {
    constexpr codec::Date kEarliest{1900, 1, 0};  // a filter begins the list no earlier
    std::vector<std::pair<codec::Date, query::Results>> months;
    if (!history_.empty()) {
        const codec::Date low = question_.filter.date.low;
        auto first = codec::Date::of_month(history_.begin()->first);
        if (low != 0) first = std::min(first, std::max(low, kEarliest));
        const std::uint32_t last = codec::Date::of_month(history_.rbegin()->first).months();
        for (std::uint32_t i = first.months(); i <= last; ++i) {
            const auto month = codec::Date::of_months(i);
            const auto known = history_.find(month.month_number());
            months.emplace_back(month, known == history_.end() ? query::Results{} : known->second);
        }
    }
    object.add_objects("history", months, [](json::Object& row, const auto& each) {
        row.add("month", month_text(each.first));
        add_counts(each.second.white, each.second.draws, each.second.black, row);
    });
}

void TreeAnswer::add(json::Object& object) const {
    add_counts(tree_.total, object);
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
}

}  // namespace

std::string answer(const TreeQuestion& question, std::vector<OpenDatabase>& databases,
                   std::stop_token stop) {
    return TreeAnswer(question, databases, std::move(stop)).json();
}

}  // namespace fendex::serve::explorer
