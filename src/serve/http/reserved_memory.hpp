// Memory for one asio handler, allocated in advance, so that posting the handler cannot fail for
// lack of memory. asio gets the allocator from the handler's get_allocator().
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>

namespace fendex::serve {

struct ReservedBlock {
    alignas(std::max_align_t) std::array<std::byte, 512> bytes;
};

/// An allocator. All copies share one block of memory, which serves one allocation at a time. The
/// allocation must not outlive the last copy.
template <typename T>
class ReservedMemory {
  public:
    using value_type = T;

    /// Throws std::bad_alloc.
    ReservedMemory() : block_(std::make_shared<ReservedBlock>()) {}
    template <typename Other>
    ReservedMemory(const ReservedMemory<Other>& other) : block_(other.block()) {}

    T* allocate(std::size_t count) {
        if (count * sizeof(T) > sizeof(ReservedBlock)) throw std::bad_alloc();
        return reinterpret_cast<T*>(block_->bytes.data());
    }
    void deallocate(T* /*memory*/, std::size_t /*count*/) {}
    bool operator==(const ReservedMemory&) const = default;

    [[nodiscard]] const std::shared_ptr<ReservedBlock>& block() const { return block_; }

  private:
    std::shared_ptr<ReservedBlock> block_;
};

}  // namespace fendex::serve
