#include "pgn/utf16_source.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"

namespace fendex::pgn {

namespace {

constexpr unsigned kReplacement = 0xFFFD;
constexpr bool is_high_surrogate(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low_surrogate(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

class Utf16Source final : public ByteSource {
  public:
    explicit Utf16Source(std::unique_ptr<ByteSource> text) : text_(std::move(text)) {}

    std::size_t read(std::span<char> out) override {
        if (form_ == Form::kUnknown) look();
        while (begin_ == ready_.size() && !ended_ && form_ != Form::kOther) decode_more();
        if (begin_ < ready_.size()) {
            const std::size_t count = ready_.copy(out.data(), out.size(), begin_);
            begin_ += count;
            const bool more = form_ == Form::kOther && begin_ == ready_.size();
            return count + (more ? read_after(out.subspan(count)) : 0);
        }
        return ended_ ? 0 : text_->read(out);
    }
    /// Offsets in UTF-16 differ from those in the decoded text, so nothing counts as checked before
    /// all of it is.
    std::optional<std::uint64_t> unchecked_from() const override {
        const std::optional<std::uint64_t> from = text_->unchecked_from();
        return from && form_ != Form::kOther ? 0 : from;
    }
    std::uint64_t compressed_offset() const override { return text_->compressed_offset(); }
    std::string warning() const override { return text_->warning(); }

  private:
    enum class Form { kUnknown, kOther, kLittleEndian, kBigEndian };

    /// Reads bytes that follow those already in `ready_`. If that fails, the next read throws.
    std::size_t read_after(std::span<char> out) {
        try {
            return text_->read(out);
        } catch (const SourceError&) {
            return 0;
        }
    }

    /// Reads the first two bytes.
    void look() {
        char bytes[2];
        while (ready_.size() < 2) {
            std::size_t count = 0;
            try {
                count = text_->read(std::span(bytes).first(2 - ready_.size()));
            } catch (const SourceError&) {
                if (ready_.empty()) throw;  // else the next read throws, after that byte
            }
            if (count == 0) break;
            ready_.append(bytes, count);
        }
        const bool little = ready_ == "\xFF\xFE";
        const bool big = ready_ == "\xFE\xFF";
        form_ = little ? Form::kLittleEndian : big ? Form::kBigEndian : Form::kOther;
        if (little || big) ready_.clear();
    }

    void decode_more() {
        ready_.clear();
        begin_ = 0;
        const std::size_t kept = odd_ ? 1 : 0;
        if (odd_) units_[0] = *odd_;
        odd_.reset();
        const std::size_t count = text_->read(std::span(units_).subspan(kept));
        if (count == 0) {
            ended_ = true;
            if (high_ != 0 || kept != 0) base::append_utf8(kReplacement, ready_);
            return;
        }
        const std::size_t size = kept + count;
        for (std::size_t i = 0; i + 1 < size; i += 2) {
            const auto first = static_cast<unsigned char>(units_[i]);
            const auto second = static_cast<unsigned char>(units_[i + 1]);
            append_unit(form_ == Form::kLittleEndian ? first | unsigned{second} << 8
                                                     : second | unsigned{first} << 8);
        }
        if (size % 2 != 0) odd_ = units_[size - 1];
    }

    void append_unit(unsigned unit) {
        if (is_low_surrogate(unit) && high_ != 0) {
            base::append_utf8(0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00), ready_);
            high_ = 0;
            return;
        }
        if (high_ != 0) base::append_utf8(kReplacement, ready_);
        high_ = is_high_surrogate(unit) ? unit : 0;
        if (high_ == 0) base::append_utf8(is_low_surrogate(unit) ? kReplacement : unit, ready_);
    }

    std::unique_ptr<ByteSource> text_;
    Form form_ = Form::kUnknown;
    std::string ready_;  // from begin_ on: not delivered yet
    std::size_t begin_ = 0;
    std::vector<char> units_ = std::vector<char>(std::size_t{64} << 10);
    std::optional<char> odd_;  // the first byte of a unit
    unsigned high_ = 0;        // the first half of a surrogate pair
    bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> make_utf16_source(std::unique_ptr<ByteSource> text) {
    return std::make_unique<Utf16Source>(std::move(text));
}

}  // namespace fendex::pgn
