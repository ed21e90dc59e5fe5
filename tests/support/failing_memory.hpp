// Allocations that fail: those of SQLite, and those of the program (operator new). Only one object
// at a time. Any thread may allocate, but no database may be open when the object is created or
// destroyed. It cannot fail what other libraries allocate.
#pragma once

#include <cstdint>
#include <limits>

namespace fendex::test {

enum class Allocations { kOfSqlite, kOfProgram };

class FailingMemory {
  public:
    FailingMemory();
    ~FailingMemory();
    FailingMemory(const FailingMemory&) = delete;
    FailingMemory& operator=(const FailingMemory&) = delete;

    /// Makes the n-th allocation from now on fail (1 is the next), and `count` in all. The program
    /// gets std::bad_alloc, SQLite a null pointer.
    void fail(Allocations which, std::uint64_t n, std::uint64_t count = 1);
    /// Counts allocations without a failure.
    void count(Allocations which) { fail(which, std::numeric_limits<std::uint64_t>::max(), 0); }
    /// Ends both, and returns how many allocations there were.
    std::uint64_t heal();
};

}  // namespace fendex::test
