#include "pgn/byte_source.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "pgn/archive_contents.hpp"
#include "pgn/archive_file.hpp"
#include "pgn/bzip2_source.hpp"
#include "pgn/file_source.hpp"
#include "pgn/gzip_source.hpp"
#include "pgn/member_path.hpp"
#include "pgn/member_source.hpp"
#include "pgn/utf16_source.hpp"
#include "pgn/zstd_source.hpp"

namespace fendex::pgn {
namespace {

using namespace std::string_view_literals;

/// Archives that are recognised only to be refused; read as text they would only give errors.
struct ForeignArchive {
    std::string_view magic;
    std::string_view name;
    std::string_view command;  // writes the contents to stdout
};

constexpr std::array kForeignArchives{
    ForeignArchive{"\xfd\x37zXZ\x00"sv, "xz", "xz -dc"},
    ForeignArchive{"Rar!\x1a\x07"sv, "rar", "unrar p -inul"},
    ForeignArchive{"\x04\x22\x4d\x18"sv, "lz4", "lz4 -dc"},
    ForeignArchive{"\x1f\x9d"sv, "compress (.Z)", "gzip -dc"},
};

/// If `head` is shorter than a magic number, so is the whole input. Two bytes of the number are
/// then enough: the input is reported as an archive that was cut off, and not read as text.
bool starts_with_magic(std::string_view head, std::string_view magic) {
    const std::size_t length = std::min(head.size(), magic.size());
    return length >= 2 && head.substr(0, length) == magic.substr(0, length);
}

bool is_zstd(std::string_view head) {
    // A skippable frame may come first (pzstd writes one): sixteen magic numbers, 50..5f 2a 4d 18.
    const bool skippable =
        head.size() >= 4 && (head[0] & '\xf0') == '\x50' && head.substr(1, 3) == "\x2a\x4d\x18"sv;
    return skippable || starts_with_magic(head, kZstdMagic);
}

bool is_bzip2(std::string_view head) {
    // After the magic comes the block size, '1' to '9'.
    return starts_with_magic(head, kBzip2Magic) &&
           (head.size() <= kBzip2Magic.size() ||
            (head[kBzip2Magic.size()] >= '1' && head[kBzip2Magic.size()] <= '9'));
}

enum class Format { kPlain, kZstd, kGzip, kBzip2 };

Format format_of(std::string_view head) {
    if (is_zstd(head)) return Format::kZstd;
    if (starts_with_magic(head, kGzipMagic)) return Format::kGzip;
    return is_bzip2(head) ? Format::kBzip2 : Format::kPlain;
}

std::string read_all(ByteSource& file, std::size_t size) {
    std::string bytes(size, '\0');
    std::size_t filled = 0;
    while (filled < size) {
        const std::size_t count = file.read(std::span(bytes).subspan(filled));
        if (count == 0) break;
        filled += count;
    }
    bytes.resize(filled);
    return bytes;
}

std::string pipe_it_in(const std::string& command) {
    return "pipe it in: " + command + " FILE | fendex import DB -";
}

/// Throws the reason why a whole .zip or .7z archive is not read as text: expand_inputs() has
/// replaced it by the files in it.
[[noreturn]] void refuse_whole(const FileSource& file, const std::string& path, ArchiveKind kind) {
    const ArchiveWords& words = words_of(kind);
    if (path == "-" || !file.is_regular()) {
        throw SourceError(file.name() + ": is a " + words.name +
                              " archive, which is read from a file only; save it first, or " +
                              pipe_it_in(words.unpack),
                          0);
    }
    const ArchiveContents contents = list_archive(path);
    if (contents.problem) throw SourceError(*contents.problem);
    throw SourceError(
        path + ": is a " + words.name + " archive; name a file in it: " + contents.inputs.front(),
        0);
}

/// Opens an input before any decoding.
std::unique_ptr<PeekedSource> open_encoded(const std::string& path, const SourceOptions& options) {
    if (const std::optional<MemberPath> member = split_member(path)) {
        auto text = open_member(path, *member, options);
        if (const auto kind = archive_kind(text->peek())) {
            throw SourceError(path + ": is a " + words_of(*kind).name +
                                  " archive inside an archive, which is not read; unpack " +
                                  member->archive + " first",
                              text->compressed_offset());
        }
        return text;
    }
    auto file = std::make_unique<FileSource>(path, options.stop);
    if (const auto kind = archive_kind(file->peek())) refuse_whole(*file, path, *kind);
    return file;
}

}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path, const SourceOptions& options) {
    auto input = open_encoded(path, options);
    const std::string name = input->name();
    const std::string_view head = input->peek();
    for (const ForeignArchive& archive : kForeignArchives) {
        if (head.starts_with(archive.magic)) {
            throw SourceError(name + ": is a " + std::string(archive.name) +
                                  " archive, which is not supported; unpack it first, or " +
                                  pipe_it_in(std::string(archive.command)),
                              0);
        }
    }
    switch (format_of(head)) {
        case Format::kZstd:
            return make_utf16_source(
                make_zstd_source(std::move(input), name, options.zstd_window_log));
        case Format::kGzip: return make_utf16_source(make_gzip_source(std::move(input), name));
        case Format::kBzip2: return make_utf16_source(make_bzip2_source(std::move(input), name));
        case Format::kPlain: break;
    }
    return make_utf16_source(std::move(input));
}

std::optional<std::uint64_t> source_size(const std::string& path) {
    struct stat status {};
    if (path == "-" || ::stat(file_of(path).c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(status.st_size);
}

std::optional<std::uint64_t> text_size(const std::string& path, std::uint64_t limit,
                                       const SourceOptions& options) {
    const std::optional<std::uint64_t> on_disk = source_size(path);
    if (!on_disk) return std::nullopt;
    constexpr std::uint64_t kTextPerByte = 8;
    try {
        const auto input = open_encoded(path, options);
        const std::optional<std::uint64_t> size = input->size();
        if (!size) return kTextPerByte * *on_disk;
        if (*size > limit) return size;
        const Format format = format_of(input->peek());
        if (format == Format::kPlain) return size;
        if (format == Format::kZstd) {
            const auto said = zstd_text_size(read_all(*input, static_cast<std::size_t>(*size)));
            if (said) return said;
        }
        return kTextPerByte * *size;
    } catch (const SourceError&) {
        return on_disk;  // the import will say what is wrong
    }
}

}  // namespace fendex::pgn
