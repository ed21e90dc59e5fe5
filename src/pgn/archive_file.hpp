// One pass over the files in a .zip or .7z archive on disk, in the archive's order, with
// libarchive. Nothing is unpacked to disk, and memory does not grow with the size of the files.
// Their names are never used as paths on disk.
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

/// The words that messages use for a kind of archive.
struct ArchiveWords {
    std::string name;    // "zip"
    std::string test;    // a command that tests a file
    std::string unpack;  // a command that writes the contents of a file to stdout
};
const ArchiveWords& words_of(ArchiveKind kind);

class ArchiveFile {
  public:
    /// Archives with more files, or with a longer name, are refused.
    static constexpr std::size_t kMaxMembers = 65'535;
    static constexpr std::size_t kMaxNameBytes = 1024;

    struct Member {
        std::string given_name;
        /// given_name, made unique: a repeated name gets " (2)", " (3)" ... at its end.
        std::string name;
        std::optional<std::uint64_t> size;  // of the text; empty if the archive does not say it
        bool is_file = false;               // not a directory, a link or the like
        bool is_encrypted = false;
    };

    /// If `stop` returns true, reading fails. Throws SourceError if the file cannot be opened or is
    /// not a .zip or .7z archive, or if libarchive is not installed.
    explicit ArchiveFile(const std::string& path, std::function<bool()> stop = {});
    ~ArchiveFile();
    ArchiveFile(const ArchiveFile&) = delete;
    ArchiveFile& operator=(const ArchiveFile&) = delete;

    const std::string& path() const { return path_; }
    ArchiveKind kind() const { return kind_; }

    /// Moves to the next member and returns it; null at the end. Throws SourceError.
    const Member* next();
    const Member& member() const { return member_; }
    /// Returns a piece of the member's text, valid until the next call. It is empty at the end of
    /// the text, after the checksum has been compared. Messages call the member `name`. Throws
    /// SourceError after all text before the damage has been returned.
    std::span<const char> read(const std::string& name);

    /// The offset up to which the file on disk has been read.
    std::uint64_t offset() const;
    /// Returns whether reading can go on: false after an error, and if the file at the path has
    /// changed.
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
    std::unordered_map<std::string, std::size_t> names_;  // names so far, with their last numbers
    std::size_t count_ = 0;
    Member member_;
    bool text_returned_ = false;  // some of the member's text
    std::optional<SourceError> failure_;
};

}  // namespace fendex::pgn
