// The records of positions that a database has beside its games.
#pragma once

#include <cstdint>
#include <functional>

#include "chess/any_position.hpp"
#include "codec/packed_searches.hpp"
#include "codec/position_record.hpp"

namespace fendex::store {

/// Belongs to a reader and sees its snapshot. Throws StoreError if the database is damaged.
class PositionRecords {
  public:
    virtual ~PositionRecords() = default;

    /// Returns the number of records. While an import is under way, and after it was killed, a
    /// position may count more than once.
    [[nodiscard]] virtual std::uint64_t count() const = 0;
    /// Reads the record of exactly this position. Returns false if there is none.
    [[nodiscard]] virtual bool find(const chess::AnyPosition& position,
                                    codec::PositionRecord& out) = 0;
    /// Reads the best search of exactly this position, in half the time of find(). Returns false if
    /// there is none.
    [[nodiscard]] virtual bool find_best(const chess::AnyPosition& position,
                                         codec::BestSearch& out) = 0;
    using Visit = std::function<bool(const chess::AnyPosition&, const codec::PositionRecord&)>;
    /// Calls visit() with all records from a key on, in the order of keys, until it returns false.
    virtual void for_each_from(std::uint64_t key, const Visit& visit) = 0;
    void for_each(const Visit& visit) { for_each_from(0, visit); }
};

}  // namespace fendex::store
