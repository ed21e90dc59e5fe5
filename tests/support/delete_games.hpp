#pragma once

#include <string>
#include <vector>

#include "store/sqlite/file_store.hpp"

namespace fendex::test {

/// Deletes games from a database. Returns how many of them it had.
inline std::uint64_t delete_games(const std::string& path,
                                  const std::vector<store::GameId>& games) {
    const auto writer = store::file_store(path)->writer("delete");
    const std::uint64_t deleted = writer->remove_games(games).games;
    writer->commit();
    writer->close();
    return deleted;
}

}  // namespace fendex::test
