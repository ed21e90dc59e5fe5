// SQL values: reading arguments, comparing them with columns, and returning texts.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "chess/any_position.hpp"
#include "store/sqlite/file/api.hpp"

namespace fendex::sqlite_ext {

/// Returns the bytes of a text, or of another value converted to text; empty for NULL.
std::string_view text_of(sqlite3_value* value);

bool is_null(sqlite3_value* value);

/// Returns the variant of that name. Throws std::invalid_argument for an unknown name.
chess::Variant variant_of(sqlite3_value* value);

/// Returns the position of a FEN in the named variant. Without a name, the FEN decides; if it does
/// not, it is standard chess. Throws std::invalid_argument for an invalid FEN, naming the field and
/// the reason, and for an unknown variant.
chess::AnyPosition position_of(sqlite3_value* fen, sqlite3_value* variant = nullptr);

// Sets the result of a function or the value of a column. Without a call it is NULL.
void set_result(sqlite3_context* context, std::string_view text);
inline void set_result(sqlite3_context* context, double number) {
    sqlite3_result_double(context, number);
}
inline void set_result(sqlite3_context* context, std::integral auto number) {
    sqlite3_result_int64(context, static_cast<sqlite3_int64>(number));
}
template <typename Value>
void set_result(sqlite3_context* context, const std::optional<Value>& value) {
    if (value) set_result(context, *value);
}

/// The range of integers that can satisfy comparisons of a column. It may be too wide: SQLite
/// checks each row itself.
struct IntegerRange {
    std::int64_t first = std::numeric_limits<std::int64_t>::min();
    std::int64_t last = std::numeric_limits<std::int64_t>::max();

    bool empty() const { return first > last; }
    void clear() {
        first = 1;
        last = 0;
    }
    /// Restricts the range to values equal to, at least, or at most `value`.
    void equal(sqlite3_value* value);
    void at_least(sqlite3_value* value);
    void at_most(sqlite3_value* value);
};

}  // namespace fendex::sqlite_ext
