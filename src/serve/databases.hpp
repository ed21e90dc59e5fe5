// The databases that are served. Readers are pooled; a request has one snapshot of each database.
// The next request sees what other processes have committed, and soon after it a file that was
// replaced. Between requests there is no snapshot and no lock, except that under load they last
// until the next look_after(). Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "ask/sources.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::serve {

using ask::OpenDatabase;

/// Makes the store of a location.
using OpenStore = std::function<std::shared_ptr<store::Store>(const std::string& location,
                                                              const store::CacheSizes& caches)>;

class Databases {
  public:
    /// `memory` is the limit for all caches together, in bytes. Throws StoreError if a database
    /// cannot be read.
    explicit Databases(const std::vector<std::string>& paths,
                       std::size_t memory = std::size_t{512} << 20,
                       const OpenStore& open_store = store::file_store);

    /// Returns the databases with these paths, in that order. They share readers and caches with
    /// this object. Throws std::invalid_argument for a path that is not served.
    [[nodiscard]] Databases some(const std::vector<std::string>& paths) const;

    [[nodiscard]] std::size_t size() const { return served_.size(); }
    [[nodiscard]] const std::string& name(std::size_t i) const { return served_[i]->path; }
    /// Borrows a reader of each, in their order. Throws StoreError.
    [[nodiscard]] std::vector<OpenDatabase> open() const;
    [[nodiscard]] bool has_clusters() const;
    /// Returns the servers that the databases are on, of each in their order: none for files. Asks
    /// each server, which may take seconds. Works if no database can be read.
    [[nodiscard]] std::vector<std::vector<store::ServerState>> servers() const;
    /// Returns a text that identifies the content of open databases. It changes with each commit to
    /// any of them, and differs from all texts of other processes.
    [[nodiscard]] static std::string version_of(const std::vector<OpenDatabase>& open);
    [[nodiscard]] std::string version() const { return version_of(open()); }

    /// Opens files anew that were replaced. Ends the snapshots of idle readers, and empties a
    /// write-ahead log that its writer could not empty because a request was reading. Call it about
    /// once a second. Throws StoreError if a database cannot be read, after the others were looked
    /// after.
    void look_after() const;

  private:
    using Clock = std::chrono::steady_clock;

    struct Served {
        std::string path;
        store::CacheSizes caches;
        OpenStore open_store;
        std::mutex mutex;
        std::shared_ptr<store::Store> store;  // of the file with this device and inode
        Clock::time_point looked;             // at the file
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
    };

    Databases() = default;
    static std::shared_ptr<store::Store> known_store(Served& served);
    static std::shared_ptr<store::Store> store_of(Served& served);
    static OpenDatabase open(Served& served);

    std::vector<std::shared_ptr<Served>> served_;
};

}  // namespace fendex::serve
