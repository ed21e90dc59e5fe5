#include "upkeep/backup.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "base/unfinished.hpp"
#include "store/sqlite/file/database_files.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/writer/database_copy.hpp"
#include "store/sqlite/writer/writer_lock.hpp"
#include "store/store_error.hpp"
#include "upkeep/compact.hpp"
#include "upkeep/database_check.hpp"

namespace fendex::upkeep {

namespace {

[[noreturn]] void refuse_target(const std::string& target, const std::string& why) {
    throw store::StoreError(store::StoreError::kOther, target + ": " + why);
}

/// Returns whether a file that cannot be opened for this reason may be replaced. If, for example,
/// memory has run out, the file may be a good backup.
bool is_of_no_use(store::StoreError::Kind kind) {
    return kind == store::StoreError::kNotADatabase || kind == store::StoreError::kOlderFormat ||
           kind == store::StoreError::kNewerFormat;
}

/// Game numbers only grow: if the database has a smaller last number, it is another database or an
/// older copy.
void refuse_newer(const std::string& database, const std::string& target) {
    const auto last_game = [](const std::string& path) -> std::optional<store::GameId> {
        try {
            return store::file_store(path)->reader()->last_game();
        } catch (const store::DamageError&) {
            return std::nullopt;  // a damaged backup is worth replacing
        } catch (const store::StoreError& error) {
            if (!is_of_no_use(error.kind())) throw;
            return std::nullopt;
        }
    };
    const store::GameId here = store::file_store(database)->reader()->last_game();
    const auto there = last_game(target);
    if (there && *there > here) {
        refuse_target(target, "has games up to number " + std::to_string(*there) + ", but '" +
                                  database + "' only up to " + std::to_string(here) +
                                  ": are the two swapped? If not, move '" + target +
                                  "' away first");
    }
}

[[noreturn]] void refuse_as_unfinished(const std::string& target, const std::string& file) {
    refuse_target(target, "is in use, or was left in the middle of a change ('" + file +
                              "' exists): it is not replaced");
}

/// Returns whether other processes have the database open. Files left by killed processes were
/// removed when the database was last read.
bool is_open(const std::string& real) {
    return std::filesystem::exists(real + "-wal") || std::filesystem::exists(real + "-shm");
}

/// Gives a new file the permissions of the file that it replaces, else those of the database.
void copy_permissions(int fd, const std::string& database, const std::string& target) {
    struct stat status {};
    if (::stat(target.c_str(), &status) != 0 && ::stat(database.c_str(), &status) != 0) return;
    if (::fchmod(fd, status.st_mode & 0777U) != 0) return;  // some file systems have no permissions
}

class Descriptor {
  public:
    explicit Descriptor(const std::string& path) : fd_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
        if (fd_ < 0) throw std::system_error(errno, std::generic_category(), path);
    }
    ~Descriptor() { ::close(fd_); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
};

/// The result refers to `options`.
store::CopyOptions copy_options(const BackupOptions& options) {
    store::CopyOptions copying;
    copying.pages_at_once = options.pages_at_once;
    copying.stop = options.stop;
    copying.progress = [&options](double share) {
        if (options.progress) options.progress(BackupPhase::kCopying, share);
    };
    return copying;
}

/// Writes the copy, compacted if that is wanted. Returns false if it was stopped.
bool write_copy(const std::string& database, const std::string& copy,
                const BackupOptions& options) {
    if (!store::copy_database(database, copy, copy_options(options))) return false;
    if (!options.compact) return true;
    upkeep::CompactOptions compacting;
    compacting.threads = options.threads;
    compacting.memory_bytes = options.memory_bytes;
    compacting.stop = options.stop;
    compacting.progress = [&](upkeep::CompactPhase phase, double share) {
        if (!options.progress) return;
        options.progress(BackupPhase::kCompacting,
                         phase == upkeep::CompactPhase::kVacuum ? 1 : share);
    };
    return upkeep::compact(copy, compacting);
}

CheckReport check_copy(const std::string& copy, const BackupOptions& options) {
    CheckOptions checking;
    checking.threads = options.threads;
    checking.memory_bytes = options.memory_bytes;
    checking.stop = options.stop;
    checking.progress = [&](const CheckProgress& progress) {
        if (!options.progress || progress.total == 0) return;
        const double share =
            static_cast<double>(progress.done) / static_cast<double>(progress.total);
        options.progress(BackupPhase::kChecking, share);
    };
    return check_database(copy, checking);
}

}  // namespace

void require_replaceable(const std::string& database, const std::string& target) {
    store::file_store(database)->require_readable();
    if (store::belongs_to_database(database, target)) {
        refuse_target(target, "is the database itself, or a file that belongs to it");
    }
    std::error_code error;
    const auto status = std::filesystem::status(target, error);
    if (status.type() == std::filesystem::file_type::not_found) return;
    if (std::filesystem::is_directory(status)) {
        refuse_target(target, "is a directory: name the file that is to hold the copy");
    }
    if (!std::filesystem::is_regular_file(status) || !store::looks_like_fendex(target)) {
        refuse_target(target, "is not a database of fendex: a backup replaces nothing else");
    }
    const std::string real = store::real_path(target);
    if (store::log_has_content(target)) refuse_as_unfinished(target, real + "-wal");
    if (std::filesystem::exists(real + "-journal")) refuse_as_unfinished(target, real + "-journal");
    refuse_newer(database, target);
}

BackupReport back_up(const std::string& database, const std::string& target,
                     const BackupOptions& options) {
    // A backup replaces the file that a link points to, not the link.
    const std::string real = store::real_path(target);
    // Two backups to the same file would discard each other's work.
    const store::WriterLock lock(real, "backup");
    require_replaceable(database, target);
    const base::UnfinishedDirectory directory(real);
    const std::string copy = directory.path() + "/copy.db";
    BackupReport report;
    if (!write_copy(database, copy, options)) {
        report.stopped = true;
        return report;
    }
    CheckReport checked = check_copy(copy, options);
    report.stopped = checked.stopped;
    if (report.stopped) return report;
    report.findings = std::move(checked.findings);
    report.games = checked.games;
    if (!report.findings.empty()) return report;
    {
        const Descriptor file(copy);
        copy_permissions(file.get(), database, real);
        base::sync_file(file.get());
    }
    report.bytes = std::filesystem::file_size(copy);
    if (is_open(real)) {
        // If a new file took its place, the processes that read the old one would share their log
        // with it.
        report.stopped = !store::overwrite_database(real, copy, copy_options(options));
    } else {
        base::rename_durably(copy, real);
    }
    return report;
}

}  // namespace fendex::upkeep
