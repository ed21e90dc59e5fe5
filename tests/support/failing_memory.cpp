#include "support/failing_memory.hpp"

#include <sqlite3.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace fendex::test {

namespace {

/// Allocations of one kind. Used from operator new, so it allocates nothing.
struct Counter {
    std::atomic<bool> on{false};
    std::atomic<std::uint64_t> calls{0};
    std::atomic<std::uint64_t> first{0};
    std::atomic<std::uint64_t> count{0};

    bool fails() {
        if (!on) return false;
        const std::uint64_t n = ++calls;
        return n >= first && n - first < count;
    }
};

Counter of_sqlite;
Counter of_program;
sqlite3_mem_methods real;

void* allocate(int size) { return of_sqlite.fails() ? nullptr : real.xMalloc(size); }
void* reallocate(void* memory, int size) {
    return of_sqlite.fails() ? nullptr : real.xRealloc(memory, size);
}

/// `small`: the number of small allocations that each connection makes at once, beforehand.
bool use(const sqlite3_mem_methods& methods, int small) {
    constexpr int kSmallBytes = 1200;
    return sqlite3_shutdown() == SQLITE_OK &&
           sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK &&
           sqlite3_config(SQLITE_CONFIG_LOOKASIDE, kSmallBytes, small) == SQLITE_OK &&
           sqlite3_initialize() == SQLITE_OK;
}

}  // namespace

FailingMemory::FailingMemory() {
    if (sqlite3_shutdown() != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) != SQLITE_OK) {
        throw std::runtime_error("SQLite does not name its allocator");
    }
    sqlite3_mem_methods failing = real;
    failing.xMalloc = allocate;
    failing.xRealloc = reallocate;
    if (!use(failing, 0)) throw std::runtime_error("SQLite does not take another allocator");
}

FailingMemory::~FailingMemory() {
    constexpr int kUsual = 40;
    heal();
    static_cast<void>(use(real, kUsual));
}

void FailingMemory::fail(Allocations which, std::uint64_t n, std::uint64_t count) {
    heal();
    Counter& counter = which == Allocations::kOfSqlite ? of_sqlite : of_program;
    counter.calls = 0;
    counter.first = n;
    counter.count = count;
    counter.on = true;
}

// It ends what the object began, so it is called on the object.
// NOLINTNEXTLINE(readability-convert-member-functions-to-static)
std::uint64_t FailingMemory::heal() {
    Counter& counter = of_sqlite.on ? of_sqlite : of_program;
    of_sqlite.on = false;
    of_program.on = false;
    return counter.calls;
}

}  // namespace fendex::test

// These replace the operators of the whole test program. The forms for arrays call them, or are all
// a sanitizer's own. ThreadSanitizer's cannot be replaced, so in its builds the program's
// allocations do not fail.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FENDEX_THREAD_SANITIZER
#endif
#endif
#ifndef FENDEX_THREAD_SANITIZER

void* operator new(std::size_t size, const std::nothrow_t& /*unused*/) noexcept {
    return fendex::test::of_program.fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
}

void* operator new(std::size_t size) {
    void* const memory = operator new(size, std::nothrow);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
