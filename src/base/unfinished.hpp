// Files and directories that are being written. They get their name only when they are complete and
// on the disk. If that does not happen, nothing is left of them. Remains of a killed process are
// removed by the next process that writes the same target. One thread at a time. Errors are
// std::system_error.
//
// If the file system supports it, a file has no name while it is written, so that it disappears
// with its process. Otherwise it is called TARGET.fendex-part-PID. Its writer holds a flock() on
// it, which ends with the process: an unlocked file is left over from a killed process.
#pragma once

#include <csignal>
#include <iterator>
#include <string>

namespace fendex::base {

/// Renames a complete file to `target`, replacing a file of that name. If the power fails after
/// this call has returned, the name leads to the new file; if it fails earlier, to the old or the
/// new one. The file's bytes must already be on the disk.
void rename_durably(const std::string& from, const std::string& target);

/// Waits until the file's bytes are on the disk.
void sync_file(int fd);

/// Removes the files and directories TARGET.fendex-part-PID of processes that were killed. Those of
/// living processes are locked and stay, as do those that cannot be removed.
void remove_remains(const std::string& target);

class UnfinishedFile {
  public:
    enum class Name {
        kNoneIfPossible,
        kTemporary,  // for tests: as on file systems without unnamed files
    };

    /// Removes remains first.
    explicit UnfinishedFile(const std::string& target, Name name = Name::kNoneIfPossible);
    /// Removes the file unless finish() was called.
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    int fd() const { return fd_; }
    void finish();

  private:
    bool open_without_name();
    void open_with_name();

    std::string target_;
    std::string temporary_;  // empty: it has no name
    int fd_ = -1;
};

/// A directory for a file that needs other files beside it while it is made.
class UnfinishedDirectory {
  public:
    /// Removes remains first.
    explicit UnfinishedDirectory(const std::string& target);
    /// Removes the directory and everything in it.
    ~UnfinishedDirectory();
    UnfinishedDirectory(const UnfinishedDirectory&) = delete;
    UnfinishedDirectory& operator=(const UnfinishedDirectory&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
    int fd_ = -1;
};

/// While it exists, SIGINT, SIGTERM and SIGHUP first remove an UnfinishedFile that has a temporary
/// name, and then end the process as usual. Ignored signals stay ignored. Only one object at a
/// time.
class RemoveFileOnSignal {
  public:
    RemoveFileOnSignal();
    ~RemoveFileOnSignal();
    RemoveFileOnSignal(const RemoveFileOnSignal&) = delete;
    RemoveFileOnSignal& operator=(const RemoveFileOnSignal&) = delete;

  private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before_[std::size(kSignals)]{};
};

}  // namespace fendex::base
