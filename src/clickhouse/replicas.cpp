#include "clickhouse/replicas.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <thread>

#include "clickhouse/answer_row.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

using store::StoreError;
using Clock = std::chrono::steady_clock;

constexpr char kSelectState[] =
    "SELECT table, toUInt8(is_readonly OR is_session_expired), toUInt64(log_max_index),"
    " toUInt64(log_pointer), toUInt64(inserts_in_queue), toUInt32(inserts_oldest_time),"
    " toUInt32(now()) FROM system.replicas WHERE database = currentDatabase()";
constexpr std::chrono::milliseconds kPause{20};
/// A replica that makes no progress for so long is given up.
constexpr std::chrono::seconds kPatience{30};

/// What a replica has copied of one table.
struct State {
    bool is_cut_off = false;  // from the keeper
    std::uint64_t last_entry = 0;
    std::uint64_t next_entry = 0;  // of the keeper's log: those before it are in the queue, or done
    std::uint64_t inserts = 0;     // in the queue
    std::uint32_t oldest_insert = 0;
    std::uint32_t now = 0;

    bool operator==(const State&) const = default;
};

bool is_table_of_shard(const std::string& name) {
    return std::ranges::any_of(
        tables(), [&](const Table& table) { return local_name(table.name, true) == name; });
}

std::map<std::string, State> states_of(Connection& connection) {
    std::map<std::string, State> out;
    read_rows(connection, "system.replicas", kSelectState, [&](AnswerRow& row) {
        const std::string table(row.text());
        State state;
        state.is_cut_off = row.flag("is_readonly");
        state.last_entry = row.any_u64();
        state.next_entry = row.any_u64();
        state.inserts = row.any_u64();
        state.oldest_insert = row.any_u32();
        state.now = row.any_u32();
        if (is_table_of_shard(table)) out[table] = state;
    });
    return out;
}

/// Waits until a server has the rows that were written before the call.
void wait_for(Server& server, const std::function<void()>& step) {
    Connection& connection = server.connection;
    const std::map<std::string, State> begin = states_of(connection);
    // The log of a table may be empty, or have one entry that the replica has not read yet: its
    // numbers do not tell.
    for (const auto& [table, state] : begin) {
        if (state.last_entry == 0 && state.next_entry == 0) {
            connection.run("SYSTEM SYNC REPLICA " + table);
        }
    }
    const auto has_all = [&](const std::string& table, const State& state) {
        const auto first = begin.find(table);
        if (first == begin.end()) return true;
        const std::uint64_t last = first->second.last_entry;
        if (state.is_cut_off || (last != 0 && state.next_entry <= last)) return false;
        return state.inserts == 0 || state.oldest_insert > first->second.now;
    };
    std::map<std::string, State> states = begin;
    std::map<std::string, State> before;
    for (Clock::time_point since = Clock::now();; states = states_of(connection)) {
        const auto lacks = std::ranges::find_if(
            states, [&](const auto& each) { return !has_all(each.first, each.second); });
        if (lacks == states.end()) return;
        const std::string table = lacks->first;
        for (auto& [name, state] : states) state.now = 0;
        if (states != before) since = Clock::now();
        before = std::move(states);
        if (Clock::now() - since > kPatience) {
            throw StoreError(StoreError::kUnreachable,
                             to_text(connection.url()) + ": replica " +
                                 std::to_string(server.host.replica) + " of shard " +
                                 std::to_string(server.host.shard) + " lacks rows of table " +
                                 table +
                                 " that no other replica sends to it; run this again when all "
                                 "servers of the shard are back");
        }
        step();
        std::this_thread::sleep_for(kPause);
    }
}

}  // namespace

void wait_for_replicas(Servers& servers, const std::function<void()>& step) {
    if (!servers.have_replicas) return;
    std::vector<Server> present;
    std::vector<Host> lost;
    std::string why;
    for (Server& server : servers.present) {
        try {
            wait_for(server, step);
            present.push_back(std::move(server));
        } catch (const StoreError& error) {
            // A server that answers must have all rows.
            if (error.kind() != StoreError::kUnreachable || answers(server.connection)) throw;
            why = error.what();
            lost.push_back(server.host);
        }
    }
    for (const Host& host : lost) {
        if (std::ranges::none_of(
                present, [&](const Server& server) { return server.host.shard == host.shard; })) {
            throw StoreError(StoreError::kUnreachable, why);
        }
    }
    servers.present = std::move(present);
    servers.away.insert(servers.away.end(), lost.begin(), lost.end());
}

}  // namespace fendex::clickhouse
