#include "serve/explorer/explorer.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "ask/fields.hpp"
#include "base/key_text.hpp"
#include "emit/pgn_game.hpp"
#include "serve/explorer/game_ids.hpp"
#include "serve/explorer/lichess_games.hpp"
#include "serve/explorer/tree_answer.hpp"

namespace fendex::serve {

namespace {

using explorer::Family;
using explorer::TreeQuestion;

// The largest numbers of games that the Lichess explorer lists.
constexpr std::size_t kMasterGames = 15;
constexpr std::size_t kLichessGames = 4;
constexpr std::size_t kPlayerGames = 8;
constexpr std::size_t kMoves = 12;

std::vector<ask::FieldText> position_parameters() {
    return {{"variant",
             {},
             "standard (default), chess960, fromPosition, crazyhouse, threeCheck, "
             "kingOfTheHill, atomic, antichess, horde or racingKings"},
            {"fen",
             {},
             "the position as FEN or EPD, blanks also as _; impossible castling rights and "
             "en passant squares are left out (default: the start)"},
            {"play", {}, "moves from there in UCI notation, separated by commas"}};
}

std::vector<ask::FieldText> date_parameters() {
    return {{"since", {}, "only games from this year or month on: 1987 or 1987-11"},
            {"until", {}, "only games up to this year or month"}};
}

std::vector<ask::FieldText> speed_parameters() {
    return {{"speeds",
             {},
             "only these, separated by commas: ultraBullet, bullet, blitz, rapid, "
             "classical, correspondence"}};
}

std::vector<ask::FieldText> rating_parameters() {
    return {{"ratings",
             {},
             "only games whose mean rating is in these groups, separated by commas: 0, "
             "1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500; each reaches to the "
             "next"}};
}

std::vector<ask::FieldText> list_parameters(const char* moves) {
    return {{"moves",
             {},
             std::string("moves to list (default: ") + moves + ")",
             ask::FieldType::kNumber}};
}

ask::FieldText games_parameter(const char* name, const char* which, std::size_t most) {
    return {name,
            {},
            std::string(which) + " games to list, at most " + std::to_string(most) + " (default)",
            ask::FieldType::kNumber};
}

std::size_t games_of(const Call& call, const char* name, std::size_t most) {
    return std::min(explorer::number_of(call, name, most), most);
}

TreeQuestion masters_question(const Call& call) {
    TreeQuestion question;
    question.family = Family::kMasters;
    question.asked = explorer::position_of(call);
    explorer::read_dates(call, question.filter);
    question.moves = explorer::number_of(call, "moves", kMoves);
    question.top_games = games_of(call, "topGames", kMasterGames);
    return question;
}

/// Reads the parameters that both routes of this family have.
TreeQuestion lichess_games(const Call& call) {
    TreeQuestion question;
    question.family = Family::kLichess;
    question.asked = explorer::position_of(call);
    explorer::read_dates(call, question.filter);
    explorer::read_speeds(call, question.filter);
    explorer::read_ratings(call, question.filter);
    return question;
}

TreeQuestion lichess_question(const Call& call) {
    TreeQuestion question = lichess_games(call);
    question.moves = explorer::number_of(call, "moves", kMoves);
    question.top_games = games_of(call, "topGames", kLichessGames);
    question.recent_games = games_of(call, "recentGames", kLichessGames);
    question.history = explorer::history_is_wanted(call);
    return question;
}

TreeQuestion history_question(const Call& call) {
    TreeQuestion question = lichess_games(call);
    question.moves = 0;
    question.history = true;
    return question;
}

TreeQuestion player_question(const Call& call) {
    TreeQuestion question;
    question.family = Family::kPlayer;
    question.player = explorer::read_player(call, question.filter);
    question.asked = explorer::position_of(call);
    explorer::read_dates(call, question.filter);
    explorer::read_speeds(call, question.filter);
    explorer::read_modes(call, question.filter);
    question.moves = explorer::number_of(call, "moves", explorer::kAll);
    question.recent_games = games_of(call, "recentGames", kPlayerGames);
    return question;
}

/// Keeps answers until the databases change: those that took long to compute, and those that were
/// asked for before. So positions that are asked for once do not take the room of others.
class KeptAnswers {
  public:
    /// `open` must not be empty.
    KeptAnswers(const Call& call, const std::string& version, std::vector<OpenDatabase>& open)
        : snapshot_cache_(&open.front().reader->snapshot_cache()) {
        base::KeyText key("explorer");
        key.add(version).add(call.request->path.size());
        for (const std::string& part : call.request->path) key.add(part);
        for (const Parameter& each : call.request->parameters) key.add(each.name).add(each.value);
        key_ = key.text();
    }

