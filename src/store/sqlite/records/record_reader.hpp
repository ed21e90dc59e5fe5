// Reads the records of positions. Uses the connection of a reader, in its thread and snapshot.
#pragma once

#include <optional>
#include <vector>

#include "store/position_records.hpp"
#include "store/sqlite/records/record_blocks.hpp"
#include "store/sqlite/records/record_rows.hpp"

namespace fendex::store {

class RecordReader final : public PositionRecords {
  public:
    explicit RecordReader(Connection& connection) : connection_(connection) {}

    /// Must be called when there is a new snapshot.
    void load();

    std::uint64_t count() const override;
    /// Returns the number of runs that are not merged.
    std::uint64_t runs() const { return runs_.size(); }
    void for_each_from(std::uint64_t key, const Visit& visit) override;

  private:
    void for_each_record(const chess::AnyPosition& position, const Use& use) override;

    Connection& connection_;
    std::optional<RecordBlocks> blocks_;  // empty if there are no tables
    std::uint64_t merged_ = 0;
    std::vector<RecordRun> runs_;
};

}  // namespace fendex::store
