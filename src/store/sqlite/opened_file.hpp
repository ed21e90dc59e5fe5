// What this process knows of database files that it has open: whether others write one, and whether
// another file has taken the name of one. Any thread.
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

/// Notices what is written to a file after this object was made, also if it loses its name.
class OpenedFile {
  public:
    /// Waits some milliseconds if the file was written only just now: a write after it might leave
    /// the same time.
    explicit OpenedFile(const std::string& path);
    ~OpenedFile();
    OpenedFile(OpenedFile&& other) noexcept;
    OpenedFile& operator=(OpenedFile&& other) noexcept;

    [[nodiscard]] bool is_written() const;

  private:
    int fd_;  // negative if there is no such file
    FileState opened_;
};

/// Connections with the same log hold this. The log is found by the database's name: if a file has
/// been replaced by another, connections to the other one would take the log for theirs. Returns
/// null if this process has such connections to the earlier file.
[[nodiscard]] std::shared_ptr<const FileState> share_log(const std::string& database);
/// Returns whether the log, if there is one, belongs to an earlier file of this name.
[[nodiscard]] bool is_log_of_earlier_file(const std::string& database);

}  // namespace fendex::store
