#include "pgn/file_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error_text.hpp"

namespace fendex::pgn {
Descriptor open_descriptor(const std::string& path, const std::string& name) {
    if (path == "-") {
        return {STDIN_FILENO, Descriptor::Ownership::kBorrowed};
    }
    int fd = -1;
    do {
        fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        throw SourceError(name + ": cannot be opened: " + base::error_text(errno), 0);
    }
    return {fd, Descriptor::Ownership::kOwned};
}

Descriptor::~Descriptor() {
    if (ownership_ == Ownership::kOwned) {
        ::close(fd_);  // read-only: a failing close loses nothing
    }
}

FileSource::FileSource(const std::string& path, std::function<bool()> stop)
    : PeekedSource(path == "-" ? "standard input" : path),
      descriptor_(open_descriptor(path, name())),
      stop_(std::move(stop)) {
    struct stat status {};
    if (::fstat(descriptor_.get(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            throw SourceError(name() + ": is a directory, not a file", 0);
        }
        if (S_ISREG(status.st_mode)) {
            size_ = static_cast<std::uint64_t>(status.st_size);
            stop_ = nullptr;
        }
    }
    // Only a hint; it may fail, as it does on pipes.
    ::posix_fadvise(descriptor_.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
}

std::size_t FileSource::read_some(std::span<char> out) {
    if (stop_ && !wait()) {
        return 0;
    }
    ssize_t count = 0;
    do {
        count = ::read(descriptor_.get(), out.data(), out.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        const int error = errno;
        fail(SourceError(name() + ": cannot be read at byte " + std::to_string(taken()) + ": " +
                             base::error_text(error),
                         taken()));
        return 0;
    }
    return static_cast<std::size_t>(count);
}

bool FileSource::wait() {
    constexpr int kMilliseconds = 100;
    pollfd waiting{descriptor_.get(), POLLIN, 0};
    while (true) {
        const int ready = ::poll(&waiting, 1, kMilliseconds);
        if (ready > 0 || (ready < 0 && errno != EINTR)) return true;  // read() says what is wrong
        if (stop_()) return false;
    }
}

}  // namespace fendex::pgn
