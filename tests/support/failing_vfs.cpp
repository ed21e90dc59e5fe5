#include "support/failing_vfs.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>

#include "support/process.hpp"

namespace fendex::test {

namespace {

constexpr std::size_t kSector = 512;

unsigned kind_of(int flags) {
    if ((flags & SQLITE_OPEN_MAIN_DB) != 0) return kMainFile;
    if ((flags & SQLITE_OPEN_WAL) != 0) return kWalFile;
    if ((flags & SQLITE_OPEN_MAIN_JOURNAL) != 0) return kJournalFile;
    return kTemporaryFile;
}

unsigned kind_of(std::string_view path) {
    if (path.ends_with("-wal")) return kWalFile;
    if (path.ends_with("-journal")) return kJournalFile;
    return kMainFile;
}

void resize_and_write(std::string& content, std::uint64_t offset, std::string_view bytes) {
    content.resize(std::max<std::size_t>(content.size(), offset + bytes.size()));
    bytes.copy(content.data() + offset, bytes.size());
}

}  // namespace

void UnsyncedWrites::found(const std::string& path) {
    const auto [at, first] = files_.try_emplace(path);
    if (first) at->second = {read_file(path), {}, true, true};
}

void UnsyncedWrites::created(const std::string& path) {
    File& file = files_[path];
    file.to_be_named = true;
}

void UnsyncedWrites::deleted(const std::string& path) { files_[path].to_be_named = false; }

void UnsyncedWrites::written(const std::string& path, std::uint64_t offset,
                             std::string_view bytes) {
    files_[path].changes.push_back({offset, std::string(bytes), false});
}

void UnsyncedWrites::truncated(const std::string& path, std::uint64_t size) {
    files_[path].changes.push_back({size, {}, true});
}

void UnsyncedWrites::synced(const std::string& path) {
    File& file = files_[path];
    for (const Change& change : file.changes) {
        if (change.truncate) {
            file.kept.resize(change.offset);
        } else {
            resize_and_write(file.kept, change.offset, change.bytes);
        }
    }
    file.changes.clear();
    // SQLite's own VFS syncs the directory with the first sync of a journal. On current file
    // systems, syncing a file also makes its name durable.
    if (!file.named) directory_synced();
}

void UnsyncedWrites::directory_synced() {
    for (auto& [path, file] : files_) {
        file.named = file.to_be_named;
        if (!file.named) file.kept.clear();
    }
}

void UnsyncedWrites::lose(std::mt19937_64& random) const {
    for (const auto& [path, file] : files_) {
        // A name that was not synced may exist or not.
        const bool there = file.named == file.to_be_named ? file.named : random() % 2 == 0;
        if (!there) {
            std::filesystem::remove(path);
            continue;
        }
        std::string content = file.kept;
        // From case to case, between none and all of the unsynced sectors have been written.
        const unsigned kept_of_4 = static_cast<unsigned>(random() % 5);
        for (const Change& change : file.changes) {
            if (change.truncate) {
                if (random() % 4 < kept_of_4) content.resize(change.offset);
                continue;
            }
            for (std::size_t begin = 0; begin < change.bytes.size(); begin += kSector) {
                if (random() % 4 >= kept_of_4) continue;
                resize_and_write(content, change.offset + begin,
                                 std::string_view(change.bytes).substr(begin, kSector));
            }
        }
        // The test may have removed the directory since; after a real power cut it would exist.
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        std::ofstream out(path, std::ios::binary | std::ios::trunc);
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
        if (!out.flush()) throw std::runtime_error("cannot write " + path);
    }
}

/// The file that SQLite uses; the real one follows it in memory.
struct FailingVfs::File {
    sqlite3_file base;
    FailingVfs* vfs;
    unsigned kind;
    std::string* path;  // owned; null for a temporary file without a name

    sqlite3_file* real() { return static_cast<sqlite3_file*>(static_cast<void*>(this + 1)); }
};

/// The callbacks for SQLite.
struct VfsMethods {
    using File = FailingVfs::File;

    static FailingVfs& self(sqlite3_vfs* vfs) { return *static_cast<FailingVfs*>(vfs->pAppData); }
    static File& file(sqlite3_file* base) { return *static_cast<File*>(static_cast<void*>(base)); }
    static int check(sqlite3_file* base, VfsCall call) {
        return file(base).vfs->check(call, file(base).kind);
    }
    static UnsyncedWrites* disk(sqlite3_file* base) {
        return file(base).path != nullptr ? file(base).vfs->disk_.get() : nullptr;
    }

