#include "store/sqlite/file/page_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "store/block_memory.hpp"

namespace fendex::store {

namespace {

/// To keep a page of 16 KiB, SQLite asks for the page and some hundred bytes.
constexpr std::size_t kLeastOfPage = 16'384;
constexpr std::size_t kMostOfPage = 17'000;

/// Before each piece of memory is its size.
using Size = std::uint64_t;

/// Pieces of equal size, for one page each.
class PagePieces {
  public:
    void* take() {
        const std::lock_guard lock(mutex_);
        if (free_ != nullptr) return std::exchange(free_, free_->next);
        return memory_.take(kPieceBytes);
    }
    void give(void* piece) noexcept {
        const std::lock_guard lock(mutex_);
        free_ = new (piece) Free{free_};
    }

  private:
    static constexpr std::size_t kPieceBytes = 17'024;
    static_assert(kPieceBytes >= kMostOfPage + sizeof(Size) && kPieceBytes % 64 == 0);

    struct Free {
        Free* next;
    };

    std::mutex mutex_;
    BlockMemory memory_;
    Free* free_ = nullptr;
};

/// Never destroyed: SQLite may free pages while the program ends.
PagePieces& page_pieces() {
    static PagePieces& pieces = *new PagePieces;
    return pieces;
}

bool is_of_page(std::size_t bytes) { return bytes >= kLeastOfPage && bytes <= kMostOfPage; }

Size* begin_of(void* memory) { return static_cast<Size*>(memory) - 1; }

int size_of(void* memory) { return memory == nullptr ? 0 : static_cast<int>(*begin_of(memory)); }

void* allocate(int bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    void* memory = nullptr;
    try {
        memory = is_of_page(size) ? page_pieces().take() : std::malloc(size + sizeof(Size));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    if (memory == nullptr) return nullptr;
    return new (memory) Size{size} + 1;
}

void release(void* memory) {
    if (memory == nullptr) return;
    Size* const begin = begin_of(memory);
    is_of_page(*begin) ? page_pieces().give(begin) : std::free(begin);
}

void* reallocate(void* memory, int bytes) {
    Size* const begin = begin_of(memory);
    const auto size = static_cast<std::size_t>(bytes);
    if (!is_of_page(*begin) && !is_of_page(size)) {
        void* const grown = std::realloc(begin, size + sizeof(Size));
        if (grown == nullptr) return nullptr;
        return new (grown) Size{size} + 1;
    }
    void* const out = allocate(bytes);
    if (out == nullptr) return nullptr;
    std::memcpy(out, memory, std::min<std::size_t>(*begin, size));
    release(memory);
    return out;
}

int rounded(int bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

sqlite3_mem_methods page_memory_methods() {
    return {allocate,     release, reallocate, size_of, rounded, [](void*) { return SQLITE_OK; },
            [](void*) {}, nullptr};
}

void use_page_memory() {
    const sqlite3_mem_methods methods = page_memory_methods();
    static_cast<void>(sqlite3_config(SQLITE_CONFIG_MALLOC, &methods));
}

}  // namespace fendex::store
