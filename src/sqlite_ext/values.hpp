// SQL values: as arguments, and as the columns of a table compare with them; texts as results.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "chess/any_position.hpp"
#include "store/sqlite/api.hpp"

namespace fendex::sqlite_ext {

/// The bytes of a text, or of a value as text; empty for NULL.
std::string_view text_of(sqlite3_value* value);

bool is_null(sqlite3_value* value);

/// The variant named. Throws std::invalid_argument for a name that is none.
chess::Variant variant_of(sqlite3_value* value);

/// Of the variant named; where none is, of the one that the FEN tells by itself, else of standard
/// chess. Throws std::invalid_argument, which says what is wrong with which field, for what is no
/// FEN, and for a name that is none.
chess::AnyPosition position_of(sqlite3_value* fen, sqlite3_value* variant = nullptr);

void result_text(sqlite3_context* context, std::string_view text);

/// Which integers a column can have for a row to pass a comparison. Wide rather than exact: SQLite
/// compares each row itself.
struct IntegerRange {
    std::int64_t first = std::numeric_limits<std::int64_t>::min();
    std::int64_t last = std::numeric_limits<std::int64_t>::max();

    bool empty() const { return first > last; }
    void clear() {
        first = 1;
        last = 0;
    }
    /// Leaves what is equal to `value`, at least it, or at most it.
    void equal(sqlite3_value* value);
    void at_least(sqlite3_value* value);
    void at_most(sqlite3_value* value);
};

}  // namespace fendex::sqlite_ext
