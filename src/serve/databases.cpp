#include "serve/databases.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <thread>

#include "clickhouse/open.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex::serve {

namespace {

/// Usual number of readers of a database; the memory for pages is divided by it.
constexpr std::size_t kReaders = 8;

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

}  // namespace

Databases::Databases(const std::vector<std::string>& paths, std::size_t memory,
                     OpenStore open_store) {
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

/// Returns the store of the file that the path names now. Looks at the file each time, which takes
/// a microsecond: otherwise readers of a replaced file and of the new one would share caches.
std::shared_ptr<store::Store> Databases::store_of(Served& served) {
    const std::lock_guard lock(served.mutex);
    if (clickhouse::is_cluster(served.path)) {
        if (!served.store) served.store = served.open_store(served.path, served.caches);
        return served.store;
    }
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
        std::shared_ptr<store::Store> store = store_of(served);
        store::Reader reader = store->reader();
        // If the file was replaced meanwhile, the reader may be of the new one: try again.
        if (store_of(served) == store) return {served.path, 0, std::move(store), std::move(reader)};
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

void Databases::look_after() const {
    for (const auto& served : served_) {
        if (clickhouse::is_cluster(served->path)) continue;
        static_cast<void>(store_of(*served));
        store::settle_log(served->path);
    }
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
