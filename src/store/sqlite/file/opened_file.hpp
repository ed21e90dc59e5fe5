// Watches the database files that this process has open: whether another process writes a file, and
// whether another file has got its name. Any thread.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <string>

namespace fendex::store {

struct FileState {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    timespec modified{};

    [[nodiscard]] bool is_same_file(const FileState& other) const {
        return device == other.device && inode == other.inode;
    }
};

/// Detects writes to a file after this object was made, even if the file has lost its name.
class OpenedFile {
  public:
    /// Waits some milliseconds if the file was written just before: the next write might leave the
    /// same time of modification.
    explicit OpenedFile(const std::string& path);
    ~OpenedFile();
    OpenedFile(OpenedFile&& other) noexcept;
    OpenedFile& operator=(OpenedFile&& other) noexcept;

    [[nodiscard]] bool is_written() const;

  private:
    int fd_;  // negative if there is no such file
    FileState opened_;
};

/// Returns an object that all connections with the same log hold. SQLite finds the log by the name
/// of the database. If the file has been replaced, connections to the new file would therefore use
/// the log of the earlier one: returns null if this process still has connections to the earlier
/// file.
[[nodiscard]] std::shared_ptr<const FileState> share_log(const std::string& database);
/// Returns whether the log, if there is one, belongs to an earlier file of this name.
[[nodiscard]] bool is_log_of_earlier_file(const std::string& database);

}  // namespace fendex::store
