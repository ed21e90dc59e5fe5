#include "sqlite_ext/position_arguments.hpp"

#include <stdexcept>
#include <string>

#include "chess/variant_names.hpp"
#include "sqlite_ext/values.hpp"

namespace fendex::sqlite_ext {

namespace {

constexpr int kFen = 0;
constexpr int kMatch = 1;
constexpr int kVariant = 2;

}  // namespace

bool PositionArguments::read(const char* table, int plan, std::span<sqlite3_value*> values) {
    std::size_t next = 0;
    bool any_null = false;
    for (int argument = 0; argument < kCount; ++argument) {
        given_[argument].reset();
        if ((plan & 1 << argument) == 0) continue;
        given_[argument].reset(sqlite3_value_dup(values[next++]));
        if (!given_[argument]) throw std::bad_alloc();
        any_null = any_null || is_null(given_[argument].get());
    }
    if (any_null) return false;
    if (!given_[kFen])
        throw std::invalid_argument(std::string(table) + "(fen): the FEN is missing");
    position_ = position_of(given_[kFen].get(), given_[kVariant].get());
    match_ = given_[kMatch] ? query::match_of(text_of(given_[kMatch].get())) : query::Match::kExact;
    return true;
}

void PositionArguments::column(sqlite3_context* context, int number) const {
    if (given_[number]) {
        sqlite3_result_value(context, given_[number].get());
    } else if (number == kMatch) {
        set_result(context, "exact");
    } else if (number == kVariant) {
        set_result(context, chess::name_of(position_.variant()));
    }
}

}  // namespace fendex::sqlite_ext
