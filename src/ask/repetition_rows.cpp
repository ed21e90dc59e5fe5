#include "ask/repetition_rows.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hex.hpp"
#include "chess/san.hpp"
#include "emit/numbered_move.hpp"
#include "emit/repetition_rows.hpp"
#include "emit/verdict_cells.hpp"
#include "store/kept_headers.hpp"

namespace fendex::ask {

namespace {

/// Rows that are read at once: few at first, so that the first row comes soon.
constexpr std::size_t kFirstRows = 64;
constexpr std::size_t kMostRows = 4096;
/// Rows whose games are read at once.
constexpr std::size_t kGamesAtOnce = 256;
/// Place::group holds the number of the database and, in this many low bits, the number of the row
/// in its game.
constexpr unsigned kRowBits = 20;

// The two kinds of rows, and what each kind knows of them.

struct Repetitions {
    using Row = query::RepeatedPosition;
    using Query = query::RepetitionQuery;

    static store::GameId game_of(const Row& row) { return row.repetition.game; }
    static std::uint32_t shown_ply(const Row& row) { return row.repetition.plies.front(); }
    /// The ply to which the shown move led.
    static std::uint32_t moved_ply(const Row& row) {
        return row.third_ply.value_or(row.repetition.plies.back());
    }
    static void for_each_from(store::GameId first, query::RepetitionAnalysis& analysis, Query query,
                              const std::function<bool(const Row&)>& visit,
                              const std::stop_token& stop) {
        query.first_game = first;
        analysis.for_each(query, visit, stop);
    }
    static std::vector<std::string> columns(const Query& query) {
        return emit::repetition_columns(query.looks_for_announced());
    }
    static void append_cells(const Row& row, const store::GameHeader& header, const Query& query,
                             std::vector<Cell>& cells) {
        emit::append_repetition_cells(row, header, query.looks_for_announced(), cells);
    }
    /// Returns whether a search that begins at a game does not read the games before it. Otherwise
    /// all rows are read at once.
    static bool can_resume(const Query& query) { return !query.position; }
};

struct Runs {
    using Row = query::ClockRun;
    using Query = query::ClockQuery;

    static store::GameId game_of(const Row& row) { return row.game; }
    static std::uint32_t shown_ply(const Row& row) { return row.shown_ply(); }
    static std::uint32_t moved_ply(const Row& row) { return row.shown_ply(); }
    static void for_each_from(store::GameId first, query::RepetitionAnalysis& analysis,
                              const Query& query, const std::function<bool(const Row&)>& visit,
                              const std::stop_token& stop) {
        const auto visit_from = [&](const Row& row) { return row.game < first || visit(row); };
        analysis.for_each_run(query, visit_from, stop);
    }
    static std::vector<std::string> columns(const Query& query) {
        return emit::run_columns(query.looks_for_announced());
    }
    static void append_cells(const Row& row, const store::GameHeader& header, const Query& query,
                             std::vector<Cell>& cells) {
        emit::append_run_cells(row, header, query.looks_for_announced(), cells);
    }
    static bool can_resume(const Query&) { return false; }
};

/// Rows in the order of databases, games and plies, or sorted. A place is a database, the number
/// of a row in its game, and the game; of sorted rows, a number of rows.
template <typename Kind>
class RowsOf final : public Rows {
  public:
    RowsOf(const Context& context, typename Kind::Query query, store::GameOrder order,
           const PositionStyle& position)
        : sources_(context.sources),
          query_(std::move(query)),
          order_(order),
          position_(position),
          stop_(context.stop),
          game_columns_(sources_->several(), context.style),
          batch_(std::min<std::uint64_t>(context.page.limit, kFirstRows - 1) + 1),
          place_(context.page.from) {
        game_columns_.append_names(columns_);
        columns_.insert(columns_.end(), {"key", "fen"});
        if (position_.with_move) columns_.emplace_back("move");
        const std::vector<std::string> names = Kind::columns(query_);
        columns_.insert(columns_.end(), names.begin(), names.end());
        if (query_.missed) {
            columns_.insert(columns_.end(), emit::kVerdictColumns.begin(),
                            emit::kVerdictColumns.end());
            evaluations_.emplace(sources_->readers());
        }
        for (Source& source : *sources_) analyses_.emplace_back(*source.reader, source.matcher);
        if (is_sorted()) {
            next_ = place_.after;
            read_all();
        } else {
            begin_at(place_);
        }
    }

