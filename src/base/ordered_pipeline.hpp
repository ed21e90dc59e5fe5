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

/// source() -> std::optional<Item>; work(unsigned thread, Item) -> Result; sink(Result).
template <typename Weigh, typename Source, typename Work, typename Sink>
void run_ordered(unsigned threads, const Window<Weigh>& window, Source source, Work work,
                 Sink sink) {
    using Item = typename decltype(source())::value_type;
    using Result = decltype(work(0U, std::declval<Item>()));
    struct Slot {
        std::optional<Result> result;
        std::exception_ptr failure;
        std::size_t weight = 0;
        bool done = false;
    };

    std::mutex source_mutex;  // taken before state_mutex, never after
    std::mutex state_mutex;
    std::condition_variable room;
    std::condition_variable ready;
    std::deque<Slot> slots;     // in the order of the input; references stay valid in a deque
    std::size_t weight = 0;     // of the items in `slots`
    bool ended = false;         // the source has no more items
    bool stopped = false;       // the sink has failed or has finished
    std::exception_ptr broken;  // there was no memory for a slot

    const auto worker = [&](unsigned thread) {
        while (true) {
            std::optional<Item> item;
            Slot* slot = nullptr;
            {
                const std::lock_guard asking(source_mutex);
                {
                    std::unique_lock lock(state_mutex);
                    room.wait(lock,
                              [&] { return ended || stopped || slots.size() < window.items; });
                    if (ended || stopped) return;
                    try {
                        slot = &slots.emplace_back();
                    } catch (...) {
                        broken = std::current_exception();
                        ended = true;
                        ready.notify_all();
                        room.notify_all();
                        return;
                    }
                }
                std::exception_ptr failure;
                try {
                    item = source();
                } catch (...) {
                    failure = std::current_exception();
                }
                if (!item) {
                    const std::lock_guard lock(state_mutex);
                    slot->failure = failure;
                    slot->done = true;
                    ended = true;
                    ready.notify_all();
                    room.notify_all();
                    return;
                }
                // No other item is fetched until this one may be processed.
                std::unique_lock lock(state_mutex);
                slot->weight = window.weigh(std::as_const(*item));
                weight += slot->weight;
                room.wait(lock,
                          [&] { return stopped || weight <= window.weight || slots.size() == 1; });
                if (stopped) return;
            }
            std::exception_ptr failure;
            try {
                slot->result.emplace(work(thread, std::move(*item)));
            } catch (...) {
                failure = std::current_exception();  // moving the result may have failed, too
            }
            const std::lock_guard lock(state_mutex);
            slot->failure = failure;
            slot->done = true;
            ready.notify_all();
        }
    };

    std::vector<std::thread> workers;
    const auto stop = [&] {
        {
            const std::lock_guard lock(state_mutex);
            stopped = true;
        }
        room.notify_all();
        for (std::thread& each : workers) each.join();
    };
    try {
        for (unsigned i = 0; i < threads; ++i) workers.emplace_back(worker, i);
        while (true) {
            std::unique_lock lock(state_mutex);
            ready.wait(lock, [&] { return slots.empty() ? ended : slots.front().done; });
            if (slots.empty() && broken) std::rethrow_exception(broken);
            if (slots.empty()) break;
            Slot slot = std::move(slots.front());
            slots.pop_front();
            weight -= slot.weight;
            lock.unlock();
            room.notify_all();
            if (slot.failure) std::rethrow_exception(slot.failure);
            if (slot.result) sink(std::move(*slot.result));
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
