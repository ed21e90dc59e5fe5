// Helpers for tests of byte sources: archives made with the libraries, damaged inputs, and a reader
// that records how a source ends.
#pragma once

#include <bzlib.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pgn/byte_source.hpp"
#include "pgn/bzip2_source.hpp"
#include "pgn/gzip_source.hpp"
#include "pgn/zstd_source.hpp"

namespace fendex::pgn::test {

using Sizes = std::vector<std::size_t>;

/// A file that lives as long as the test.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string_view content, const std::string& suffix = ".pgn") {
        std::string path =
            (std::filesystem::temp_directory_path() / ("fendex-XXXXXX" + suffix)).string();
        const int fd = ::mkstemps(path.data(), static_cast<int>(suffix.size()));
        REQUIRE(fd >= 0);
        ::close(fd);
        path_ = path;
        std::ofstream file(path_, std::ios::binary);
        file.write(content.data(), static_cast<std::streamsize>(content.size()));
        REQUIRE(file.flush());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// Text that looks like PGN, compresses somewhat, and differs everywhere.
inline std::string sample_text(std::size_t size) {
    std::mt19937 random(4711);
    std::string text;
    text.reserve(size + 64);
    for (int game = 1; text.size() < size; ++game) {
        text += "[Event \"" + std::to_string(game) + "\"]\n\n";
        for (int move = 1; move < 40; ++move) {
            text += std::to_string(move) + ". ";
            text += "KQRBN"[random() % 5];
            text += "abcdefgh"[random() % 8];
            text += "12345678"[random() % 8];
            text += move % 8 == 0 ? '\n' : ' ';
        }
        text += "1/2-1/2\n\n";
    }
    text.resize(size);
    return text;
}

struct CctxDeleter {
    void operator()(ZSTD_CCtx* cctx) const { ZSTD_freeCCtx(cctx); }
};

struct ZstdOptions {
    bool checksum = true;
    bool content_size = false;  // declared in the header, as when a file is compressed
    int window_log = 0;         // 0: the default of the level
};

inline std::string zstd_frame(std::string_view text, const ZstdOptions& options = {}) {
    const std::unique_ptr<ZSTD_CCtx, CctxDeleter> cctx(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(cctx.get(), ZSTD_c_compressionLevel, 1);
    ZSTD_CCtx_setParameter(cctx.get(), ZSTD_c_checksumFlag, options.checksum ? 1 : 0);
    if (options.window_log != 0) {
        ZSTD_CCtx_setParameter(cctx.get(), ZSTD_c_windowLog, options.window_log);
    }
    if (options.content_size) {
        ZSTD_CCtx_setPledgedSrcSize(cctx.get(), text.size());
    }
    std::string archive(ZSTD_compressBound(text.size()) + 64, '\0');
    ZSTD_outBuffer out{archive.data(), archive.size(), 0};
    // Fed in two halves; if zstd knew the size it would shrink the window to it.
    const std::size_t half = text.size() / 2;
    for (const std::string_view part : {text.substr(0, half), text.substr(half)}) {
        ZSTD_inBuffer in{part.data(), part.size(), 0};
        while (in.pos < in.size) {
            const std::size_t code = ZSTD_compressStream2(cctx.get(), &out, &in, ZSTD_e_continue);
            REQUIRE(ZSTD_isError(code) == 0);
        }
    }
    ZSTD_inBuffer nothing{nullptr, 0, 0};
    REQUIRE(ZSTD_compressStream2(cctx.get(), &out, &nothing, ZSTD_e_end) == 0);
    archive.resize(out.pos);
    return archive;
}

inline std::string skippable_frame(std::size_t size) {
    const auto byte = [&](int i) { return static_cast<char>((size >> (8 * i)) & 0xff); };
    return std::string("\x5a\x2a\x4d\x18") + byte(0) + byte(1) + byte(2) + byte(3) +
           std::string(size, 's');
}

inline std::string gzip_member(std::string_view text) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string archive(deflateBound(&stream, text.size()) + 64, '\0');
    std::string input(text);
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(archive.data());
    stream.avail_out = static_cast<uInt>(archive.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    archive.resize(stream.total_out);
    deflateEnd(&stream);
    return archive;
}

inline std::string bzip2_stream(std::string_view text) {
    std::string archive(text.size() + text.size() / 50 + 1024, '\0');
    std::string input(text);
    auto size = static_cast<unsigned>(archive.size());
    REQUIRE(BZ2_bzBuffToBuffCompress(archive.data(), &size, input.data(),
                                     static_cast<unsigned>(input.size()), 1, 0, 0) == BZ_OK);
    archive.resize(size);
    return archive;
}

struct Format {
    std::string name;
    std::function<std::string(std::string_view)> compress;
};

inline const std::vector<Format>& formats() {
    static const std::vector<Format> kFormats{
        {"zstd", [](std::string_view text) { return zstd_frame(text); }},
        {"gzip", gzip_member},
        {"bzip2", bzip2_stream},
    };
    return kFormats;
}

/// The result of reading a source to its end or its error.
struct Outcome {
    std::string text;
    bool failed = false;
    std::string message;
    std::uint64_t byte = 0;
    std::uint64_t offset = 0;
    std::string warning;
};

/// Reads to the end or the error, and checks the contract of sources on the way.
inline Outcome drain(ByteSource& source, std::size_t read_size = 4096) {
    Outcome outcome;
    std::vector<char> buffer(read_size);
    std::uint64_t offset = 0;
    bool sane = true;
    try {
        while (const std::size_t count = source.read(buffer)) {
            outcome.text.append(buffer.data(), count);
            sane = sane && count <= read_size && source.compressed_offset() >= offset;
            offset = source.compressed_offset();
        }
        CHECK(source.read(buffer) == 0);
    } catch (const SourceError& error) {
        outcome.failed = true;
        outcome.message = error.what();
        outcome.byte = error.byte();
        CHECK_THROWS_WITH(source.read(buffer), outcome.message);
    }
    CHECK(sane);
    outcome.offset = source.compressed_offset();
    outcome.warning = source.warning();
    return outcome;
}

inline Outcome drain_archive(std::string_view archive, std::size_t read_size = 4096) {
    const TemporaryFile file(archive);
    const auto source = open_source(file.path());
    return drain(*source, read_size);
}

/// Compares strings of megabytes, which REQUIRE(a == b) would print.
inline bool same(const std::string& a, const std::string& b) { return a == b; }

/// Returns one piece per read, then the end or an error, like a pipe or a failing disk.
class PieceSource final : public ByteSource {
  public:
    PieceSource(std::vector<std::string> pieces, bool fails)
        : pieces_(std::move(pieces)), fails_(fails) {}

    std::size_t read(std::span<char> out) override {
        if (next_ == pieces_.size()) {
            if (fails_) {
                throw SourceError("the disk is on fire", offset_);
            }
            return 0;
        }
        const std::string& piece = pieces_[next_++];
        REQUIRE(piece.size() <= out.size());
        std::copy(piece.begin(), piece.end(), out.begin());
        offset_ += piece.size();
        return piece.size();
    }
    std::uint64_t compressed_offset() const override { return offset_; }

  private:
    std::vector<std::string> pieces_;
    bool fails_;
    std::size_t next_ = 0;
    std::uint64_t offset_ = 0;
};

inline std::unique_ptr<ByteSource> make_source(const std::string& format,
                                               std::unique_ptr<ByteSource> input) {
    if (format == "zstd") {
        return fendex::pgn::make_zstd_source(std::move(input), "x", 27);
    }
    if (format == "gzip") {
        return fendex::pgn::make_gzip_source(std::move(input), "x");
    }
    return fendex::pgn::make_bzip2_source(std::move(input), "x");
}

}  // namespace fendex::pgn::test