    bool read(std::uint64_t most, const Visit& visit) override {
        const std::span<Located> rows =
            next_rows(std::min<std::uint64_t>(most, kGamesAtOnce), true);
        if (rows.empty()) return false;
        if (is_sorted()) expect_games_of(rows);
        std::vector<store::KeptHeadersOfSeveral::Place> games;
        for (const Located& each : rows) games.emplace_back(each.database, Kind::game_of(each.row));
        const store::KeptHeadersOfSeveral headers(sources_->readers(), games);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            pass(rows[i]);
            const store::GameHeader* const header = headers.find(games[i]);
            add_position(rows[i]);
            make_cells(rows[i], header == nullptr ? store::GameHeader{} : *header);
            visit(cells_);
        }
        return true;
    }
    std::uint64_t skip(std::uint64_t most) override {
        if (most == kAllRows && !is_sorted()) return count_rest();
        std::uint64_t skipped = 0;
        while (skipped < most) {
            const std::span<Located> rows = next_rows(most - skipped, false);
            if (rows.empty()) break;
            for (const Located& each : rows) pass(each);
            skipped += rows.size();
        }
        return skipped;
    }
    [[nodiscard]] Place place() const override { return place_; }

  private:
    struct Located {
        Located(typename Kind::Row of, std::size_t in) : row(std::move(of)), database(in) {}

        typename Kind::Row row;
        std::size_t database;
        std::uint32_t rank = 0;  // of the game, if the rows are sorted
        bool has_position = false;
        std::string key;
        std::string fen;
        std::string move;
        std::optional<query::Verdict> verdict;
    };

    [[nodiscard]] bool has_evaluations() const { return evaluations_ && !evaluations_->empty(); }
    [[nodiscard]] bool is_sorted() const { return order_ != store::GameOrder::kId; }

    /// Returns the next rows, at most `most`. With `positions`, adds their positions while the
    /// games are being read, which saves reading them again.
    std::span<Located> next_rows(std::uint64_t most, bool positions) {
        while (next_ >= rows_.size()) {
            if (is_sorted() || database_ >= analyses_.size()) return {};
            if (read_more(positions)) continue;
            ++database_;
            from_ = 0;
            game_ = 0;
            place_ = {database_ << kRowBits, 0};
        }
        const std::size_t count = std::min<std::uint64_t>(most, rows_.size() - next_);
        next_ += count;
        return std::span(rows_).subspan(next_ - count, count);
    }

    /// Counts the rows after the last one, without keeping them. None are left.
    std::uint64_t count_rest() {
        std::uint64_t rows = rows_.size() - next_;
        rows_.clear();
        next_ = 0;
        for (; database_ < analyses_.size(); ++database_, from_ = 0) {
            if (from_ == kNoGame) continue;
            for_each_from(from_, [&](const typename Kind::Row&) {
                ++rows;
                return true;
            });
        }
        place_ = {database_ << kRowBits, 0};
        return rows;
    }

    /// Continues after the rows of earlier pages: reads the last of their games again.
    void begin_at(const Place& place) {
        database_ = place.group >> kRowBits;
        from_ = place.after;
        if (from_ == 0 || database_ >= analyses_.size()) return;
        const std::uint64_t rows = place.group % (1U << kRowBits);
        read_more(true);
        while (next_ < rows_.size() && next_ < rows &&
               Kind::game_of(rows_[next_].row) == from_first_) {
            ++next_;
        }
        row_of_game_ = next_;
        game_ = from_first_;
    }

    /// Reads rows of the database, all of each game. Returns false if there are no more.
    bool read_more(bool positions) {
        rows_.clear();
        next_ = 0;
        from_first_ = from_;
        if (from_ == kNoGame) return false;
        const bool resumes = Kind::can_resume(query_);
        const std::size_t wanted = std::exchange(batch_, std::min(2 * batch_, kMostRows));
        store::GameId last = 0;
        bool more = false;
        for_each_from(from_, [&](const typename Kind::Row& row) {
            const store::GameId game = Kind::game_of(row);
            if (game != last && rows_.size() >= wanted && resumes) {
                more = true;
                return false;
            }
            last = game;
            rows_.emplace_back(row, database_);
            if (positions) add_position(rows_.back());
            return true;
        });
        from_ = more ? last + 1 : kNoGame;
        return !rows_.empty();
    }

    template <typename VisitRow>
    void for_each_from(store::GameId first, VisitRow visit) {
        Kind::for_each_from(std::max<store::GameId>(first, 1), analyses_[database_], query_, visit,
                            stop_);
    }

