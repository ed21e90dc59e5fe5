// libFuzzer calls these functions. The name by which the program was started chooses the target.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

#include "fuzz_targets.hpp"

namespace {

FuzzTarget* chosen = nullptr;

}  // namespace

/// A damaged archive can ask libarchive for terabytes. Without the sanitizer, malloc refuses that
/// and the import reports the archive; with it, the program would end. An operator new that gets
/// nothing still ends it, so that fendex's own sizes are tested.
extern "C" const char* __asan_default_options() {
    return "allocator_may_return_null=1:max_allocation_size_mb=1024";
}

extern "C" int LLVMFuzzerInitialize(const int* /*count*/, const char* const* const* words) {
    constexpr std::string_view kPrefix = "fuzz_";
    const std::string name = std::filesystem::path((*words)[0]).filename();
    const auto found =
        fuzz_targets.find(name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : "");
    if (found == fuzz_targets.end()) {
        std::cerr << name << ": start it as fuzz_TARGET\n";
        std::exit(2);  // libFuzzer does not look at what is returned
    }
    chosen = found->second;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return chosen(data, size);
}
