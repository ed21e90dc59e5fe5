#include "store/sqlite/writer/writer_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

#include "base/unfinished.hpp"
#include "store/sqlite/file/database_files.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

namespace {

/// The beginning of a lock file, so that another file is not mistaken for one.
constexpr std::string_view kMark = "fendex writer: ";
constexpr std::size_t kMaxContent = 200;

int open_file(const std::string& path, int flags) {
    int fd = -1;
    do {
        fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

std::string content_of(int fd) {
    std::array<char, kMaxContent> buffer{};
    const ssize_t count = ::pread(fd, buffer.data(), buffer.size(), 0);
    return {buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

std::string describe_this_process(std::string_view purpose) {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    std::array<char, 16> time{};
    if (std::strftime(time.data(), time.size(), "%H:%M:%S", &local) == 0) time.front() = '\0';
    return std::string(kMark) + "process " + std::to_string(::getpid()) + " (" +
           std::string(purpose) + ", since " + time.data() + ")";
}

/// Returns whether the path still leads to the opened file. Another process may have removed it
/// since.
bool is_still_there(int fd, const std::string& path) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

WriterLock::WriterLock(const std::string& database, std::string_view purpose)
    : path_(real_path(database) + kLockSuffix) {
    lock(database, purpose);
    try {
        base::remove_remains(real_path(database));
    } catch (...) {
        unlock();
        throw;
    }
}

void WriterLock::lock(const std::string& database, std::string_view purpose) {
    const std::string text = describe_this_process(purpose).substr(0, kMaxContent);
    while (true) {
        fd_ = open_file(path_, O_RDWR | O_CREAT);
        const bool others = fd_ < 0 && errno == EACCES;
        if (others) fd_ = open_file(path_, O_RDONLY);  // locking needs no more
        if (fd_ < 0) {
            if (errno == ELOOP)
                throw StoreError(StoreError::kOther, path_ + ": is a link, not a lock file");
            return;
        }
        struct stat status {};
        const std::string content = content_of(fd_);
        if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode) ||
            (!content.empty() && !content.starts_with(kMark))) {
            ::close(fd_);
            throw StoreError(StoreError::kOther,
                             path_ +
                                 ": is not a lock file, but has the name of the lock file of '" +
                                 database + "': move it away");
        }
        int result = 0;
        do {
            result = ::flock(fd_, LOCK_EX | LOCK_NB);
        } while (result != 0 && errno == EINTR);
        if (result != 0) {
            const bool held = errno == EWOULDBLOCK;
            ::close(fd_);
            fd_ = -1;
            if (!held) return;
            // The file is empty if the other process has just created it.
            throw StoreError(
                StoreError::kBusy,
                database + ": is being written by " +
                    (content.empty() ? "another process" : content.substr(kMark.size())) +
                    ": wait for it, or stop it");
        }
        if (is_still_there(fd_, path_)) {
            // The text is only for people; the lock works without it.
            if (!others && ::ftruncate(fd_, 0) == 0) {
                [[maybe_unused]] const ssize_t written = ::pwrite(fd_, text.data(), text.size(), 0);
            }
            return;
        }
        ::close(fd_);
    }
}

WriterLock::~WriterLock() { unlock(); }

void WriterLock::unlock() const {
    if (fd_ < 0) return;
    ::unlink(path_.c_str());  // before the lock ends; others notice it by is_still_there()
    ::close(fd_);
}

}  // namespace fendex::store
