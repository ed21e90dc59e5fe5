// Runs ClickHouse's own SQL on the tables and views of a cluster.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fendex::clickhouse {

struct SqlColumn {
    std::string name;
    std::string type;  // ClickHouse's, without Nullable and LowCardinality
};

using ColumnsVisitor = std::function<void(std::span<const SqlColumn>)>;
/// Values are as the format TabSeparated has them, but not escaped; no value is NULL. They are
/// valid until the function returns.
using ValuesVisitor = std::function<void(std::span<const std::optional<std::string>>)>;

/// Runs one statement, which can only read and has no FORMAT. Calls begin() once, then row() for
/// each row. Throws StoreError, also if the server refuses the statement.
void run_sql(const std::string& location, const std::string& password, std::string_view statement,
             const ColumnsVisitor& begin, const ValuesVisitor& row);

}  // namespace fendex::clickhouse
