#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <span>
#include <string_view>
#include <utility>

#include "ask/item_rows.hpp"
#include "ask/listed_games.hpp"
#include "ask/repertoire_question.hpp"
#include "base/stop_check.hpp"
#include "emit/game_rows.hpp"
#include "emit/numbered_move.hpp"
#include "query/player_report.hpp"
#include "query/repertoire_gaps.hpp"

namespace fendex::ask {

namespace {

using query::Departure;
using query::Repertoire;

/// The games that had a position of the repertoire.
class DepartureRows final : public Rows {
  public:
    DepartureRows(const Context& context, const RepertoireQuestion& question,
                  std::shared_ptr<const Repertoire> repertoire)
        : sources_(context.sources),
          question_(question),
          repertoire_(std::move(repertoire)),
          stop_(context.stop),
          style_(context.style),
          game_columns_(sources_->several(), context.style),
          listed_(*sources_, question.order, context.page.from, context.stop),
          place_(context.page.from) {
        game_columns_.append_names(columns_);
        columns_.insert(columns_.end(), {"left_by", "ply", "played", "expected", "fen", "points"});
        emit::append_game_names(columns_);
    }

    bool read(std::uint64_t most, const Visit& visit) override {
        const std::vector<Found> rows = next_rows(most);
        if (rows.empty()) return false;
        std::vector<store::GameId> games;
        games.reserve(rows.size());
        for (const Found& each : rows) games.push_back(each.game.id);
        auto row = rows.begin();
        source_->reader->headers(games, [&](const store::GameHeader& header) {
            while (row->game.id != header.id) ++row;
            place_ = row->game.after;
            make_cells(*row, header);
            visit(cells_);
        });
        place_ = rows.back().game.after;
        return true;
    }
    std::uint64_t skip(std::uint64_t most) override {
        std::uint64_t skipped = 0;
        while (skipped < most) {
            const std::vector<Found> rows = next_rows(most - skipped);
            if (rows.empty()) break;
            place_ = rows.back().game.after;
            skipped += rows.size();
        }
        return skipped;
    }
    [[nodiscard]] Place place() const override { return place_; }

  private:
    struct Found {
        ListedGames::Game game;
        Departure departure;
    };

    /// Returns the next rows, all of one database; none after the last one.
    std::vector<Found> next_rows(std::uint64_t most) {
        while (found_.empty()) {
            const ListedGames::Some listed = listed_.next();
            if (listed.games.empty()) return {};
            read_games(listed);
        }
        const auto end = found_.begin() +
                         static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, found_.size()));
        std::vector<Found> rows(found_.begin(), end);
        found_.erase(found_.begin(), end);
        return rows;
    }

    void read_games(const ListedGames::Some& listed) {
        if (stop_.stop_requested()) throw base::Stopped();
        source_ = listed.source;
        std::vector<store::GameId> games;
        for (const ListedGames::Game& each : listed.games) games.push_back(each.id);
        auto game = listed.games.begin();
        source_->reader->moves(games, [&](store::GameId id, const store::StoredMoves& moves) {
            while (game->id != id) ++game;
            const auto departure = query::departure_from(*repertoire_, id, moves);
            if (departure && fits(*departure)) found_.push_back({*game, *departure});
        });
    }

    /// Returns who left the lines: empty if nobody did.
    [[nodiscard]] std::string_view leaver(const Departure& departure) const {
        if (!departure.left_by) return {};
        return *departure.left_by == question_.color ? "player" : "opponent";
    }

    [[nodiscard]] bool fits(const Departure& departure) const {
        if (question_.left_by.empty()) return true;
        const std::string_view by = leaver(departure);
        return by.empty() ? question_.left_by == "nobody" : question_.left_by == by;
    }

    void make_cells(const Found& row, const store::GameHeader& header) {
        const query::RepertoirePosition& last = repertoire_->positions()[row.departure.last];
        cells_.clear();
        game_columns_.append_cells(*source_, header.id, cells_);
        const std::string_view by = leaver(row.departure);
        cells_.push_back(by.empty() ? Cell{Null{}} : Cell{by});
        cells_.emplace_back(std::int64_t{row.departure.ply});
        if (const auto& next = row.departure.next) {
            played_ = chess::to_san(last.position, *next);
            if (style_.numbered) played_ = emit::numbered(last.position, played_);
            cells_.emplace_back(std::string_view(played_));
        } else {
            cells_.emplace_back(Null{});
        }
        expected_ = repertoire_->replies_at(row.departure.last);
        cells_.emplace_back(&std::as_const(expected_));
        fen_ = chess::to_fen(last.position, question_.dialect);
        cells_.emplace_back(std::string_view(fen_));
        cells_.push_back(points(header.result));
        emit::append_game_cells(header, cells_);
    }

    [[nodiscard]] Cell points(codec::Result result) const {
        const auto score = query::PlayerScore::of(result, question_.color == chess::Color::kWhite);
        return score.decided() == 0 ? Cell(Null{}) : Cell(score.percent() / 100);
    }

