// GET /api/v1/repeats: repeated positions, and the draws that could have been claimed.
#include <deque>
#include <utility>

#include "base/hex.hpp"
#include "emit/repetition_rows.hpp"
#include "query/repetition_analysis.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"
#include "store/kept_headers.hpp"

namespace fendex::serve::api {

namespace {

constexpr std::size_t kRepetitionsAtOnce = 64;
/// Place::group holds the number of the database and, in this many low bits, the number of the row
/// in its game.
constexpr unsigned kRowBits = 20;

/// Repetitions in the order of databases, games and plies, beginning at a place.
class RepetitionRows final : public Rows {
  public:
    RepetitionRows(std::unique_ptr<Sources> sources, query::RepetitionQuery query,
                   chess::FenDialect dialect, const PageRequest& asked, std::stop_token stop)
        : sources_(std::move(sources)),
          query_(std::move(query)),
          dialect_(dialect),
          stop_(std::move(stop)),
          columns_(emit::repetition_columns(query_.looks_for_announced())),
          database_(asked.from.group >> kRowBits),
          skipped_(asked.from.group % (1U << kRowBits)),
          game_(asked.from.after),
          place_(asked.from) {
        for (Source& source : *sources_) analyses_.emplace_back(*source.reader, source.matcher);
    }

    bool next(std::string& out) override {
        while (next_ == rows_.size()) {
            if (database_ >= analyses_.size()) return false;
            if (read_more()) continue;
            ++database_;
            game_ = 0;
            place_ = {database_ << kRowBits, 0};
        }
        append(rows_[next_++], out);
        return true;
    }
    Place place() const override { return place_; }

  private:
    /// Reads all rows of the next games of the database of place_. Returns false if it has no more.
    bool read_more() {
        // The game of the cursor is read again: an earlier page had some of its rows.
        const bool resumed = rows_.empty() && game_ != 0;
        query_.first_game = resumed ? game_ : rows_.empty() ? 1 : rows_.back().repetition.game + 1;
        rows_.clear();
        next_ = 0;
        std::vector<store::GameId> games;
        analyses_[database_].for_each(
            query_,
            [&](const query::RepeatedPosition& row) {
                const bool same_game = !games.empty() && games.back() == row.repetition.game;
                // The repetitions of one position are all read at once, because each search for
                // them begins at the first game.
                if (!same_game && rows_.size() >= kRepetitionsAtOnce && !query_.position) {
                    return false;
                }
                if (!same_game) games.push_back(row.repetition.game);
                rows_.push_back(row);
                return true;
            },
            stop_);
        analyses_[database_].expect(games);
        headers_ = {*(*sources_)[database_].reader, games};
        if (resumed) skip_rows(query_.first_game, skipped_);
        return !rows_.empty();
    }

    void skip_rows(store::GameId game, std::uint64_t rows) {
        while (next_ < rows_.size() && next_ < rows && rows_[next_].repetition.game == game) {
            ++next_;
        }
        row_of_game_ = next_;
        game_ = game;
    }

    void append(const query::RepeatedPosition& row, std::string& out) {
        const store::GameId game = row.repetition.game;
        row_of_game_ = game == game_ ? row_of_game_ + 1 : 1;
        game_ = game;
        place_ = {database_ << kRowBits | row_of_game_, game};
        Source& source = (*sources_)[database_];
        const store::GameHeader* const header = headers_.find(game);
        const store::GameHeader none;
        const chess::AnyPosition position =
            analyses_[database_].position(game, row.repetition.plies.front());
        cells_.clear();
        emit::append_repetition_cells(row, header == nullptr ? none : *header,
                                      query_.looks_for_announced(), cells_);
        json::append_object(out, [&](json::Object& object) {
            add_game_ref(source, sources_->several(), game, object);
            object.add("key", base::hex_key(position.key()));
            object.add("fen", chess::to_fen(position, dialect_));
            emit::add_members(columns_, cells_, object);
        });
    }

    std::unique_ptr<Sources> sources_;
    query::RepetitionQuery query_;
    chess::FenDialect dialect_;
    std::stop_token stop_;
    std::vector<std::string> columns_;
    std::deque<query::RepetitionAnalysis> analyses_;  // one for each database
    std::size_t database_;
    std::uint64_t skipped_;  // number of rows of the cursor's game that earlier pages had
    store::GameId game_;     // of the last row, or of the cursor
    Place place_;
    std::vector<query::RepeatedPosition> rows_;
    store::KeptHeaders headers_;
    std::size_t next_ = 0;
    std::uint64_t row_of_game_ = 0;  // its number among the rows of that game
    std::vector<emit::Cell> cells_;
};

}  // namespace

Route repeats_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/repeats";
    route.summary = "Lists repeated positions, possible draw claims and missed claims.";
    route.parameters = joined(
        {position_parameters(),
         {number_parameter("min", "positions that a game reached so often (3)", 2),
          flag_parameter("missed",
                         "only if the player who could have claimed a draw went on and lost"),
          flag_parameter("perpetual",
                         "only if one side gave check with every move of the repetition"),
          flag_parameter("claims",
                         "also claims by announcing a move, played or not (FIDE 9.2.1, 9.3.1)"),
          dialect_parameter()},
         page_parameters(),
         filter_parameters()});
    route.answer = "Repetition";
    route.is_list = true;
    route.plan = [&databases](const Call& call) {
        const query::GameFilter filter = filter_of(call);
        return list_task(
            call, Cost::kScan,
            [&databases, call, filter](const PageRequest& asked,
                                       const std::stop_token& stop) -> std::unique_ptr<Rows> {
                query::RepetitionQuery query;
                query.min_count = static_cast<std::uint32_t>(number_of(call, "min").value_or(3));
                query.missed = flag_of(call, "missed");
                query.announced = flag_of(call, "claims");
                query.perpetual = flag_of(call, "perpetual");
                if (asks_position(call)) query.position = line_of(call).end;
                return std::make_unique<RepetitionRows>(
                    std::make_unique<Sources>(databases, filter, stop), std::move(query),
                    dialect_of(call), asked, stop);
            });
    };
    return route;
}

}  // namespace fendex::serve::api
