// Files and directories that are being written: they get their name when they are complete and on
// the disk, and leave nothing behind otherwise. What a killed process left is removed by the next
// one that writes the same target. One thread at a time. Errors are std::system_error.
//
// Where the file system can do it, a file has no name at all while it is written, so that it goes
// with the process. Otherwise it is called TARGET.fendex-part-PID. Its writer holds a flock() on
// it, which ends with the process: an unlocked one is a remain.
#pragma once

#include <csignal>
#include <iterator>
#include <string>

namespace fendex::base {

/// Gives a complete file the name `target`, in place of what had it: after this call a power cut
/// leaves the new file there, before it the old one. The file's bytes must be on the disk.
void rename_durably(const std::string& from, const std::string& target);

/// Waits until the file's bytes are on the disk.
void sync_file(int fd);

class UnfinishedFile {
  public:
    enum class Name {
        kNoneIfPossible,
        kTemporary,  // for tests: as on file systems that know only files with names
    };

    /// Removes remains first.
    explicit UnfinishedFile(const std::string& target, Name name = Name::kNoneIfPossible);
    /// Removes it unless it is finished.
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

/// A directory for what becomes one file and needs others beside it meanwhile.
class UnfinishedDirectory {
  public:
    /// Removes remains first.
    explicit UnfinishedDirectory(const std::string& target);
    /// Removes it with all that is in it.
    ~UnfinishedDirectory();
    UnfinishedDirectory(const UnfinishedDirectory&) = delete;
    UnfinishedDirectory& operator=(const UnfinishedDirectory&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
    int fd_ = -1;
};

/// While it lives, SIGINT, SIGTERM and SIGHUP remove an UnfinishedFile that has a temporary name
/// before they end the process as they would without. Signals that are ignored stay ignored. One
/// at a time.
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
