// What the decoders of archives share: the compressed bytes on their way in, and the promise that
// everything decoded before a damage is delivered before the damage is reported.
//
// An archive is a row of parts (zstd frames, gzip members, bzip2 streams), each decoded by itself.
// Offsets are compressed bytes. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

/// Compressed bytes, read ahead one buffer at a time.
class InputBuffer {
  public:
    explicit InputBuffer(std::unique_ptr<ByteSource> source);

    /// Bytes read and not yet consumed.
    std::span<char> unread() { return std::span(buffer_).subspan(begin_, end_ - begin_); }
    void consume(std::size_t count);

    /// At least `count` (at most kBufferSize) unread bytes, fewer only where the input ends or
    /// cannot be read on. Throws what the source throws once no byte is left before the failure.
    std::span<char> peek(std::size_t count);

    /// Bytes consumed since the start of the input.
    std::uint64_t offset() const { return offset_; }

    static constexpr std::size_t kBufferSize = std::size_t{256} << 10;

  private:
    std::size_t read_more();

    std::unique_ptr<ByteSource> source_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t offset_ = 0;
};

class DecodingSource : public ByteSource {
  public:
    std::size_t read(std::span<char> out) final;
    std::uint64_t compressed_offset() const final { return input_.offset(); }
    std::optional<std::uint64_t> unchecked_from() const final;
    std::string warning() const final { return warning_; }

  protected:
    /// When a decoder compares the text with a checksum: before it delivers it, or at the end of a
    /// part.
    enum class Checked { kBefore, kAtEnd };

    /// `name` is what messages call the input, `format` the kind of archive: also the name of the
    /// tool that tests one ("zstd -t").
    DecodingSource(std::unique_ptr<ByteSource> input, std::string name, std::string format,
                   Checked checked);

    /// What a decoder did in one step.
    struct Step {
        std::size_t consumed = 0;
        std::size_t produced = 0;
        bool part_ended = false;
        std::string error;  // set if the input is damaged; `produced` counts nevertheless
    };

    /// Looks at what comes next, where a part begins or the input ends, and prepares the decoder.
    /// Returns false if there is no part to decode: then it is the end, or fail() has been called.
    virtual bool begin_part() = 0;

    /// Decodes some of `in` (empty only to bring out what the decoder holds back) to `out`.
    virtual Step decode(std::span<char> in, std::span<char> out) = 0;

    /// How the unread input compares with the magic number of a part.
    enum class Ahead { kEnd, kMagic, kCutMagic, kOther };
    Ahead look_ahead(std::string_view magic);

    /// begin_part() of gzip and bzip2: what follows a complete part and is no part is ignored, with
    /// a warning unless it is zero padding.
    bool part_or_padding(std::string_view magic);

    InputBuffer& input() { return input_; }

    /// The messages; all end this source once the bytes decoded before have been delivered.
    void fail(const std::string& what_and_advice);
    void fail_damaged(const std::string& what);
    void fail_truncated();
    void fail_cut_magic();

  private:
    /// Decodes up to out.size() bytes; 0 at the end, after a failure and when there is no progress.
    std::size_t advance(std::span<char> out);

    InputBuffer input_;
    std::string name_;
    std::string format_;
    Checked checked_;
    std::string warning_;
    std::uint64_t text_ = 0;       // bytes of it that were delivered
    std::uint64_t part_text_ = 0;  // before the part that is being decoded
    bool inside_part_ = false;
    bool output_pending_ = false;  // the decoder may hold bytes that did not fit into `out`
    bool ended_ = false;
    std::optional<SourceError> failure_;
};

}  // namespace fendex::pgn
