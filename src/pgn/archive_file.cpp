#include "pgn/archive_file.hpp"

#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error_text.hpp"
#include "pgn/archive_errors.hpp"
#include "pgn/file_source.hpp"
#include "pgn/hole.hpp"
#include "pgn/libarchive.hpp"

namespace fendex::pgn {
namespace {

using namespace std::string_view_literals;

constexpr std::array kKinds{
    std::pair{"PK\x03\x04"sv, ArchiveKind::kZip},
    std::pair{"PK\x05\x06"sv, ArchiveKind::kZip},  // without files
    std::pair{"7z\xbc\xaf\x27\x1c"sv, ArchiveKind::kSevenZip},
};

/// While an object of this class lives, libarchive converts names to UTF-8 in this thread. In the
/// locale "C" it would drop names that are not ASCII.
class Utf8Names {
  public:
    Utf8Names() {
        static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
        if (utf8 != nullptr) before_ = ::uselocale(utf8);
    }
    Utf8Names(const Utf8Names&) = delete;
    Utf8Names& operator=(const Utf8Names&) = delete;
    ~Utf8Names() {
        if (before_ != nullptr) ::uselocale(before_);
    }

  private:
    locale_t before_ = nullptr;
};

/// Reads into `out` at a place in the file. Returns 0 at its end, and -1 with errno set.
ssize_t read_at(int descriptor, std::span<char> out, la_int64_t at) {
    ssize_t count = 0;
    do {
        count = ::pread(descriptor, out.data(), out.size(), static_cast<off_t>(at));
    } while (count < 0 && errno == EINTR);
    return count;
}

/// Returns where the .zip archive ends in a file of this size, before a run of zeros. A broken
/// transfer leaves such zeros if the file had its full size from the beginning. A decoder must not
/// read them: its output would not be text.
la_int64_t end_of_zip(int descriptor, la_int64_t size) {
    std::vector<char> buffer(std::size_t{64} << 10);
    la_int64_t end = size;
    while (end > 0) {
        const la_int64_t begin = std::max<la_int64_t>(0, end - std::ssize(buffer));
        const auto piece = std::span(buffer).first(static_cast<std::size_t>(end - begin));
        if (read_at(descriptor, piece, begin) != std::ssize(piece)) return size;
        const auto last = std::find_if(piece.rbegin(), piece.rend(), [](char c) { return c != 0; });
        end = begin + (piece.rend() - last);
        if (last != piece.rend()) break;
    }
    if (size - end < la_int64_t{kMinHole}) return size;
    // The record at the end of a whole archive may itself end with zeros.
    constexpr std::size_t kRecordBytes = 22;
    std::array<char, kRecordBytes> record{};
    const la_int64_t begin = std::max<la_int64_t>(0, end - std::ssize(record));
    const ssize_t count = read_at(descriptor, record, begin);
    const std::string_view bytes(record.data(),
                                 static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    const std::size_t at = bytes.rfind("PK\x05\x06"sv);
    return at == bytes.npos ? end : begin + static_cast<la_int64_t>(at + kRecordBytes);
}

}  // namespace

std::optional<ArchiveKind> archive_kind(std::string_view head) {
    for (const auto& [magic, kind] : kKinds) {
        if (head.starts_with(magic)) return kind;
    }
    return std::nullopt;
}

const ArchiveWords& words_of(ArchiveKind kind) {
    static const ArchiveWords zip{"zip", "unzip -t", "unzip -p"};
    static const ArchiveWords seven_zip{"7z", "7z t", "7z x -so"};
    return kind == ArchiveKind::kZip ? zip : seven_zip;
}

/// The input of libarchive: the file on disk, which it can read at any offset.
struct ArchiveFile::Input {
    static constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

    Input(const std::string& path, std::function<bool()> stop_function)
        : descriptor(open_descriptor(path, path)),
          stop(std::move(stop_function)),
          buffer(kBufferBytes) {
        if (::fstat(descriptor.get(), &status) != 0) status = {};
        end = status.st_size;
    }

