#include "serve/databases.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <random>
#include <stdexcept>
#include <thread>

#include "clickhouse/open.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/reader/idle_snapshots.hpp"

namespace fendex::serve {

namespace {

/// Usual number of readers of a database; the memory for pages is divided by it.
constexpr std::size_t kReaders = 8;

/// A request looks whether a file was replaced only if the last look was longer ago.
constexpr std::chrono::milliseconds kBetweenLooks{20};

/// Returns how many readers of a database stay open: one for each thread that may need one.
std::size_t idle_readers() {
    return std::max<std::size_t>(kReaders, 3 * std::thread::hardware_concurrency());
}

/// Returns a text that no other process has. It is needed because each process numbers its
/// snapshots from the beginning.
std::string random_mark() {
    std::random_device random;
    std::string mark;
    for (int i = 0; i < 3; ++i) mark += std::to_string(random()) + '-';
    return mark;
}

std::uint64_t readers_opened(const store::Store& store) {
    const store::IdleSnapshots* const idle = store::idle_snapshots_of(store);
    return idle == nullptr ? 0 : idle->readers_opened();
}

}  // namespace

Databases::Databases(const std::vector<std::string>& paths, std::size_t memory,
                     const OpenStore& open_store) {
    const std::size_t share = memory / std::max<std::size_t>(1, paths.size());
    for (const std::string& path : paths) {
        served_.push_back(std::make_shared<Served>());
        served_.back()->path = path;
        served_.back()->caches = {.reader_bytes = share / 2 / kReaders,
                                  .value_bytes = share / 4,
                                  .snapshot_cache_bytes = share / 4,
                                  .idle_readers = idle_readers()};
        served_.back()->open_store = open_store;
        static_cast<void>(open(*served_.back()));
    }
}

Databases Databases::some(const std::vector<std::string>& paths) const {
    Databases some;
    for (const std::string& path : paths) {
        const auto found = std::find_if(served_.begin(), served_.end(),
                                        [&](const auto& each) { return each->path == path; });
        if (found == served_.end()) throw std::invalid_argument(path + " is not served");
        some.served_.push_back(*found);
    }
    return some;
}

/// Returns the store of the file that the path named just now.
std::shared_ptr<store::Store> Databases::known_store(Served& served) {
    {
        const std::lock_guard lock(served.mutex);
        if (served.store && Clock::now() - served.looked < kBetweenLooks) return served.store;
    }
    return store_of(served);
}

/// Returns the store of the file that the path names now.
std::shared_ptr<store::Store> Databases::store_of(Served& served) {
    const std::lock_guard lock(served.mutex);
    if (clickhouse::is_cluster(served.path)) {
        if (!served.store) served.store = served.open_store(served.path, served.caches);
        return served.store;
    }
    served.looked = Clock::now();
    struct stat file {};
    const bool exists = ::stat(served.path.c_str(), &file) == 0;
    if (!served.store || !exists || served.inode != file.st_ino || served.device != file.st_dev) {
        // The old file is closed first, because the log is found by the file's name.
        served.store.reset();
        // Throws an error that says so if there is no file.
        served.store = served.open_store(served.path, served.caches);
        served.inode = file.st_ino;
        served.device = file.st_dev;
    }
    return served.store;
}

OpenDatabase Databases::open(Served& served) {
    while (true) {
        std::shared_ptr<store::Store> store = known_store(served);
        const std::uint64_t before = readers_opened(*store);
        store::Reader reader = store->reader();
        if (readers_opened(*store) == before || store_of(served) == store) {
            return {served.path, 0, std::move(store), std::move(reader)};
        }
        // The file was replaced, and a reader that was opened now may be of the new one. It must
        // not share the caches of the others, so it does not return to their store.
        const std::unique_ptr<store::StoreReader> closed(reader.release());
    }
}

std::vector<OpenDatabase> Databases::open() const {
    std::vector<OpenDatabase> all;
    all.reserve(served_.size());
    for (const auto& served : served_) {
        all.push_back(open(*served));
        all.back().index = all.size() - 1;
    }
    return all;
}

bool Databases::has_clusters() const {
    return std::ranges::any_of(served_,
                               [](const auto& each) { return clickhouse::is_cluster(each->path); });
}

std::vector<std::vector<store::ServerState>> Databases::servers() const {
    std::vector<std::vector<store::ServerState>> all;
    for (const auto& served : served_) {
        const bool is_cluster = clickhouse::is_cluster(served->path);
        all.push_back(is_cluster ? store_of(*served)->servers()
                                 : std::vector<store::ServerState>());
    }
    return all;
}

void Databases::look_after() const {
    std::exception_ptr failure;
    for (const auto& served : served_) {
        if (clickhouse::is_cluster(served->path)) continue;
        try {
            const std::shared_ptr<store::Store> store = store_of(*served);
            if (auto* const idle = store::idle_snapshots_of(*store)) idle->end_all();
            store::settle_log(served->path);
        } catch (const store::StoreError&) {
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

std::string Databases::version_of(const std::vector<OpenDatabase>& open) {
    static const std::string process = random_mark();
    std::string version = process;
    for (const OpenDatabase& each : open) {
        version += std::to_string(each.reader->snapshot_cache().number()) + '.';
    }
    return version;
}

}  // namespace fendex::serve
