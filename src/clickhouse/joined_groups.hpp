// The joined names of a cluster. Those of all its databases count as one.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clickhouse/snapshot.hpp"
#include "store/game_column.hpp"

namespace fendex::clickhouse {

/// Groups of names of one kind. Const after construction.
class JoinedGroups {
  public:
    /// Reads the groups unless they are in the snapshot cache. Only names of players, events and
    /// sites are joined.
    [[nodiscard]] static std::shared_ptr<const JoinedGroups> of(ReadSession& session,
                                                                store::NameKind kind);

    /// Adds the names that do not fit, but are joined with one that fits.
    void complete(std::vector<std::string>& names,
                  const std::function<bool(std::string_view)>& fits) const;

    /// Returns the names that are joined to others, each with the name that stands for it. The
    /// views are valid as long as the groups are.
    [[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> joins() const;

  private:
    void join(std::string_view name, std::string_view canonical);
    [[nodiscard]] std::size_t number_of(std::string_view name);
    [[nodiscard]] std::size_t group_of(std::size_t name) const;
    [[nodiscard]] std::size_t bytes() const;

    std::unordered_map<std::string, std::size_t> numbers_;  // of names
    std::vector<std::size_t> above_;  // another name of the same group; of the last one itself
};

}  // namespace fendex::clickhouse
