#include "sqlite_ext/session.hpp"

#include "store/sqlite_api.hpp"

namespace fendex::sqlite_ext {

store::StoreReader& Session::reader() {
    Version now;
    sqlite3_file_control(db_, "main", SQLITE_FCNTL_DATA_VERSION, &now.commits);
    now.changes = sqlite3_total_changes(db_);
    if (!(now == seen_)) {
        reader_->refresh();
        seen_ = now;
    }
    return *reader_;
}

}  // namespace fendex::sqlite_ext
