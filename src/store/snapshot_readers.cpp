#include "store/snapshot_readers.hpp"

namespace fendex::store {

namespace {

bool same_state(const StoreInfo& a, const StoreInfo& b) {
    return a.id == b.id && a.games == b.games && a.last_game == b.last_game && a.plies == b.plies &&
           a.fingerprint == b.fingerprint && a.errors == b.errors;
}

}  // namespace

/// Opens readers until all have the same snapshot: they differ if the database changes meanwhile.
SnapshotReaders::SnapshotReaders(Store& database, unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) readers_.push_back(database.reader());
    // Readers share caches from the second one on: so the first begins again.
    if (threads > 1) readers_.front()->refresh();
    bool same = false;
    while (!same) {
        const StoreInfo first = readers_.front()->info();
        same = true;
        for (std::size_t i = 1; i < readers_.size(); ++i) {
            if (same_state(readers_[i]->info(), first)) continue;
            same = false;
            for (const Reader& reader : readers_) reader->refresh();
            break;
        }
    }
}

}  // namespace fendex::store
