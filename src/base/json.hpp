// Writes JSON text to the end of a string. append_value() writes any value; Object and
// append_array() combine values. Strings should be UTF-8; invalid bytes are replaced. Control
// characters are escaped, also C1 and DEL, because results are shown on terminals.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fendex::json {

/// A number that is written with `digits` digits after the point.
struct Fixed {
    double value = 0;
    int digits = 0;
};

/// Text that is JSON already.
struct Raw {
    std::string text;
};

void append_text(std::string_view text, std::string& out);

inline void append_null(std::string& out) { out += "null"; }

inline void append_value(std::string_view text, std::string& out) { append_text(text, out); }

inline void append_value(const char* text, std::string& out) { append_text(text, out); }

inline void append_value(std::same_as<bool> auto value, std::string& out) {
    out += value ? "true" : "false";
}

template <std::integral Number>
requires(!std::same_as<Number, bool>) void append_value(Number value, std::string& out) {
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// Writes the fewest digits that are read back as the same number; null for infinity and NaN.
inline void append_value(double value, std::string& out) {
    if (!std::isfinite(value)) return append_null(out);
    char text[32];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

inline void append_value(Fixed number, std::string& out) {
    char text[64];
    out.append(text, std::to_chars(text, text + sizeof text, number.value, std::chars_format::fixed,
                                   number.digits)
                         .ptr);
}

inline void append_value(const Raw& value, std::string& out) { out += value.text; }

/// Writes null if the optional is empty.
template <typename Value>
void append_value(const std::optional<Value>& value, std::string& out) {
    if (!value) return append_null(out);
    append_value(*value, out);
}

/// Returns the value; an empty optional if it is zero or an empty text.
template <typename Value>
[[nodiscard]] std::optional<Value> known(const Value& value) {
    return value == Value() ? std::nullopt : std::optional(value);
}

/// Calls append(element) for each element, which must write one value.
template <typename Elements, typename Append>
void append_array(const Elements& elements, std::string& out, Append append) {
    out += '[';
    bool first = true;
    for (const auto& element : elements) {
        if (!first) out += ',';
        first = false;
        append(element);
    }
    out += ']';
}

template <typename Elements>
requires(!std::convertible_to<Elements, std::string_view>) && requires(const Elements& elements) {
    elements.begin();
}
void append_value(const Elements& elements, std::string& out) {
    append_array(elements, out, [&](const auto& element) { append_value(element, out); });
}

/// Writes one object, with members in the order of the calls. Names must not need escapes.
class Object {
  public:
    explicit Object(std::string& out) : out_(out) { out_ += '{'; }

    template <typename Value>
    void add(std::string_view name, const Value& value) {
        begin(name);
        append_value(value, out_);
    }
    void add_null(std::string_view name) {
        begin(name);
        append_null(out_);
    }
    /// Adds a member that is an object; fill(Object&) adds its members.
    template <typename Fill>
    void add_object(std::string_view name, Fill fill) {
        begin(name);
        append(fill);
    }
    /// Adds a member that is an array of objects; fill(Object&, element) adds the members of each.
    template <typename Elements, typename Fill>
    void add_objects(std::string_view name, const Elements& elements, Fill fill) {
        begin(name);
        append_array(elements, out_, [&](const auto& element) {
            append([&](Object& object) { fill(object, element); });
        });
    }
    /// Adds the members of another object, which is JSON text.
    void add_members(std::string_view object) {
        object = object.substr(1, object.size() - 2);
        if (object.empty()) return;
        if (!first_) out_ += ',';
        first_ = false;
        out_ += object;
    }
    void end() { out_ += '}'; }

  private:
    /// One append is several times as fast as four, and rows have many members.
    void begin(std::string_view name) {
        char text[64];
        char* end = text;
        if (!first_) *end++ = ',';
        first_ = false;
        *end++ = '"';
        if (name.size() > sizeof text - 4) {
            out_.append(text, end).append(name);
            end = text;
        } else {
            end = std::copy(name.begin(), name.end(), end);
        }
        *end++ = '"';
        *end++ = ':';
        out_.append(text, end);
    }
    template <typename Fill>
    void append(Fill fill) {
        Object object(out_);
        fill(object);
        object.end();
    }

    std::string& out_;
    bool first_ = true;
};

/// Writes an object; fill(Object&) adds its members.
template <typename Fill>
void append_object(std::string& out, Fill fill) {
    Object object(out);
    fill(object);
    object.end();
}

/// Writes an object and a line end.
template <typename Fill>
void append_line(std::string& out, Fill fill) {
    append_object(out, fill);
    out += '\n';
}

}  // namespace fendex::json
