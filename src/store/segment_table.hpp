// The write side of tables `segment` and `block`. Lives beside a writer's connection, in its thread
// and transaction.
#pragma once

#include "store/sqlite.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

class SegmentTable {
  public:
    explicit SegmentTable(Connection& connection);

    /// Deletes what an import that was killed had written of its segment.
    void remove_remains();
    /// The last game that a segment holds; 0 for none.
    GameId last_game();

    void begin();
    void add_block(std::uint64_t first_key, unsigned part, std::string_view data);
    void end(const SegmentRecord& segment);

  private:
    Connection* connection_;
    Statement insert_block_;
    Statement insert_segment_;
    std::int64_t id_ = 0;
};

}  // namespace fendex::store
