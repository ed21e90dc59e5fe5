// The databases of a question, open for reading.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/arguments.hpp"
#include "query/position_search.hpp"
#include "store/store.hpp"

namespace fendex::cli {

/// A database and the games in it that a filter accepts.
struct OpenDatabase {
    /// Throws StoreError if the database cannot be read.
    OpenDatabase(const Arguments& arguments, std::string path, const query::GameFilter& filter);
    OpenDatabase(const OpenDatabase&) = delete;
    OpenDatabase& operator=(const OpenDatabase&) = delete;

    std::string name;  // as it was typed
    std::shared_ptr<store::Store> store;
    store::Reader reader;
    query::GameMatcher matcher;
    query::PositionSearch positions;
};

class OpenDatabases {
  public:
    /// Opens all databases that the command line names, before anything is printed. Throws
    /// StoreError if one cannot be read. Leaves out those without the source that the filter names;
    /// throws FilterError if none has it.
    OpenDatabases(const Arguments& arguments, const query::GameFilter& filter);

    /// Returns whether several databases are named. If so, each row of an answer names its
    /// database.
    bool several() const { return several_; }
    std::size_t size() const { return databases_.size(); }
    OpenDatabase& operator[](std::size_t i) { return databases_[i]; }
    const OpenDatabase& operator[](std::size_t i) const { return databases_[i]; }
    auto begin() { return databases_.begin(); }
    auto end() { return databases_.end(); }
    std::vector<store::StoreReader*> readers();

  private:
    std::deque<OpenDatabase> databases_;
    bool several_ = false;
};

}  // namespace fendex::cli
