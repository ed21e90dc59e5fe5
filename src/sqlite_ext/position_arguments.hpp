// The arguments of reached(fen, match, variant) and tree(fen, match, variant), which are hidden
// columns of theirs: the position asked for, how loosely ('exact' where it is not said), and of
// which variant (where it is not said, and the FEN does not tell it, 'standard').
#pragma once

#include <memory>
#include <span>

#include "query/position_match.hpp"
#include "store/sqlite/api.hpp"

namespace fendex::sqlite_ext {

class PositionArguments {
  public:
    static constexpr int kCount = 3;

    /// Takes the arguments a plan was given (take_arguments()). False where one is NULL: nothing
    /// answers that. Throws std::invalid_argument for what is no FEN, no such match or variant, and
    /// where there is no FEN; `table` says so.
    bool read(const char* table, int plan, std::span<sqlite3_value*> values);

    const chess::AnyPosition& position() const { return position_; }
    query::Match match() const { return match_; }
    /// The column of argument `number`: as it was given.
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
