#include "pgn/byte_source.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "pgn/bzip2_source.hpp"
#include "pgn/file_source.hpp"
#include "pgn/gzip_source.hpp"
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
    ForeignArchive{"PK\x03\x04"sv, "zip", "unzip -p"},
    ForeignArchive{"PK\x05\x06"sv, "zip", "unzip -p"},
    ForeignArchive{"7z\xbc\xaf\x27\x1c"sv, "7z", "7z x -so"},
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

std::string read_all(FileSource& file, std::size_t size) {
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

}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path, const SourceOptions& options) {
    auto file = std::make_unique<FileSource>(path, options.stop);
    const std::string name = file->name();
    const std::string_view head = file->peek();
    for (const ForeignArchive& archive : kForeignArchives) {
        if (head.starts_with(archive.magic)) {
            std::string message = name + ": is a ";
            message += archive.name;
            message += " archive, which is not supported; unpack it first, or pipe it in: ";
            message += archive.command;
            message += " FILE | fendex import DB -";
            throw SourceError(message, 0);
        }
    }
    switch (format_of(head)) {
        case Format::kZstd:
            return make_utf16_source(
                make_zstd_source(std::move(file), name, options.zstd_window_log));
        case Format::kGzip: return make_utf16_source(make_gzip_source(std::move(file), name));
        case Format::kBzip2: return make_utf16_source(make_bzip2_source(std::move(file), name));
        case Format::kPlain: break;
    }
    return make_utf16_source(std::move(file));
}

std::optional<std::uint64_t> source_size(const std::string& path) {
    struct stat status {};
    if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(status.st_size);
}

std::optional<std::uint64_t> text_size(const std::string& path, std::uint64_t limit) {
    const std::optional<std::uint64_t> size = source_size(path);
    if (!size || *size > limit) return size;
    constexpr std::uint64_t kTextPerByte = 8;
    try {
        FileSource file(path);
        const Format format = format_of(file.peek());
        if (format == Format::kPlain) return size;
        if (format == Format::kZstd) {
            const auto said = zstd_text_size(read_all(file, static_cast<std::size_t>(*size)));
            if (said) return said;
        }
        return kTextPerByte * *size;
    } catch (const SourceError&) {
        return size;  // the import will say what is wrong
    }
}

}  // namespace fendex::pgn
