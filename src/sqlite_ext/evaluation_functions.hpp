// The scalar functions evaluation, eval_cp, eval_mate and eval_depth: the verdict on a position, as
// in the first row of table evaluation. NULL if there is none, and if an argument is NULL.
#pragma once

#include <memory>

#include "sqlite_ext/session.hpp"

struct sqlite3;

namespace fendex::sqlite_ext {

/// Throws StoreError if SQLite refuses.
void register_evaluation_functions(sqlite3* db, const std::shared_ptr<SessionSlot>& slot);

}  // namespace fendex::sqlite_ext