    /// Returns the kept answer; null if there is none.
    [[nodiscard]] std::shared_ptr<const std::string> find() const {
        return snapshot_cache_->get<std::string>(key_);
    }
    /// Keeps an answer that took so long, if it is worth while.
    void offer(const std::string& answer, std::chrono::steady_clock::duration took) const {
        if (took <= kLong && !snapshot_cache_->is_asked_again(key_)) return;
        snapshot_cache_->put(key_, std::make_shared<std::string>(answer),
                             key_.size() + answer.size() + store::SnapshotCache::kItemBytes);
    }

  private:
    static constexpr std::chrono::microseconds kLong{500};

    std::string key_;
    store::SnapshotCache* snapshot_cache_;
};

Answer answer_of(const TreeQuestion& question, std::string body) {
    Answer answer;
    answer.body = std::move(body);
    if (question.family == Family::kPlayer) {
        answer.type = kJsonLines;
        answer.body += '\n';
    }
    return answer;
}

/// Returns the task that answers a question. Sums over columns take long, so they run in the pool
/// for sums. The snapshots are closed until then: they would keep the write-ahead log from
/// shrinking.
Task task_of(const Call& call, TreeQuestion question, const Databases& databases) {
    auto open = std::make_shared<std::vector<OpenDatabase>>(databases.open());
    Task task;
    task.version = Databases::version_of(*open);
    if (const auto known = KeptAnswers(call, task.version, *open).find()) {
        task.run = [question = std::move(question), known](const std::stop_token&) {
            return answer_of(question, *known);
        };
        return task;
    }
    const bool is_look_up = question.filter == query::GameFilter{} && !question.history;
    task.cost = is_look_up ? Cost::kLookUp : Cost::kSums;
    if (!is_look_up) open.reset();
    task.run = [call, question = std::move(question), databases, open](std::stop_token stop) {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<OpenDatabase> now = open ? std::move(*open) : databases.open();
        std::string body = explorer::answer(question, now, std::move(stop));
        KeptAnswers(call, Databases::version_of(now), now)
            .offer(body, std::chrono::steady_clock::now() - begin);
        return answer_of(question, std::move(body));
    };
    return task;
}

Route route_of(const char* path, const char* summary, std::vector<ask::FieldText> parameters,
               TreeQuestion (*question_of)(const Call&), const Databases& databases) {
    Route route;
    route.path = path;
    route.summary = summary;
    route.strictness = Strictness::kLenient;
    route.parameters = std::move(parameters);
    route.plan = [question_of, databases](const Call& call) {
        return task_of(call, question_of(call), databases);
    };
    return route;
}

/// Finds games by their ids.
class GamesById {
  public:
    explicit GamesById(const Databases& databases)
        : databases_(databases), lichess_(databases.size()) {}

    Task task_of(const std::string& id) {
        auto open = std::make_shared<std::vector<OpenDatabase>>(databases_.open());
        Task task;
        task.version = Databases::version_of(*open);
        if (!is_known_at_once(id, *open)) {
            task.cost = Cost::kScan;
            open.reset();
        }
        task.run = [this, id, open](const std::stop_token& stop) {
            std::vector<OpenDatabase> now = open ? std::move(*open) : databases_.open();
            Answer answer;
            answer.type = kPgn;
            const auto place = find(id, now, stop);
            if (!place ||
                !emit::append_pgn(*now[place->database].reader, place->game, answer.body)) {
                throw Refusal{404, "no_such_game", "there is no game with the id '" + id + "'"};
            }
            return answer;
        };
        return task;
    }

