// Pieces of work that may be done in any order, spread over the calling thread and others.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace fendex::base {

/// Calls work(piece, thread) for each piece from 0 to `pieces` - 1. Threads are numbered from 0,
/// the calling one, to `threads` - 1; each takes the next piece when it is done with one. If work()
/// throws, no further pieces are begun, and one of the exceptions is rethrown.
template <typename Work>
void in_parallel(std::size_t pieces, unsigned threads, Work work) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto run = [&](unsigned thread) {
        try {
            for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece, thread);
        } catch (...) {
            next = pieces;
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        const auto most = static_cast<unsigned>(std::min<std::size_t>(threads, pieces));
        for (unsigned thread = 1; thread < most; ++thread) others.emplace_back(run, thread);
        run(0);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace fendex::base
