#include "base/unfinished.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace fendex::base {

namespace {

constexpr char kSuffix[] = ".fendex-part-";
constexpr mode_t kFileMode = 0666;  // as the umask allows
constexpr mode_t kDirectoryMode = 0700;

/// The file that the signal handler removes; null if there is none.
std::atomic<const char*> g_temporary = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free);

[[noreturn]] void fail_on(const std::string& path) {
    throw std::system_error(errno, std::generic_category(), path);
}

std::string directory_of(const std::string& path) {
    const std::string parent = std::filesystem::path(path).parent_path().string();
    return parent.empty() ? "." : parent;
}

template <typename Call>
int again_if_interrupted(Call call) {
    int result = 0;
    do {
        result = call();
    } while (result < 0 && errno == EINTR);
    return result;
}

/// False if another process holds the lock, or if the file system has no locks.
bool try_lock(int fd) {
    return again_if_interrupted([&] { return ::flock(fd, LOCK_EX | LOCK_NB); }) == 0;
}

/// Locks the file. Waits if another process is removing it just now because it took it for a
/// leftover.
void lock(int fd) {
    again_if_interrupted([&] { return ::flock(fd, LOCK_EX); });
}

bool leads_to(const std::string& path, int fd) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// Returns whether `rest`, the part of a name after kSuffix, is like ours: PID, PID-N, or PID and
/// dashes. Other files belong to users.
bool ends_like_ours(std::string_view rest) {
    const auto skip = [&](std::string_view characters) {
        const std::size_t count = std::min(rest.find_first_not_of(characters), rest.size());
        rest.remove_prefix(count);
        return count;
    };
    constexpr char kDigits[] = "0123456789";
    if (skip(kDigits) == 0) return false;
    const std::size_t dashes = skip("-");
    return rest.empty() || (dashes == 1 && skip(kDigits) != 0 && rest.empty());
}

/// Calls make(name), which returns a descriptor, with unused names until it succeeds; locks the
/// result.
template <typename Make>
int make_locked(const std::string& target, std::string& name, Make make) {
    const std::string first = target + kSuffix + std::to_string(::getpid());
    for (unsigned n = 1;; ++n) {
        // A process on another machine may have the same id.
        name = n == 1 ? first : first + '-' + std::to_string(n);
        const int fd = again_if_interrupted([&] { return make(name.c_str()); });
        if (fd < 0) {
            if (errno == EEXIST) continue;
            const int error = errno;
            name.clear();
            errno = error;
            fail_on(target);
        }
        lock(fd);
        // Until it was locked, another process could take it for a leftover and remove it.
        if (leads_to(name, fd)) return fd;
        ::close(fd);
    }
}

void sync_directory(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;  // the directory may be writable but not readable
    const int result = again_if_interrupted([&] { return ::fsync(fd); });
    const int error = errno;
    ::close(fd);
    errno = error;
    if (result != 0 && error != EINVAL) fail_on(path);
}

/// Path for linkat() of a file that has no name.
std::string way_to(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

/// Calls visit(name) for each entry of an open directory except "." and "..". Allocates nothing,
/// because there may be no memory when remains are removed.
template <typename Visit>
void for_each_entry(int directory, Visit visit) {
    alignas(dirent64) char buffer[4096];
    for (;;) {
        const ssize_t bytes = ::getdents64(directory, buffer, sizeof buffer);
        for (ssize_t at = 0; at < bytes;) {
            const auto* const entry = reinterpret_cast<const dirent64*>(buffer + at);
            const std::string_view name = static_cast<const char*>(entry->d_name);
            if (name != "." && name != "..") visit(name.data());
            at += entry->d_reclen;
        }
        if (bytes <= 0) return;
    }
}

/// Removes the files of an open directory, and directories in it that have only files: those of a
/// `compact` within a `backup`.
void remove_entries(int directory) {
    for_each_entry(directory, [&](const char* name) {
        if (::unlinkat(directory, name, 0) == 0 || errno != EISDIR) return;
        const int inner =
            ::openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        if (inner < 0) return;
        for_each_entry(inner, [&](const char* file) { ::unlinkat(inner, file, 0); });
        ::close(inner);
        ::unlinkat(directory, name, AT_REMOVEDIR);
    });
}

/// Removes a file, or a directory and everything in it. It is called `name` in `directory` and is
/// open as `fd`.
void remove_part(int directory, const char* name, int fd) {
    if (::unlinkat(directory, name, 0) == 0) return;
    remove_entries(fd);
    ::unlinkat(directory, name, AT_REMOVEDIR);
}

void remove_and_end(int signal) {
    if (const char* const path = g_temporary) ::unlink(path);
    static_cast<void>(std::signal(signal, SIG_DFL));
    static_cast<void>(std::raise(signal));
}

}  // namespace

