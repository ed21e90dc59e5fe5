#include "pgn/bzip2_source.hpp"

#include <bzlib.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "pgn/decoding_source.hpp"

namespace fendex::pgn {
namespace {

struct DecompressDeleter {
    void operator()(bz_stream* stream) const {
        BZ2_bzDecompressEnd(stream);
        delete stream;
    }
};

/// The library writes the text of a block before it compares the block's checksum, and does not say
/// where a block ends. But it leaves free space in the output only at the end of a block. So each
/// call gets too little input to end two blocks, and the text is delivered after a call that has
/// left free space.
class Bzip2Source final : public DecodingSource {
  public:
    Bzip2Source(std::unique_ptr<ByteSource> input, std::string name)
        : DecodingSource(std::move(input), std::move(name), "bzip2", Checked::kBefore) {}

  private:
    /// The smallest block has 173 bits.
    static constexpr std::size_t kInputAtOnce = 20;
    /// A block is 900 kB, or up to 47 MB of runs of one character.
    static constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

    bool begin_frame() override {
        stream_.reset();  // freed before the next is made: a stream takes up to 3.7 MB
        if (!frame_or_padding(kBzip2Magic)) {
            return false;
        }
        auto stream = std::make_unique<bz_stream>();
        if (BZ2_bzDecompressInit(stream.get(), 0, 0) != BZ_OK) {
            throw std::bad_alloc();
        }
        stream_.reset(stream.release());
        stream_ended_ = false;
        return true;
    }

    Step decode(std::span<char> in, std::span<char> out) override {
        Step step;
        while (held_ == 0 && !stream_ended_ && step.error.empty() && step.consumed < in.size()) {
            step.consumed += decode_some(in.subspan(step.consumed), step.error);
        }
        step.produced = deliver(out);
        step.frame_ended = stream_ended_ && held_ == 0;
        return step;
    }

    /// Decodes the first bytes of `in`. If they end a block, holds its text. Returns the number of
    /// bytes consumed.
    std::size_t decode_some(std::span<char> in, std::string& error) {
        const std::span<char> some = in.first(std::min(in.size(), kInputAtOnce));
        stream_->next_in = some.data();
        stream_->avail_in = static_cast<unsigned>(some.size());
        int status = BZ_OK;
        do {
            const std::size_t begin = held_ % kPieceBytes;
            if (held_ / kPieceBytes == pieces_.size()) {
                pieces_.push_back(std::make_unique_for_overwrite<char[]>(kPieceBytes));
            }
            stream_->next_out = pieces_[held_ / kPieceBytes].get() + begin;
            stream_->avail_out = static_cast<unsigned>(kPieceBytes - begin);
            status = BZ2_bzDecompress(stream_.get());
            held_ += kPieceBytes - begin - stream_->avail_out;
        } while (status == BZ_OK && stream_->avail_out == 0);
        if (status == BZ_MEM_ERROR) {
            throw std::bad_alloc();
        }
        stream_ended_ = status == BZ_STREAM_END;
        if (status != BZ_OK && !stream_ended_) {
            error = status == BZ_DATA_ERROR_MAGIC ? "invalid header"
                                                  : "invalid data or incorrect checksum";
            held_ = 0;
        }
        return some.size() - stream_->avail_in;
    }

    std::size_t deliver(std::span<char> out) {
        std::size_t count = 0;
        while (delivered_ < held_ && count < out.size()) {
            const std::size_t begin = delivered_ % kPieceBytes;
            const std::size_t n =
                std::min({out.size() - count, kPieceBytes - begin, held_ - delivered_});
            std::copy_n(pieces_[delivered_ / kPieceBytes].get() + begin, n, out.data() + count);
            count += n;
            delivered_ += n;
        }
        if (delivered_ == held_) delivered_ = held_ = 0;
        return count;
    }

    std::unique_ptr<bz_stream, DecompressDeleter> stream_;
    bool stream_ended_ = false;
    std::vector<std::unique_ptr<char[]>> pieces_;
    std::size_t held_ = 0;       // bytes in pieces_, of one block
    std::size_t delivered_ = 0;  // bytes of these that were delivered
};

}  // namespace

std::unique_ptr<ByteSource> make_bzip2_source(std::unique_ptr<ByteSource> input, std::string name) {
    return std::make_unique<Bzip2Source>(std::move(input), std::move(name));
}

}  // namespace fendex::pgn
