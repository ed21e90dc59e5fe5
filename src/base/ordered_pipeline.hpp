// Work spread over threads, with results taken in the order of the input. One thread at a time
// calls the source; workers process the items; the sink runs in the calling thread. If any of them
// throws, all stop, and the exception is rethrown to the caller after the results before it have
// been taken. The window limits the items in progress, and so the memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace fendex::base {

/// Limits the number of items in progress, and the sum of their weights, which weigh(const Item&)
/// returns. An item that weighs more than the limit is in progress alone.
template <typename Weigh>
struct Window {
    std::size_t items;
    std::size_t weight;
    Weigh weigh;
};
template <typename Weigh>
Window(std::size_t, std::size_t, Weigh) -> Window<Weigh>;

namespace detail {

/// What the threads of one run_ordered() share.
template <typename Weigh, typename Source, typename Work>
class OrderedRun {
  public:
    using Item = typename decltype(std::declval<Source&>()())::value_type;
    using Result = decltype(std::declval<Work&>()(0U, std::declval<Item>()));
    struct Slot {
        std::optional<Result> result;
        std::exception_ptr failure;
        std::size_t weight = 0;
        bool done = false;
    };

    OrderedRun(const Window<Weigh>& window, Source& source, Work& work)
        : window_(window), source_(source), work_(work) {}

    /// Processes items until there are no more or the run is stopped.
    void process(unsigned thread) {
        while (true) {
            std::optional<Item> item;
            Slot* const slot = fetch(item);
            if (slot == nullptr) return;
            std::exception_ptr failure;
            try {
                slot->result.emplace(work_(thread, std::move(*item)));
            } catch (...) {
                failure = std::current_exception();  // moving the result may have failed, too
            }
            const std::lock_guard lock(state_mutex_);
            finish(*slot, failure);
        }
    }

    /// Waits for the next result in the order of the input; returns nothing after the last one.
    std::optional<Slot> take() {
        std::unique_lock lock(state_mutex_);
        ready_.wait(lock, [&] { return slots_.empty() ? ended_ : slots_.front().done; });
        if (slots_.empty() && broken_) std::rethrow_exception(broken_);
        if (slots_.empty()) return std::nullopt;
        std::optional<Slot> slot(std::move(slots_.front()));
        slots_.pop_front();
        weight_ -= slot->weight;
        lock.unlock();
        room_.notify_all();
        return slot;
    }

    void stop() {
        {
            const std::lock_guard lock(state_mutex_);
            stopped_ = true;
        }
        room_.notify_all();
    }

  private:
    /// Fetches an item when there is room for it. Returns its slot, or null if there is no item to
    /// process.
    Slot* fetch(std::optional<Item>& item) {
        const std::lock_guard asking(source_mutex_);
        Slot* const slot = add_slot();
        if (slot == nullptr) return nullptr;
        std::exception_ptr failure;
        try {
            item = source_();
        } catch (...) {
            failure = std::current_exception();
        }
        std::unique_lock lock(state_mutex_);
        if (!item) {
            finish(*slot, failure);
            end();
            return nullptr;
        }
        // No other item is fetched until this one may be processed.
        slot->weight = window_.weigh(std::as_const(*item));
        weight_ += slot->weight;
        room_.wait(lock,
                   [&] { return stopped_ || weight_ <= window_.weight || slots_.size() == 1; });
        return stopped_ ? nullptr : slot;
    }

    Slot* add_slot() {
        std::unique_lock lock(state_mutex_);
        room_.wait(lock, [&] { return ended_ || stopped_ || slots_.size() < window_.items; });
        if (ended_ || stopped_) return nullptr;
        try {
            return &slots_.emplace_back();
        } catch (...) {
            broken_ = std::current_exception();
            end();
            return nullptr;
        }
    }

    // The caller of finish() and end() holds state_mutex_.

    void finish(Slot& slot, const std::exception_ptr& failure) {
        slot.failure = failure;
        slot.done = true;
        ready_.notify_all();
    }

    void end() {
        ended_ = true;
        ready_.notify_all();
        room_.notify_all();
    }

    const Window<Weigh>& window_;
    Source& source_;
    Work& work_;
    std::mutex source_mutex_;  // taken before state_mutex_, never after
    std::mutex state_mutex_;
    std::condition_variable room_;
    std::condition_variable ready_;
    std::deque<Slot> slots_;     // in the order of the input; references stay valid in a deque
    std::size_t weight_ = 0;     // of the items in `slots_`
    bool ended_ = false;         // the source has no more items
    bool stopped_ = false;       // the sink has failed or has finished
    std::exception_ptr broken_;  // there was no memory for a slot
};

}  // namespace detail

/// source() -> std::optional<Item>; work(unsigned thread, Item) -> Result; sink(Result).
template <typename Weigh, typename Source, typename Work, typename Sink>
void run_ordered(unsigned threads, const Window<Weigh>& window, Source source, Work work,
                 Sink sink) {
    detail::OrderedRun run(window, source, work);
    std::vector<std::thread> workers;
    const auto stop = [&] {
        run.stop();
        for (std::thread& each : workers) each.join();
    };
    try {
        for (unsigned i = 0; i < threads; ++i) {
            workers.emplace_back([&run, i] { run.process(i); });
        }
        while (auto slot = run.take()) {
            if (slot->failure) std::rethrow_exception(slot->failure);
            if (slot->result) sink(std::move(*slot->result));
        }
    } catch (...) {
        stop();
        throw;
    }
    stop();
}

/// Like the function above, but limits only the number of items in progress, to `window`.
template <typename Source, typename Work, typename Sink>
void run_ordered(unsigned threads, std::size_t window, Source source, Work work, Sink sink) {
    constexpr auto kAnyWeight = std::numeric_limits<std::size_t>::max();
    run_ordered(threads, Window{window, kAnyWeight, [](const auto&) { return std::size_t{0}; }},
                std::move(source), std::move(work), std::move(sink));
}

}  // namespace fendex::base
