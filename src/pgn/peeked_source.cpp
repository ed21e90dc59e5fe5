#include "pgn/peeked_source.hpp"

#include <algorithm>

namespace fendex::pgn {

std::string_view PeekedSource::peek() {
    while (head_end_ < kPeek) {
        const std::size_t count = read_more(std::span(head_).subspan(head_end_));
        if (count == 0) {
            break;
        }
        head_end_ += count;
    }
    return {head_.data(), head_end_};
}

std::size_t PeekedSource::read(std::span<char> out) {
    std::size_t count = std::min(out.size(), head_end_ - head_begin_);
    if (count > 0) {
        std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(head_begin_), count, out.begin());
        head_begin_ += count;
        delivered_ += count;
    }
    if (count < out.size()) {
        const std::size_t more = read_more(out.subspan(count));
        delivered_ += more;
        count += more;
    }
    if (count == 0 && failure_) {
        throw SourceError(*failure_);
    }
    return count;
}

std::size_t PeekedSource::read_more(std::span<char> out) {
    if (ended_ || failure_) {
        return 0;
    }
    const std::size_t count = read_some(out);
    ended_ = count == 0;
    return count;
}

}  // namespace fendex::pgn
