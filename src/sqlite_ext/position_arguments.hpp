// The arguments of reached(fen, match, variant) and tree(fen, match, variant), which are hidden
// columns: the position, how loosely to match it (default 'exact'), and its variant (default: the
// one that the FEN implies, else 'standard').
#pragma once

#include <memory>
#include <span>

#include "query/position_match.hpp"
#include "store/sqlite/file/api.hpp"

namespace fendex::sqlite_ext {

class PositionArguments {
  public:
    static constexpr int kCount = 3;

    /// Reads the arguments of a plan (take_arguments()). Returns false if one is NULL: then there
    /// are no rows. Throws std::invalid_argument, naming `table`, for an invalid or missing FEN,
    /// and for an unknown match or variant.
    [[nodiscard]] bool read(const char* table, int plan, std::span<sqlite3_value*> values);

    const chess::AnyPosition& position() const { return position_; }
    query::Match match() const { return match_; }
    /// Returns the column of argument `number`, as it was given.
    void column(sqlite3_context* context, int number) const;

  private:
    struct Free {
        void operator()(sqlite3_value* value) const { sqlite3_value_free(value); }
    };
    std::unique_ptr<sqlite3_value, Free> given_[kCount];
    chess::AnyPosition position_;
    query::Match match_ = query::Match::kExact;
};

}  // namespace fendex::sqlite_ext
