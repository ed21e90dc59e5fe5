#include "store/spill_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/error_text.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

namespace {

[[noreturn]] void fail_to_spill(const std::string& directory, const char* doing) {
    const int error = errno;
    throw StoreError(error == ENOSPC ? StoreError::kFull : StoreError::kOther,
                     directory + ": cannot " + doing + " a temporary file: " +
                         base::error_text(error) + std::string(advice_on_space(error)));
}

}  // namespace

SpillFile::~SpillFile() { clear(); }

void SpillFile::clear() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    size_ = 0;
}

void SpillFile::create() {
    const std::lock_guard lock(mutex_);
    if (file_ >= 0) return;
    file_ = ::open(directory_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file_ < 0) {
        std::string name = directory_ + "/fendex-XXXXXX";
        file_ = ::mkostemp(name.data(), O_CLOEXEC);
        if (file_ >= 0) ::unlink(name.c_str());
    }
    if (file_ < 0) fail_to_spill(directory_, "create");
}

std::uint64_t SpillFile::append(const void* bytes, std::size_t size) {
    create();
    const std::uint64_t begin = size_.fetch_add(size);
    std::string_view rest(static_cast<const char*>(bytes), size);
    std::uint64_t offset = begin;
    while (!rest.empty()) {
        const ssize_t n = ::pwrite(file_, rest.data(), rest.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail_to_spill(directory_, "write");
        rest.remove_prefix(static_cast<std::size_t>(n));
        offset += static_cast<std::uint64_t>(n);
    }
    return begin;
}

void SpillFile::read(std::uint64_t offset, void* out, std::size_t size) const {
    auto* target = static_cast<char*>(out);
    while (size != 0) {
        const ssize_t n = ::pread(file_, target, size, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail_to_spill(directory_, "read");
        target += n;
        size -= static_cast<std::size_t>(n);
        offset += static_cast<std::uint64_t>(n);
    }
}

}  // namespace fendex::store
