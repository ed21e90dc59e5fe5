#include "serve/http/pool.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace fendex::serve {

Pool::Pool(PoolOptions options, int niceness) : most_(options.most) {
    threads_.reserve(options.threads);
    try {
        for (unsigned i = 0; i < options.threads; ++i) {
            threads_.emplace_back([this, niceness] { work(niceness); });
        }
    } catch (...) {
        end();
        throw;
    }
}

void Pool::end() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    more_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

Pool::Place Pool::enter() {
    const std::lock_guard lock(mutex_);
    if (taken_ == most_) return {};
    ++taken_;
    return Place(this);
}

void Pool::leave() {
    const std::lock_guard lock(mutex_);
    --taken_;
}

std::size_t Pool::taken() const {
    const std::lock_guard lock(mutex_);
    return taken_;
}

void Pool::run(std::function<void()> work) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(work));
    }
    more_.notify_one();
}

void Pool::work(int niceness) {
    // On Linux the niceness is that of the thread.
    if (niceness > 0) ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
    for (;;) {
        std::function<void()> next;
        {
            std::unique_lock lock(mutex_);
            more_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
            if (waiting_.empty()) return;
            next = std::move(waiting_.front());
            waiting_.pop_front();
        }
        next();
    }
}

}  // namespace fendex::serve
