// Reads the records of positions of a cluster.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "clickhouse/snapshot.hpp"
#include "store/position_records.hpp"

namespace fendex::clickhouse {

/// Keeps what was looked up last, and reads together what is expected. One thread.
class RecordRows final : public store::PositionRecords {
  public:
    explicit RecordRows(ReadSession& session) : session_(session) {}

    std::uint64_t count() const override { return session_.snapshot().records(); }
    void for_each_from(std::uint64_t key, const Visit& visit) override;
    bool is_remote() const override { return true; }
    void expect(std::span<const std::uint64_t> keys) override;

    /// Must be called when there is a new snapshot.
    void forget() { known_.clear(); }

  private:
    void for_each_record(const chess::AnyPosition& position, const Use& use) override;
    [[nodiscard]] std::string sql_of_pushes() const;
    [[noreturn]] void throw_damaged(std::uint64_t key);

    ReadSession& session_;
    /// The packed records of each key that was looked up.
    std::unordered_map<std::uint64_t, std::vector<std::string>> known_;
};

}  // namespace fendex::clickhouse
