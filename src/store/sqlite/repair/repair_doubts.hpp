// Data that a repair cannot restore, because they are stored only once: names, the ledger, import
// errors, the id of the database. If their checksum does not match, they may have changed since the
// import.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/row_sums.hpp"

namespace fendex::store {

struct Doubt {
    std::string what;    // "names", "source", "import_error", "id" ...
    std::string reason;  // a sentence
};

class RepairDoubts {
  public:
    /// Compares the checksums. Call it before the repair changes anything.
    explicit RepairDoubts(Connection& connection);

    /// Returns whether a segment with variations may be missing.
    bool segments_were_changed() const { return segments_changed_; }
    /// Returns the doubts that remain after the repair, which may have restored a changed value.
    std::vector<Doubt> remaining();

  private:
    LocatedSum sum_of_new_errors();

    Connection* connection_;
    std::optional<StoredSums> stored_;  // empty if they cannot be read
    bool segments_changed_ = false;
    bool names_changed_ = false;
    bool sources_changed_ = false;
    bool errors_changed_ = false;
    bool id_changed_ = false;
    std::int64_t last_error_ = 0;  // before the repair
};

}  // namespace fendex::store
