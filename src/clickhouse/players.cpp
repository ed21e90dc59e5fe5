// The players of the games that fit: the shards count the games of each name and colour, the server
// that is asked adds up the names that are joined, and returns the first players.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/engine.hpp"
#include "clickhouse/joined_groups.hpp"
#include "clickhouse/name_conditions.hpp"
#include "clickhouse/sql_text.hpp"

namespace fendex::clickhouse {

namespace {

using store::PlayerCount;

/// Stands for the first year of a name without dates. No year is later.
constexpr char kNoYear[] = "toUInt32(65535)";
constexpr std::uint32_t kUnknownYear = 65535;
constexpr std::uint32_t kLastYear = 9999;

std::string limit_of(std::size_t most) { return " LIMIT " + std::to_string(most); }

class ClusterPlayers final : public store::Players {
  public:
    ClusterPlayers(ReadSession& session, store::StoreReader& reader, store::GameFilter filter)
        : session_(session),
          reader_(reader),
          filter_(std::move(filter)),
          joined_(JoinedGroups::of(session, store::NameKind::kPlayer)) {}

    std::uint64_t count(const store::AskedPlayers& asked, std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        const Question question = question_about(asked);
        if (question.is_empty) return 0;
        return read_count(
            session_.connection(), "game",
            "SELECT count() FROM (SELECT player FROM (" + question.counts + ") GROUP BY player)",
            question.tables);
    }

    std::vector<PlayerCount> first(const store::AskedPlayers& asked, std::size_t most,
                                   std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        const Question question = question_about(asked);
        std::vector<PlayerCount> out;
        if (question.is_empty || most == 0) return out;
        read_rows(session_.connection(), "game",
                  "SELECT player, sum(as_white) AS of_white, sum(as_black) AS of_black,"
                  " of_white + of_black - sum(as_both) AS games, min(first_year),"
                  " max(last_year) FROM (" +
                      question.counts + ") GROUP BY player ORDER BY games DESC, player" +
                      (most < kMostLimited ? limit_of(most) : ""),
                  question.tables, [&](AnswerRow& row) {
                      PlayerCount& player = out.emplace_back();
                      player.name = row.text();
                      player.white = row.count("white");
                      player.black = row.count("black");
                      player.games = row.count("games");
                      player.first_year = row.u32("date", kUnknownYear);
                      if (player.first_year == kUnknownYear) player.first_year = 0;
                      player.last_year = row.u32("date", kLastYear);
                  });
        add_spellings(out);
        return out;
    }

  private:
    /// More players are not limited: all are wanted.
    static constexpr std::size_t kMostLimited = std::size_t{1} << 32;

    struct Question {
        bool is_empty = false;  // no name is asked for
        std::string counts;     // SQL: rows of players, of which each may have several
        std::vector<ExternalTable> tables;
    };

    Question question_about(const store::AskedPlayers& asked) {
        Question out;
        const std::shared_ptr<const Names> names = names_of_players(session_, asked);
        out.is_empty = names && names->empty();
        if (out.is_empty) return out;
        const FilterSql filter = names ? filter_sql(session_, reader_, filter_, {names})
                                       : filter_sql(session_, reader_, filter_);
        out.tables = filter.tables();
        std::string rows =
            sql_of_side("white", filter) + " UNION ALL " + sql_of_side("black", filter);
        const auto joins = joined_->joins();
        if (!joins.empty()) {
            rows +=
                " UNION ALL SELECT name, toUInt64(0) AS as_white, toUInt64(0) AS as_black,"
                " as_both, " +
                std::string(kNoYear) + " AS first_year, toUInt32(0) AS last_year FROM met";
            out.tables.push_back({"met", "name String, as_both UInt64", games_of_one(joins)});
        }
        const std::string columns = "as_white, as_black, as_both, first_year, last_year";
        out.counts = "SELECT name AS player, " + columns + " FROM (" + rows + ")";
        if (!joins.empty()) {
            RowWriter pairs;
            for (const auto& [name, one] : joins) {
                pairs.string(name);
                pairs.string(one);
            }
            out.tables.push_back({"joined", "name String, one String", pairs.bytes()});
            out.counts = "SELECT if(one = '', name, one) AS player, " + columns + " FROM (" + rows +
                         ") AS counted ANY LEFT JOIN (SELECT name, one FROM joined) AS joins"
                         " USING name";
        }
        if (names) {
            RowWriter texts;
            for (const std::string& name : *names) texts.string(name);
            out.tables.push_back({"asked", "text String", texts.bytes()});
            // Their opponents are left out.
            out.counts += " WHERE name IN asked";
        }
        return out;
    }

