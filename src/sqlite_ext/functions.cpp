#include "sqlite_ext/functions.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>
#include <string>

#include "ask/pasted_position.hpp"
#include "base/hex.hpp"
#include "base/number_of.hpp"
#include "chess/diagram.hpp"
#include "chess/fen.hpp"
#include "codec/calendar.hpp"
#include "codec/date.hpp"
#include "sqlite_ext/values.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/store_error.hpp"

namespace fendex::sqlite_ext {

namespace {

using Values = std::span<sqlite3_value*>;

/// The FEN is the first argument; its variant, if given, is argument `at`.
chess::AnyPosition position_in(Values values, std::size_t at = 1) {
    return position_of(values[0], values.size() > at ? values[at] : nullptr);
}

/// Returns the key of a FEN. No FEN consists of sixteen hex digits, so such a text is read as a
/// key, as `find --key` does.
void fen_key(sqlite3_context* context, Values values) {
    const auto given = sqlite3_value_type(values[0]) == SQLITE_TEXT
                           ? base::key_of_hex(text_of(values[0]))
                           : std::nullopt;
    set_result(context, given ? *given : position_in(values).key());
}

void fen_epd(sqlite3_context* context, Values values) {
    set_result(context, chess::to_epd(position_in(values)));
}

void fen_board(sqlite3_context* context, Values values) {
    std::string board = chess::diagram(position_in(values));
    board.pop_back();  // without the last line break: programs that show a value add one
    set_result(context, board);
}

void fen_valid(sqlite3_context* context, Values values) {
    const std::optional<chess::Variant> variant =
        values.size() > 1 ? std::optional(variant_of(values[1])) : std::nullopt;
    set_result(context,
               ask::read_position(std::string(text_of(values[0])), variant).position.has_value());
}

void fen_convert(sqlite3_context* context, Values values) {
    for (const auto& [dialect, name] : chess::kFenDialects) {
        if (name != text_of(values[1])) continue;
        return set_result(context, chess::to_fen(position_in(values, 2), dialect));
    }
    throw std::invalid_argument(
        "fen_convert: the dialect must be 'standard', 'legal', 'xfen' or 'shredder'");
}

/// Returns the eight digits of a date as views and tables have it ("1851.06.21" or 18510621); empty
/// if a part is not known, or for another value.
std::string digits_of_date(sqlite3_value* value) {
    std::string digits(text_of(value));
    if (digits.size() == 10 && digits[4] == '.' && digits[7] == '.') {
        digits.erase(7, 1).erase(4, 1);
    }
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return digits.size() == 8 && std::ranges::all_of(digits, is_digit) ? digits : "";
}

/// Returns the date in the form that SQLite's own functions read; NULL unless it is a day of the
/// calendar.
void iso_date(sqlite3_context* context, Values values) {
    std::string text = digits_of_date(values[0]);
    if (text.empty()) return;
    const codec::Date date = base::number_of<std::uint32_t>(text).value_or(0);
    if (date.year() == 0 || !codec::calendar_day(date).ok()) return;
    set_result(context, text.insert(6, "-").insert(4, "-"));
}

using Function = void (*)(sqlite3_context*, Values);

template <Function kFunction>
void call(sqlite3_context* context, int count, sqlite3_value** values) {
    for (int i = 0; i < count; ++i) {
        if (is_null(values[i])) return;  // the result stays NULL
    }
    try {
        kFunction(context, {values, static_cast<std::size_t>(count)});
    } catch (const std::bad_alloc&) {
        sqlite3_result_error_nomem(context);
    } catch (const std::exception& problem) {
        sqlite3_result_error(context, problem.what(), -1);
    }
}

}  // namespace

void register_functions(sqlite3* db) {
    struct Named {
        const char* name;
        int arguments;
        void (*call)(sqlite3_context*, int, sqlite3_value**);
    };
    static constexpr Named kFunctions[] = {
        {"fen_key", 1, call<fen_key>},         {"fen_key", 2, call<fen_key>},
        {"fen_epd", 1, call<fen_epd>},         {"fen_epd", 2, call<fen_epd>},
        {"fen_board", 1, call<fen_board>},     {"fen_board", 2, call<fen_board>},
        {"fen_valid", 1, call<fen_valid>},     {"fen_valid", 2, call<fen_valid>},
        {"fen_convert", 2, call<fen_convert>}, {"fen_convert", 3, call<fen_convert>},
        {"iso_date", 1, call<iso_date>},
    };
    for (const Named& function : kFunctions) {
        const int rc =
            sqlite3_create_function_v2(db, function.name, function.arguments,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                       nullptr, function.call, nullptr, nullptr, nullptr);
        // SQLITE_BUSY: the function exists already and a statement is running, as in a second
        // SELECT load_extension().
        if (rc != SQLITE_OK && rc != SQLITE_BUSY) {
            throw store::StoreError(store::StoreError::kOther,
                                    std::string(function.name) + ": " + sqlite3_errmsg(db));
        }
    }
}

}  // namespace fendex::sqlite_ext
