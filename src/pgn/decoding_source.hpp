// The base of all decoders of archives. It reads the compressed bytes. It reports damage only after
// it has delivered everything decoded before the damage.
//
// An archive is a sequence of frames (zstd frames, gzip members, bzip2 streams), each decoded by
// itself. Offsets are compressed bytes. One thread at a time.
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
///
/// A gap is a run of zeros at the end of the input, or of kGap or more zeros elsewhere: bytes that
/// a broken transfer has not written, or padding. Between stop_at_gaps() and pass_gaps(), the data
/// ends before a gap.
class InputBuffer {
  public:
    explicit InputBuffer(std::unique_ptr<ByteSource> source);

    /// Bytes read and not yet consumed, up to a gap.
    std::span<char> unread() { return std::span(buffer_).subspan(begin_, data_end_ - begin_); }
    void consume(std::size_t count);

    /// Returns at least `count` (at most kBufferSize - kGap) unread bytes; fewer if a gap or the
    /// end of the input comes first, or reading fails. Throws the source's exception if no byte is
    /// left before the failure.
    std::span<char> peek(std::size_t count);

    /// Returns the zeros of the gap that follows unread(), at most `count`.
    std::span<char> zeros(std::size_t count);
    /// From now on unread() ends before gaps. Forgets earlier holes.
    void stop_at_gaps();
    /// From now on the zeros of gaps are ordinary bytes.
    void pass_gaps();

    /// Returns the offset of the first hole among the bytes consumed since stop_at_gaps().
    std::optional<std::uint64_t> hole() const {
        return hole_ && *hole_ < offset_ ? hole_ : std::nullopt;
    }
    /// Throws the source's exception if reading has failed.
    void throw_if_failed() const;

    /// Bytes consumed since the start of the input.
    std::uint64_t offset() const { return offset_; }
    /// Returns whether the input itself comes from an archive that has not compared its checksum
    /// yet.
    bool is_unchecked() const { return source_->unchecked_from().has_value(); }

    static constexpr std::size_t kBufferSize = std::size_t{256} << 10;
    /// In deflate, a zero byte can stand for 1032 bytes of text, a run of one character. No text
    /// has a run of 128 MiB.
    static constexpr std::size_t kGap = kBufferSize / 2;

  private:
    std::size_t read_more();
    bool is_at_gap() const { return end_ - data_end_ >= kGap; }
    void look_for_zeros();

    std::unique_ptr<ByteSource> source_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t data_end_ = 0;  // a gap follows, or the end of what has been read
    std::size_t end_ = 0;
    std::uint64_t offset_ = 0;
    bool stops_at_gaps_ = false;
    std::optional<std::uint64_t> hole_;  // the first since stop_at_gaps(), also ahead of offset_
    std::optional<SourceError> failure_;
};

class DecodingSource : public ByteSource {
  public:
    std::size_t read(std::span<char> out) final;
    std::uint64_t compressed_offset() const final { return input_.offset(); }
    std::optional<std::uint64_t> unchecked_from() const final;
    std::string warning() const final { return warning_; }

  protected:
    /// When a decoder compares the text with a checksum: before it delivers the text, or at the end
    /// of a frame.
    enum class Checked { kBefore, kAtEnd };

    /// Messages call the input `name`. `format` is the kind of archive and the name of the tool
    /// that tests it ("zstd -t").
    DecodingSource(std::unique_ptr<ByteSource> input, std::string name, std::string format,
                   Checked checked);

    /// The outcome of one step of a decoder.
    struct Step {
        std::size_t consumed = 0;
        std::size_t produced = 0;
        bool frame_ended = false;
        bool has_checksum = true;  // compared at the end of the frame
        std::string error;         // set if the input is damaged; `produced` counts nevertheless
    };

    /// Prepares the decoder; called at the start of each frame and at the end of the input. Returns
    /// false if there is no frame to decode: at the end, or after calling fail().
    virtual bool begin_frame() = 0;

    /// Decodes some of `in` to `out`. `in` is empty only to flush what the decoder holds back.
    virtual Step decode(std::span<char> in, std::span<char> out) = 0;

    /// How the unread input compares with the magic number of a frame.
    enum class Ahead { kEnd, kMagic, kCutMagic, kOther };
    Ahead look_ahead(std::string_view magic);

    /// Implements begin_frame() for gzip and bzip2: bytes after a complete frame that do not begin
    /// another are ignored, with a warning unless they are zeros.
    bool frame_or_padding(std::string_view magic);
    /// Skips the zeros after a complete frame. Returns whether anything follows them.
    bool skip_padding();

    InputBuffer& input() { return input_; }

    /// These report damage. The source throws after the bytes decoded before it have been
    /// delivered.
    void fail(const std::string& what_and_advice);
    void fail_damaged(const std::string& what);
    void fail_truncated();
    void fail_cut_magic();

  private:
    /// Decodes up to out.size() bytes; 0 at the end, after a failure and when there is no progress.
    std::size_t advance(std::span<char> out);
    bool end_with_zeros();
    void take_end(const Step& step);
    std::size_t deliver_end(std::span<char> out);

    InputBuffer input_;
    std::string name_;
    std::string format_;
    Checked checked_;
    std::string warning_;
    std::uint64_t text_ = 0;        // bytes of text that were delivered
    std::uint64_t frame_text_ = 0;  // bytes of text before the current frame
    bool inside_frame_ = false;
    bool output_pending_ = false;  // the decoder may hold bytes that did not fit into `out`
    std::string end_text_;         // of a frame that ends with zeros
    std::size_t end_text_delivered_ = 0;
    bool ended_ = false;
    std::optional<SourceError> failure_;
};

}  // namespace fendex::pgn