  private:
    using Place = explorer::GamePlace;

    /// Returns the game whose number the id is; empty if there is none or the id is of another
    /// kind.
    static std::optional<Place> numbered(const std::string& id,
                                         std::vector<OpenDatabase>& databases) {
        const auto place = explorer::numbered_place(id, databases.size());
        store::GameHeader header;
        if (!place || place->database >= databases.size() ||
            !databases[place->database].reader->header(place->game, header)) {
            return std::nullopt;
        }
        return place;
    }
    bool is_known_at_once(const std::string& id, std::vector<OpenDatabase>& databases) {
        if (!explorer::is_lichess_id(id)) return true;
        return std::ranges::all_of(databases, [&](const OpenDatabase& each) {
            return lichess_[each.index].is_ready(each);
        });
    }
    std::optional<Place> find(const std::string& id, std::vector<OpenDatabase>& databases,
                              const std::stop_token& stop) {
        if (explorer::is_lichess_id(id)) {
            for (const OpenDatabase& each : databases) {
                if (const auto game = lichess_[each.index].find(each, id, stop)) {
                    return Place{each.index, *game};
                }
            }
        }
        // Eight digits may also be a number as it is.
        return numbered(id, databases);
    }

    Databases databases_;
    std::deque<explorer::LichessGames> lichess_;  // by database
};

}  // namespace

std::vector<Route> explorer_routes(const ExplorerDatabases& databases) {
    std::vector<Route> routes;
    for (const char* const path : {"/masters", "/master"}) {
        routes.push_back(
            route_of(path, "The moves that were played from a position, in games over the board.",
                     ask::joined({position_parameters(),
                                  date_parameters(),
                                  list_parameters("12"),
                                  {games_parameter("topGames", "best rated", kMasterGames)}}),
                     masters_question, databases.masters));
    }
    routes.push_back(route_of(
        "/lichess", "The moves that were played from a position, in online games.",
        ask::joined(
            {position_parameters(),
             speed_parameters(),
             rating_parameters(),
             date_parameters(),
             list_parameters("12"),
             {games_parameter("topGames", "best rated", kLichessGames),
              games_parameter("recentGames", "latest", kLichessGames),
              {"history", {}, "whether to list the results by month too", ask::FieldType::kFlag}}}),
        lichess_question, databases.lichess));
    routes.push_back(route_of("/lichess/history",
                              "The results from a position by month, in online games.",
                              ask::joined({position_parameters(), speed_parameters(),
                                           rating_parameters(), date_parameters()}),
                              history_question, databases.lichess));
    for (const char* const path : {"/player", "/personal"}) {
        routes.push_back(route_of(
            path, "The moves that a player played or met in a position.",
            ask::joined(
                {{{.name = "player", .value = {}, .help = "the player's name", .required = true},
                  {.name = "color",
                   .value = {},
                   .help = "the player's colour",
                   .choices = {"white", "black"},
                   .required = true}},
                 position_parameters(),
                 {{"modes", {}, "only these, separated by commas: rated, casual"}},
                 speed_parameters(),
                 date_parameters(),
                 list_parameters("all"),
                 {games_parameter("recentGames", "latest", kPlayerGames)}}),
            player_question, databases.player));
    }
    const auto games = std::make_shared<GamesById>(databases.masters);
    for (const char* const path : {"/masters/pgn/{id}", "/master/pgn/{id}"}) {
        Route route;
        route.path = path;
        route.summary = "A game as PGN.";
        route.strictness = Strictness::kLenient;
        route.plan = [games](const Call& call) { return games->task_of(call.named.front()); };
        routes.push_back(std::move(route));
    }
    return routes;
}

}  // namespace fendex::serve
