// Files and stdin, plain or compressed, as a stream of bytes.
//
// Callers read a source into buffers of any size. Its own memory is constant (a buffer and the
// decoder's window). Offsets count bytes of the input as it lies on disk, so for an archive they
// are compressed bytes. A source belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace fendex::pgn {

/// The input cannot be opened or read, or its archive is damaged. what() is a whole message for the
/// user: which input, what is wrong, at which byte, and what can be done about it. Control
/// characters in a path are not escaped here, but when the message is shown.
class SourceError : public std::runtime_error {
  public:
    SourceError(const std::string& message, std::uint64_t byte,
                std::optional<std::uint64_t> wrong_from = std::nullopt)
        : std::runtime_error(message), byte_(byte), wrong_from_(wrong_from) {}

    /// The (compressed) offset at which the damage was noticed; never beyond the end of the input.
    std::uint64_t byte() const noexcept { return byte_; }
    /// From this offset in the text, delivered bytes may differ from those that were compressed;
    /// empty if all are right.
    std::optional<std::uint64_t> wrong_from() const noexcept { return wrong_from_; }

  private:
    std::uint64_t byte_;
    std::optional<std::uint64_t> wrong_from_;
};

class ByteSource {
  public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    /// Fills as much of `out` (not empty) as is available now and returns the number of bytes. At
    /// the end it returns 0, and does so in all later calls. Throws SourceError, but only after
    /// earlier calls have returned everything that could be decoded before the damage. After that
    /// every call throws.
    [[nodiscard]] virtual std::size_t read(std::span<char> out) = 0;

    /// Bytes of the (compressed) input consumed so far: what a progress bar needs.
    virtual std::uint64_t compressed_offset() const = 0;

    /// From this offset in the text, delivered bytes have not yet been compared with the archive's
    /// checksum; empty if all have been, or if there is no checksum.
    virtual std::optional<std::uint64_t> unchecked_from() const { return std::nullopt; }

    /// Valid at the end of the input: a sentence about bytes after the archive that were ignored,
    /// as gzip and bzip2 ignore them with a warning; else empty.
    virtual std::string warning() const { return {}; }
};

/// Appends at most `bytes` to a buffer. Returns false at the end, which is also where reading
/// fails; then `failure` has the SourceError.
[[nodiscard]] inline bool read_more(ByteSource& source, std::size_t bytes, std::string& buffer,
                                    std::exception_ptr& failure) {
    const std::size_t size = buffer.size();
    buffer.resize(size + bytes);
    std::size_t got = 0;
    try {
        got = source.read(std::span<char>(buffer.data() + size, bytes));
    } catch (const SourceError&) {
        failure = std::current_exception();
    }
    buffer.resize(size + got);
    return got != 0;
}

class OpenArchive;

struct SourceOptions {
    /// The largest zstd window accepted, as log2 of bytes: 27 = 128 MiB, which the decoder
    /// allocates. From 10 to 31; std::invalid_argument for anything else.
    int zstd_window_log = 27;
    /// Called while a pipe or a terminal delivers nothing; if it returns true, the input ends
    /// there. May be empty.
    std::function<bool()> stop = {};
    /// Makes it quick to open one member of an archive after the other (pgn/member_source.hpp). May
    /// be empty.
    std::shared_ptr<OpenArchive> open_archive = {};
};

/// Opens a file, a file in a .zip or .7z archive (pgn/member_path.hpp), or stdin for "-". zstd,
/// gzip and bzip2 are recognised by their first bytes, never by the name; anything else is plain.
/// UTF-16 with a byte order mark is read as UTF-8. Throws SourceError if it cannot be opened, if it
/// is a directory, if it is a whole .zip or .7z archive, or an archive of another kind (xz, rar
/// ...), which is never PGN text.
[[nodiscard]] std::unique_ptr<ByteSource> open_source(const std::string& path,
                                                      const SourceOptions& options = {});

/// Returns the size of a regular file on disk in bytes; for a member of an archive, the size of the
/// archive. nullopt for stdin ("-"), for pipes and devices, and if the path cannot be examined
/// (open_source() reports why).
[[nodiscard]] std::optional<std::uint64_t> source_size(const std::string& path);

/// Returns the size of a file's text. That is the size of plain text on disk, the size that a .zip
/// or .7z archive states for a file in it, or the size that the frames of a zstd archive state. If
/// it is not known, eight times the compressed size is returned. If the result is larger than
/// `limit`, which should be some megabytes, the real size may be larger still. nullopt in the same
/// cases as source_size().
[[nodiscard]] std::optional<std::uint64_t> text_size(const std::string& path, std::uint64_t limit,
                                                     const SourceOptions& options = {});

}  // namespace fendex::pgn
