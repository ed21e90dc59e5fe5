#include "pgn/bzip2_source.hpp"

#include <bzlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "pgn/decoding_source.hpp"

namespace fendex::pgn {
namespace {

struct DecompressDeleter {
    void operator()(bz_stream* stream) const {
        BZ2_bzDecompressEnd(stream);
        delete stream;
    }
};

class Bzip2Source final : public DecodingSource {
  public:
    Bzip2Source(std::unique_ptr<ByteSource> input, std::string name)
        : DecodingSource(std::move(input), std::move(name), "bzip2") {}

  private:
    bool begin_part() override {
        stream_.reset();  // before the next: a stream takes up to 3.7 MB
        if (!part_or_padding(kBzip2Magic)) {
            return false;
        }
        auto stream = std::make_unique<bz_stream>();
        if (BZ2_bzDecompressInit(stream.get(), 0, 0) != BZ_OK) {
            throw std::bad_alloc();
        }
        stream_.reset(stream.release());
        return true;
    }

    Step decode(std::span<char> in, std::span<char> out) override {
        const unsigned in_size = clamp(in.size());
        const unsigned out_size = clamp(out.size());
        stream_->next_in = in.data();
        stream_->avail_in = in_size;
        stream_->next_out = out.data();
        stream_->avail_out = out_size;
        const int status = BZ2_bzDecompress(stream_.get());
        Step step{.consumed = in_size - stream_->avail_in,
                  .produced = out_size - stream_->avail_out,
                  .part_ended = status == BZ_STREAM_END,
                  .error = {}};
        if (status == BZ_MEM_ERROR) {
            throw std::bad_alloc();
        }
        if (status == BZ_DATA_ERROR_MAGIC) {
            step.error = "invalid header";
        } else if (status != BZ_OK && status != BZ_STREAM_END) {
            step.error = "invalid data or incorrect checksum";
        }
        return step;
    }

    static unsigned clamp(std::size_t size) {
        return static_cast<unsigned>(
            std::min<std::size_t>(size, std::numeric_limits<unsigned>::max()));
    }

    std::unique_ptr<bz_stream, DecompressDeleter> stream_;
};

}  // namespace

std::unique_ptr<ByteSource> make_bzip2_source(std::unique_ptr<ByteSource> input, std::string name) {
    return std::make_unique<Bzip2Source>(std::move(input), std::move(name));
}

}  // namespace fendex::pgn
