// Searches in open databases for the games that a filter accepts.
#pragma once

#include <deque>
#include <stop_token>
#include <utility>
#include <vector>

#include "query/opening_tree.hpp"
#include "serve/databases.hpp"

namespace fendex::serve {

/// A filter, prepared for each of several databases, which must stay open. For their thread.
class Searches {
  public:
    Searches(std::vector<OpenDatabase>& databases, const query::GameFilter& filter,
             std::stop_token stop = {}) {
        for (OpenDatabase& each : databases) one_.emplace_back(*each.reader, filter, stop);
    }

    [[nodiscard]] std::size_t size() const { return one_.size(); }
    [[nodiscard]] query::GameMatcher& matcher(std::size_t i) { return one_[i].matcher; }
    [[nodiscard]] query::PositionSearch& operator[](std::size_t i) { return one_[i].search; }
    [[nodiscard]] std::vector<query::TreeSource> sources() {
        std::vector<query::TreeSource> sources;
        for (One& each : one_) sources.push_back({&each.reader, &each.search});
        return sources;
    }

  private:
    struct One {
        One(store::StoreReader& of, const query::GameFilter& filter, std::stop_token stop)
            : reader(of), matcher(of, filter, std::move(stop)), search(of, matcher) {}

        store::StoreReader& reader;
        query::GameMatcher matcher;
        query::PositionSearch search;
    };

    std::deque<One> one_;
};

}  // namespace fendex::serve