    static la_ssize_t read(archive*, void* data, const void** bytes) {
        auto& input = *static_cast<Input*>(data);
        input.stopped = input.stop && input.stop();
        if (input.stopped) return ARCHIVE_FATAL;
        const la_int64_t left = std::max<la_int64_t>(0, input.end - input.at);
        const std::span<char> out = std::span(input.buffer)
                                        .first(static_cast<std::size_t>(
                                            std::min<la_int64_t>(left, std::ssize(input.buffer))));
        const ssize_t count = out.empty() ? 0 : read_at(input.descriptor.get(), out, input.at);
        if (count < 0) {
            input.error = errno;
            return ARCHIVE_FATAL;
        }
        if (!input.hole_at) {
            const auto hole = find_hole({out.data(), static_cast<std::size_t>(count)});
            if (hole) input.hole_at = static_cast<std::uint64_t>(input.at) + hole->begin;
        }
        input.at += count;
        input.ended = count == 0;
        *bytes = input.buffer.data();
        return count;
    }

    static la_int64_t seek(archive*, void* data, la_int64_t offset, int whence) {
        auto& input = *static_cast<Input*>(data);
        if (whence == SEEK_CUR) offset += input.at;
        if (whence == SEEK_END) offset += input.end;
        if (offset < 0) return ARCHIVE_FATAL;
        input.at = offset;
        input.ended = false;
        return offset;
    }

    /// Returns whether zeros follow the archive in the file.
    bool is_padded() const { return end < status.st_size; }

    Descriptor descriptor;
    std::function<bool()> stop;
    std::vector<char> buffer;
    struct stat status {};
    la_int64_t end = 0;  // where the archive ends in the file
    la_int64_t at = 0;
    std::optional<std::uint64_t> hole_at;  // the first hole that was read
    bool ended = false;                    // the last read found no more bytes
    bool stopped = false;
    int error = 0;  // errno
};

struct ArchiveFile::Reader {
    explicit Reader(const LibArchive& functions) : library(functions), in(library.read_new()) {
        if (in == nullptr) throw std::bad_alloc();
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { library.read_free(in); }

    const LibArchive& library;
    archive* in;
};

ArchiveFile::ArchiveFile(const std::string& path, std::function<bool()> stop)
    : path_(path), input_(std::make_unique<Input>(path, std::move(stop))) {
    std::array<char, FileSource::kPeek> head{};
    const ssize_t size = read_at(input_->descriptor.get(), head, 0);
    const std::optional<ArchiveKind> kind =
        archive_kind({head.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))});
    if (!kind) throw SourceError(path + ": is not a .zip or .7z archive", 0);
    kind_ = *kind;
    try {
        reader_ = std::make_unique<Reader>(libarchive());
    } catch (const std::runtime_error& error) {
        throw SourceError(path + ": " + error.what(), 0);
    }
    const LibArchive& library = reader_->library;
    archive* const in = reader_->in;
    if (kind_ == ArchiveKind::kZip) {
        input_->end = end_of_zip(input_->descriptor.get(), input_->end);
        library.read_support_format_zip(in);
    } else {
        library.read_support_format_7zip(in);
    }
    library.read_set_read_callback(in, Input::read);
    library.read_set_seek_callback(in, Input::seek);
    library.read_set_callback_data(in, input_.get());
    if (library.read_open1(in) != ARCHIVE_OK) throw SourceError(list_error());
}

ArchiveFile::~ArchiveFile() = default;

const ArchiveFile::Member* ArchiveFile::next() {
    if (failure_) throw SourceError(*failure_);
    const LibArchive& library = reader_->library;
    archive_entry* entry = nullptr;
    const Utf8Names names;
    const int result = library.read_next_header(reader_->in, &entry);
    if (result == ARCHIVE_EOF) return nullptr;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
        failure_ = list_error();
        throw SourceError(*failure_);
    }
    ++count_;
    const char* const name = library.entry_pathname(entry);
    std::string text = name != nullptr ? name : "file " + std::to_string(count_);
    if (count_ > kMaxMembers || text.size() > kMaxNameBytes) {
        failure_.emplace(
            path_ + ": has " +
                (count_ > kMaxMembers ? "more than " + std::to_string(kMaxMembers) + " files"
                                      : "a file whose name has more than " +
                                            std::to_string(kMaxNameBytes) + " bytes") +
                " in it; unpack it first",
            offset());
        throw SourceError(*failure_);
    }
    member_.name = unique(text);
    member_.given_name = std::move(text);
    member_.size.reset();
    if (library.entry_size_is_set(entry) != 0 && library.entry_size(entry) >= 0) {
        member_.size = static_cast<std::uint64_t>(library.entry_size(entry));
    }
    member_.is_file = library.entry_filetype(entry) == AE_IFREG;
    member_.is_encrypted = library.entry_is_encrypted(entry) != 0;
    text_returned_ = false;
    return &member_;
}