    std::shared_ptr<Sources> sources_;
    RepertoireQuestion question_;
    std::shared_ptr<const Repertoire> repertoire_;
    std::stop_token stop_;
    RowStyle style_;
    GameColumns game_columns_;
    ListedGames listed_;
    Place place_;
    Source* source_ = nullptr;  // of found_
    std::deque<Found> found_;   // rows of games that were listed
    std::vector<Cell> cells_;
    // What cells_ have views of:
    std::string played_;
    std::vector<std::string> expected_;
    std::string fen_;
};

/// Returns a share from 0 to 1 in percent.
double percent(double share) { return std::round(100'000 * share) / 1000; }

struct GapItem {
    std::string fen;
    std::string san;
    std::uint64_t games = 0;
    double percent = 0;
    std::string line;
};

constexpr std::array<std::string_view, 5> kGapColumns{"fen", "san", "games", "share", "line"};

std::vector<Cell> gap_cells(const GapItem& item) {
    return {std::string_view(item.fen), std::string_view(item.san),
            static_cast<std::int64_t>(item.games), item.percent, std::string_view(item.line)};
}

std::unique_ptr<Rows> gap_rows(const Context& context, const RepertoireQuestion& question,
                               const Repertoire& repertoire) {
    const std::vector<query::TreeSource> sources = context.sources->of_trees();
    std::vector<GapItem> items;
    for (query::RepertoireGap& gap :
         query::coverage_of(repertoire, question.color, sources, question.min_games, context.stop)
             .gaps) {
        items.push_back({chess::to_fen(repertoire.positions()[gap.at].position, question.dialect),
                         std::move(gap.san), gap.games, percent(gap.share),
                         repertoire.line_to(gap.at)});
    }
    return item_rows(std::move(items), context.page, kGapColumns, gap_cells);
}

/// A position, and the move from another one by which the lines reach it first.
struct CoverageItem {
    std::int64_t number = 0;  // from 1
    std::optional<std::int64_t> before;
    std::string san;
    std::string fen;
    std::uint64_t games = 0;
    double percent = 0;
    std::optional<double> covered;
    std::string line;
};

constexpr std::array<std::string_view, 8> kCoverageColumns{"number", "before", "san",     "fen",
                                                           "games",  "share",  "covered", "line"};

std::vector<Cell> coverage_cells(const CoverageItem& item) {
    return {item.number,
            emit::cell(item.before),
            item.san.empty() ? Cell{Null{}} : Cell{std::string_view(item.san)},
            std::string_view(item.fen),
            static_cast<std::int64_t>(item.games),
            item.percent,
            emit::cell(item.covered),
            std::string_view(item.line)};
}

std::unique_ptr<Rows> coverage_rows(const Context& context, const RepertoireQuestion& question,
                                    const Repertoire& repertoire) {
    const std::vector<query::TreeSource> sources = context.sources->of_trees();
    const auto& positions = repertoire.positions();
    const query::RepertoireCoverage coverage =
        query::coverage_of(repertoire, question.color, sources, question.min_games, context.stop);
    std::vector<query::Question> questions;
    questions.reserve(positions.size());
    for (const auto& each : positions) questions.push_back(query::Question::of(each.position));
    std::vector<CoverageItem> items(positions.size());
    for (const query::TreeSource& source : sources) {
        const auto games = source.search->count_games(questions, context.stop);
        for (std::size_t i = 0; i < items.size(); ++i) items[i].games += games[i];
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
        CoverageItem& item = items[i];
        item.number = static_cast<std::int64_t>(i) + 1;
        if (const auto before = positions[i].before) {
            item.before = static_cast<std::int64_t>(*before) + 1;
            item.san = chess::to_san(positions[*before].position, positions[i].by);
        }
        item.fen = chess::to_fen(positions[i].position, question.dialect);
        item.percent = percent(coverage.likely[i]);
        if (coverage.covered[i]) item.covered = percent(*coverage.covered[i]);
        item.line = repertoire.line_to(i);
    }
    return item_rows(std::move(items), context.page, kCoverageColumns, coverage_cells);
}

struct Contradiction {
    std::string fen;
    std::vector<std::string> moves;
    std::string line;
};

constexpr std::array<std::string_view, 3> kContradictionColumns{"fen", "moves", "line"};

std::vector<Cell> contradiction_cells(const Contradiction& item) {
    return {std::string_view(item.fen), &item.moves, std::string_view(item.line)};
}

std::unique_ptr<Rows> contradiction_rows(const Context& context, const RepertoireQuestion& question,
                                         const Repertoire& repertoire) {
    std::vector<Contradiction> items;
    for (const std::size_t at : query::contradictions_in(repertoire, question.color)) {
        items.push_back({chess::to_fen(repertoire.positions()[at].position, question.dialect),
                         repertoire.replies_at(at), repertoire.line_to(at)});
    }
    return item_rows(std::move(items), context.page, kContradictionColumns, contradiction_cells);
}

}  // namespace

std::unique_ptr<Rows> repertoire_rows(const Context& context, const RepertoireQuestion& question,
                                      std::shared_ptr<const Repertoire> repertoire) {
    using enum RepertoireQuestion::List;
    if (question.list == kGaps) return gap_rows(context, question, *repertoire);
    if (question.list == kCoverage) return coverage_rows(context, question, *repertoire);
    if (question.list == kContradictions) return contradiction_rows(context, question, *repertoire);
    return std::make_unique<DepartureRows>(context, question, std::move(repertoire));
}

}  // namespace fendex::ask
