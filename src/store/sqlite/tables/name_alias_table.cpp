#include "store/sqlite/tables/name_alias_table.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "base/checksum.hpp"
#include "schema_sql.hpp"
#include "store/sqlite/sums/name_sum.hpp"

namespace fendex::store {

namespace {

constexpr char kHasTable[] = "SELECT 1 FROM main.sqlite_schema WHERE name = 'name_alias'";
constexpr char kSelectAliases[] =
    "SELECT name, canonical, joined, origin, sum FROM main.name_alias ORDER BY name";
constexpr char kSelectAlias[] =
    "SELECT name, canonical, joined, origin, sum FROM main.name_alias WHERE name = ?1";
constexpr char kPutAlias[] =
    "INSERT OR REPLACE INTO main.name_alias(name, canonical, joined, origin, sum)"
    " VALUES (?1, ?2, ?3, ?4, ?5)";
constexpr char kDropAlias[] = "DELETE FROM main.name_alias WHERE name = ?1";
constexpr char kSelectCount[] = "SELECT value FROM main.meta WHERE name = 'joined_names'";
constexpr char kPutCount[] =
    "INSERT OR REPLACE INTO main.meta(name, value) VALUES ('joined_names', ?1)";

struct JoinableNames {
    NameKind kind;
    const SealedTable* table;
};
constexpr std::array<JoinableNames, 3> kJoinable{
    {{NameKind::kPlayer, &kPlayers}, {NameKind::kEvent, &kEvents}, {NameKind::kSite, &kSites}}};

/// Bits of name_row() that tell the table.
constexpr std::int64_t kTableBits = 31;
constexpr int kIdShift = 5;

std::int64_t row_of(NameKind kind, std::int64_t id) {
    return as_signed(name_row(table_of_joined(kind), id));
}
const JoinableNames* names_of_row(std::int64_t row) {
    const auto found = std::ranges::find_if(kJoinable, [&](const JoinableNames& each) {
        return static_cast<std::int64_t>(each.table->what) == (row & kTableBits);
    });
    return row <= kTableBits || found == kJoinable.end() ? nullptr : &*found;
}

std::int64_t alias_sum(std::int64_t row, const NameJoin& join) {
    return base::checksum(
        join.origin,
        base::checksum_seed(
            {static_cast<std::uint64_t>(Sealed::kNameAlias), static_cast<std::uint64_t>(row),
             static_cast<std::uint64_t>(join.canonical), static_cast<std::uint64_t>(join.joined)}));
}

/// Returns the join in a row; empty if the row is damaged.
std::optional<NameJoin> join_of(const Statement& row) {
    const std::int64_t number = row.integer(0);
    const JoinableNames* const names = names_of_row(number);
    if (names == nullptr) return std::nullopt;
    NameJoin join{names->kind, number >> kIdShift, row.integer(1), row.integer(2),
                  std::string(row.text(3))};
    if (!row.is_integer(4) || row.integer(4) != alias_sum(number, join)) return std::nullopt;
    return join;
}

void put_alias(Connection& connection, const NameJoin& join) {
    const std::int64_t row = row_of(join.kind, join.name);
    Statement(connection, kPutAlias)
        .run(row, join.canonical, join.joined, join.origin, alias_sum(row, join));
}

bool has_name(const Connection& connection, const SealedTable& table, std::int64_t id) {
    Statement one(connection, "SELECT 1 FROM main." + std::string(table.name) + " WHERE id = ?1");
    one.bind(1, id);
    return one.step();
}

/// Returns what is wrong with a row; empty if nothing is.
std::string damage_of(const Connection& connection, const Statement& row,
                      const std::unordered_set<std::int64_t>& joined) {
    const std::optional<NameJoin> join = join_of(row);
    if (!join) return "the row of a joined name has changed";
    const SealedTable& table = table_of_joined(join->kind);
    if (!has_name(connection, table, join->name)) return "the joined name is missing";
    if (!has_name(connection, table, join->canonical)) {
        return "the name that it is joined to is missing";
    }
    if (joined.contains(row_of(join->kind, join->canonical))) {
        return "the name that it is joined to is joined itself";
    }
    return "";
}

}  // namespace

const SealedTable& table_of_joined(NameKind kind) {
    return *std::ranges::find(kJoinable, kind, &JoinableNames::kind)->table;
}

bool has_alias_table(const Connection& connection) {
    return Statement(connection, kHasTable).step();
}

void for_each_name_join(const Connection& connection,
                        const std::function<void(const NameJoin&)>& visit) {
    Statement row(connection, kSelectAliases);
    while (row.step()) {
        const std::optional<NameJoin> join = join_of(row);
        if (!join) throw_mismatch(connection, "name_alias", row.integer(0));
        visit(*join);
    }
}

NameAliasWriter::Rows& NameAliasWriter::rows() {
    if (rows_) return *rows_;
    Rows rows;
    if (has_alias_table(connection_)) {
        for_each_name_join(connection_, [&](const NameJoin& join) {
            const Row name = row_of(join.kind, join.name);
            const Row canonical = row_of(join.kind, join.canonical);
            rows.canonical[name] = canonical;
            rows.spellings[canonical].push_back(name);
        });
    }
    return rows_.emplace(std::move(rows));
}

NameAliasWriter::Row NameAliasWriter::person(Row name) {
    const auto found = rows().canonical.find(name);
    return found == rows().canonical.end() ? name : found->second;
}

std::size_t NameAliasWriter::join(const NameJoin& join) {
    const Row from = person(row_of(join.kind, join.name));
    const Row to = person(row_of(join.kind, join.canonical));
    if (from == to) return 0;
    if (!has_alias_table(connection_)) connection_.run(sql::kNamesSql);
    NameJoin row = join;
    row.name = from >> kIdShift;
    row.canonical = to >> kIdShift;
    put_alias(connection_, row);
    std::vector<Row> moved = std::move(rows().spellings[from]);
    rows().spellings.erase(from);
    for (const Row name : moved) move(name, to);
    moved.push_back(from);
    for (const Row name : moved) rows().canonical[name] = to;
    std::vector<Row>& spellings = rows().spellings[to];
    spellings.insert(spellings.end(), moved.begin(), moved.end());
    rows().have_changed = true;
    return 1;
}

/// Joins a joined name to another; who joined it stays.
void NameAliasWriter::move(Row name, Row canonical) {
    Statement row(connection_, kSelectAlias);
    row.bind(1, name);
    if (!row.step()) connection_.throw_to_repair("the joined names");
    std::optional<NameJoin> join = join_of(row);
    if (!join) throw_mismatch(connection_, "name_alias", name);
    row.reset();
    join->canonical = canonical >> kIdShift;
    put_alias(connection_, *join);
}

bool NameAliasWriter::is_joined_otherwise(NameKind kind, std::int64_t name,
                                          std::int64_t canonical) {
    const Row row = row_of(kind, name);
    return rows().canonical.contains(row) && person(row) != person(row_of(kind, canonical));
}

std::size_t NameAliasWriter::split(NameKind kind, std::int64_t name) {
    const Row row = row_of(kind, name);
    std::vector<Row> split;
    if (const auto group = rows().spellings.find(row); group != rows().spellings.end()) {
        split = std::move(group->second);
        rows().spellings.erase(group);
    } else if (const auto found = rows().canonical.find(row); found != rows().canonical.end()) {
        split.push_back(row);
        std::vector<Row>& others = rows().spellings[found->second];
        std::erase(others, row);
        if (others.empty()) rows().spellings.erase(found->second);
    }
    for (const Row each : split) {
        Statement(connection_, kDropAlias).run(each);
        rows().canonical.erase(each);
    }
    if (!split.empty()) rows().have_changed = true;
    return split.size();
}

std::optional<std::uint64_t> NameAliasWriter::changed_count() const {
    if (!rows_ || !rows_->have_changed) return std::nullopt;
    return rows_->canonical.size();
}

void check_aliases(const Connection& connection,
                   const std::function<void(const AliasDamage&)>& visit) {
    if (!has_alias_table(connection)) return;
    std::unordered_set<std::int64_t> joined;
    Statement name(connection, "SELECT name FROM main.name_alias");
    while (name.step()) joined.insert(name.integer(0));
    Statement row(connection, kSelectAliases);
    while (row.step()) {
        const std::string damage = damage_of(connection, row, joined);
        if (!damage.empty()) visit({row.integer(0), damage});
    }
    Statement count(connection, kSelectCount);
    const std::int64_t said = count.step() ? count.integer(0) : 0;
    if (said != static_cast<std::int64_t>(joined.size())) {
        visit({0, "there are " + std::to_string(joined.size()) + " joined names, not " +
                      std::to_string(said)});
    }
}

std::vector<AliasDamage> repair_aliases(Connection& connection) {
    std::vector<AliasDamage> damage;
    check_aliases(connection, [&](const AliasDamage& each) { damage.push_back(each); });
    for (const AliasDamage& each : damage) {
        if (each.row != 0) Statement(connection, kDropAlias).run(each.row);
    }
    if (has_alias_table(connection)) {
        const auto rows = connection.number("SELECT count(*) FROM main.name_alias");
        Statement(connection, kPutCount).run(as_signed(rows));
    }
    return damage;
}

}  // namespace fendex::store
