// GET /api/v1/export.pgn: games as PGN. Games are read while the answer is sent.
#include <algorithm>
#include <deque>
#include <functional>
#include <utility>

#include "ask/fields.hpp"
#include "ask/find_question.hpp"
#include "ask/ranked_games.hpp"
#include "ask/ranked_hits.hpp"
#include "base/stop_check.hpp"
#include "emit/kept_texts.hpp"
#include "emit/pgn_game.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

/// Number of games that are read at once.
constexpr std::size_t kExportedAtOnce = 64;
constexpr std::size_t kExportPieceBytes = 64 * 1024;

/// The games of all databases, in order.
class PgnExport {
  public:
    PgnExport(const AskedDatabases& databases, ask::HitsQuestion asked, std::uint64_t limit,
              std::stop_token stop)
        : asked_(std::move(asked)),
          sources_(databases.open(asked_.filter, stop)),
          left_(limit),
          stop_(std::move(stop)) {
        for (std::size_t i = 0; i < sources_->size(); ++i) kept_.emplace_back();
        if (is_sorted()) rank();
    }

    /// Appends games until a piece is full. Returns false after the last game.
    bool append_piece(std::string& out) {
        const std::size_t begin = out.size();
        while (out.size() - begin < kExportPieceBytes) {
            if (database_ == sources_->size() || left_ == 0) return false;
            const std::vector<store::GameId> games =
                is_sorted() ? next_ranked_games() : next_games();
            if (games.empty()) {
                if (is_sorted()) return false;
                ++database_;
                hits_ = nullptr;
                last_ = 0;
                continue;
            }
            left_ -= games.size();
            append(games, out);
        }
        return true;
    }

  private:
    [[nodiscard]] bool is_sorted() const { return asked_.order != store::GameOrder::kId; }
    [[nodiscard]] bool is_search() const { return asked_.positions || asked_.pattern; }

    void rank() {
        if (is_search()) {
            hits_in_order_.emplace(*sources_, asked_, ask::Page{{}, left_}, stop_);
            return;
        }
        std::vector<std::vector<query::RankedGame>> ranked;
        for (Source& source : *sources_) {
            ranked.push_back(query::select_ranked_games(
                *source.reader, source.matcher, asked_.order, ask::games_for(0, left_), stop_));
        }
        games_in_order_ = ask::merged(ranked);
    }

    /// Returns the next games in the order that was chosen, all of one database, which becomes the
    /// current one; none after the last.
    std::vector<store::GameId> next_ranked_games() {
        const std::size_t most = std::min<std::uint64_t>(kExportedAtOnce, left_);
        std::vector<store::GameId> games;
        while (games.empty() && hits_in_order_) {
            const auto some = hits_in_order_->next(most);
            if (!some) return games;
            database_ = some->games.front().database;
            for (const query::Hit& hit : some->hits) games.push_back(hit.game);
        }
        if (hits_in_order_ || next_in_order_ == games_in_order_.size()) return games;
        database_ = games_in_order_[next_in_order_].database;
        const auto some = ask::front_of_one_database(games_in_order_, next_in_order_, most);
        for (const ask::PlacedGame& each : some) games.push_back(each.game);
        next_in_order_ += some.size();
        return games;
    }

    /// Returns the next games of the current database, in the order of their numbers.
    std::vector<store::GameId> next_games() {
        Source& source = (*sources_)[database_];
        const std::size_t most = std::min<std::uint64_t>(kExportedAtOnce, left_);
        std::vector<store::GameId> games;
        if (!is_search()) {
            games = query::games_after(*source.reader, source.matcher, last_, most, stop_);
        } else {
            if (!hits_) hits_ = ask::hits_in(source, asked_, 0, stop_);
            query::Hit hit;
            while (games.size() < most && hits_(hit)) {
                // A game may have several hits, in variations.
                if (hit.game != last_) games.push_back(hit.game);
                last_ = hit.game;
            }
        }
        if (!games.empty()) last_ = games.back();
        return games;
    }

    void append(const std::vector<store::GameId>& games, std::string& out) {
        Source& source = (*sources_)[database_];
        base::StopCheck check(stop_);
        source.reader->games(games, [&](store::GameId id, const store::StoredGame& game) {
            check();
            emit::append_pgn(*source.reader, kept_[database_], id, game, out);
        });
    }

    ask::HitsQuestion asked_;
    std::shared_ptr<Sources> sources_;
    std::deque<emit::KeptTexts> kept_;  // one for each database
    std::uint64_t left_;
    std::stop_token stop_;
    std::size_t database_ = 0;
    ask::NextHit hits_;  // of the current database, if there is a question
    store::GameId last_ = 0;
    // In another order than that of numbers: the games that fit, or those of the hits.
    std::vector<ask::PlacedGame> games_in_order_;
    std::size_t next_in_order_ = 0;
    std::optional<ask::RankedHits> hits_in_order_;
};

Answer answer_export(const AskedDatabases& databases, const Call& call,
                     const std::stop_token& stop) {
    ask::HitsQuestion asked;
    if (ask::has_pattern(call.given) || ask::has_position(call.given) ||
        call.find("key") != nullptr) {
        asked = ask::hits_question(call.given);
    } else if (call.find("eval") != nullptr) {
        throw ask::QuestionError("bad_question", "eval",
                                 "eval goes with a position, a key, a pattern, material or a move");
    } else {
        asked.filter = call.given.filter();
        asked.order = call.given.order();
    }
    auto games = std::make_shared<PgnExport>(databases, std::move(asked),
                                             call.given.number("limit").value_or(UINT64_MAX), stop);
    Answer answer = streamed(
        kPgn, [games = std::move(games)](std::string& out) { return games->append_piece(out); });
    answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"games.pgn\"");
    return answer;
}

}  // namespace

Route export_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/export.pgn";
    route.summary = "Games as PGN: those that fit, or that reached a position or a pattern.";
    route.parameters =
        ask::joined({ask::hits_fields(),
                     {ask::sort_field(), ask::number_field("limit", "at most this many games", 1)},
                     ask::fields_of_filter(),
                     {database_field()}});
    route.answer = "PGN";
    route.plan = [&databases](const Call& call) {
        Task task;
        task.cost = Cost::kScan;
        task.run = [asked = asked_databases(call.given, databases),
                    call](const std::stop_token& stop) { return answer_export(asked, call, stop); };
        return task;
    };
    return route;
}

}  // namespace fendex::serve::api
