// An allocator for containers that grow to many megabytes: their memory is huge blocks
// (base/huge_block.hpp) once it is as large as one.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <vector>

#include "base/huge_block.hpp"

namespace fendex::base {

template <typename Value>
class HugeAllocator {
  public:
    using value_type = Value;

    HugeAllocator() = default;
    template <typename Other>
    HugeAllocator(const HugeAllocator<Other>& /*other*/) {}  // NOLINT(google-explicit-constructor)

    Value* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(Value);
        void* const memory =
            is_huge(count) ? new_huge_block(bytes).release() : ::operator new(bytes);
        return static_cast<Value*>(memory);
    }
    void deallocate(Value* values, std::size_t count) noexcept {
        if (!is_huge(count)) return ::operator delete(values);
        FreeHugeBlock{whole_blocks(count * sizeof(Value))}(reinterpret_cast<std::byte*>(values));
    }

    bool operator==(const HugeAllocator&) const { return true; }

  private:
    static bool is_huge(std::size_t count) { return count * sizeof(Value) >= kHugeBlockBytes; }
};

template <typename Value>
using HugeVector = std::vector<Value, HugeAllocator<Value>>;
using HugeString = std::basic_string<char, std::char_traits<char>, HugeAllocator<char>>;

}  // namespace fendex::base
