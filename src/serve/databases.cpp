#include "serve/databases.hpp"

#include <sys/stat.h>

#include <algorithm>

namespace fendex::serve {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{500};

/// So many readers of a database are usual; the memory for pages is divided among them.
constexpr std::size_t kReaders = 8;

}  // namespace

Databases::Databases(const std::vector<std::string>& paths, std::size_t memory) {
    const std::size_t share = memory / std::max<std::size_t>(1, paths.size());
    caches_ = {share / 2 / kReaders, share / 4};
    for (const std::string& path : paths) {
        served_.push_back(std::make_unique<Served>());
        served_.back()->path = path;
        static_cast<void>(reader(*served_.back()));
    }
}

store::Reader Databases::reader(Served& served) {
    std::shared_ptr<store::Store> store;
    {
        const std::lock_guard lock(served.mutex);
        const auto now = std::chrono::steady_clock::now();
        struct stat file {};
        if ((!served.store || now - served.looked > kBetweenLooks) &&
            ::stat(served.path.c_str(), &file) == 0) {
            served.looked = now;
            if (!served.store || served.inode != file.st_ino || served.device != file.st_dev) {
                served.store = store::Store::at(served.path, caches_);
                served.inode = file.st_ino;
                served.device = file.st_dev;
            }
        }
        if (!served.store) served.store = store::Store::at(served.path, caches_);
        store = served.store;
    }
    return store->reader();
}

std::vector<OpenDatabase> Databases::open() {
    std::vector<OpenDatabase> open;
    open.reserve(served_.size());
    for (const auto& served : served_) open.push_back({served->path, reader(*served)});
    return open;
}

std::string Databases::version() {
    std::string version;
    for (const auto& served : served_) {
        const store::Reader open = reader(*served);
        version += std::to_string(served->inode) + '.' + std::to_string(open->snapshot()) + '.';
    }
    return version;
}

}  // namespace fendex::serve
