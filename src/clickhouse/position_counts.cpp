// Numbers of games that reached positions, and their results by month. The servers add them up.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/joined.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/engine.hpp"
#include "clickhouse/posting_sql.hpp"

namespace fendex::clickhouse {

namespace {

using store::Engine;
using Question = std::vector<Engine::Target>;
using CountsOfKeys = std::unordered_map<std::uint64_t, Engine::Counts>;

CountsOfKeys counts_of_keys(ReadSession& session, const FilterSql& filter, const Keys& keys) {
    CountsOfKeys out;
    const auto add = [&](std::uint64_t key, AnswerRow& row) {
        Engine::Counts& counts = out[key];
        counts.games += row.count("games");
        counts.occurrences += row.count("occurrences");
    };
    const PlaceOfKeys place = session.place_of(keys);
    SummedKeys summed(session, filter, keys, {});
    if (!summed.sql_sums().empty()) {
        read_rows(place.connection, "position_sum",
                  "SELECT push, key, sum(total_games), sum(occurrences) FROM " + summed.sql_sums() +
                      " GROUP BY push, key",
                  [&](AnswerRow& row) {
                      const PushNumber push = row.push();
                      const std::uint64_t key = row.any_u64();
                      summed.add(key, push);
                      add(key, row);
                  });
    }
    const std::string rows = summed.sql_other_rows();
    if (rows.empty()) return out;
    read_rows(place.connection, "posting",
              "SELECT key, sum(first_of_key), count() FROM " + place.table("posting") + " WHERE " +
                  rows + " GROUP BY key",
              filter.tables(), [&](AnswerRow& row) {
                  const std::uint64_t key = row.any_u64();
                  add(key, row);
              });
    return out;
}

/// Reads a number and subtracts it from `from`. Refuses a number that is larger than `from`.
void take(AnswerRow& row, std::uint64_t& from) {
    const std::uint64_t number = row.count("games");
    if (number > from) row.refuse("games", number);
    from -= number;
}

/// Returns the keys that have games, those with the fewest games first.
Keys keys_with_games(const Keys& keys, const CountsOfKeys& counts) {
    const auto games = [&](std::uint64_t key) {
        const auto found = counts.find(key);
        return found == counts.end() ? 0 : found->second.games;
    };
    Keys out;
    std::ranges::copy_if(keys, std::back_inserter(out),
                         [&](std::uint64_t key) { return games(key) != 0; });
    std::ranges::sort(out, {}, games);
    return out;
}

/// Subtracts games that were counted several times, for several keys of one question. Questions
/// without a common key share one query.
class DoublesOfQuestions {
  public:
    DoublesOfQuestions(ReadSession& session, const FilterSql& filter)
        : session_(session), filter_(filter) {}

    /// Adds the keys of a question. They must be as keys_with_games() returns them.
    void add(std::size_t question, const Keys& keys, std::vector<Engine::Counts>& counts) {
        if (keys.size() < 2) return;
        if (std::ranges::any_of(keys, [&](std::uint64_t key) { return asked_.contains(key); })) {
            subtract(counts);
        }
        asked_.insert(keys.begin(), keys.end());
        for (const std::uint64_t key : keys) {
            keys_.push_back(key);
            questions_.push_back(question);
        }
        few_.insert(few_.end(), keys.begin(), keys.end() - 1);
    }

    void subtract(std::vector<Engine::Counts>& counts) {
        if (keys_.empty()) return;

        // toUInt32 gives `question` a fixed type, whatever the type of the constants is.
        read_rows(session_.connection(), "posting",
                  "SELECT question, sum(times - 1) FROM (SELECT toUInt32(transform(key, [" +
                      base::joined(",", keys_) + "], [" + base::joined(",", questions_) +
                      "], 0)) AS question, game, count() AS times FROM posting WHERE " +
                      sql_rows(session_.snapshot(), keys_) +
                      " AND first_of_key = 1 AND game GLOBAL IN (SELECT game FROM posting WHERE " +
                      sql_rows(session_.snapshot(), filter_, few_) +
                      " AND first_of_key = 1) GROUP BY question, game HAVING times > 1)"
                      " GROUP BY question",
                  filter_.tables(), [&](AnswerRow& row) {
                      const std::uint32_t question = row.any_u32();
                      if (question >= counts.size()) row.refuse_row("question", question);
                      take(row, counts[question].games);
                  });
        asked_.clear();
        keys_.clear();
        questions_.clear();
        few_.clear();
    }

  private:
    ReadSession& session_;
    const FilterSql& filter_;
    std::set<std::uint64_t> asked_;
    Keys keys_;
    std::vector<std::size_t> questions_;  // of keys_
    Keys few_;
};

/// The most keys in one query. SQL that is sent with tables must be shorter than 128 KiB, and it
/// contains each key several times.
constexpr std::size_t kMostKeys = 1000;

std::vector<Engine::Counts> counts_at_once(ReadSession& session, const FilterSql& filter,
                                           std::span<const Question> questions) {
    std::vector<Engine::Counts> out(questions.size());
    std::set<std::uint64_t> asked;
    for (const Question& question : questions) {
        for (const Engine::Target& target : question) asked.insert(target.key);
    }
    if (asked.empty()) return out;
    const CountsOfKeys counts = counts_of_keys(session, filter, Keys(asked.begin(), asked.end()));
    DoublesOfQuestions doubles(session, filter);
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const Keys keys = keys_with_games(keys_of(questions[i]), counts);
        for (const std::uint64_t key : keys) {
            out[i].games += counts.at(key).games;
            out[i].occurrences += counts.at(key).occurrences;
        }
        doubles.add(i, keys, out);
    }
    doubles.subtract(out);
    return out;
}

/// The results of games by month.
class MonthsOfGames {
  public:
    /// Returns the results of a month that a row of an answer has.
    codec::ResultCounts& of(const AnswerRow& row, std::uint32_t month) {
        const auto date = codec::Date::of_month(month);
        if (!date.has_month() || !is_date(date)) row.refuse("month", month);
        return months_[month];
    }
    /// Reads a month and a result; returns the count for them.
    std::uint64_t& read(AnswerRow& row) {
        codec::ResultCounts& results = of(row, row.u32("month", kLastMonth));
        return results[row.result()];
    }
    [[nodiscard]] std::vector<Engine::Month> in_order() const {
        std::vector<Engine::Month> out;
        for (const auto& [month, results] : months_) {
            if (results != codec::ResultCounts{}) out.push_back({month, results});
        }
        return out;
    }

