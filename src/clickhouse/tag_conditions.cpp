#include "clickhouse/tag_conditions.hpp"

#include <algorithm>
#include <optional>

#include "base/key_text.hpp"
#include "base/number_of.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/game_tags.hpp"
#include "clickhouse/sql_text.hpp"

namespace fendex::clickhouse {

namespace {

/// Returns the packed form of a pair whose value is spelled out, not taken from a column.
std::string packed_pair(const std::string& name, const std::string& value) {
    const std::string other = value + '.';
    TagColumns columns{.white = other,
                       .black = other,
                       .event = other,
                       .site = other,
                       .round = other,
                       .eco = other,
                       .termination = other,
                       .start = other,
                       .facts = {}};
    // The value cannot be the text of both facts, so with one of them it is spelled out.
    std::string longest;
    for (const std::uint16_t fact : {std::uint16_t{1}, std::uint16_t{2}}) {
        columns.facts.result = static_cast<codec::Result>(fact);
        columns.facts.white_elo = fact;
        columns.facts.black_elo = fact;
        columns.facts.date = fact;
        std::string packed;
        encode_tags({{name, value}}, columns, packed);
        if (packed.size() > longest.size()) longest = std::move(packed);
    }
    return longest;
}

/// Returns a date like "1990.12.??" as the number that facts have.
std::optional<std::uint32_t> date_of(const std::string& text) {
    std::string digits;
    for (const char c : text) {
        if (c != '.') digits += c == '?' ? '0' : c;
    }
    return text.size() == 10 ? base::number_of<std::uint32_t>(digits) : std::nullopt;
}

/// A column of table game that may have the value of a tag.
struct ColumnCondition {
    std::string sql = "0";
    bool decides = false;  // if the column has the value, the game has the pair
};

ColumnCondition column_condition(const std::string& name, const std::string& value) {
    static constexpr const char* kTexts[][2] = {{"White", "white"}, {"Black", "black"},
                                                {"Event", "event"}, {"Site", "site"},
                                                {"Round", "round"}, {"ECO", "eco"}};
    for (const auto& [tag, column] : kTexts) {
        // For an empty value the column does not decide: it is also empty without such a tag.
        if (name == tag) return {std::string(column) + " = " + sql_text(value), !value.empty()};
    }
    const auto is = [](const char* column, std::optional<std::uint32_t> fact) {
        return fact ? column + (" = " + std::to_string(*fact)) : "0";
    };
    if (name == "Termination") return {"termination = " + sql_text(value), false};
    if (name == "FEN") return {"start = " + sql_text(value), false};
    if (name == "Date") return {is("date", date_of(value)), false};
    if (name == "WhiteElo") return {is("white_elo", base::number_of<std::uint32_t>(value)), false};
    if (name == "BlackElo") return {is("black_elo", base::number_of<std::uint32_t>(value)), false};
    if (name == "Result") {
        return {is("result", static_cast<std::uint32_t>(codec::result_of(value))), false};
    }
    return {};
}

}  // namespace

TagCondition tag_condition(ReadSession& session, const std::string& name,
                           const std::string& value) {
    const ColumnCondition column = column_condition(name, value);
    TagCondition out{column.decides ? column.sql : "0", nullptr};
    store::SnapshotCache& cache = session.snapshot().snapshot_cache();
    const std::string key = base::KeyText("games with tag").add(name).add(value).text();
    if ((out.games = cache.get<std::vector<GameId>>(key))) return out;
    std::string unverified = "position(tags, " + sql_text(packed_pair(name, value)) + ") > 0";
    unverified += column.decides ? " AND NOT (" : " OR (";
    unverified += column.sql + ")";
    const auto games = std::make_shared<std::vector<GameId>>();
    const TagPairs::value_type pair{name, value};
    TagPairs tags;
    read_rows(session.connection(), "game",
              std::string("SELECT ") + kFactColumns + ", start" + kTagColumns +
                  " FROM game WHERE " + session.snapshot().sql_pushes() + " AND (" + unverified +
                  ")",
              [&](AnswerRow& row) {
                  codec::GameFacts facts;
                  const GameId id = row.facts(facts);
                  const std::string start(row.text());
                  read_tags(row, start, facts, tags);
                  if (std::ranges::find(tags, pair) != tags.end()) games->push_back(id);
              });

    cache.put(key, games, sizeof *games + games->size() * sizeof(GameId));
    out.games = games;
    return out;
}

}  // namespace fendex::clickhouse
