#include <map>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/client/connection.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/push.hpp"
#include "clickhouse/push_records.hpp"
#include "clickhouse/replicas.hpp"
#include "clickhouse/retract.hpp"
#include "clickhouse/stored_rows.hpp"
#include "clickhouse/tables.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

/// Sums over the postings of a push.
struct PostingSums {
    std::uint64_t fingerprint = 0;
    std::int64_t positions = 0;
};

/// Returns chess::zobrist::mix() as SQL. The names of its steps begin with `name`, which must be
/// unique in a query.
std::string sql_of_mix(const std::string& x, const std::string& name) {
    const std::string a = name + "1";
    const std::string b = name + "2";
    const std::string c = name + "3";
    return "bitXor(bitXor((bitXor((" + x + " + 11400714819323198485 AS " + a + "), bitShiftRight(" +
           a + ", 30)) * 13787848793156543929 AS " + b + "), bitShiftRight(" + b +
           ", 27)) * 10723151780598845931 AS " + c + ", bitShiftRight(" + c + ", 31))";
}

/// Returns store::GameFingerprint::term() as SQL.
std::string sql_of_term() {
    const std::string game = "bitAnd(game, " + std::to_string(kMaxGame) + ")";
    return sql_of_mix("bitXor(key, " + sql_of_mix(game, "g") + " + ply * 15111065706836454659)",
                      "p");
}

std::map<PushNumber, PostingSums> sum_postings(Connection& connection, const std::string& pushes) {
    std::map<PushNumber, PostingSums> out;
    read_rows(connection, "posting",
              "SELECT push, sumIf(term, sign = 1), sumIf(term, sign = -1), sum(sign) FROM "
              "(SELECT push, sign, " +
                  sql_of_term() + " AS term FROM posting WHERE " + pushes + ") GROUP BY push",
              [&](AnswerRow& row) {
                  PostingSums& rows = out[row.push()];
                  rows.fingerprint = row.any_u64();
                  rows.fingerprint -= row.any_u64();
                  rows.positions = row.change("sign");
              });
    return out;
}

std::string name_of(const PushRecord& push) {
    std::string name = "push " + std::to_string(push.number & kMaxPushes);
    if (push.games.first > push.games.last) return name;
    return name + " (games " + std::to_string(push.games.first) + " to " +
           std::to_string(push.games.last) + ")";
}

void compare(const PushRecord& push, const PostingSums& postings, const StoredRows& stored,
             std::vector<std::string>& out) {
    const auto differ = [&](const std::string& what, const std::string& is,
                            const std::string& should_be) {
        if (is != should_be) {
            out.push_back(name_of(push) + ": " + what + " " + is + " instead of " + should_be);
        }
    };
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const std::string& table = counted_tables()[i];
        if (table == "posting") continue;  // its sums are compared below
        differ("its rows in table " + table + " are", std::to_string(stored[i]),
               std::to_string(push.stored_rows[i]));
    }
    differ("its postings are", std::to_string(postings.positions),
           std::to_string(push.counters.positions));
    if (postings.fingerprint != push.counters.fingerprint) {
        out.push_back(name_of(push) + ": the fingerprint of its postings is not the ledger's");
    }
}

}  // namespace

std::vector<std::string> wrong_rows_of_pushes(Connection& connection, const Layout& layout,
                                              const OriginPushes& pushes) {
    std::vector<std::string> differences;
    if (pushes.complete.empty()) return differences;
    auto postings = sum_postings(connection, sql_of_pushes(pushes.complete));
    const StoredRowsOfPushes stored = read_stored_rows(connection, layout);
    for (const auto* const some : {&pushes.complete, &pushes.of_records}) {
        for (const PushRecord& push : *some) {
            compare(push, postings[push.number], rows_of_push(stored, push.number), differences);
        }
    }
    return differences;
}

PushCheck check_push(store::Store& database, Connection connection) {
    const store::Reader reader = database.reader();
    const store::StoreInfo info = reader->info();
    const Layout layout = require_tables(connection);
    if (layout.is_replicated) connection.leave_out_stale(kMostDelay);
    Ledger ledger(connection);
    const std::optional<Origin> origin = ledger.origin_of(info.id);
    if (!origin) {
        throw store::StoreError(
            store::StoreError::kAbsent,
            to_text(connection.url()) + ": " + database.location() + " was not pushed to it");
    }
    const OriginPushes pushes = ledger.pushes_of(*origin);
    PushCheck check;
    check.origin = *origin;
    check.pushes = pushes.complete.size() + pushes.of_records.size();
    check.differences = wrong_rows_of_pushes(connection, layout, pushes);
    const PushCounters sum = pushes.sum();
    check.games = static_cast<std::uint64_t>(sum.games);
    check.postings = static_cast<std::uint64_t>(sum.positions);
    const std::string of_cluster = "the cluster has ";
    if (sum.games != static_cast<std::int64_t>(info.games)) {
        check.differences.push_back(of_cluster + std::to_string(sum.games) +
                                    " games, the database " + std::to_string(info.games));
    }
    if (sum.positions != static_cast<std::int64_t>(info.positions)) {
        check.differences.push_back(of_cluster + std::to_string(sum.positions) +
                                    " positions, the database " + std::to_string(info.positions));
    }
    if (sum.fingerprint != info.fingerprint) {
        check.differences.push_back(of_cluster + "another fingerprint than the database");
    }
    if (mark_of_records(*reader->local()) != pushes.records_mark()) {
        check.differences.push_back(of_cluster + "other records of positions than the database");
    }
    return check;
}

}  // namespace fendex::clickhouse