    /// Reads and sorts all rows. Among equal ranks, rows of databases that were named earlier come
    /// first.
    void read_all() {
        for (database_ = 0; database_ < analyses_.size(); ++database_) {
            const std::size_t first = rows_.size();
            std::vector<store::GameId> games;
            for_each_from(1, [&](const typename Kind::Row& row) {
                const store::GameId game = Kind::game_of(row);
                if (games.empty() || games.back() != game) games.push_back(game);
                rows_.emplace_back(row, database_);
                return true;
            });
            std::unordered_map<store::GameId, std::uint32_t> ranks;
            for (const query::RankedGame& each :
                 query::rank_games(*(*sources_)[database_].reader, order_, games, stop_)) {
                ranks.emplace(each.game, each.rank);
            }
            for (std::size_t i = first; i < rows_.size(); ++i) {
                rows_[i].rank = ranks.at(Kind::game_of(rows_[i].row));
            }
        }
        std::stable_sort(rows_.begin(), rows_.end(),
                         [](const Located& a, const Located& b) { return a.rank > b.rank; });
    }

    void pass(const Located& row) {
        if (is_sorted()) {
            ++place_.after;
            return;
        }
        const store::GameId game = Kind::game_of(row.row);
        row_of_game_ = game == game_ ? row_of_game_ + 1 : 1;
        game_ = game;
        place_ = {database_ << kRowBits | row_of_game_, game};
    }

    void expect_games_of(std::span<const Located> rows) {
        if (!position_.shown && !position_.with_move && !has_evaluations()) return;
        for (std::size_t i = 0; i < analyses_.size(); ++i) {
            std::vector<store::GameId> games;
            for (const Located& each : rows) {
                if (each.database == i) games.push_back(Kind::game_of(each.row));
            }
            if (!games.empty()) analyses_[i].expect(games);
        }
        if (!has_evaluations()) return;
        evaluations_->expect([&] {
            for (const Located& each : rows) {
                static_cast<void>(evaluations_->verdict(analyses_[each.database].position(
                    Kind::game_of(each.row), Kind::shown_ply(each.row))));
            }
        });
    }

    void add_position(Located& row) {
        if (std::exchange(row.has_position, true)) return;
        const store::GameId game = Kind::game_of(row.row);
        query::RepetitionAnalysis& analysis = analyses_[row.database];
        if (position_.shown || has_evaluations()) {
            const chess::AnyPosition position = analysis.position(game, Kind::shown_ply(row.row));
            if (position_.shown) {
                row.key = base::hex_key(position.key());
                row.fen = chess::to_fen(position, position_.dialect);
            }
            if (has_evaluations()) row.verdict = evaluations_->verdict(position);
        }
        if (!position_.with_move) return;
        if (const std::uint32_t ply = Kind::moved_ply(row.row); ply != 0) {
            const auto [before, move] = analysis.move_before(game, ply);
            row.move = emit::numbered(before, chess::to_san(before, move));
        }
    }

    void make_cells(const Located& row, const store::GameHeader& header) {
        cells_.clear();
        game_columns_.append_cells((*sources_)[row.database], Kind::game_of(row.row), cells_);
        cells_.emplace_back(std::string_view(row.key));
        cells_.emplace_back(std::string_view(row.fen));
        if (position_.with_move) cells_.emplace_back(std::string_view(row.move));
        Kind::append_cells(row.row, header, query_, cells_);
        if (query_.missed) emit::append_verdict_cells(row.verdict, cells_);
    }

    static constexpr store::GameId kNoGame = ~store::GameId{0};

    std::shared_ptr<Sources> sources_;
    typename Kind::Query query_;
    store::GameOrder order_;
    PositionStyle position_;
    std::stop_token stop_;
    GameColumns game_columns_;
    std::deque<query::RepetitionAnalysis> analyses_;  // one for each database
    std::optional<query::Evaluations> evaluations_;   // empty if the rows have no such columns
    std::size_t database_ = 0;
    store::GameId from_ = 0;        // the game from which on rows are read next; kNoGame: none
    store::GameId from_first_ = 0;  // the game from which on rows_ were read
    std::size_t batch_;             // rows to read next, and with them all of their last game
    std::vector<Located> rows_;
    std::size_t next_ = 0;           // index in rows_
    store::GameId game_ = 0;         // of the last row
    std::uint64_t row_of_game_ = 0;  // its number among the rows of that game
    Place place_;
    std::vector<Cell> cells_;
};

}  // namespace

std::unique_ptr<Rows> repetition_rows(const Context& context, const RepeatsQuestion& question,
                                      const PositionStyle& position) {
    if (const auto* const query = std::get_if<query::RepetitionQuery>(&question.what)) {
        return std::make_unique<RowsOf<Repetitions>>(context, *query, question.order, position);
    }
    return std::make_unique<RowsOf<Runs>>(context, std::get<query::ClockQuery>(question.what),
                                          question.order, position);
}

}  // namespace fendex::ask
