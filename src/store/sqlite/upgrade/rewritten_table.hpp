// Tables that an upgrade creates again, as schema.sql has them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// Before the name of a table while it is being rewritten.
inline constexpr char kOldTable[] = "fendex_old_";

/// Returns the statement of schema.sql that begins and ends with these words.
std::string statement_of_schema(const std::string& first_words, std::string_view end);
/// Returns the statement of schema.sql that creates a table.
std::string create_statement(const std::string& table);

/// Creates the table again. copy() inserts the rows of the old table, in its order. If rows grew in
/// their full pages instead, many pages would become half empty.
void rewrite_table(Connection& connection, const std::string& table,
                   const std::function<void()>& copy);

}  // namespace fendex::store
