#include "store/store.hpp"

#include <utility>

namespace fendex::store {

namespace {

/// Returns false if the database has been upgraded to another format.
bool refreshed(StoreReader& reader) {
    try {
        reader.refresh();
        return true;
    } catch (const StoreError& error) {
        if (error.kind() != StoreError::kUpgraded) throw;
        return false;
    }
}

}  // namespace

void ReaderReturn::operator()(StoreReader* reader) noexcept {
    std::unique_ptr<StoreReader> returned(reader);
    if (const std::shared_ptr<Store> store = std::move(store_)) {
        store->keep_idle(std::move(returned));
    }
}

Reader Store::reader() {
    std::unique_ptr<StoreReader> reader;
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            reader = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (!reader || !refreshed(*reader)) reader = new_reader();
    return {reader.release(), ReaderReturn(shared_from_this())};
}

std::unique_ptr<StoreWriter> Store::writer(std::string_view purpose) {
    const auto open = std::make_shared<char>();
    std::vector<std::unique_ptr<StoreReader>> closed;
    {
        const std::lock_guard lock(mutex_);
        closed = std::exchange(idle_, {});
        writer_ = open;
    }
    closed.clear();
    return new_writer(purpose, open);
}

/// Keeps a returned reader as idle. Closes it if it cannot be released, if a writer is open, or if
/// there are enough idle readers.
void Store::keep_idle(std::unique_ptr<StoreReader> reader) noexcept {
    try {
        reader->release();
        const std::lock_guard lock(mutex_);
        if (writer_.expired() && idle_.size() < most_idle_) idle_.push_back(std::move(reader));
    } catch (...) {
        reader.reset();
    }
}

}  // namespace fendex::store
