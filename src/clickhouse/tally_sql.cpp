#include "clickhouse/tally_sql.hpp"

namespace fendex::clickhouse {

std::string result_columns(const std::string& first) {
    std::string out;
    for (const char* const result : {"0", "1", "2", "3"}) {
        if (!out.empty()) out += ", ";
        out += "sum(" + first + " AND result = " + result + ")";
    }
    return out;
}

codec::ResultCounts read_results(AnswerRow& row) {
    codec::ResultCounts results;
    for (std::uint64_t& result : results.by_code) result = row.count("result");
    return results;
}

std::string tally_columns(const std::string& first) {
    std::string out = "sum(" + first + "), " + result_columns(first);
    for (const char* const elo : {"white_elo", "black_elo"}) {
        out += ", sum(";
        out.append(first).append(" * ").append(elo).append("), sum(");
        out.append(first).append(" AND ").append(elo).append(" != 0)");
    }
    return out + ", minIf(date, " + first + " AND date != 0), maxIf(date, " + first + ")";
}

codec::Tally read_tally(AnswerRow& row, std::uint64_t occurrences) {
    codec::Tally tally;
    tally.occurrences = occurrences;
    tally.games = row.count("games");
    tally.results = read_results(row);
    if (tally.results.by_code[0] + tally.results.decided() != tally.games) row.refuse("result");
    tally.white_elo_sum = row.count("white_elo");
    tally.white_elo_games = row.count("white_elo");
    tally.black_elo_sum = row.count("black_elo");
    tally.black_elo_games = row.count("black_elo");
    if (tally.white_elo_games > tally.games) row.refuse("white_elo");
    if (tally.black_elo_games > tally.games) row.refuse("black_elo");
    tally.first_date = row.date();
    tally.last_date = row.date();
    if (tally.games > occurrences) row.refuse("games", tally.games);
    return tally;
}

}  // namespace fendex::clickhouse
