// The rows of the plies of games: the move that led to each, key, FEN, EPD.
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ask/given.hpp"
#include "ask/questions.hpp"
#include "base/stop_check.hpp"
#include "emit/game_rows.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::ask {

namespace {

/// Of one game, which must exist, or with `game_id` of all games that fit, those that cannot be
/// replayed left out; in the order of databases and games. A place is a database and the last
/// game of which rows were read.
class PlyRows final : public Rows {
  public:
    PlyRows(std::shared_ptr<Sources> sources, std::optional<store::GameId> game,
            chess::FenDialect dialect, std::stop_token stop)
        : sources_(std::move(sources)), game_(game), dialect_(dialect), stop_(std::move(stop)) {
        if (!game_) columns_.emplace_back("game_id");
        columns_.insert(columns_.end(), emit::kPlyColumns.begin(), emit::kPlyColumns.end());
    }

    /// Reads the rows of a game, up to `most`; the others come with the next call.
    bool read(std::uint64_t most, const Visit& visit) override {
        if (seen_ == 0 && !next_game()) return false;
        std::uint64_t row = 0;
        const std::uint64_t end = seen_ + most;
        std::vector<Cell> first;
        if (!game_) first.emplace_back(static_cast<std::int64_t>(id_));
        Source& source = (*sources_)[place_.group];
        if (replay::has_positions(stored_.moves)) {
            emit::for_each_ply_row(id_, stored_.moves,
                                   store::Occurrences(source.reader->repetitions(id_)), dialect_,
                                   spelling_, first, [&](const std::vector<Cell>& cells) {
                                       if (row >= seen_ && row < end) visit(cells);
                                       ++row;
                                   });
        }
        seen_ = row > end ? end : 0;
        return true;
    }
    [[nodiscard]] Place place() const override { return place_; }

  private:
    bool next_game() {
        base::StopCheck check(stop_);
        check();
        if (game_) {
            if (place_.after != 0) return false;
            place_.after = id_ = *game_;
            if ((*sources_)[0].reader->game(id_, stored_)) return true;
            throw QuestionError("no_such_game", "game", "there is no game " + std::to_string(id_));
        }
        while (place_.group < sources_->size()) {
            Source& source = (*sources_)[place_.group];
            const auto games =
                query::games_after(*source.reader, source.matcher, place_.after, 1, stop_);
            if (!games.empty() && source.reader->game(games.front(), stored_)) {
                place_.after = id_ = games.front();
                return true;
            }
            place_ = {place_.group + 1, 0};
        }
        return false;
    }

    std::shared_ptr<Sources> sources_;
    std::optional<store::GameId> game_;
    chess::FenDialect dialect_;
    std::stop_token stop_;
    chess::SanSpelling spelling_;
    Place place_;
    store::GameId id_ = 0;
    store::StoredGame stored_;
    std::uint64_t seen_ = 0;  // rows of this game that were read; 0: go to the next game
};

}  // namespace

QuestionKind plies_kind() {
    return {.name = "plies",
            .summary = "every ply of one game, or of all games that fit, the start included",
            .fields = {number_field("game", "only this game", 1), dialect_field()},
            .plan = [](const Given& given) {
                Plan plan{given.filter(), Cost::kScan};
                plan.rows = [game = given.number("game"), dialect = given.dialect()](
                                std::shared_ptr<Sources> sources, const Page&, const RowStyle&,
                                std::stop_token stop) {
                    return std::make_unique<PlyRows>(std::move(sources), game, dialect,
                                                     std::move(stop));
                };
                return plan;
            }};
}

}  // namespace fendex::ask
