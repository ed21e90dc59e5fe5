#include "pgn/text_source.hpp"

#include <algorithm>
#include <utility>

#include "pgn/utf16_source.hpp"

namespace fendex::pgn {

namespace {

class TextSource final : public ByteSource {
  public:
    explicit TextSource(std::string text) : text_(std::move(text)) {}

    std::size_t read(std::span<char> out) override {
        const std::size_t size = text_.copy(out.data(), out.size(), read_);
        read_ += size;
        return size;
    }
    std::uint64_t compressed_offset() const override { return read_; }

  private:
    std::string text_;
    std::size_t read_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> make_text_source(std::string text) {
    return make_utf16_source(std::make_unique<TextSource>(std::move(text)));
}

}  // namespace fendex::pgn
