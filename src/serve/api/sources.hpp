// The databases of a request, with the games that its filter accepts. For one thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <stop_token>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "query/position_search.hpp"
#include "serve/databases.hpp"

namespace fendex::serve::api {

/// A database and the games in it that a filter accepts.
struct Source {
    Source(OpenDatabase open, const query::GameFilter& filter, const std::stop_token& stop)
        : name(std::move(open.name)),
          index(open.index),
          reader(std::move(open.reader)),
          matcher(*reader, filter, stop),
          positions(*reader, matcher) {}
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    std::string name;
    std::size_t index;  // in the list of served databases
    store::Reader reader;
    query::GameMatcher matcher;
    query::PositionSearch positions;
};

class Sources {
  public:
    /// Leaves out databases without the source that the filter names; throws FilterError if none
    /// has it. Throws StoreError.
    Sources(Databases& databases, const query::GameFilter& filter, const std::stop_token& stop);

    /// Returns whether several databases are served. If so, each row of an answer names its
    /// database.
    bool several() const { return several_; }
    std::size_t size() const { return sources_.size(); }
    Source& operator[](std::size_t i) { return sources_[i]; }
    auto begin() { return sources_.begin(); }
    auto end() { return sources_.end(); }
    std::vector<store::StoreReader*> readers();

  private:
    std::deque<Source> sources_;
    bool several_ = false;
};

/// Returns what precedes a game's number in references: "" for the first database, "2:" for the
/// second.
std::string ref_prefix(std::size_t database);

/// A game and its database.
struct GameRef {
    std::size_t database = 0;
    store::GameId game = 0;
};
/// Reads "17" or "2:17". Throws Refusal.
GameRef game_ref_of(const std::string& text, const Databases& databases);

/// Adds the members game_id and ref, and database if several are served.
void add_game_ref(const Source& source, bool several, store::GameId game, json::Object& object);

/// Adds the members line, ply, severity, reason and text.
void add_import_error(const store::ImportError& error, json::Object& object);

}  // namespace fendex::serve::api
