// The pipeline: results come in the order of the input, none is lost, and none comes after a
// failure.
#include "base/ordered_pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "support/failing_memory.hpp"
#include "support/sanitizers.hpp"

namespace {

using fendex::base::run_ordered;

/// Keeps a thread busy for a time that differs from item to item.
void dawdle(unsigned item) {
    volatile unsigned sink = 0;
    for (unsigned i = 0; i < item * 7919 % 2000; ++i) sink = sink + i;
}

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

constexpr unsigned kNever = ~0U;

/// The events of a run until its end or its failure.
struct Outcome {
    std::vector<unsigned> taken;
    std::string failure;
    std::size_t most_on_their_way = 0;
    bool sane = true;
};

struct Plan {
    unsigned threads = 2;
    std::size_t window = 4;
    unsigned items = 100;
    unsigned source_fails_at = kNever;
    unsigned work_fails_at = kNever;
    unsigned sink_fails_at = kNever;

    /// Returns whether the result of an item must wait for that of the next one, which another
    /// thread works on.
    bool is_overtaken(unsigned item) const {
        const bool fails = std::min({source_fails_at, work_fails_at, sink_fails_at}) != kNever;
        return threads > 1 && window > 1 && !fails && item % 61 == 0 && item + 1 < items;
    }
};

Outcome run(const Plan& plan) {
    Outcome outcome;
    unsigned next = 0;
    std::atomic<int> in_source{0};
    std::atomic<std::size_t> on_their_way{0};
    std::atomic<bool> sane{true};
    std::vector<std::atomic<int>> busy(plan.threads);
    std::vector<std::atomic<bool>> worked(plan.items);
    const std::thread::id caller = std::this_thread::get_id();
    bool over = false;  // the source has ended or failed
    try {
        run_ordered(
            plan.threads, plan.window,
            [&]() -> std::optional<unsigned> {
                if (++in_source != 1 || over) sane = false;
                const std::size_t now = ++on_their_way;
                outcome.most_on_their_way = std::max(outcome.most_on_their_way, now);
                dawdle(next);
                over = next == plan.source_fails_at || next == plan.items;
                --in_source;
                if (next == plan.source_fails_at) throw Failure("source");
                if (next == plan.items) return std::nullopt;
                return next++;
            },
            [&](unsigned thread, unsigned item) {
                if (++busy[thread] != 1) sane = false;
                dawdle(item * 31 + 5);
                if (plan.is_overtaken(item)) worked[item + 1].wait(false);
                worked[item] = true;
                worked[item].notify_all();
                --busy[thread];
                if (item == plan.work_fails_at) throw Failure("work");
                return std::make_unique<unsigned>(item * 2);  // results need not be copied
            },
            [&](std::unique_ptr<unsigned> result) {
                if (std::this_thread::get_id() != caller) sane = false;
                dawdle(*result);
                --on_their_way;
                if (*result == plan.sink_fails_at * 2) throw Failure("sink");
                outcome.taken.push_back(*result);
            });
    } catch (const Failure& failure) {
        outcome.failure = failure.what();
    }
    outcome.sane = sane;
    return outcome;
}

/// Returns the results of the first `n` items.
std::vector<unsigned> first(unsigned n) {
    std::vector<unsigned> expected;
    for (unsigned i = 0; i < n; ++i) expected.push_back(2 * i);
    return expected;
}

}  // namespace

TEST_CASE("Pipeline: the sink gets results in the order of the input") {
    for (const unsigned threads : {1U, 2U, 8U}) {
        for (const std::size_t window : {std::size_t{1}, std::size_t{2}, std::size_t{10}}) {
            for (const unsigned items : {0U, 1U, 2U, 300U}) {
                CAPTURE(threads, window, items);
                const Outcome outcome = run({.threads = threads, .window = window, .items = items});
                CHECK(outcome.taken == first(items));
                CHECK(outcome.failure.empty());
                CHECK(outcome.sane);
                // Items on their way to the sink, and the one that it is processing.
                CHECK(outcome.most_on_their_way <= window + 1);
            }
        }
    }
}

