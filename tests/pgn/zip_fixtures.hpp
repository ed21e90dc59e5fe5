// Writes .zip archives for tests.
#pragma once

#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::pgn::test {

struct ZipFile {
    std::string name;
    std::string text;
    bool stored = false;  // not compressed
    /// The text once more, so many times: a bomb in little memory.
    std::uint64_t repeats = 0;
};

/// Unless `last`, another such stream may follow.
inline std::string raw_deflate(std::string_view text, bool last = true) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    std::string input(text);
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    REQUIRE(deflate(&stream, last ? Z_FINISH : Z_FULL_FLUSH) == (last ? Z_STREAM_END : Z_OK));
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string zip_archive(const std::vector<ZipFile>& files) {
    std::string out;
    std::string directory;
    const auto number = [](std::string& to, std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) to += static_cast<char>((value >> (8 * i)) & 0xff);
    };
    for (const ZipFile& file : files) {
        std::string data;
        std::uint64_t size = 0;
        uLong checksum = crc32(0, nullptr, 0);
        const auto* const bytes = reinterpret_cast<const Bytef*>(file.text.data());
        const uLong checksum_of_text = crc32(checksum, bytes, static_cast<uInt>(file.text.size()));
        const std::string part = file.repeats == 0 ? "" : raw_deflate(file.text, false);
        for (std::uint64_t i = 0; i < file.repeats; ++i) data += part;
        for (std::uint64_t i = 0; i <= file.repeats; ++i) {
            checksum = crc32_combine(checksum, checksum_of_text, std::ssize(file.text));
            size += file.text.size();
        }
        data += file.stored ? file.text : raw_deflate(file.text);
        const bool large = size > UINT32_MAX;  // ZIP64
        std::string extra;
        if (large) {
            number(extra, 1, 2);
            number(extra, 16, 2);
            number(extra, size, 8);
            number(extra, data.size(), 8);
        }
        const std::size_t place = out.size();
        // What the header of the file and its entry in the directory have in common.
        std::string common;
        number(common, large ? 45 : 20, 2);              // the version that is needed
        number(common, 0, 2);                            // flags
        number(common, file.stored ? 0 : 8, 2);          // method
        number(common, std::uint64_t{0x5021} << 16, 4);  // 2020-01-01
        number(common, checksum, 4);
        number(common, large ? UINT32_MAX : data.size(), 4);
        number(common, large ? UINT32_MAX : size, 4);
        number(common, file.name.size(), 2);
        number(common, extra.size(), 2);
        out += "PK\x03\x04" + common + file.name + extra + data;
        directory += "PK\x01\x02";
        number(directory, 20, 2);  // made by MS-DOS
        directory += common;
        directory += std::string(10, '\0');  // comment, disk, attributes
        number(directory, place, 4);
        directory += file.name + extra;
    }
    const std::size_t begin = out.size();
    out += directory + "PK\x05\x06";
    number(out, 0, 4);  // disks
    number(out, files.size(), 2);
    number(out, files.size(), 2);
    number(out, directory.size(), 4);
    number(out, begin, 4);
    number(out, 0, 2);  // comment
    return out;
}

}  // namespace fendex::pgn::test
