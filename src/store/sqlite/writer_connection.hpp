// What a writer does with its file as a whole: opens or creates it, and says where temporary files
// go.
#pragma once

#include <string>

#include "store/sqlite/connection.hpp"

namespace fendex::store {

/// Opens a database to be written, and creates one that is not there or is empty. Every commit will
/// be durable. Throws StoreError for what is no fendex database of this format.
[[nodiscard]] Connection open_for_writing(const std::string& path);

/// As long as it lives, SQLite's temporary files lie beside the database: they may be as large as
/// that, and /tmp may be small.
class TemporaryFilesBeside {
  public:
    explicit TemporaryFilesBeside(Connection& connection);
    ~TemporaryFilesBeside();
    TemporaryFilesBeside(const TemporaryFilesBeside&) = delete;
    TemporaryFilesBeside& operator=(const TemporaryFilesBeside&) = delete;

  private:
    void set(const std::string& directory);

    Connection& connection_;
};

}  // namespace fendex::store
