#include "base/compressor.hpp"

#include <zlib.h>
#include <zstd.h>

#include <new>
#include <vector>

namespace fendex::base {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

class Gzip final : public Compressor {
  public:
    explicit Gzip(int level) {
        constexpr int kGzip = 15 + 16;  // 16 is for a gzip header instead of zlib's
        constexpr int kMemory = 8;
        if (deflateInit2(&stream_, level, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;
    ~Gzip() override { deflateEnd(&stream_); }

    std::string add(std::string_view piece, Then then) override {
        std::string out;
        do {
            const std::string_view part = piece.substr(0, kBlock);
            piece.remove_prefix(part.size());
            // zlib does not write to its input.
            stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(part.data()));
            stream_.avail_in = static_cast<uInt>(part.size());
            const int flush = !piece.empty() || then == Then::kMore ? Z_NO_FLUSH
                              : then == Then::kFlush                ? Z_SYNC_FLUSH
                                                                    : Z_FINISH;
            do {
                stream_.next_out = reinterpret_cast<Bytef*>(packed_.data());
                stream_.avail_out = static_cast<uInt>(packed_.size());
                deflate(&stream_, flush);
                out.append(packed_.data(), packed_.size() - stream_.avail_out);
            } while (stream_.avail_out == 0);
        } while (!piece.empty());
        return out;
    }

  private:
    z_stream stream_{};
    std::vector<char> packed_ = std::vector<char>(kBlock);
};

class Zstd final : public Compressor {
  public:
    Zstd(int level, unsigned threads) : context_(ZSTD_createCCtx()) {
        if (!context_) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_nbWorkers, static_cast<int>(threads));
    }

    std::string add(std::string_view piece, Then then) override {
        std::string out;
        ZSTD_inBuffer in{piece.data(), piece.size(), 0};
        std::size_t left = 0;
        do {
            ZSTD_outBuffer packed{packed_.data(), packed_.size(), 0};
            left = ZSTD_compressStream2(context_.get(), &packed, &in,
                                        then == Then::kEnd ? ZSTD_e_end : ZSTD_e_continue);
            if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // there is no other error
            out.append(packed_.data(), packed.pos);
        } while (in.pos < in.size || (then == Then::kEnd && left != 0));
        return out;
    }

  private:
    struct Free {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };

    std::unique_ptr<ZSTD_CCtx, Free> context_;
    std::vector<char> packed_ = std::vector<char>(ZSTD_CStreamOutSize());
};

}  // namespace

std::unique_ptr<Compressor> make_gzip(int level) { return std::make_unique<Gzip>(level); }

std::unique_ptr<Compressor> make_zstd(int level, unsigned threads) {
    return std::make_unique<Zstd>(level, threads);
}

}  // namespace fendex::base