TEST_CASE("Pipeline: a failure is thrown after all results before it, and no result follows") {
    std::mt19937 random(61);
    for (int round = 0; round < 300; ++round) {
        const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
        Plan plan{.threads = 1 + below(6), .window = 1 + below(8), .items = below(60)};
        const unsigned at = below(60);
        const char* who = "";
        switch (random() % 3) {
            case 0: plan.source_fails_at = at, who = "source"; break;
            case 1: plan.work_fails_at = at, who = "work"; break;
            default: plan.sink_fails_at = at, who = "sink"; break;
        }
        const bool fails = at < plan.items || (plan.source_fails_at == at && at == plan.items);
        const Outcome outcome = run(plan);
        CAPTURE(plan.threads, plan.window, plan.items, at, who);
        CHECK(outcome.taken == first(fails ? at : plan.items));
        CHECK(outcome.failure == (fails ? who : ""));
        CHECK(outcome.sane);
    }
}

TEST_CASE("Pipeline: if several items fail, the failure of the first of them is thrown") {
    for (int round = 0; round < 100; ++round) {
        CHECK(
            run({.threads = 4, .items = 50, .source_fails_at = 30, .work_fails_at = 29}).failure ==
            "work");
        CHECK(
            run({.threads = 4, .items = 50, .source_fails_at = 30, .work_fails_at = 31}).failure ==
            "source");
        CHECK(run({.threads = 4, .items = 50, .work_fails_at = 20, .sink_fails_at = 19}).failure ==
              "sink");
    }
}

TEST_CASE("Pipeline: items in progress keep to a total weight, and a heavier item runs alone") {
    for (const unsigned threads : {1U, 3U}) {
        std::vector<unsigned> taken;
        std::atomic<unsigned> weight{0};
        std::atomic<unsigned> in_progress{0};
        std::atomic<bool> sane{true};
        unsigned next = 0;
        const auto weight_of = [](unsigned item) { return std::size_t{item % 10}; };
        run_ordered(
            threads, fendex::base::Window{std::size_t{5}, std::size_t{8}, weight_of},
            [&] { return next < 200 ? std::optional(next++) : std::nullopt; },
            [&](unsigned, unsigned item) {
                const unsigned now = weight += item % 10;
                if (++in_progress > 1 && now > 8) sane = false;
                dawdle(item);
                --in_progress;
                weight -= item % 10;
                return item;
            },
            [&](unsigned item) { taken.push_back(item); });
        CHECK(sane);
        CHECK(taken.size() == 200);
        CHECK(std::is_sorted(taken.begin(), taken.end()));
    }
}

TEST_CASE("Pipeline: each of many short runs ends") {
    for (int round = 0; round < fendex::test::fewer(400, 4); ++round) {
        const Outcome outcome = run({.threads = 8,
                                     .window = 1 + static_cast<std::size_t>(round) % 3,
                                     .items = static_cast<unsigned>(round) % 5});
        CHECK(outcome.taken.size() == static_cast<unsigned>(round) % 5);
    }
}

TEST_CASE("Whichever allocation of the pipeline fails, it ends with that error") {
    using fendex::test::Allocations;
    fendex::test::FailingMemory memory;
    const auto run_all = [] {
        unsigned next = 0;
        unsigned sum = 0;
        run_ordered(
            2, 40,
            [&]() -> std::optional<std::string> {
                return next < 50 ? std::optional(std::string(100 + next++, 'x')) : std::nullopt;
            },
            // A deque takes memory even when it is moved.
            [](unsigned, const std::string& item) { return std::deque{item + "y"}; },
            [&](const std::deque<std::string>& items) {
                sum += static_cast<unsigned>(items.front().size());
            });
        return sum;
    };
    memory.count(Allocations::kOfProgram);
    const unsigned expected = run_all();
    const std::uint64_t calls = memory.heal();
    REQUIRE(calls > 100);
    bool failed = false;
    for (std::uint64_t n = 1; n <= calls; ++n) {
        memory.fail(Allocations::kOfProgram, n);
        try {
            const unsigned sum = run_all();
            memory.heal();
            CHECK(sum == expected);
        } catch (const std::bad_alloc&) {
            memory.heal();
            failed = true;
        }
    }
    CHECK(failed);
}
