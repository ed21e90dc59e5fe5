// JSON text, appended to a string: one object per line is what all answers are. Strings are taken
// as UTF-8 (what is none is replaced); control characters are escaped, those of C1 and DEL too,
// since answers end up on terminals.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fendex::query {

void append_json_string(std::string_view text, std::string& out);

/// Sixteen hex digits, as keys and fingerprints are shown.
std::string hex_key(std::uint64_t key);

/// Writes one object; members in the order of the calls.
class JsonObject {
  public:
    explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }

    void name(std::string_view name) {
        if (!first_) out_ += ',';
        first_ = false;
        out_ += '"';
        out_ += name;
        out_ += "\":";
    }
    void text(std::string_view member, std::string_view value) {
        name(member);
        append_json_string(value, out_);
    }
    void number(std::string_view member, std::integral auto value) {
        name(member);
        char digits[24];
        out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
    void decimal(std::string_view member, double value, int digits) {
        name(member);
        char text[64];
        out_.append(
            text,
            std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr);
    }
    /// As many digits as give the number back; null where it is none that JSON has.
    void real(std::string_view member, double value) {
        if (!std::isfinite(value)) return null(member);
        name(member);
        char text[32];
        out_.append(text, std::to_chars(text, text + sizeof text, value).ptr);
    }
    void boolean(std::string_view member, bool value) {
        name(member);
        out_ += value ? "true" : "false";
    }
    void null(std::string_view member) {
        name(member);
        out_ += "null";
    }
    template <typename Value>
    void optional(std::string_view member, const std::optional<Value>& value) {
        if (!value) {
            null(member);
        } else if constexpr (std::integral<Value>) {
            number(member, *value);
        } else {
            text(member, *value);
        }
    }
    template <typename Texts>
    void texts(std::string_view member, const Texts& values) {
        name(member);
        out_ += '[';
        bool first = true;
        for (const auto& value : values) {
            if (!first) out_ += ',';
            first = false;
            append_json_string(value, out_);
        }
        out_ += ']';
    }
    template <typename Numbers>
    void array(std::string_view member, const Numbers& values) {
        name(member);
        out_ += '[';
        bool first = true;
        for (const auto value : values) {
            if (!first) out_ += ',';
            first = false;
            char digits[24];
            out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
        }
        out_ += ']';
    }
    void end() { out_ += '}'; }

  private:
    std::string& out_;
    bool first_ = true;
};

}  // namespace fendex::query
