#include "store/sqlite/file/opened_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "store/sqlite/file/database_files.hpp"

namespace fendex::store {

namespace {

/// Two writes within this time may leave the same time of modification. Some ticks of the system's
/// clock.
constexpr std::chrono::milliseconds kTicks{20};

FileState state_of(const struct stat& status) {
    return {status.st_dev, status.st_ino, status.st_size, status.st_mtim};
}

FileState state_of(int fd) {
    struct stat status {};
    return ::fstat(fd, &status) == 0 ? state_of(status) : FileState();
}

bool is_settled(const FileState& state) {
    const auto age = std::chrono::system_clock::now().time_since_epoch() -
                     std::chrono::seconds(state.modified.tv_sec) -
                     std::chrono::nanoseconds(state.modified.tv_nsec);
    return age < -kTicks || age >= kTicks;
}

/// The files whose logs this process uses, by the paths of their databases.
struct LogUsers {
    std::mutex mutex;
    std::map<std::string, std::weak_ptr<const FileState>> of;

    static LogUsers& all() {
        static LogUsers users;
        return users;
    }
};

}  // namespace

/// Opens only the path (O_PATH): closing a descriptor that can read would drop SQLite's locks.
OpenedFile::OpenedFile(const std::string& path)
    : fd_(::open(path.c_str(), O_PATH | O_CLOEXEC)), opened_(state_of(fd_)) {
    if (fd_ < 0 || is_settled(opened_)) return;
    std::this_thread::sleep_for(kTicks);
    opened_ = state_of(fd_);
}

OpenedFile::~OpenedFile() {
    if (fd_ >= 0) ::close(fd_);
}

OpenedFile::OpenedFile(OpenedFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), opened_(other.opened_) {}

OpenedFile& OpenedFile::operator=(OpenedFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(opened_, other.opened_);
    return *this;
}

bool OpenedFile::is_written() const {
    const FileState now = state_of(fd_);
    return now.size != opened_.size || now.modified.tv_sec != opened_.modified.tv_sec ||
           now.modified.tv_nsec != opened_.modified.tv_nsec;
}

std::shared_ptr<const FileState> share_log(const std::string& database) {
    const std::string real = real_path(database);
    struct stat status {};
    const FileState file = ::stat(real.c_str(), &status) == 0 ? state_of(status) : FileState();
    LogUsers& users = LogUsers::all();
    const std::lock_guard lock(users.mutex);
    auto& known = users.of[real];
    auto use = known.lock();
    if (use) return use->is_same_file(file) ? use : nullptr;
    use = std::make_shared<const FileState>(file);
    known = use;
    return use;
}

bool is_log_of_earlier_file(const std::string& database) { return !share_log(database); }

}  // namespace fendex::store
