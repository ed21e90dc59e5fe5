// A database at a location, however it is stored. It hands out writers and readers; a reader
// returns to it when it is destroyed. Any thread may use it.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "store/store_reader.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

class Store;

/// How much a store may keep for the next question.
struct CacheSizes {
    std::size_t reader_bytes = std::size_t{64} << 20;    // pages, for each reader
    std::size_t shelf_bytes = SnapshotShelf::kCapacity;  // results
    /// Readers that stay open when they are back, each with its pages and descriptors.
    std::size_t idle_readers = 8;
};

/// Gives a reader back to its store.
class ReaderReturn {
  public:
    ReaderReturn() = default;
    explicit ReaderReturn(std::shared_ptr<Store> store) : store_(std::move(store)) {}

    void operator()(StoreReader* reader) noexcept;

  private:
    std::shared_ptr<Store> store_;  // empty once the reader is back
};

/// A reader on loan, for one thread at a time. It keeps its store alive.
using Reader = std::unique_ptr<StoreReader, ReaderReturn>;

class Store : public std::enable_shared_from_this<Store> {
  public:
    [[nodiscard]] const std::string& location() const { return location_; }

    virtual ~Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// A reader of what is committed now: an idle one, or a new one. Throws StoreError if there is
    /// no database that can be read.
    [[nodiscard]] Reader reader();
    /// Throws StoreError if there is no database that can be read.
    void require_readable() { static_cast<void>(reader()); }

    /// Opens the only writer; creates the database if it does not exist. Throws StoreError if it
    /// cannot be written, or if another process is writing. `purpose` (one word, the verb) is shown
    /// to other processes that try to write. Idle readers are closed, so that they do not block the
    /// writer.
    [[nodiscard]] std::unique_ptr<StoreWriter> writer(std::string_view purpose = "write");

  protected:
    explicit Store(std::string location, const CacheSizes& caches = {})
        : location_(std::move(location)), most_idle_(caches.idle_readers) {}

    virtual std::unique_ptr<StoreReader> new_reader() = 0;
    /// The writer must keep `open` as long as it lives.
    virtual std::unique_ptr<StoreWriter> new_writer(std::string_view purpose,
                                                    std::shared_ptr<void> open) = 0;

  private:
    friend class ReaderReturn;
    void take_back(std::unique_ptr<StoreReader> reader) noexcept;

    const std::string location_;
    const std::size_t most_idle_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<StoreReader>> idle_;
    std::weak_ptr<void> writer_;  // expired if no writer is open
};

}  // namespace fendex::store