    static constexpr std::uint32_t kLastMonth = 9999'12;

  private:
    std::map<std::uint32_t, codec::ResultCounts> months_;
};

constexpr char kMonth[] = "intDiv(date, 100)";
constexpr char kHasMonth[] = " AND date >= 10000 AND intDiv(date, 100) % 100 != 0";

/// Adds the results of the games that fit to `months`, those of each key. Returns the numbers of
/// these games.
CountsOfKeys months_of_keys(ReadSession& session, const FilterSql& filter, const Keys& keys,
                            MonthsOfGames& months) {
    CountsOfKeys counts;
    const PlaceOfKeys place = session.place_of(keys);
    SummedKeys summed(session, filter, keys, {.by_month = true});
    if (!summed.sql_sums().empty()) {
        read_rows(place.connection, "fine_sum",
                  "SELECT push, key, month, sum(total_unknown_results), sum(total_white_wins),"
                  " sum(total_black_wins), sum(total_draws) FROM " +
                      summed.sql_sums() + " GROUP BY push, key, month",
                  [&](AnswerRow& row) {
                      const PushNumber push = row.push();
                      const std::uint64_t key = row.any_u64();
                      summed.add(key, push);
                      const std::uint32_t month = row.u32("month", MonthsOfGames::kLastMonth);
                      codec::ResultCounts added;
                      for (std::uint64_t& games : added.by_code) games = row.count("games");
                      if (!codec::Date::of_month(month).has_month()) return;
                      codec::ResultCounts& results = months.of(row, month);
                      for (std::size_t i = 0; i < added.by_code.size(); ++i) {
                          results.by_code[i] += added.by_code[i];
                          counts[key].games += added.by_code[i];
                      }
                  });
    }
    const std::string rows = summed.sql_other_rows();
    if (rows.empty()) return counts;
    const std::string month = kMonth;
    read_rows(place.connection, "posting",
              "SELECT key, " + month + ", result, count() FROM " + place.table("posting") +
                  " WHERE " + rows + " AND first_of_key = 1" + kHasMonth + " GROUP BY key, " +
                  month + ", result",
              filter.tables(), [&](AnswerRow& row) {
                  Engine::Counts& of_key = counts[row.any_u64()];
                  std::uint64_t& games = months.read(row);
                  const std::uint64_t added = row.count("games");
                  games += added;
                  of_key.games += added;
              });
    return counts;
}

}  // namespace

std::vector<Engine::Counts> ClusterEngine::counts(std::span<const Question> questions,
                                                  const GameFilter& filter, std::stop_token stop) {
    Asked asked = ask(filter, std::move(stop));
    Keys all;
    for (const Question& each : questions) {
        const Keys keys = keys_of(each);
        all.insert(all.end(), keys.begin(), keys.end());
    }
    asked.filter.send_fewer(session_, all);
    std::vector<Engine::Counts> out;
    while (!questions.empty()) {
        std::size_t n = 1;
        std::size_t keys = questions[0].size();
        while (n < questions.size() && keys + questions[n].size() <= kMostKeys) {
            keys += questions[n++].size();
        }
        const auto more = counts_at_once(session_, asked.filter, questions.first(n));
        out.insert(out.end(), more.begin(), more.end());
        questions = questions.subspan(n);
    }
    return out;
}

/// Sums of positions of which rows were taken back are not used.
bool ClusterEngine::has_sums() const {
    const Snapshot& snapshot = session_.snapshot();
    return session_.has_table(kPositionSums) && !snapshot.has_taken_back() &&
           !snapshot.pushes_with_rows(kPositionSums).empty();
}

std::vector<Engine::Month> ClusterEngine::months(Targets targets, const GameFilter& filter,
                                                 std::stop_token stop) {
    if (targets.empty()) return {};
    Asked asked = ask(filter, std::move(stop));
    const Keys all = keys_of(targets);
    asked.filter.send_fewer(session_, all);
    MonthsOfGames months;
    const CountsOfKeys counts = months_of_keys(session_, asked.filter, all, months);
    Keys keys = keys_with_games(all, counts);
    if (keys.size() >= 2) {
        const std::span<const std::uint64_t> few = std::span(keys).first(keys.size() - 1);
        read_rows(session_.connection(), "posting",
                  "SELECT month, result, sum(times - 1) FROM (SELECT " + std::string(kMonth) +
                      " AS month, result, game, count() AS times FROM posting WHERE " +
                      sql_rows(session_.snapshot(), keys) + " AND first_of_key = 1" + kHasMonth +
                      " AND game GLOBAL IN (" +
                      sql_games_of_several(session_.snapshot(), asked.filter, keys, few) +
                      ") GROUP BY month, result, game HAVING times > 1) GROUP BY month, result",
                  asked.filter.tables(), [&](AnswerRow& row) { take(row, months.read(row)); });
    }
    return months.in_order();
}

}  // namespace fendex::clickhouse
