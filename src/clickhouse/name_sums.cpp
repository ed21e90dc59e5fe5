// Sums by opening, and over the games of some players. The servers add up.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "chess/setup.hpp"
#include "chess/variant_rules.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/engine.hpp"
#include "clickhouse/sql_text.hpp"
#include "clickhouse/tally_sql.hpp"
#include "replay/opening_names.hpp"

namespace fendex::clickhouse {

namespace {

using store::Engine;
using SideSums = Engine::SideSums;

constexpr std::uint32_t kMostYear = 9999;

/// A day of a month and an id as one number, by which the last game of a month is found.
constexpr unsigned kIdBits = 54;

/// Adds up the games in which players have one colour.
class SideQuestion {
  public:
    SideQuestion(ReadSession& session, const FilterSql& filter, chess::Color color)
        : session_(session),
          filter_(filter),
          own_elo_(std::string(chess::name_of(color)) + "_elo"),
          other_elo_(std::string(chess::name_of(~color)) + "_elo") {}

    SideSums answer() {
        SideSums out;
        add_scores(out.scores);
        add_openings(out.openings);
        add_months(out.months);
        return out;
    }

  private:
    void add_scores(std::vector<SideSums::Score>& out) {
        const std::string step = std::to_string(Engine::kRatingStep);
        query("toUInt32(intDiv(date, 10000)) AS year, toUInt32(intDiv(" + other_elo_ + ", " + step +
                  ") * " + step + ") AS opponents, " + result_columns("1"),
              "", "year, opponents", [&](AnswerRow& row) {
                  SideSums::Score& score = out.emplace_back();
                  score.year = row.u32("date", kMostYear);
                  score.opponents = row.u32(other_elo_, UINT16_MAX);
                  score.results = read_results(row);
              });
    }

    void add_openings(std::vector<SideSums::Opening>& out) {
        query("opening, " + result_columns("1"), "", "opening", [&](AnswerRow& row) {
            SideSums::Opening& opening = out.emplace_back();
            opening.opening = row.text();
            opening.results = read_results(row);
        });
    }

    void add_months(std::vector<SideSums::Month>& out) {
        const std::string place =
            "bitShiftLeft(toUInt64(date % 100), " + std::to_string(kIdBits) + ") + id";
        query("toUInt32(intDiv(date, 100)) AS month, count(), max(" + place + "), argMax(" +
                  own_elo_ + ", " + place + ")",
              " AND " + own_elo_ + " != 0 AND intDiv(date, 100) % 100 != 0", "month",
              [&](AnswerRow& row) {
                  SideSums::Month& month = out.emplace_back();
                  month.month = row.u32("date", kMostYear * 100 + 12);
                  month.games = row.count("count()");
                  const std::uint64_t last = row.any_u64();
                  month.date = month.month * 100 + static_cast<std::uint32_t>(last >> kIdBits);
                  month.game = last & ((std::uint64_t{1} << kIdBits) - 1);
                  month.rating = row.elo(own_elo_);
              });
    }

    template <typename Visit>
    void query(const std::string& columns, const std::string& condition, const std::string& groups,
               Visit visit) {
        read_rows(session_.connection(), "game",
                  "SELECT " + columns + " FROM game WHERE " + filter_.games() + condition +
                      " GROUP BY " + groups,
                  filter_.tables(), visit);
    }

    ReadSession& session_;
    const FilterSql& filter_;
    const std::string own_elo_;
    const std::string other_elo_;
};

}  // namespace

std::vector<Engine::OpeningTally> ClusterEngine::openings(const GameFilter& filter,
                                                          std::stop_token stop) {
    const Asked asked = ask(filter, std::move(stop));
    std::vector<OpeningTally> out;
    read_rows(session_.connection(), "game",
              "SELECT opening, count(), " + tally_columns("1") + " FROM game WHERE " +
                  asked.filter.games() + " GROUP BY opening",
              asked.filter.tables(), [&](AnswerRow& row) {
                  OpeningTally& opening = out.emplace_back();
                  opening.opening = row.text();
                  opening.tally = read_tally(row, row.count("count()"));
              });
    return out;
}

std::array<SideSums, 2> ClusterEngine::side_sums(std::span<const std::string> names,
                                                 const GameFilter& filter, std::stop_token stop) {
    std::array<SideSums, 2> out;
    for (const chess::Color color : {chess::Color::kWhite, chess::Color::kBlack}) {
        const Asked asked = ask(filter, names, color, stop);
        out[chess::index(color)] = SideQuestion(session_, asked.filter, color).answer();
    }
    return out;
}

std::vector<Engine::FactsOfGame> ClusterEngine::latest_games(std::span<const std::string> names,
                                                             chess::Color color,
                                                             const GameFilter& filter,
                                                             std::size_t most,
                                                             std::stop_token stop) {
    Asked asked = ask(filter, names, color, std::move(stop));
    std::vector<unsigned> variants;
    for (unsigned i = 0; i < chess::kVariants; ++i) {
        if (chess::has_standard_rules(static_cast<chess::Variant>(i))) variants.push_back(i);
    }
    asked.filter.add_game_condition("variant IN " + sql_list(variants));
    std::vector<FactsOfGame> out;
    read_rows(session_.connection(), "game",
              std::string("SELECT ") + kFactColumns + " FROM game WHERE " + asked.filter.games() +
                  " ORDER BY date DESC, id LIMIT " + std::to_string(most),
              asked.filter.tables(), [&](AnswerRow& row) {
                  FactsOfGame& game = out.emplace_back();
                  game.game = row.facts(game.facts);
              });
    std::ranges::sort(out, {}, &FactsOfGame::game);
    return out;
}

}  // namespace fendex::clickhouse
