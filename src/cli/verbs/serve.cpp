#include <fmt/core.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <iterator>
#include <mutex>
#include <stop_token>
#include <thread>

#include "cli/options/databases.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/say.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/verbs.hpp"
#include "serve/api/api.hpp"
#include "serve/database_service.hpp"
#include "serve/explorer/explorer.hpp"
#include "serve/http/server.hpp"
#include "serve/page.hpp"

namespace fendex::cli {

namespace {

constexpr const char* kFamilies[] = {"masters-db", "lichess-db", "player-db"};
constexpr std::uint64_t kMostSeconds = 86'400;
constexpr std::chrono::seconds kBetweenLooks{1};

/// Reads "127.0.0.1:9002", "[::1]:9002", ":9002" (this machine only) or "9002".
void read_address(const std::string& text, serve::ServerOptions& options) {
    const std::size_t colon = text.rfind(':');
    const bool only_port =
        colon == std::string::npos && text.find_first_not_of("0123456789") == std::string::npos;
    const bool only_host = !only_port && (colon == std::string::npos || text.back() == ']');
    std::string host = only_port ? "" : only_host ? text : text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (!host.empty()) options.address = host;
    if (only_host) return;
    const std::string port = only_port ? text : text.substr(colon + 1);
    const std::uint64_t number = parse_number("listen", port);
    if (number > 65535) throw UsageError("--listen: there is no port " + port);
    options.port = static_cast<std::uint16_t>(number);
}

/// Blocks SIGINT and SIGTERM, so that one thread can wait for them. Must be made before any other
/// thread starts.
class EndSignals {
  public:
    EndSignals() {
        sigemptyset(&signals_);
        sigaddset(&signals_, SIGINT);
        sigaddset(&signals_, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    }
    ~EndSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    EndSignals(const EndSignals&) = delete;
    EndSignals& operator=(const EndSignals&) = delete;

    void wait() const {
        int signal = 0;
        sigwait(&signals_, &signal);
    }
    /// After this call a signal ends the program at once.
    void let_through() const { pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }

  private:
    sigset_t signals_{};
    sigset_t before_{};
};

/// Prints where the page is, in a form that browsers understand.
void say_address(const serve::ServerOptions& options, std::uint16_t port) {
    const bool everywhere = options.address == "0.0.0.0" || options.address == "::";
    const std::string host = everywhere ? "127.0.0.1" : options.address;
    const bool is_ipv6 = host.find(':') != std::string::npos;
    fmt::print("fendex serves http://{}:{}/\n", is_ipv6 ? '[' + host + ']' : host, port);
    static_cast<void>(std::fflush(stdout));
}

void warn_if_open(const serve::ServerOptions& options) {
    if (options.address == "localhost" || options.address == "::1" ||
        options.address.starts_with("127.")) {
        return;
    }
    say("other machines can reach this server: it has no passwords and no TLS; put a reverse proxy "
        "such as nginx or Caddy in front of it for both, and name the proxy's host with "
        "--host-name");
}

/// Returns the paths of all databases that are served, each once: first `named`, then those of the
/// options of families.
std::vector<std::string> served_paths(const Arguments& arguments,
                                      const std::vector<std::string>& named) {
    std::vector<std::string> paths = named;
    for (const char* const option : kFamilies) {
        for (const std::string& path : arguments.all(option)) {
            if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
        }
    }
    return paths;
}

/// Returns the databases of a family of routes: those of its option, else `named`.
serve::Databases family(const Arguments& arguments, const std::string& option,
                        const serve::Databases& served, const std::vector<std::string>& named) {
    return served.some(arguments.has(option) ? arguments.all(option) : named);
}

serve::ServerOptions server_options(const Arguments& arguments) {
    serve::ServerOptions options;
    read_address(arguments.get("listen"), options);
    options.threads = threads_of(arguments);
    options.host_names = arguments.all("host-name");
    options.origins = arguments.all("allow-origin");
    options.log = arguments.has("log");
    const std::uint64_t seconds = parse_number("timeout", arguments.get("timeout"));
    if (seconds < 1 || seconds > kMostSeconds) {
        throw UsageError("--timeout takes a number of seconds, from 1 to " +
                         std::to_string(kMostSeconds));
    }
    options.work = std::chrono::seconds(seconds);
    return options;
}

/// Calls Databases::look_after() at intervals, in a thread of its own.
class Caretaker {
  public:
    explicit Caretaker(const serve::Databases& databases)
        : databases_(databases), thread_([this](const std::stop_token& stop) { run(stop); }) {}

