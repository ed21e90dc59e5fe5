#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

#include "emit/byte_sink.hpp"

namespace fendex::emit {

namespace {

constexpr std::size_t kBufferSize = 64 * 1024;

struct DeflateDeleter {
    void operator()(z_stream* stream) const {
        deflateEnd(stream);
        delete stream;
    }
};

class GzipSink final : public ByteSink {
  public:
    explicit GzipSink(std::unique_ptr<ByteSink> output)
        : output_(std::move(output)), buffer_(kBufferSize) {
        auto stream = std::make_unique<z_stream>();
        // Added to the window bits to write a gzip header instead of zlib's.
        constexpr int kGzip = 16;
        constexpr int kMemLevel = 8;
        if (deflateInit2(stream.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip + MAX_WBITS,
                         kMemLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
            throw std::bad_alloc();
        }
        stream_.reset(stream.release());
    }

    void write(std::string_view bytes) override {
        std::string owned(bytes);  // zlib's interface takes non-const bytes
        std::size_t done = 0;
        while (done < owned.size()) {
            const std::size_t size =
                std::min<std::size_t>(owned.size() - done, std::numeric_limits<uInt>::max());
            stream_->next_in = reinterpret_cast<Bytef*>(owned.data() + done);
            stream_->avail_in = static_cast<uInt>(size);
            while (stream_->avail_in != 0) pass(Z_NO_FLUSH);
            done += size;
        }
    }

    void finish() override {
        while (pass(Z_FINISH) != Z_STREAM_END) {
        }
        output_->finish();
    }

  private:
    int pass(int flush) {
        stream_->next_out = reinterpret_cast<Bytef*>(buffer_.data());
        stream_->avail_out = static_cast<uInt>(buffer_.size());
        const int status = deflate(stream_.get(), flush);
        output_->write({buffer_.data(), buffer_.size() - stream_->avail_out});
        return status;
    }

    std::unique_ptr<ByteSink> output_;
    std::vector<char> buffer_;
    std::unique_ptr<z_stream, DeflateDeleter> stream_;
};

}  // namespace

std::unique_ptr<ByteSink> make_gzip_sink(std::unique_ptr<ByteSink> output) {
    return std::make_unique<GzipSink>(std::move(output));
}

}  // namespace fendex::emit
