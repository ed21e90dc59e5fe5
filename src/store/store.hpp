// A database at a location, with any kind of storage. It provides writers and readers. A reader
// returns to its store when it is destroyed. Any thread may use a store.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "store/store_reader.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

class Store;

/// How much a store may keep for later queries.
struct CacheSizes {
    std::size_t reader_bytes = std::size_t{64} << 20;  // for pages, for each reader
    /// For values of games, for each table of them; at most what the store keeps by itself.
    std::size_t value_bytes = std::numeric_limits<std::size_t>::max();
    std::size_t snapshot_cache_bytes = SnapshotCache::kCapacity;  // for results
    /// The number of readers that stay open after their return, each with its pages and
    /// descriptors.
    std::size_t idle_readers = 8;
};

/// A server that a database is on, and whether it answers.
struct ServerState {
    std::string name;  // "host:port"
    bool is_up = false;

    bool operator==(const ServerState&) const = default;
};

/// Returns a reader to its store.
class ReaderReturn {
  public:
    ReaderReturn() = default;
    explicit ReaderReturn(std::shared_ptr<Store> store) : store_(std::move(store)) {}

    void operator()(StoreReader* reader) noexcept;

  private:
    std::shared_ptr<Store> store_;  // empty after the reader was returned
};

/// A reader of a store, for one thread at a time. It keeps the store alive, and returns to it.
using Reader = std::unique_ptr<StoreReader, ReaderReturn>;

class Store : public std::enable_shared_from_this<Store> {
  public:
    [[nodiscard]] const std::string& location() const { return location_; }

    virtual ~Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// Returns a reader of what is committed now: an idle one or a new one. Throws StoreError if
    /// there is no readable database.
    [[nodiscard]] Reader reader();
    /// Throws StoreError if there is no readable database.
    void require_readable() { static_cast<void>(reader()); }

    /// Opens the writer, of which there can be only one. Creates the database if it does not exist.
    /// Throws StoreError if the database cannot be written, or if another process is writing.
    /// `purpose` (one word, the verb) is shown to other processes that try to write. Closes idle
    /// readers, so that they do not block the writer.
    [[nodiscard]] std::unique_ptr<StoreWriter> writer(std::string_view purpose = "write");

    /// Returns the servers that the database is on, after asking each of them, which may take
    /// seconds; none for a file.
    [[nodiscard]] virtual std::vector<ServerState> servers() { return {}; }

  protected:
    explicit Store(std::string location, const CacheSizes& caches = {})
        : location_(std::move(location)), most_idle_(caches.idle_readers) {}

    virtual std::unique_ptr<StoreReader> new_reader() = 0;
    /// The writer must keep `open` until it is destroyed.
    virtual std::unique_ptr<StoreWriter> new_writer(std::string_view purpose,
                                                    std::shared_ptr<void> open) = 0;

  private:
    friend class ReaderReturn;
    void keep_idle(std::unique_ptr<StoreReader> reader) noexcept;

    const std::string location_;
    const std::size_t most_idle_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<StoreReader>> idle_;
    std::weak_ptr<void> writer_;  // expired if no writer is open
};

}  // namespace fendex::store