    static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* base, int flags, int* out) {
        FailingVfs& own = self(vfs);
        File& opened = *new (base) File{{nullptr}, &own, kind_of(flags), nullptr};
        if (const int code = own.check(VfsCall::kOpen, opened.kind)) return code;
        const bool existed = name != nullptr && std::filesystem::exists(name);
        const int code = own.real_->xOpen(own.real_, name, opened.real(), flags, out);
        if (opened.real()->pMethods != nullptr) {
            opened.base.pMethods = &methods();
            if (name != nullptr) {
                opened.path = new std::string(name);
                if (own.disk_) {
                    const std::lock_guard lock(own.mutex_);
                    if (existed) {
                        own.disk_->found(name);
                    } else {
                        own.disk_->created(name);
                    }
                }
            }
        }
        return code;
    }
    static int remove(sqlite3_vfs* vfs, const char* name, int sync_directory) {
        FailingVfs& own = self(vfs);
        if (const int code = own.check(VfsCall::kDelete, kind_of(std::string_view(name)))) {
            return code;
        }
        const int code = own.real_->xDelete(own.real_, name, sync_directory);
        if (code == SQLITE_OK && own.disk_) {
            const std::lock_guard lock(own.mutex_);
            own.disk_->deleted(name);
            if (sync_directory != 0) own.disk_->directory_synced();
        }
        return code;
    }

