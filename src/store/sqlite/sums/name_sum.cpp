#include "store/sqlite/sums/name_sum.hpp"

#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

constexpr const SealedTable* kTables[] = {&kPlayers,   &kEvents,    &kSites,
                                          &kTagValues, &kTagShapes, &kOpenings};

}  // namespace

LocatedSum sum_of_names(const Connection& connection) {
    LocatedSum sum;
    for (const SealedTable* const table : kTables) {
        const bool is_there = table != &kOpenings || connection.format() >= kOpeningsFormat;
        if (is_there) sum += sum_of_names(connection, *table);
    }
    return sum;
}

LocatedSum sum_of_names(const Connection& connection, const SealedTable& table) {
    LocatedSum sum;
    Statement names(connection, "SELECT id, name FROM main." + std::string(table.name));
    while (names.step()) sum += name_sum(table, names.integer(0), names.text(1));
    return sum;
}

std::string describe_name(const Connection& connection, std::uint64_t row) {
    const std::int64_t id = as_signed(row >> 5);
    for (const SealedTable* const table : kTables) {
        if (name_row(*table, id) != row) continue;
        const std::string name(table->name);
        Statement select(connection, "SELECT name FROM main." + name + " WHERE id = ?1");
        select.bind(1, id);
        std::string out = name + ' ' + std::to_string(id);
        if (!select.step()) return out += ", which is missing";
        out += ", now '";
        out += select.text(0);
        return out += '\'';
    }
    return "";
}

}  // namespace fendex::store
