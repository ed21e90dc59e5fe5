// The shares of the memory that an import may take (--memory). Memory that does not grow with it
// (the program, SQLite's pages, batches that are being read) is at most 128 MiB more.
#pragma once

#include <algorithm>
#include <cstddef>

namespace fendex::store {

/// Bytes of postings that wait to be sorted. Further postings go to a temporary file. With five
/// eighths, an import into 50 million games took 11 MiB too much of a gigabyte.
constexpr std::size_t sorter_memory(std::size_t memory_bytes) { return memory_bytes / 64 * 39; }

/// Bytes of the largest partition of these postings. One partition holds all postings of the
/// position that most games reached. While a partition is written, it is in memory twice.
constexpr std::size_t partition_memory(std::size_t memory_bytes) {
    return std::max(memory_bytes / 16, std::size_t{8} << 20);
}

/// Bytes of records of positions that wait to become a run.
constexpr std::size_t waiting_records_memory(std::size_t memory_bytes) { return memory_bytes / 4; }

/// Bytes of names (of players, events ...) whose ids are kept: with a gigabyte, of 4 million.
constexpr std::size_t names_memory(std::size_t memory_bytes) {
    return (std::size_t{32} << 20) + memory_bytes / 8;
}

/// Bytes of pages that SQLite keeps for an import.
constexpr std::size_t pages_memory(std::size_t memory_bytes) {
    return (std::size_t{16} << 20) + memory_bytes / 32;
}

}  // namespace fendex::store
