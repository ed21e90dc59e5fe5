// The text of a key that stands for several values, such as the key of a cached result. Different
// values never give the same text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fendex::base {

class KeyText {
  public:
    /// `kind` says what the values are of; different kinds never have the same key.
    explicit KeyText(std::string_view kind) { add(kind); }

    KeyText& add(std::string_view text) {
        add(text.size());
        text_ += text;
        return *this;
    }
    KeyText& add(std::uint64_t number) {
        text_ += std::to_string(number);
        text_ += ':';
        return *this;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::string text_;
};

}  // namespace fendex::base
