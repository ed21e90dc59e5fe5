#include "serve/http/job.hpp"

#include <utility>

#include "base/stop_check.hpp"

namespace fendex::serve {

void Job::run() {
    try {
        if (stop.stop_requested()) throw base::Stopped();
        answer = task_.run(stop.get_token());
        goes_on = static_cast<bool>(answer.more);
    } catch (...) {
        failure = std::current_exception();
    }
}

void Job::pull() {
    piece.clear();
    try {
        if (stop.stop_requested()) throw base::Stopped();
        goes_on = answer.more(piece);
    } catch (...) {
        failure = std::current_exception();
    }
}

}  // namespace fendex::serve
