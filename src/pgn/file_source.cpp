#include "pgn/file_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace fendex::pgn {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// Opens `path`; throws SourceError.
int open_descriptor(const std::string& path, const std::string& name) {
    if (path == "-") {
        return STDIN_FILENO;
    }
    int fd = -1;
    do {
        fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        throw SourceError(name + ": cannot be opened: " + reason(errno), 0);
    }
    return fd;
}

}  // namespace

Descriptor::~Descriptor() {
    if (ownership_ == Ownership::kOwned) {
        ::close(fd_);  // read-only: a failing close loses nothing
    }
}

FileSource::FileSource(const std::string& path, std::function<bool()> stop)
    : name_(path == "-" ? "standard input" : path),
      descriptor_(open_descriptor(path, name_),
                  path == "-" ? Descriptor::Ownership::kBorrowed : Descriptor::Ownership::kOwned),
      stop_(std::move(stop)) {
    struct stat status {};
    if (::fstat(descriptor_.get(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            throw SourceError(name_ + ": is a directory, not a file", 0);
        }
        if (S_ISREG(status.st_mode)) stop_ = nullptr;
    }
    // Only a hint; it may fail, as it does on pipes.
    ::posix_fadvise(descriptor_.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
}

std::string_view FileSource::peek() {
    while (head_end_ < kPeek) {
        const std::size_t count = read_some(std::span(head_).subspan(head_end_));
        if (count == 0) {
            break;
        }
        head_end_ += count;
    }
    return {head_.data(), head_end_};
}

std::size_t FileSource::read(std::span<char> out) {
    std::size_t count = std::min(out.size(), head_end_ - head_begin_);
    if (count > 0) {
        std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(head_begin_), count, out.begin());
        head_begin_ += count;
        offset_ += count;
    }
    if (count < out.size()) {
        const std::size_t more = read_some(out.subspan(count));
        offset_ += more;
        count += more;
    }
    if (count == 0 && failure_) {
        throw SourceError(*failure_);
    }
    return count;
}

std::size_t FileSource::read_some(std::span<char> out) {
    if (ended_ || failure_) {
        return 0;
    }
    if (stop_ && !wait()) {
        ended_ = true;
        return 0;
    }
    ssize_t count = 0;
    do {
        count = ::read(descriptor_.get(), out.data(), out.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        const int error = errno;
        const std::uint64_t byte = offset_ + (head_end_ - head_begin_);
        failure_.emplace(
            name_ + ": cannot be read at byte " + std::to_string(byte) + ": " + reason(error),
            byte);
        return 0;
    }
    ended_ = count == 0;
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
