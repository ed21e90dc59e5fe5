#include "pgn/inputs.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/error_text.hpp"
#include "pgn/archive_contents.hpp"
#include "pgn/file_names.hpp"
#include "pgn/member_path.hpp"

namespace fendex::pgn {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw std::runtime_error((path.empty() ? "''" : path) + ": " + what);
}

struct CloseDirectory {
    void operator()(DIR* directory) const { ::closedir(directory); }
};

/// Collects the archives below one directory.
class Walk {
  public:
    explicit Walk(const std::string& root) { walk(root); }

    std::vector<std::string> take_sorted() {
        std::ranges::sort(found_);
        return std::move(found_);
    }

  private:
    /// Follows links only after everything that can be reached without them has been seen. So a
    /// real path is preferred to a link, and a link to a directory above leads to nothing new.
    void walk(const std::string& root) {
        directories_.push_back(root);
        for (;;) {
            if (!directories_.empty()) {
                const std::string directory = std::move(directories_.back());
                directories_.pop_back();
                list(directory);
            } else if (!links_.empty()) {
                const std::string link = *links_.begin();
                links_.erase(links_.begin());
                follow(link);
            } else {
                return;
            }
        }
    }

    void list(const std::string& directory) {
        struct stat status {};
        if (::stat(directory.c_str(), &status) != 0) {
            fail(directory, "cannot be examined: " + base::error_text(errno));
        }
        if (!is_new(status)) {
            return;
        }
        // Not std::filesystem's iterator, which ends the program when memory runs out.
        const std::unique_ptr<DIR, CloseDirectory> entries(::opendir(directory.c_str()));
        if (!entries) fail_to_list(directory);
        for (;;) {
            errno = 0;
            const dirent* entry = ::readdir(entries.get());
            if (entry == nullptr) break;
            const std::string_view name = entry->d_name;
            if (name == "." || name == "..") continue;
            const std::string path = (fs::path(directory) / name).string();
            struct stat entry_status {};
            if (::lstat(path.c_str(), &entry_status) != 0) {
                continue;  // removed since it was listed
            }
            if (S_ISLNK(entry_status.st_mode)) {
                links_.insert(path);
            } else {
                add(path, entry_status);
            }
        }
        if (errno != 0) fail_to_list(directory);
    }

    [[noreturn]] static void fail_to_list(const std::string& directory) {
        fail(directory, "cannot be listed: " + base::error_text(errno));
    }

    void follow(const std::string& link) {
        struct stat status {};
        if (::stat(link.c_str(), &status) == 0) {
            add(link, status);
        } else if (is_archive_name(link)) {
            fail(link, "is a link that leads to no file: " + base::error_text(errno));
        }
    }

    void add(const std::string& path, const struct stat& status) {
        if (S_ISDIR(status.st_mode)) {
            directories_.push_back(path);
        } else if (S_ISREG(status.st_mode) && is_archive_name(path) && is_new(status)) {
            found_.push_back(path);
        }
    }

    bool is_new(const struct stat& status) {
        return seen_.emplace(status.st_dev, status.st_ino).second;
    }

    std::vector<std::string> directories_;  // still to be listed
    std::set<std::string> links_;           // still to be followed
    std::set<std::pair<dev_t, ino_t>> seen_;
    std::vector<std::string> found_;
};

/// Adds a file, or the files in it if it is a .zip or .7z archive.
void add_file(std::string path, std::vector<std::string>& inputs,
              std::vector<std::string>* notices) {
    if (!is_archive_file(path)) {
        inputs.push_back(std::move(path));
        return;
    }
    ArchiveContents contents = list_archive(path);
    std::move(contents.inputs.begin(), contents.inputs.end(), std::back_inserter(inputs));
    if (contents.problem) inputs.push_back(std::move(path));
    if (notices != nullptr && !contents.left_out.empty()) {
        notices->push_back(std::move(contents.left_out));
    }
}

/// Returns whether the path names a file in an archive.
bool names_member(const std::string& path) {
    const std::optional<MemberPath> member = split_member(path);
    return member && is_archive_file(member->archive);
}

}  // namespace

bool is_archive_name(std::string_view name) { return is_pgn_name(name) || is_container_name(name); }

std::vector<std::string> expand_inputs(const std::vector<std::string>& args,
                                       std::vector<std::string>* notices) {
    std::vector<std::string> inputs;
    for (const std::string& arg : args) {
        if (arg == "-" || names_member(arg)) {
            inputs.push_back(arg);
            continue;
        }
        struct stat status {};
        if (::stat(arg.c_str(), &status) != 0) {
            fail(arg, errno == ENOENT ? "no such file or directory"
                                      : "cannot be examined: " + base::error_text(errno));
        }
        if (!S_ISDIR(status.st_mode)) {
            add_file(arg, inputs, notices);
            continue;
        }
        std::vector<std::string> found = Walk(arg).take_sorted();
        if (found.empty()) {
            fail(arg,
                 "no .pgn, .pgn.zst, .pgn.gz, .pgn.bz2, .zip or .7z file in this directory or "
                 "below it");
        }
        for (std::string& path : found) add_file(std::move(path), inputs, notices);
    }
    return inputs;
}

}  // namespace fendex::pgn