    /// Returns the query that counts the games of each name that has a colour.
    static std::string sql_of_side(const std::string& side, const FilterSql& filter) {
        const std::string games = "count()";
        const std::string none = "toUInt64(0)";
        const bool white = side == "white";
        return "SELECT " + side + " AS name, " + (white ? games : none) + " AS as_white, " +
               (white ? none : games) + " AS as_black, " +
               (white ? "countIf(white = black)" : none) + " AS as_both, min(if(date < 10000, " +
               kNoYear + ", toUInt32(intDiv(date, 10000)))) AS first_year," +
               " max(toUInt32(intDiv(date, 10000))) AS last_year FROM game WHERE " +
               filter.games() + " AND " + side + " != '' GROUP BY " + side;
    }

    /// Returns rows of the players who met themselves under two of their names, which count() above
    /// takes for two players: the name that stands for them, and the number of these games.
    const std::string& games_of_one(
        const std::vector<std::pair<std::string_view, std::string_view>>& joins) {
        if (met_) return *met_;
        std::map<std::string, std::string, std::less<>> one_of;
        for (const auto& [name, one] : joins) {
            one_of.emplace(name, one);
            one_of.emplace(one, one);
        }
        RowWriter names;
        for (const auto& [name, one] : one_of) names.string(name);
        const FilterSql filter = filter_sql(session_, reader_, filter_);
        std::vector<ExternalTable> tables = filter.tables();
        tables.push_back({"joined", "text String", names.bytes()});
        std::map<std::string, std::uint64_t> games;
        read_rows(session_.connection(), "game",
                  "SELECT white, black, count() FROM game WHERE " + filter.games() +
                      " AND white != black AND white IN joined AND black IN joined"
                      " GROUP BY white, black",
                  tables, [&](AnswerRow& row) {
                      const auto white = one_of.find(row.text());
                      const auto black = one_of.find(row.text());
                      const std::uint64_t count = row.count("count()");
                      if (white == one_of.end() || black == one_of.end()) row.refuse("white");
                      if (white->second == black->second) games[white->second] += count;
                  });
        RowWriter rows;
        for (const auto& [name, count] : games) {
            rows.string(name);
            rows.u64(count);
        }
        return met_.emplace(rows.bytes());
    }

    void add_spellings(std::vector<PlayerCount>& players) const {
        std::map<std::string_view, PlayerCount*> by_name;
        for (PlayerCount& each : players) by_name.emplace(each.name, &each);
        for (const auto& [name, one] : joined_->joins()) {
            const auto player = by_name.find(one);
            if (player != by_name.end()) player->second->spellings.emplace_back(name);
        }
        for (PlayerCount& each : players) std::ranges::sort(each.spellings);
    }

    ReadSession& session_;
    store::StoreReader& reader_;
    const store::GameFilter filter_;
    std::shared_ptr<const JoinedGroups> joined_;
    std::optional<std::string> met_;  // rows of games_of_one(), once they were read
};

}  // namespace

std::unique_ptr<store::Players> ClusterEngine::players(const GameFilter& filter,
                                                       std::stop_token stop) {
    const StopScope scope(session_.connection(), std::move(stop));
    return std::make_unique<ClusterPlayers>(session_, reader_, filter);
}

}  // namespace fendex::clickhouse
