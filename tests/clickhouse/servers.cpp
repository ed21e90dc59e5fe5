#include "clickhouse/servers.hpp"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "support/skip.hpp"
#include "support/test_size.hpp"

namespace fendex::test {
namespace {

constexpr const char* kVariable = "FENDEX_CLICKHOUSE_SERVERS";
constexpr const char* kNames[] = {"one", "two", "new", "copies"};

void run_script(std::vector<std::string> words) {
    words.insert(words.begin(), {"python3", FENDEX_CLICKHOUSE_SCRIPT});
    const Outcome outcome = run_process(words);
    if (outcome.status != 0) throw std::runtime_error("servers.py: " + outcome.err);
}

nlohmann::json state_of(const std::string& file, ServerKind kind) {
    return nlohmann::json::parse(read_file(file)).at("kinds").at(kNames[kind]);
}

/// The state file of the servers that all tests of this process share.
const std::string& shared_state() {
    static const std::string file = [] {
        if (const char* const given = std::getenv(kVariable)) return std::string(given);
        static const TemporaryDirectory directory;
        const std::string own = directory / "state.json";
        // They end with this process.
        run_script({"start", own, "--for", std::to_string(getpid())});
        return own;
    }();
    return file;
}

/// Empty, and the test is marked as skipped, if there is no such server.
std::vector<std::string> hosts_in(const nlohmann::json& state) {
    const std::string why = state.at("why");
    if (why.empty()) return state.at("hosts");
    skip(why);
    return {};
}

std::string url_of(const std::string& user, const std::string& host, const std::string& database) {
    return "clickhouse://" + (user.empty() ? "" : user + "@") + host + "/" + database;
}

}  // namespace

std::vector<ServerKind> at_full_size_all(ServerKind quick) {
    if (full_size()) return {kOneServer, kTwoShards, kNewEngine};
    return {quick};
}

TestDatabase::TestDatabase(ServerKind kind) : kind_(kind) {
    static int number = 0;
    name_ = "test_" + std::to_string(getpid()) + "_" + std::to_string(++number);
    hosts_ = hosts_in(state_of(shared_state(), kind));
    for (const auto& host : hosts_) {
        clickhouse::Connection(clickhouse::parse_url(url_of("", host, name_)), "")
            .create_database();
    }
}

TestDatabase::~TestDatabase() {
    for (const auto& host : hosts_) {
        try {
            clickhouse::Connection connection(clickhouse::parse_url(url_of("", host, name_)), "");
            connection.run("DROP DATABASE IF EXISTS " + name_);
        } catch (const std::exception&) {
            // The next server has it too; the data are removed with the servers.
        }
    }
}

std::string TestDatabase::url(const std::string& user) const {
    return url_of(user, hosts_.front(), name_);
}

std::optional<TestDatabase::Tls> TestDatabase::tls() const {
    const nlohmann::json state = state_of(shared_state(), kind_);
    if (!state.contains("tls")) {
        skip("openssl is not installed");
        return std::nullopt;
    }
    return Tls{"clickhouses://" + std::string(state.at("tls")) + "/" + name_,
               state.at("certificate")};
}

clickhouse::Connection TestDatabase::connect(const std::string& user,
                                             const std::string& password) const {
    return {clickhouse::parse_url(url(user)), password};
}

OwnServers::OwnServers(ServerKind kind) : kind_(kind) {
    run_script({"start", directory_ / "state.json", "--for", std::to_string(getpid()), "--kind",
                kNames[kind]});
    hosts_ = hosts_in(state_of(directory_ / "state.json", kind));
}

OwnServers::~OwnServers() {
    try {
        run_script({"stop", directory_ / "state.json"});
    } catch (const std::exception&) {
        // They end with this process.
    }
}

std::string OwnServers::url(const std::string& database) const {
    return url_of("", hosts_.front(), database);
}

std::string OwnServers::url_of_all(const std::string& database) const {
    return url_of("", hosts_.front() + "," + hosts_.back(), database);
}

void OwnServers::kill(std::size_t number) {
    const pid_t pid = state_of(directory_ / "state.json", kind_).at("pids").at(number);
    ::kill(pid, SIGKILL);
}

void OwnServers::restart(std::size_t number) {
    std::string name = kNames[kind_];
    if (kind_ == kTwoShards || kind_ == kReplicas) name = "two" + std::to_string(number + 1);
    ask("restart", name);
}

void OwnServers::grow() {
    ask("grow", "");
    for (const std::string& host : hosts_) {
        clickhouse::Connection server(clickhouse::parse_url(url_of("", host, "default")), "");
        for (std::uint64_t shards = 0; shards != 2;) {
            server.query("SELECT count() FROM system.clusters WHERE cluster = 'grown'",
                         [&](clickhouse::RowReader& row) { shards = row.u64(); });
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    }
}

void OwnServers::ask(const std::string& what, const std::string& text) const {
    const std::string request = directory_ / ("state.json." + what);
    // Renamed, so that the script sees all of it.
    std::ofstream(request + ".new") << text << '\n';
    std::filesystem::rename(request + ".new", request);
    while (std::filesystem::exists(request)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

}  // namespace fendex::test
