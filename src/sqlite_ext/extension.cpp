#include "sqlite_ext/extension.hpp"

#include <memory>

#include "sqlite_ext/annotation_table.hpp"
#include "sqlite_ext/functions.hpp"
#include "sqlite_ext/ply_table.hpp"
#include "sqlite_ext/reached_table.hpp"
#include "sqlite_ext/repetition_view.hpp"
#include "sqlite_ext/tree_table.hpp"
#include "sqlite_ext/virtual_table.hpp"

namespace fendex::sqlite_ext {

void register_extension(sqlite3* db) {
    register_functions(db);
    const auto slot = std::make_shared<SessionSlot>(db);
    VirtualTable<PlyTable>::create(db, slot);
    VirtualTable<ReachedTable>::create(db, slot);
    VirtualTable<TreeTable>::create(db, slot);
    VirtualTable<AnnotationTable>::create(db, slot);
    add_repetition_view(db);
}

}  // namespace fendex::sqlite_ext
