// The databases that are served. Readers are pooled; a request has one snapshot of each database.
// What other processes commit is seen by the next request, and a file that was replaced is opened
// anew within a second. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace fendex::serve {

/// A database and a reader of one snapshot of it, for one thread at a time.
struct OpenDatabase {
    std::string name;  // as it was typed
    store::Reader reader;
};

class Databases {
  public:
    /// `memory` is what all caches together may take, in bytes. Throws StoreError if one of them
    /// cannot be read.
    explicit Databases(const std::vector<std::string>& paths,
                       std::size_t memory = std::size_t{512} << 20);

    [[nodiscard]] std::size_t size() const { return served_.size(); }
    [[nodiscard]] const std::string& name(std::size_t i) const { return served_[i]->path; }
    /// Borrows a reader of each, in their order. Throws StoreError.
    [[nodiscard]] std::vector<OpenDatabase> open();
    /// Returns a text that changes with every commit to any of them.
    [[nodiscard]] std::string version();

  private:
    struct Served {
        std::string path;
        std::mutex mutex;
        std::shared_ptr<store::Store> store;
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::chrono::steady_clock::time_point looked{};
    };

    store::Reader reader(Served& served);

    store::CacheSizes caches_;  // of each
    std::vector<std::unique_ptr<Served>> served_;
};

}  // namespace fendex::serve
