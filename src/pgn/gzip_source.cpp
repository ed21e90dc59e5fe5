#include "pgn/gzip_source.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "pgn/decoding_source.hpp"

namespace fendex::pgn {
namespace {

struct InflateDeleter {
    void operator()(z_stream* stream) const {
        inflateEnd(stream);
        delete stream;
    }
};

class GzipSource final : public DecodingSource {
  public:
    GzipSource(std::unique_ptr<ByteSource> input, std::string name)
        : DecodingSource(std::move(input), std::move(name), "gzip", Checked::kAtEnd) {
        auto stream = std::make_unique<z_stream>();
        constexpr int kGzipOnly = 16;
        if (inflateInit2(stream.get(), kGzipOnly + MAX_WBITS) != Z_OK) {
            throw std::bad_alloc();
        }
        stream_.reset(stream.release());
    }

  private:
    bool begin_frame() override {
        if (!frame_or_padding(kGzipMagic)) {
            return false;
        }
        inflateReset(stream_.get());
        return true;
    }

    Step decode(std::span<char> in, std::span<char> out) override {
        const uInt in_size = clamp(in.size());
        const uInt out_size = clamp(out.size());
        stream_->next_in = reinterpret_cast<Bytef*>(in.data());
        stream_->avail_in = in_size;
        stream_->next_out = reinterpret_cast<Bytef*>(out.data());
        stream_->avail_out = out_size;
        const int status = inflate(stream_.get(), Z_NO_FLUSH);
        Step step{.consumed = in_size - stream_->avail_in,
                  .produced = out_size - stream_->avail_out,
                  .frame_ended = status == Z_STREAM_END,
                  .has_checksum = true,
                  .error = {}};
        if (status == Z_MEM_ERROR) {
            throw std::bad_alloc();
        }
        // Z_BUF_ERROR is not an error: zlib needs more input.
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            step.error = stream_->msg != nullptr ? stream_->msg : "invalid data";
        }
        return step;
    }

    static uInt clamp(std::size_t size) {
        return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
    }

    std::unique_ptr<z_stream, InflateDeleter> stream_;
};

}  // namespace

std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<ByteSource> input, std::string name) {
    return std::make_unique<GzipSource>(std::move(input), std::move(name));
}

}  // namespace fendex::pgn
