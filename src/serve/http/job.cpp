#include "serve/http/job.hpp"

#include <utility>

#include "base/stop_check.hpp"

namespace fendex::serve {

bool Job::enter(Pool& pool) {
    pool_ = &pool;
    place_ = pool.enter();
    stop_ = std::stop_source();
    return static_cast<bool>(place_);
}

void Job::run() {
    try {
        if (stop_.stop_requested()) throw base::Stopped();
        answer = task_.run(stop_.get_token());
        goes_on = static_cast<bool>(answer.more);
        gzip_ = encode(answer, coding_);
        more_ = std::exchange(answer.more, nullptr);
    } catch (...) {
        failure = std::current_exception();
    }
}

void Job::pull() {
    piece.clear();
    try {
        if (stop_.stop_requested()) throw base::Stopped();
        goes_on = more_(piece);
        if (gzip_ && !(piece.empty() && goes_on))
            piece = gzip_->add(
                piece, goes_on ? base::Compressor::Then::kFlush : base::Compressor::Then::kEnd);
    } catch (...) {
        failure = std::current_exception();
    }
}

}  // namespace fendex::serve
