// A library that is loaded before all others (LD_PRELOAD) and makes one call fail. A call belongs
// to a kind: malloc (with all that allocates), write, fsync, ftruncate, read, unlink. Counts only
// calls from the begin of main() on, and not the allocations of libroaring, whose version 0.2 does
// not look at what malloc() returns. tests/long/failing_calls.py uses it; the environment says what
// fails:
//     FENDEX_FAIL_CALL  the kind
//     FENDEX_FAIL_AT    the number of the call that fails, from 1
//     FENDEX_FAIL_LOG   instead: a file for the number of the first call from each place in the
//                       program (by its call stack), and at the end for the number of all calls
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

const char* kind = nullptr;
std::uint64_t fail_at = 0;
int log_file = -1;
bool counting = false;
std::atomic<std::uint64_t> calls{0};
thread_local bool inside = false;

/// Hashes of call stacks, in a table of fixed size because nothing may be allocated here.
constexpr std::size_t kStacks = std::size_t{1} << 18;
std::atomic<std::uint64_t> stacks[kStacks];

/// Returns whether no call came from this place before.
bool is_new(std::uint64_t stack) {
    for (std::size_t i = stack % kStacks, tries = 0; tries < kStacks; ++tries) {
        std::uint64_t found = 0;
        if (stacks[i].compare_exchange_strong(found, stack)) return true;
        if (found == stack) return false;
        i = (i + 1) % kStacks;
    }
    return false;
}

std::uint64_t call_stack() {
    void* frames[14];
    const int size = ::backtrace(frames, 14);
    std::uint64_t hash = 1469598103934665603U;
    for (int i = 2; i < size; ++i) {
        hash = (hash ^ reinterpret_cast<std::uintptr_t>(frames[i])) * 1099511628211U;
    }
    return hash | 1;
}

void log_number(const char* what, std::uint64_t number) {
    char line[40];
    const int size =
        std::snprintf(line, sizeof line, "%s%llu\n", what, static_cast<unsigned long long>(number));
    // Not write(), which this library replaces.
    static const auto write_log =
        reinterpret_cast<ssize_t (*)(int, const void*, std::size_t)>(::dlsym(RTLD_NEXT, "write"));
    static_cast<void>(write_log(log_file, line, static_cast<std::size_t>(size)));
}

/// Counts a call of this kind. Returns whether it fails.
bool fails(const char* of_kind) {
    if (!counting || inside || std::strcmp(kind, of_kind) != 0) return false;
    const std::uint64_t number = ++calls;
    if (log_file < 0) return number == fail_at;
    inside = true;
    if (is_new(call_stack())) log_number("", number);
    inside = false;
    return false;
}

struct Span {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
} roaring;

int find_roaring(dl_phdr_info* library, std::size_t /*size*/, void* /*unused*/) {
    if (std::strstr(library->dlpi_name, "libroaring") == nullptr) return 0;
    for (int i = 0; i < library->dlpi_phnum; ++i) {
        const auto& part = library->dlpi_phdr[i];
        if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
        roaring.begin = library->dlpi_addr + part.p_vaddr;
        roaring.end = roaring.begin + part.p_memsz;
    }
    return 1;
}

/// Like fails(), for an allocation that was called from the address `caller`.
bool allocation_fails(const void* caller) {
    const auto address = reinterpret_cast<std::uintptr_t>(caller);
    return !(address >= roaring.begin && address < roaring.end) && fails("malloc");
}

template <typename Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

using Main = int (*)(int, char**, char**);
Main real_main;

int counted_main(int argc, char** argv, char** environment) {
    kind = std::getenv("FENDEX_FAIL_CALL");
    if (const char* const at = std::getenv("FENDEX_FAIL_AT")) {
        fail_at = std::strtoull(at, nullptr, 10);
    }
    if (const char* const path = std::getenv("FENDEX_FAIL_LOG")) {
        log_file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        call_stack();  // backtrace() allocates when it is called first
        std::atexit([] { log_number("all ", calls); });
    }
    ::dl_iterate_phdr(find_roaring, nullptr);
    counting = kind != nullptr;
    return real_main(argc, argv, environment);
}

}  // namespace

// The definitions replace those of the C library.
#pragma GCC visibility push(default)
extern "C" {

int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
    real_main = main;
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    return next<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini,
                                            stack_end);
}

void* malloc(std::size_t size) {
    if (allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, nullptr;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    if (allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, nullptr;
    return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
    if (allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, nullptr;
    return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    if (allocation_fails(__builtin_return_address(0))) return errno = ENOMEM, nullptr;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
    if (allocation_fails(__builtin_return_address(0))) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out == nullptr ? ENOMEM : 0;
}
void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {
    if ((flags & MAP_ANONYMOUS) != 0 && allocation_fails(__builtin_return_address(0)))
        return errno = ENOMEM, MAP_FAILED;
    static const auto real = next<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap");
    return real(address, size, protection, flags, file, offset);
}

ssize_t write(int file, const void* bytes, std::size_t size) {
    if (file > 2 && fails("write")) return errno = ENOSPC, -1;
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
    return real(file, bytes, size);
}
ssize_t pwrite64(int file, const void* bytes, std::size_t size, off64_t offset) {
    if (fails("write")) return errno = ENOSPC, -1;
    static const auto real = next<ssize_t (*)(int, const void*, std::size_t, off64_t)>("pwrite64");
    return real(file, bytes, size, offset);
}
ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t offset) {
    return pwrite64(file, bytes, size, offset);
}
ssize_t read(int file, void* bytes, std::size_t size) {
    if (fails("read")) return errno = EIO, -1;
    static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
    return real(file, bytes, size);
}
ssize_t pread64(int file, void* bytes, std::size_t size, off64_t offset) {
    if (fails("read")) return errno = EIO, -1;
    static const auto real = next<ssize_t (*)(int, void*, std::size_t, off64_t)>("pread64");
    return real(file, bytes, size, offset);
}
ssize_t pread(int file, void* bytes, std::size_t size, off_t offset) {
    return pread64(file, bytes, size, offset);
}
int fsync(int file) {
    if (fails("fsync")) return errno = EIO, -1;
    static const auto real = next<int (*)(int)>("fsync");
    return real(file);
}
int fdatasync(int file) {
    if (fails("fsync")) return errno = EIO, -1;
    static const auto real = next<int (*)(int)>("fdatasync");
    return real(file);
}
int ftruncate64(int file, off64_t size) noexcept {
    if (fails("ftruncate")) return errno = EIO, -1;
    static const auto real = next<int (*)(int, off64_t)>("ftruncate64");
    return real(file, size);
}
int ftruncate(int file, off_t size) noexcept { return ftruncate64(file, size); }
int unlink(const char* path) noexcept {
    if (fails("unlink")) return errno = EIO, -1;
    static const auto real = next<int (*)(const char*)>("unlink");
    return real(path);
}
}