    static int close(sqlite3_file* base) {
        const int code = file(base).real()->pMethods->xClose(file(base).real());
        delete file(base).path;
        base->pMethods = nullptr;
        return code;
    }
    static int read(sqlite3_file* base, void* out, int size, sqlite3_int64 offset) {
        if (const int code = check(base, VfsCall::kRead)) return code;
        return file(base).real()->pMethods->xRead(file(base).real(), out, size, offset);
    }
    static int write(sqlite3_file* base, const void* bytes, int size, sqlite3_int64 offset) {
        const int failure = check(base, VfsCall::kWrite);
        if (failure != SQLITE_OK) {
            if (!file(base).vfs->fault_.half_done || file(base).vfs->off_) return failure;
            size /= 2;
        }
        const int code =
            file(base).real()->pMethods->xWrite(file(base).real(), bytes, size, offset);
        if (code == SQLITE_OK && disk(base) != nullptr) {
            const std::lock_guard lock(file(base).vfs->mutex_);
            disk(base)->written(*file(base).path, static_cast<std::uint64_t>(offset),
                                {static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
        }
        return failure != SQLITE_OK ? failure : code;
    }
    static int truncate(sqlite3_file* base, sqlite3_int64 size) {
        if (const int code = check(base, VfsCall::kTruncate)) return code;
        const int code = file(base).real()->pMethods->xTruncate(file(base).real(), size);
        if (code == SQLITE_OK && disk(base) != nullptr) {
            const std::lock_guard lock(file(base).vfs->mutex_);
            disk(base)->truncated(*file(base).path, static_cast<std::uint64_t>(size));
        }
        return code;
    }
    /// Does not sync the real disk: the test needs no durability.
    static int sync(sqlite3_file* base, int) {
        if (const int code = check(base, VfsCall::kSync)) return code;
        if (disk(base) != nullptr) {
            const std::lock_guard lock(file(base).vfs->mutex_);
            disk(base)->synced(*file(base).path);
        }
        return SQLITE_OK;
    }
    static int size(sqlite3_file* base, sqlite3_int64* out) {
        return file(base).real()->pMethods->xFileSize(file(base).real(), out);
    }
    static int lock(sqlite3_file* base, int level) {
        if (const int code = check(base, VfsCall::kLock)) return code;
        return file(base).real()->pMethods->xLock(file(base).real(), level);
    }
    static int unlock(sqlite3_file* base, int level) {
        return file(base).real()->pMethods->xUnlock(file(base).real(), level);
    }
    static int is_reserved(sqlite3_file* base, int* out) {
        return file(base).real()->pMethods->xCheckReservedLock(file(base).real(), out);
    }
    static int control(sqlite3_file* base, int operation, void* argument) {
        return file(base).real()->pMethods->xFileControl(file(base).real(), operation, argument);
    }
    static int sector_size(sqlite3_file* base) {
        return file(base).real()->pMethods->xSectorSize(file(base).real());
    }
    static int characteristics(sqlite3_file* base) {
        return file(base).real()->pMethods->xDeviceCharacteristics(file(base).real());
    }
    static int shm_map(sqlite3_file* base, int region, int size, int extend, void volatile** out) {
        if (const int code = check(base, VfsCall::kShmMap)) return code;
        return file(base).real()->pMethods->xShmMap(file(base).real(), region, size, extend, out);
    }
    static int shm_lock(sqlite3_file* base, int offset, int n, int flags) {
        // Unlocking must not fail: SQLite assumes that a lock is gone when it has released it.
        if ((flags & SQLITE_SHM_LOCK) != 0) {
            if (const int code = check(base, VfsCall::kShmLock)) return code;
        }
        return file(base).real()->pMethods->xShmLock(file(base).real(), offset, n, flags);
    }
    static void shm_barrier(sqlite3_file* base) {
        file(base).real()->pMethods->xShmBarrier(file(base).real());
    }
    static int shm_unmap(sqlite3_file* base, int remove) {
        return file(base).real()->pMethods->xShmUnmap(file(base).real(), remove);
    }

    /// Version 2 has no memory-mapped reads, which would bypass read().
    static const sqlite3_io_methods& methods() {
        static const sqlite3_io_methods all = [] {
            sqlite3_io_methods out{};
            out.iVersion = 2;
            out.xClose = close;
            out.xRead = read;
            out.xWrite = write;
            out.xTruncate = truncate;
            out.xSync = sync;
            out.xFileSize = size;
            out.xLock = lock;
            out.xUnlock = unlock;
            out.xCheckReservedLock = is_reserved;
            out.xFileControl = control;
            out.xSectorSize = sector_size;
            out.xDeviceCharacteristics = characteristics;
            out.xShmMap = shm_map;
            out.xShmLock = shm_lock;
            out.xShmBarrier = shm_barrier;
            out.xShmUnmap = shm_unmap;
            return out;
        }();
        return all;
    }
};

FailingVfs::FailingVfs() : real_(sqlite3_vfs_find(nullptr)) {
    shim_ = *real_;
    shim_.zName = "failing";
    shim_.pAppData = this;
    shim_.szOsFile = static_cast<int>(sizeof(File)) + real_->szOsFile;
    shim_.xOpen = VfsMethods::open;
    shim_.xDelete = VfsMethods::remove;
    if (sqlite3_vfs_register(&shim_, 1) != SQLITE_OK) throw std::runtime_error("no VFS");
}

FailingVfs::~FailingVfs() { sqlite3_vfs_unregister(&shim_); }

void FailingVfs::fail(const VfsFault& fault) {
    const std::lock_guard lock(mutex_);
    fault_ = fault;
    calls_ = 0;
}

int FailingVfs::check(VfsCall call, unsigned file) {
    if (off_) return call == VfsCall::kOpen ? SQLITE_CANTOPEN : SQLITE_IOERR;
    std::function<void()> before;
    bool cut = false;
    {
        const std::lock_guard lock(mutex_);
        if (call == cut_at_ && calls_left_ != 0 && --calls_left_ == 0) {
            before = before_cut_;
            cut = true;
        } else if (call == fault_.call && (file & fault_.files) != 0) {
            const std::uint64_t n = ++calls_;
            if (n >= fault_.first && n - fault_.first < fault_.count) return fault_.code;
            return SQLITE_OK;
        }
    }
    if (!cut) return SQLITE_OK;
    if (before) before();
    off_ = true;
    return SQLITE_IOERR;
}

void FailingVfs::cut_power(VfsCall call, std::uint64_t n, std::function<void()> before) {
    const std::lock_guard lock(mutex_);
    disk_ = std::make_unique<UnsyncedWrites>();
    cut_at_ = call;
    calls_left_ = n;
    before_cut_ = std::move(before);
}

void FailingVfs::read_number(const std::string& path, const char* query,
                             std::uint64_t& number) const {
    sqlite3* reader = nullptr;
    sqlite3_open_v2(path.c_str(), &reader, SQLITE_OPEN_READONLY, real_->zName);
    sqlite3_exec(
        reader, query,
        [](void* out, int, char** values, char**) {
            *static_cast<std::uint64_t*>(out) = std::stoull(values[0]);
            return 0;
        },
        &number, nullptr);
    sqlite3_close(reader);
}

void FailingVfs::restore_power(std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    std::mt19937_64 random(seed);
    if (off_) disk_->lose(random);
    disk_.reset();
    calls_left_ = 0;
    off_ = false;
}

std::set<std::uint64_t> sampled_calls(std::uint64_t calls, std::size_t wanted,
                                      std::mt19937_64& random) {
    std::set<std::uint64_t> out;
    wanted = std::min<std::size_t>(wanted, calls);
    for (std::uint64_t n = 1; n <= wanted / 4; ++n) out.insert(n);
    for (std::uint64_t n = 0; n < wanted / 4; ++n) out.insert(calls - n);
    while (out.size() < wanted) out.insert(1 + random() % calls);
    return out;
}

}  // namespace fendex::test
