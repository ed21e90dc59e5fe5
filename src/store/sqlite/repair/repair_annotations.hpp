// Repairs the annotations of games and the dictionaries that they are packed with. Uses the
// connection of a repair, in its transaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/seals.hpp"
#include "store/sqlite/tables/annotation_table.hpp"

namespace fendex::store {

class RepairAnnotations {
  public:
    explicit RepairAnnotations(const Connection& connection)
        : connection_(connection), reader_(connection) {}

    /// Writes new checksums for dictionaries with a wrong one. Removes those that zstd cannot use.
    void seal_dictionaries();

    enum class State { kIntact, kUnverified, kLost };
    /// Removes the annotation of a game if it cannot be read.
    State keep(GameId game);
    /// Cuts the annotation after the first `plies` moves of the game. Returns false if it is not
    /// longer. Call it after keep().
    bool cut(GameId game, std::uint32_t plies);
    /// Returns the annotation of the game for which keep() was called last; empty if it has none.
    [[nodiscard]] const std::string& stream() const { return stream_; }

  private:
    bool is_readable(GameId game);
    void seal_blob(const char* table, const char* key, Sealed what, std::int64_t id);

    const Connection& connection_;
    AnnotationReader reader_;
    std::string stream_;     // of the game whose annotation was kept last
    std::size_t moves_ = 0;  // the number of the game's moves in it
    bool dictionary_is_unverified_ = false;
};

}  // namespace fendex::store
