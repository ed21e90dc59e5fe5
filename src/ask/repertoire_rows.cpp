#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <span>
#include <string_view>
#include <utility>

#include "ask/item_rows.hpp"
#include "ask/repertoire_question.hpp"
#include "base/stop_check.hpp"
#include "emit/game_rows.hpp"
#include "emit/numbered_move.hpp"
#include "query/repertoire_gaps.hpp"

namespace fendex::ask {

namespace {

using query::Departure;
using query::Repertoire;

/// The games that had a position of the repertoire, in the order of databases and numbers. A place
/// is a database and the number of a game.
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
          place_(context.page.from) {
        game_columns_.append_names(columns_);
        columns_.insert(columns_.end(), {"left_by", "ply", "played", "expected", "fen", "points"});
        emit::append_game_names(columns_);
    }

    bool read(std::uint64_t most, const Visit& visit) override {
        const std::vector<Found> rows = next_rows(most);
        if (rows.empty()) return false;
        Source& source = (*sources_)[place_.group];
        std::vector<store::GameId> games;
        for (const Found& each : rows) games.push_back(each.game);
        auto row = rows.begin();
        source.reader->headers(games, [&](const store::GameHeader& header) {
            while (row->game != header.id) ++row;
            place_.after = header.id;
            make_cells(source, *row, header);
            visit(cells_);
        });
        place_.after = rows.back().game;
        return true;
    }
    std::uint64_t skip(std::uint64_t most) override {
        std::uint64_t skipped = 0;
        while (skipped < most) {
            const std::vector<Found> rows = next_rows(most - skipped);
            if (rows.empty()) break;
            place_.after = rows.back().game;
            skipped += rows.size();
        }
        return skipped;
    }
    [[nodiscard]] Place place() const override { return place_; }

  private:
    struct Found {
        store::GameId game = 0;
        Departure departure;
    };

    /// Returns the next rows, all of the database of place_; none after the last one.
    std::vector<Found> next_rows(std::uint64_t most) {
        while (found_.empty()) {
            if (place_.group >= sources_->size()) return {};
            if (next_ == listed_.size() && !list_games()) continue;
            read_games();
        }
        const auto end = found_.begin() +
                         static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, found_.size()));
        std::vector<Found> rows(found_.begin(), end);
        found_.erase(found_.begin(), end);
        return rows;
    }

    /// Lists more games. After those of a database, goes on to the next one and returns false.
    bool list_games() {
        constexpr std::size_t kListedAtOnce = 32 * 1024;
        Source& source = (*sources_)[place_.group];
        const store::GameId after = listed_.empty() ? place_.after : listed_.back();
        listed_ = query::games_after(*source.reader, source.matcher, after, kListedAtOnce, stop_);
        next_ = 0;
        if (listed_.empty()) place_ = {place_.group + 1, 0};
        return !listed_.empty();
    }

    void read_games() {
        Source& source = (*sources_)[place_.group];
        const std::size_t count =
            std::min(listed_.size() - next_, source.reader->games_at_once().most);
        const std::span games = std::span(listed_).subspan(next_, count);
        next_ += count;
        if (stop_.stop_requested()) throw base::Stopped();
        source.reader->moves(games, [&](store::GameId game, const store::StoredMoves& moves) {
            if (const auto departure = query::departure_from(*repertoire_, game, moves)) {
                found_.push_back({game, *departure});
            }
        });
    }

    void make_cells(const Source& source, const Found& row, const store::GameHeader& header) {
        const query::RepertoirePosition& last = repertoire_->positions()[row.departure.last];
        cells_.clear();
        game_columns_.append_cells(source, row.game, cells_);
        if (const auto& by = row.departure.left_by) {
            cells_.emplace_back(std::string_view(*by == question_.color ? "player" : "opponent"));
        } else {
            cells_.emplace_back(Null{});
        }
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
        const bool white = question_.color == chess::Color::kWhite;
        switch (result) {
            case codec::Result::kUnknown: return Null{};
            case codec::Result::kDraw: return 0.5;
            case codec::Result::kWhiteWins: return white ? 1.0 : 0.0;
            case codec::Result::kBlackWins: return white ? 0.0 : 1.0;
        }
        return Null{};
    }

    std::shared_ptr<Sources> sources_;
    RepertoireQuestion question_;
    std::shared_ptr<const Repertoire> repertoire_;
    std::stop_token stop_;
    RowStyle style_;
    GameColumns game_columns_;
    Place place_;
    std::vector<store::GameId> listed_;  // of the database of place_
    std::size_t next_ = 0;               // index in listed_
    std::deque<Found> found_;            // among the games of listed_ before next_
    std::vector<Cell> cells_;
    // What cells_ have views of:
    std::string played_;
    std::vector<std::string> expected_;
    std::string fen_;
};

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
         query::gaps_in(repertoire, question.color, sources, question.min_games, context.stop)) {
        items.push_back({chess::to_fen(repertoire.positions()[gap.at].position, question.dialect),
                         std::move(gap.san), gap.games, std::round(100'000 * gap.share) / 1000,
                         repertoire.line_to(gap.at)});
    }
    return item_rows(std::move(items), context.page, kGapColumns, gap_cells);
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
    if (question.list == kContradictions) return contradiction_rows(context, question, *repertoire);
    return std::make_unique<DepartureRows>(context, question, std::move(repertoire));
}

}  // namespace fendex::ask
