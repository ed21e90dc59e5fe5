// One pass over the files in a .zip or .7z archive on disk, in the archive's order, with
// libarchive. Nothing is unpacked to disk, and memory does not grow with what is in the archive:
// names of its files are only names, never paths.
//
// An archive belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

enum class ArchiveKind { kZip, kSevenZip };

/// Recognises an archive by its first bytes.
std::optional<ArchiveKind> archive_kind(std::string_view head);

/// Says how messages name a kind of archive.
struct ArchiveWords {
    std::string name;    // "zip"
    std::string test;    // a command that tests a file
    std::string unpack;  // a command that writes the contents of a file to stdout
};
const ArchiveWords& words_of(ArchiveKind kind);

class ArchiveFile {
  public:
    /// An archive with more files, or a longer name, is refused.
    static constexpr std::size_t kMaxMembers = 65'535;
    static constexpr std::size_t kMaxNameBytes = 1024;

    struct Member {
        std::string given_name;
        /// The same if no file before has that name, else with " (2)" or so at its end.
        std::string name;
        std::optional<std::uint64_t> size;  // of the text; empty if the archive does not say it
        bool is_file = false;               // not a directory, a link or the like
        bool is_encrypted = false;
    };

    /// `stop`: if it returns true, reading fails. Throws SourceError if the file cannot be opened
    /// or is not such an archive, or if libarchive is not installed.
    explicit ArchiveFile(const std::string& path, std::function<bool()> stop = {});
    ~ArchiveFile();
    ArchiveFile(const ArchiveFile&) = delete;
    ArchiveFile& operator=(const ArchiveFile&) = delete;

    const std::string& path() const { return path_; }
    ArchiveKind kind() const { return kind_; }

    /// Goes on to the next member; null at the end. Throws SourceError.
    const Member* next();
    const Member& member() const { return member_; }
    /// Returns a piece of the member's text, valid until the next call; empty at its end, when its
    /// checksum has been compared. Messages call the member `name`. Throws SourceError, once all
    /// text before the damage has been returned.
    std::span<const char> read(const std::string& name);

    /// The place in the file on disk up to which it has been read.
    std::uint64_t offset() const;
    /// False after an error, and if the path does not lead to this file any more.
    bool can_go_on() const;

  private:
    struct Input;
    struct Reader;

    std::string unique(const std::string& name);
    SourceError list_error() const;
    SourceError text_error(const std::string& name, int result) const;
    std::optional<SourceError> reading_error(const std::string& name) const;
    std::string reason() const;

    std::string path_;
    ArchiveKind kind_ = ArchiveKind::kZip;
    std::unique_ptr<Input> input_;
    std::unique_ptr<Reader> reader_;
    std::unordered_map<std::string, std::size_t> names_;  // how many files before had each
    std::size_t count_ = 0;
    Member member_;
    bool text_returned_ = false;  // some of the member's
    std::optional<SourceError> failure_;
};

}  // namespace fendex::pgn
