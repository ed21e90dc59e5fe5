// Has SQLite keep the pages of databases in huge blocks (base/huge_block.hpp). With malloc, every
// page that a command reads takes four page faults, which took longer than reading it. The memory
// of pages is used again by all connections, and never given back.
#pragma once

#include <sqlite3.h>

namespace fendex::store {

/// Returns SQLite's functions for memory that do so (SQLITE_CONFIG_MALLOC). Any thread may call
/// them.
[[nodiscard]] sqlite3_mem_methods page_memory_methods();

/// Makes this program's SQLite use them. Must be called before anything else uses SQLite, and not
/// in a library, because other parts of a program may use SQLite, too.
void use_page_memory();

}  // namespace fendex::store