void remove_remains(const std::string& target) {
    const std::string prefix = std::filesystem::path(target).filename().string() + kSuffix;
    const int directory = ::open(directory_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return;
    for_each_entry(directory, [&](const char* found) {
        const std::string_view name = found;
        if (!name.starts_with(prefix) || !ends_like_ours(name.substr(prefix.size()))) return;
        const int fd =
            ::openat(directory, found, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
        if (fd < 0) return;
        if (try_lock(fd)) remove_part(directory, found, fd);
        ::close(fd);
    });
    ::close(directory);
}

void rename_durably(const std::string& from, const std::string& target) {
    if (std::rename(from.c_str(), target.c_str()) != 0) fail_on(target);
    sync_directory(directory_of(target));
}

void sync_file(int fd) {
    const int result = again_if_interrupted([&] { return ::fsync(fd); });
    if (result != 0 && errno != EINVAL) throw std::system_error(errno, std::generic_category());
}

UnfinishedFile::UnfinishedFile(const std::string& target, Name name) : target_(target) {
    remove_remains(target);
    if (name == Name::kTemporary || !open_without_name()) open_with_name();
}

bool UnfinishedFile::open_without_name() {
    const std::string directory = directory_of(target_);
    fd_ = again_if_interrupted(
        [&] { return ::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kFileMode); });
    if (fd_ < 0) return false;
    if (::access(way_to(fd_).c_str(), F_OK) == 0) {
        lock(fd_);
        return true;
    }
    ::close(fd_);  // without /proc it could never be given a name
    return false;
}

void UnfinishedFile::open_with_name() {
    fd_ = make_locked(target_, temporary_, [](const char* path) {
        return ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode);
    });
    g_temporary = temporary_.c_str();
}

UnfinishedFile::~UnfinishedFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    g_temporary = nullptr;
    if (fd_ >= 0) ::close(fd_);
}

void UnfinishedFile::finish() {
    sync_file(fd_);
    if (temporary_.empty()) {
        const auto name_it = [&](const std::string& name) {
            return ::linkat(AT_FDCWD, way_to(fd_).c_str(), AT_FDCWD, name.c_str(),
                            AT_SYMLINK_FOLLOW) == 0;
        };
        if (name_it(target_)) {
            sync_directory(directory_of(target_));
            return;
        }
        // linkat() does not replace a file, rename() does: give it a temporary name for a moment.
        if (errno != EEXIST) fail_on(target_);
        std::string name = target_ + kSuffix + std::to_string(::getpid());
        while (!name_it(name)) {
            if (errno != EEXIST) fail_on(target_);
            name += '-';
        }
        temporary_ = std::move(name);
        g_temporary = temporary_.c_str();
    }
    rename_durably(temporary_, target_);
    g_temporary = nullptr;
    temporary_.clear();
}

UnfinishedDirectory::UnfinishedDirectory(const std::string& target) {
    remove_remains(target);
    fd_ = make_locked(target, path_, [](const char* path) {
        return ::mkdir(path, kDirectoryMode) == 0 ? ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                                                  : -1;
    });
}

UnfinishedDirectory::~UnfinishedDirectory() {
    remove_part(AT_FDCWD, path_.c_str(), fd_);
    ::close(fd_);
}

RemoveFileOnSignal::RemoveFileOnSignal() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        ::sigaction(kSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = remove_and_end;
        ::sigemptyset(&action.sa_mask);
        ::sigaction(kSignals[i], &action, nullptr);
    }
}

RemoveFileOnSignal::~RemoveFileOnSignal() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        ::sigaction(kSignals[i], &before_[i], nullptr);
    }
}

}  // namespace fendex::base
