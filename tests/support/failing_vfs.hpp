// A file system that fails: a VFS between SQLite and the real one, and the default VFS of this
// process while it exists. It fails chosen calls or simulates a power cut, after which unsynced
// data is lost or partly written. Only one object at a time. Any thread may use it, but no file may
// be open when it is created or destroyed.
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
    std::uint64_t count = 1;  // number of calls that fail
    int code = SQLITE_IOERR;
    /// A failing write writes half of its data.
    bool half_done = false;

    static constexpr std::uint64_t kForEver = std::numeric_limits<std::uint64_t>::max();
};

/// What a disk has kept of its files, and the unsynced changes.
class UnsyncedWrites {
  public:
    /// The content of a file that is opened for the first time is taken as synced.
    void found(const std::string& path);
    void created(const std::string& path);
    void deleted(const std::string& path);
    void written(const std::string& path, std::uint64_t offset, std::string_view bytes);
    void truncated(const std::string& path, std::uint64_t size);
    void synced(const std::string& path);
    /// Syncs names: deleted files stay deleted, new ones exist.
    void directory_synced();
    /// Writes the files as they may be after a power cut: any combination of unsynced sectors is
    /// kept.
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
        bool named = false;        // exists after a power cut
        bool to_be_named = false;  // exists now
    };
    std::map<std::string, File> files_;
};

class FailingVfs {
  public:
    FailingVfs();
    ~FailingVfs();
    FailingVfs(const FailingVfs&) = delete;
    FailingVfs& operator=(const FailingVfs&) = delete;

    /// Makes calls fail from now on; the count of calls restarts.
    void fail(const VfsFault& fault);
    /// Counts calls without a failure.
    void count(VfsCall call, unsigned files = kAnyFile) { fail({call, files, 0, 0}); }
    std::uint64_t calls() const { return calls_; }
    void heal() { fail({VfsCall::kWrite, 0}); }

    /// Cuts the power at the n-th call of that kind from now on (1 is the next): this call and all
    /// later ones fail. `before` is called just before that; it may call read_number().
    void cut_power(VfsCall call, std::uint64_t n, std::function<void()> before = {});
    bool power_is_off() const { return off_; }
    /// Restores the power; unsynced data is lost or torn. All files must have been closed.
    void restore_power(std::uint64_t seed);
    /// Reads a number from a database, past the failures. Leaves it as it is if there is none.
    void read_number(const std::string& path, const char* query, std::uint64_t& number) const;

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
    std::uint64_t calls_left_ = 0;  // 0: no power cut
    std::function<void()> before_cut_;
    std::unique_ptr<UnsyncedWrites> disk_;
};

/// Chooses calls that are to fail: the first ones, the last ones, and some between.
std::set<std::uint64_t> sampled_calls(std::uint64_t calls, std::size_t wanted,
                                      std::mt19937_64& random);

}  // namespace fendex::test
