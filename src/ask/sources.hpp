// The open databases of a question, each with the games that its filter accepts. For one thread at
// a time.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "query/opening_tree.hpp"
#include "query/position_search.hpp"
#include "store/store.hpp"

namespace fendex::ask {

/// A database and a reader of one snapshot of it.
struct OpenDatabase {
    std::string name;       // as it was typed
    std::size_t index = 0;  // in the list that was typed
    std::shared_ptr<store::Store> store;
    store::Reader reader;
};

/// Opens a database. Throws StoreError if it cannot be read.
[[nodiscard]] OpenDatabase open_database(std::string name, std::size_t index,
                                         std::shared_ptr<store::Store> store);

/// A database, the games in it that a filter accepts, and searches among these.
struct Source {
    Source(OpenDatabase& open, const store::GameFilter& filter, const std::stop_token& stop)
        : name(open.name),
          index(open.index),
          store(open.store),
          reader(open.reader.get()),
          matcher(*reader, filter, stop),
          positions(*reader, matcher) {}
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    const std::string& name;
    std::size_t index;
    std::shared_ptr<store::Store> store;
    store::StoreReader* reader;
    query::GameMatcher matcher;
    query::PositionSearch positions;
};

class Sources {
  public:
    /// Leaves out databases without the source that the filter names, and all but the one at the
    /// index `only`. Throws FilterError if none has the source.
    Sources(std::vector<OpenDatabase> databases, const store::GameFilter& filter,
            const std::stop_token& stop = {}, std::optional<std::size_t> only = {});
    /// Uses databases of others, which must outlive it.
    Sources(std::vector<OpenDatabase>* databases, const store::GameFilter& filter,
            const std::stop_token& stop = {}, std::optional<std::size_t> only = {});
    Sources(const Sources&) = delete;
    Sources& operator=(const Sources&) = delete;

    /// Returns whether several databases are searched. If so, each row of an answer names its
    /// database.
    [[nodiscard]] bool several() const { return opened_ > 1; }
    /// Returns the number of databases, also of those that were left out.
    [[nodiscard]] std::size_t opened() const { return opened_; }
    [[nodiscard]] std::size_t size() const { return sources_.size(); }
    [[nodiscard]] Source& operator[](std::size_t i) { return sources_[i]; }
    [[nodiscard]] const Source& operator[](std::size_t i) const { return sources_[i]; }
    auto begin() { return sources_.begin(); }
    auto end() { return sources_.end(); }
    [[nodiscard]] std::vector<store::StoreReader*> readers();
    [[nodiscard]] std::vector<query::TreeSource> of_trees();

  private:
    std::vector<OpenDatabase> own_;
    std::deque<Source> sources_;
    std::size_t opened_ = 0;
};

}  // namespace fendex::ask
