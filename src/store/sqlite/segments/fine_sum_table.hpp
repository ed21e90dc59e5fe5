// Table `fine_sum`: fine sums of big positions (codec/fine_sums.hpp). A row belongs to the summary
// whose mark it has; with another summary, which a program that does not know the table has
// written, it is as if it were not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/fine_sums.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/segment_record.hpp"

namespace fendex::store {

/// Returns the mark of a summary's bytes, without their checksum.
[[nodiscard]] std::uint32_t mark_of_summary(std::string_view bytes);

/// Returns the row for these sums, with its checksum.
[[nodiscard]] std::string fine_row(std::string_view encoded, std::uint32_t mark,
                                   const codec::SegmentShape& shape, std::uint64_t key);

/// The bytes of a row, without its checksum.
struct FineRow {
    std::uint32_t mark = 0;
    std::string_view encoded;  // sums
};
/// Returns nothing if the row is damaged.
[[nodiscard]] std::optional<FineRow> read_fine_row(std::string_view data,
                                                   const codec::SegmentShape& shape,
                                                   std::uint64_t key);

[[nodiscard]] bool has_fine_sums(const Connection& connection);

/// Reads rows, in the connection's thread and snapshot. A database without the table has none.
class FineSumReader {
  public:
    explicit FineSumReader(const Connection& connection) : connection_(&connection) {}

    /// Must be called first, and again when the connection's snapshot may be another one.
    void load();
    /// Returns the row of a position; empty if there is none. Valid until the next call.
    [[nodiscard]] std::optional<std::string_view> row(std::int64_t segment, std::uint64_t key);
    /// Returns the sums of a position whose summary has this mark, or any mark if none is given;
    /// empty if there are none. Throws DamageError.
    [[nodiscard]] std::optional<codec::FineSums> find(const SegmentRecord& segment,
                                                      std::uint64_t key,
                                                      std::optional<std::uint32_t> mark);

  private:
    const Connection* connection_;
    bool exists_ = false;
    std::optional<Statement> select_;
    std::string data_;
};

/// Writes rows, in a writer's thread and transaction. Makes the table with the first row.
class FineSumTable {
  public:
    explicit FineSumTable(Connection& connection) : connection_(&connection) {}

    void put(std::int64_t segment, std::uint64_t key, std::string_view data);
    void remove(std::int64_t segment, std::uint64_t key);
    /// Removes the rows of a segment.
    void remove(std::int64_t segment);
    /// Returns the lowest segment after this one that has rows; empty if there is none.
    [[nodiscard]] std::optional<std::int64_t> next_segment(std::int64_t after);

  private:
    Connection* connection_;
    std::optional<Statement> insert_;
};

}  // namespace fendex::store
