// Sums over games (codec::Tally) as columns of a query on rows of game or posting. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "clickhouse/answer_row.hpp"
#include "codec/big_position.hpp"

namespace fendex::clickhouse {

/// Returns the columns that read_tally() reads. `first` is SQL that is 1 in rows that count.
[[nodiscard]] std::string tally_columns(const std::string& first);

/// Reads the sums of `occurrences` rows, and checks that they agree with one another.
[[nodiscard]] codec::Tally read_tally(AnswerRow& row, std::uint64_t occurrences);

/// Returns the columns that read_results() reads: the numbers of games by result.
[[nodiscard]] std::string result_columns(const std::string& first);
[[nodiscard]] codec::ResultCounts read_results(AnswerRow& row);

}  // namespace fendex::clickhouse
