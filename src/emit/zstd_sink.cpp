#include <zstd.h>

#include <new>
#include <vector>

#include "emit/byte_sink.hpp"

namespace fendex::emit {

namespace {

struct CctxDeleter {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

class ZstdSink final : public ByteSink {
  public:
    ZstdSink(std::unique_ptr<ByteSink> output, unsigned threads)
        : output_(std::move(output)), context_(ZSTD_createCCtx()), buffer_(ZSTD_CStreamOutSize()) {
        if (!context_) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
        // A library built without threads refuses this; then the calling thread compresses.
        ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_nbWorkers, static_cast<int>(threads));
    }

    void write(std::string_view bytes) override { pass(bytes, ZSTD_e_continue); }
    void finish() override {
        pass({}, ZSTD_e_end);
        output_->finish();
    }

  private:
    void pass(std::string_view bytes, ZSTD_EndDirective directive) {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        bool done = false;
        while (!done) {
            ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
            const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
            if (ZSTD_isError(left) != 0) {
                throw SinkError(std::string("zstd: ") + ZSTD_getErrorName(left));
            }
            output_->write({buffer_.data(), out.pos});
            done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
        }
    }

    std::unique_ptr<ByteSink> output_;
    std::unique_ptr<ZSTD_CCtx, CctxDeleter> context_;
    std::vector<char> buffer_;
};

}  // namespace

std::unique_ptr<ByteSink> make_zstd_sink(std::unique_ptr<ByteSink> output, unsigned threads) {
    return std::make_unique<ZstdSink>(std::move(output), threads);
}

}  // namespace fendex::emit
