// The file system under SQLite, made to fail: a VFS between SQLite and the real one, the default of
// this process as long as it lives. It fails chosen calls, or plays a power cut: what was written
// but not synced is lost, or half of it is. One at a time; calls may come from any thread, but
// nothing may be open when it comes or goes.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::test {

enum class VfsCall { kOpen, kRead, kWrite, kSync, kTruncate, kDelete, kShmMap, kShmLock, kLock };

/// Kinds of files, as bits.
enum VfsFile : unsigned {
    kMainFile = 1,
    kWalFile = 2,
    kJournalFile = 4,
    kTemporaryFile = 8,
    kAnyFile = 15,
};

struct VfsFault {
    VfsCall call = VfsCall::kWrite;
    unsigned files = kAnyFile;
    std::uint64_t first = 1;  // the call that fails, counted from 1
    std::uint64_t count = 1;  // how many fail
    int code = SQLITE_IOERR;
    /// A write that fails has written half.
    bool half_done = false;

    static constexpr std::uint64_t kForEver = std::numeric_limits<std::uint64_t>::max();
};

/// What a disk has kept of its files, and what it has only been told.
class UnsyncedWrites {
  public:
    /// What a file holds when it is first seen is on the disk.
    void found(const std::string& path);
    void created(const std::string& path);
    void deleted(const std::string& path);
    void written(const std::string& path, std::uint64_t offset, std::string_view bytes);
    void truncated(const std::string& path, std::uint64_t size);
    void synced(const std::string& path);
    /// Of names: deleted files stay deleted, new ones are found again.
    void directory_synced();
    /// Writes the files as a disk may hold them when its power goes away: of what was not synced
    /// each sector is there or not, in any combination.
    void lose(std::mt19937_64& random) const;

  private:
    struct Change {
        std::uint64_t offset = 0;
        std::string bytes;
        bool truncate = false;
    };
    struct File {
        std::string kept;
        std::vector<Change> changes;
        bool named = false;        // its name would survive
        bool to_be_named = false;  // it exists
    };
    std::map<std::string, File> files_;
};

class FailingVfs {
  public:
    FailingVfs();
    ~FailingVfs();
    FailingVfs(const FailingVfs&) = delete;
    FailingVfs& operator=(const FailingVfs&) = delete;

    /// From now on this fails. Calls are counted from here.
    void fail(const VfsFault& fault);
    /// The same without a failure.
    void count(VfsCall call, unsigned files = kAnyFile) { fail({call, files, 0, 0}); }
    std::uint64_t calls() const { return calls_; }
    void heal() { fail({VfsCall::kWrite, 0}); }

    /// At the n-th call of that kind from now (1: the first) the power goes away: this and all that
    /// follows fails. `before` is called just before that; it may read through real_vfs().
    void cut_power(VfsCall call, std::uint64_t n, std::function<void()> before = {});
    bool power_is_off() const { return off_; }
    /// The power comes back; what was not synced is lost or torn. All must have been closed.
    void restore_power(std::uint64_t seed);
    const char* real_vfs() const { return real_->zName; }

  private:
    struct File;
    friend struct VfsMethods;

    int check(VfsCall call, unsigned file);

    sqlite3_vfs* real_;
    sqlite3_vfs shim_{};
    std::mutex mutex_;
    VfsFault fault_{VfsCall::kWrite, 0};
    std::atomic<std::uint64_t> calls_{0};
    std::atomic<bool> off_{false};
    VfsCall cut_at_ = VfsCall::kSync;
    std::uint64_t calls_left_ = 0;  // 0: the power stays
    std::function<void()> before_cut_;
    std::unique_ptr<UnsyncedWrites> disk_;
};

/// Which of so many calls are to fail: the first ones, the last ones, and some between.
std::set<std::uint64_t> sampled_calls(std::uint64_t calls, std::size_t wanted,
                                      std::mt19937_64& random);

}  // namespace fendex::test
