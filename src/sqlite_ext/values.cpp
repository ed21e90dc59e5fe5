#include "sqlite_ext/values.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "ask/pasted_position.hpp"
#include "chess/variant_names.hpp"

namespace fendex::sqlite_ext {

namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

/// Returns the nearest value that an integer column can have.
std::int64_t clamped(double whole) {
    if (whole >= kTwoTo63) return std::numeric_limits<std::int64_t>::max();
    if (whole < -kTwoTo63) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(whole);
}

}  // namespace

std::string_view text_of(sqlite3_value* value) {
    const auto* text =
        static_cast<const char*>(static_cast<const void*>(sqlite3_value_text(value)));
    if (text == nullptr) return {};
    return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

bool is_null(sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; }

chess::Variant variant_of(sqlite3_value* value) {
    const chess::Variant variant = chess::variant_of(text_of(value));
    if (variant == chess::Variant::kOther) {
        throw std::invalid_argument("'" + std::string(text_of(value)) + "' is not a known variant");
    }
    return variant;
}

chess::AnyPosition position_of(sqlite3_value* fen, sqlite3_value* variant) {
    std::optional<chess::Variant> of;
    if (variant != nullptr) of = variant_of(variant);
    const ask::PositionText read = ask::read_position(std::string(text_of(fen)), of);
    if (read.position) return *read.position;
    throw std::invalid_argument(
        "FEN, " + (read.problem.empty()
                       ? std::string(read.fen.error.field) + ": " + read.fen.error.reason
                       : read.problem));
}

void set_result(sqlite3_context* context, std::string_view text) {
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void IntegerRange::equal(sqlite3_value* value) {
    at_least(value);
    at_most(value);
}

void IntegerRange::at_least(sqlite3_value* value) {
    switch (sqlite3_value_numeric_type(value)) {
        case SQLITE_INTEGER:
            first = std::max<std::int64_t>(first, sqlite3_value_int64(value));
            break;
        case SQLITE_FLOAT:
            first = std::max(first, clamped(std::ceil(sqlite3_value_double(value))));
            break;
        // Texts and blobs sort after all numbers; comparisons with NULL are never true.
        default: clear();
    }
}

void IntegerRange::at_most(sqlite3_value* value) {
    switch (sqlite3_value_numeric_type(value)) {
        case SQLITE_INTEGER: last = std::min<std::int64_t>(last, sqlite3_value_int64(value)); break;
        case SQLITE_FLOAT:
            last = std::min(last, clamped(std::floor(sqlite3_value_double(value))));
            break;
        case SQLITE_NULL: clear(); break;
        default: break;  // all numbers sort before texts and blobs
    }
}

}  // namespace fendex::sqlite_ext