  private:
    void run(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            try {
                databases_.look_after();
            } catch (const std::exception& error) {
                say(error.what());  // next time it may succeed
            }
            stopped_.wait_for(lock, stop, kBetweenLooks, [] { return false; });
        }
    }

    const serve::Databases& databases_;
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::jthread thread_;
};

/// Runs a server in a thread of its own, and stops it at the end.
class Serving {
  public:
    explicit Serving(serve::Server& server) : server_(server), thread_([&] { server.run(); }) {}
    ~Serving() {
        server_.stop();
        thread_.join();
    }
    Serving(const Serving&) = delete;
    Serving& operator=(const Serving&) = delete;

  private:
    serve::Server& server_;
    std::thread thread_;
};

int run_serve(const Arguments& arguments) {
    const EndSignals signals;
    const serve::ServerOptions options = server_options(arguments);
    const NamedDatabases named = databases_of(arguments);
    if (!named.words.empty()) {
        throw UsageError("'" + named.words.front() + "' does not look like a database");
    }
    const serve::Databases served(
        served_paths(arguments, named.paths), parse_size(arguments.get("memory")),
        [&arguments](const std::string& location, const store::CacheSizes& caches) {
            return store_at(arguments, location, caches);
        });
    serve::Databases databases = served.some(named.paths);
    const serve::ExplorerDatabases families{family(arguments, "masters-db", served, named.paths),
                                            family(arguments, "lichess-db", served, named.paths),
                                            family(arguments, "player-db", served, named.paths)};

    std::vector<serve::Route> routes = serve::page_routes();
    for (const auto& family_routes :
         {serve::explorer_routes(families), serve::api_routes(databases)}) {
        routes.insert(routes.end(), family_routes.begin(), family_routes.end());
    }
    serve::DatabaseService service(std::move(routes), served);
    serve::Server server(options, service);
    const Caretaker caretaker(served);
    const Serving serving(server);
    warn_if_open(options);
    say_address(options, server.port());
    signals.wait();
    signals.let_through();
    return kFound;
}

Option with_default(std::string value, Option option) {
    option.fallback = std::move(value);
    return option;
}

}  // namespace

Verb serve_verb() {
    return {
        "serve",
        "DB...",
        "Serves a page with a board, and the explorer's API.\n"
        "Open the address that it prints in a browser. Programs that know the Lichess\n"
        "opening explorer can ask this server instead: /masters, /lichess and /player.\n"
        "Scripts find everything that the command line answers under /api/v1; it is\n"
        "described in /api/openapi.json. The databases are only read, and what other\n"
        "processes import into them is seen at once. Ctrl-C ends the server when the\n"
        "requests in flight have been answered.",
        "fendex serve my.db",
        {with_default("127.0.0.1:9002",
                      valued("listen", "ADDRESS",
                             "address and port to listen at; a port of 0 takes a free one")),
         threads_option(),
         with_default("512M", valued("memory", "SIZE", "memory for caches, as in 512M or 2G")),
         with_default("30", valued("timeout", "SECONDS", "an answer that takes longer is stopped")),
         repeatable("host-name", "NAME",
                    "a name under which clients reach this server; others than this, the "
                    "address and localhost are refused"),
         repeatable(
             "allow-origin", "ORIGIN",
             "pages of this origin may send requests, such as https://example.org; '*': all. "
             "Pages of lichess.org and of this machine may"),
         flag("log", "print a line for each request on standard error"),
         repeatable("masters-db", "DB", "database for /masters (default: all databases, summed)"),
         repeatable("lichess-db", "DB", "the same for /lichess"),
         repeatable("player-db", "DB", "the same for /player"), password_file_option()},
        run_serve,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
