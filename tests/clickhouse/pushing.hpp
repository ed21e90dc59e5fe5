// Databases that tests push, and what is in the tables afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "clickhouse/push.hpp"
#include "clickhouse/servers.hpp"

namespace fendex::test {

void import_into(const std::string& database, const std::vector<std::string>& inputs,
                 bool variations = true);

/// Short games of the Scholar's Mate and other lines, `count` of them.
std::string short_games(int count);

/// Rows that were replaced do not stay.
clickhouse::PushOptions options_for(const TestDatabase& database);
clickhouse::PushSummary push_file(const std::string& file, const TestDatabase& database,
                                  const std::function<void(clickhouse::PushOptions&)>& change = {});
clickhouse::PushCheck check(const std::string& file, const TestDatabase& database);

/// The pushes that count, as an SQL condition.
extern const std::string kComplete;

std::uint64_t number(clickhouse::Connection& connection, const std::string& sql);

/// The number of rows of each table, and the sum of their checksums, without the numbers of pushes.
std::map<std::string, std::string> contents(clickhouse::Connection& connection);

/// Connects to the second host only.
clickhouse::Connection connect_to_second(const TestDatabase& database);

/// Rows that no reader counts, which a later push drops.
std::uint64_t rows_of_incomplete_pushes(clickhouse::Connection& connection);

}  // namespace fendex::test
