// Readers of one snapshot of a database on this machine, one for each thread.
#pragma once

#include <memory>
#include <vector>

#include "store/local_reader.hpp"
#include "store/store.hpp"

namespace fendex::store {

class SnapshotReaders {
  public:
    /// Throws StoreError.
    SnapshotReaders(Store& database, unsigned threads);

    [[nodiscard]] unsigned size() const { return static_cast<unsigned>(readers_.size()); }
    [[nodiscard]] LocalReader& operator[](unsigned thread) { return *readers_[thread]->local(); }

  private:
    std::vector<Reader> readers_;
};

}  // namespace fendex::store
