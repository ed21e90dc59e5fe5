// The records of positions that a database has beside its games.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "chess/any_position.hpp"
#include "codec/packed_searches.hpp"
#include "codec/position_record.hpp"

namespace fendex::store {

/// Belongs to a reader and sees its snapshot. Throws StoreError if the database is damaged.
class PositionRecords {
  public:
    virtual ~PositionRecords() = default;

    /// Returns the number of records. While an import is under way, and after it was killed, a
    /// position may count more than once; so may one of several databases of a cluster.
    [[nodiscard]] virtual std::uint64_t count() const = 0;
    /// Reads the record of exactly this position. Returns false if there is none.
    [[nodiscard]] bool find(const chess::AnyPosition& position, codec::PositionRecord& out);
    /// Reads the best search of exactly this position, in half the time of find(). Returns false if
    /// there is none.
    [[nodiscard]] bool find_best(const chess::AnyPosition& position, codec::BestSearch& out);
    using Visit = std::function<bool(const chess::AnyPosition&, const codec::PositionRecord&)>;
    /// Calls visit() with all records from a key on, in the order of keys, until it returns false.
    virtual void for_each_from(std::uint64_t key, const Visit& visit) = 0;
    void for_each(const Visit& visit) { for_each_from(0, visit); }

    /// Returns whether each look-up is a round trip to a server, unless it was expected.
    [[nodiscard]] virtual bool is_remote() const { return false; }
    /// Says which positions will be looked up next, by their keys: all are read at once.
    virtual void expect(std::span<const std::uint64_t> /*keys*/) {}

  protected:
    /// Calls use() with the bits of each record of exactly this position, from where its searches
    /// begin. use() returns false if they are damaged, which is an error.
    using Use = std::function<bool(codec::BitReader&)>;
    virtual void for_each_record(const chess::AnyPosition& position, const Use& use) = 0;

  private:
    codec::PositionRecord other_;
    codec::PackedSearches searches_;
};

}  // namespace fendex::store