std::span<const char> ArchiveFile::read(const std::string& name) {
    while (!failure_) {
        const void* bytes = nullptr;
        std::size_t size = 0;
        la_int64_t place = 0;
        const int result = reader_->library.read_data_block(reader_->in, &bytes, &size, &place);
        if (result == ARCHIVE_EOF) return {};
        // A wrong checksum is a warning, which comes with the last piece of the text.
        if (result == ARCHIVE_WARN) text_returned_ = text_returned_ || size != 0;
        if (result != ARCHIVE_OK) failure_ = text_error(name, result);
        if ((result == ARCHIVE_OK || result == ARCHIVE_WARN) && size != 0) {
            text_returned_ = true;
            return {static_cast<const char*>(bytes), size};
        }
    }
    throw SourceError(*failure_);
}

std::uint64_t ArchiveFile::offset() const { return static_cast<std::uint64_t>(input_->at); }

bool ArchiveFile::can_go_on() const {
    struct stat now {};
    const struct stat& then = input_->status;
    return !failure_ && ::stat(path_.c_str(), &now) == 0 && now.st_dev == then.st_dev &&
           now.st_ino == then.st_ino && now.st_size == then.st_size &&
           now.st_mtim.tv_sec == then.st_mtim.tv_sec && now.st_mtim.tv_nsec == then.st_mtim.tv_nsec;
}

std::string ArchiveFile::unique(const std::string& name) {
    std::string out = name;
    while (names_.count(out) != 0) out = name + " (" + std::to_string(++names_[name]) + ")";
    names_[out] = 1;
    return out;
}

std::string ArchiveFile::reason() const {
    const char* const text = reader_->library.error_string(reader_->in);
    std::string out = text != nullptr ? text : "the list of its files is wrong";
    while (!out.empty() && (out.back() == '\n' || out.back() == '.')) out.pop_back();
    return out;
}

std::optional<SourceError> ArchiveFile::reading_error(const std::string& name) const {
    if (input_->stopped) return SourceError(name + ": was not read to its end", offset());
    if (input_->error == 0) return std::nullopt;
    return SourceError(name + ": cannot be read at byte " + std::to_string(offset()) + ": " +
                           base::error_text(input_->error),
                       offset());
}

SourceError ArchiveFile::list_error() const {
    if (auto error = reading_error(path_)) return *error;
    if (count_ == 0 && reader_->library.read_has_encrypted_entries(reader_->in) == 1) {
        return {path_ + ": is encrypted; unpack it first", offset()};
    }
    const ArchiveWords& words = words_of(kind_);
    if (input_->ended) {
        return cut_off_archive(path_, words.name, offset(), input_->is_padded(), std::nullopt,
                               std::nullopt);
    }
    return damaged_archive(path_, words.name, words.test, offset(), reason(), std::nullopt);
}

SourceError ArchiveFile::text_error(const std::string& name, int result) const {
    if (auto error = reading_error(name)) return *error;
    const ArchiveWords& words = words_of(kind_);
    const std::optional<std::uint64_t> wrong_from =
        text_returned_ ? std::optional<std::uint64_t>(0) : std::nullopt;
    if (result == ARCHIVE_FAILED) {
        return {name + ": cannot be unpacked here (" + reason() + "); unpack " + path_ + " first",
                offset()};
    }
    if (result == ARCHIVE_FATAL && input_->ended) {
        return cut_off_archive(name, words.name, offset(), input_->is_padded(), input_->hole_at,
                               input_->hole_at ? wrong_from : std::nullopt);
    }
    return damaged_archive(name, words.name, words.test, offset(), reason(), wrong_from);
}

}  // namespace fendex::pgn
