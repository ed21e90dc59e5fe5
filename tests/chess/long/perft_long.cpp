// The long perft test: every position of the given suites, to every depth they list. Positions are
// spread over all cores; each thread remembers counts by (key, depth), which is correct if
// different positions have different keys. --hash 0 counts every node; --verify counts remembered
// nodes again, and so tests the keys, too.
#include <unistd.h>

#include <atomic>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/perft_suite.hpp"

namespace {

using namespace fendex;
using chess::Position;
using test::PerftCase;
using test::PerftCount;

constexpr const char* kUsage =
    "perft_long [options] FILE.perft...\n"
    "  --max-nodes N   leave out depths with more nodes than this\n"
    "  --threads N     default: all cores\n"
    "  --hash MB       memory of each thread for counts (default 64; 0: none)\n"
    "  --verify        count again whatever is found in that memory\n";

struct Options {
    std::uint64_t max_nodes = UINT64_MAX;
    unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    std::size_t hash_megabytes = 64;
    bool verify = false;
    std::vector<std::string> files;
};

Options parse_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const auto number = [&] {
            const std::string_view text = ++i < argc ? argv[i] : "";
            std::uint64_t value = 0;
            const char* const end = text.data() + text.size();
            if (text.empty() || std::from_chars(text.data(), end, value).ptr != end) {
                throw std::runtime_error(std::string(word) + " wants a number");
            }
            return value;
        };
        if (word == "--max-nodes") {
            options.max_nodes = number();
        } else if (word == "--threads") {
            options.threads = static_cast<unsigned>(number());
        } else if (word == "--hash") {
            options.hash_megabytes = number();
        } else if (word == "--verify") {
            options.verify = true;
        } else if (word.starts_with("-")) {
            throw std::runtime_error("unknown option " + std::string(word));
        } else {
            options.files.emplace_back(word);
        }
    }
    if (options.files.empty()) throw std::runtime_error("no suite given");
    if (options.threads == 0) throw std::runtime_error("--threads 0 counts nothing");
    return options;
}

/// Counts nodes, and remembers what it counted. One per thread.
class Counter {
  public:
    Counter(std::size_t megabytes, bool verify)
        : entries_(std::bit_floor(megabytes * 1024 * 1024 / sizeof(Entry))), verify_(verify) {}

    std::uint64_t count(const Position& position, unsigned depth) {
        if (depth <= 1) return chess::perft(position, depth);
        const std::uint64_t name = position.key() + depth * 0x9E3779B97F4A7C15ULL;
        Entry* const entry = entries_.empty() ? nullptr : &entries_[name & (entries_.size() - 1)];
        const bool known = entry != nullptr && entry->nodes != 0 && entry->name == name;
        const std::uint64_t remembered = known ? entry->nodes : 0;
        if (known && !verify_) return remembered;

        chess::MoveList moves;
        chess::legal_moves(position, moves);
        std::uint64_t nodes = 0;
        for (const chess::Move move : moves) {
            Position next = position;
            next.play(move);
            nodes += count(next, depth - 1);
        }
        if (known && nodes != remembered) {
            throw std::runtime_error("one key, two counts: " + chess::to_fen(position));
        }
        if (entry != nullptr) *entry = {name, nodes};
        return nodes;
    }

  private:
    struct Entry {
        std::uint64_t name = 0;
        std::uint64_t nodes = 0;  // 0: nothing remembered
    };

    std::vector<Entry> entries_;
    bool verify_;
};

/// The state of one suite, shared by all threads.
class Run {
  public:
    Run(const Options& options, const std::string& file)
        : options_(options), file_(file), suite_(test::read_perft_suite(file)) {}

    /// Returns the number of positions with wrong counts.
    std::size_t run() {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < options_.threads; ++i) threads.emplace_back([this] { work(); });
        for (std::thread& thread : threads) thread.join();
        if (::isatty(STDERR_FILENO) != 0) std::fputs("\r\x1b[K", stderr);
        std::printf("%s\n", summary().c_str());
        return wrong_;
    }

  private:
    void work() {
        Counter counter(options_.hash_megabytes, options_.verify);
        for (std::size_t i = next_++; i < suite_.size(); i = next_++) {
            const std::string problem = check(counter, suite_[i]);
            const std::lock_guard lock(mutex_);
            ++done_;
            if (!problem.empty()) {
                ++wrong_;
                std::printf("%s: %s: %s\n", file_.c_str(), suite_[i].id.c_str(), problem.c_str());
            }
            show_progress();
        }
    }

    std::string check(Counter& counter, const PerftCase& each) {
        const chess::FenResult fen = chess::parse_fen(each.epd);
        if (!fen.position) return std::string(fen.error.field) + ": " + fen.error.reason;
        for (const PerftCount& expected : each.counts) {
            if (expected.nodes > options_.max_nodes) {
                ++left_out_;
                continue;
            }
            std::uint64_t nodes = 0;
            try {
                nodes = counter.count(*fen.position, expected.depth);
            } catch (const std::runtime_error& error) {
                return error.what();
            }
            if (nodes != expected.nodes) {
                return "perft " + std::to_string(expected.depth) + " of " + each.epd + " is " +
                       std::to_string(nodes) + ", not " + std::to_string(expected.nodes);
            }
            ++lines_;
            nodes_ += nodes;
        }
        return "";
    }

    std::string summary() const {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
        char text[200];
        std::snprintf(text, sizeof text,
                      "%zu of %zu positions, %zu wrong, %zu counts right, %zu left out, "
                      "%.3f G nodes, %.0f s",
                      done_, suite_.size(), wrong_, lines_.load(), left_out_.load(),
                      static_cast<double>(nodes_) / 1e9, taken.count());
        return file_ + ": " + text;
    }

    void show_progress() {
        const auto now = std::chrono::steady_clock::now();
        if (::isatty(STDERR_FILENO) == 0 || now < next_shown_) return;
        next_shown_ = now + std::chrono::milliseconds(500);
        std::fprintf(stderr, "\r%s\x1b[K", summary().c_str());
    }

    const Options& options_;
    const std::string& file_;
    const std::vector<PerftCase> suite_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> lines_ = 0;
    std::atomic<std::size_t> left_out_ = 0;
    std::atomic<std::uint64_t> nodes_ = 0;
    std::mutex mutex_;  // guards the members below and the output
    std::size_t done_ = 0;
    std::size_t wrong_ = 0;
    std::chrono::steady_clock::time_point next_shown_ = start_;
};

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // errors are seen while it runs
    try {
        const Options options = parse_options(argc, argv);
        std::size_t wrong = 0;
        for (const std::string& file : options.files) wrong += Run(options, file).run();
        return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "perft_long: %s\n%s", error.what(), kUsage);
        return 2;
    }
}
