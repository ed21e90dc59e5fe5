#include "store/sqlite/name_sum.hpp"

#include <string>

namespace fendex::store {

std::uint64_t sum_of_names(const Connection& connection) {
    std::uint64_t sum = 0;
    for (const NameTableId& table : {kPlayers, kEvents, kSites, kTagValues, kTagShapes}) {
        sum += sum_of_names(connection, table);
    }
    return connection.format() < kOpeningsFormat ? sum : sum + sum_of_names(connection, kOpenings);
}

std::uint64_t sum_of_names(const Connection& connection, const NameTableId& table) {
    std::uint64_t sum = 0;
    Statement names(connection, "SELECT id, name FROM main." + std::string(table.table));
    while (names.step()) sum += name_sum(table, names.integer(0), names.text(1));
    return sum;
}

}  // namespace fendex::store
