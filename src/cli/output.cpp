#include "cli/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace fendex::cli {

void Output::flush() {
    std::string_view rest = buffer_;
    while (!rest.empty()) {
        const ssize_t n = ::write(STDOUT_FILENO, rest.data(), rest.size());
        if (n < 0) {
            if (errno == EINTR) continue;
            if (errno == EPIPE) throw BrokenPipe{};
            throw std::runtime_error(std::string("cannot write to standard output: ") +
                                     std::strerror(errno));
        }
        rest.remove_prefix(static_cast<std::size_t>(n));
    }
    buffer_.clear();
}

std::string grouped(std::uint64_t number) {
    std::string out = std::to_string(number);
    for (std::size_t i = out.size(); i > 3; i -= 3) out.insert(i - 3, ",");
    return out;
}

std::string more_line(std::uint64_t count, std::string_view what) {
    return "... and " + grouped(count) + " more " + std::string(what) +
           " (--limit N, --offset N)\n";
}

}  // namespace fendex::cli
