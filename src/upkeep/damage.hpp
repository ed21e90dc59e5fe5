// The damage that a check found, with the ids that lead to it. Memory is bounded: the first
// findings of each kind are kept, the others only counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fendex::upkeep {

struct Damage {
    std::string kind;  // what is damaged: "block", "posting", "sum", "game", "fact" ...
    std::optional<std::uint64_t> game{};
    std::optional<std::int64_t> ply{};
    std::optional<std::uint64_t> key{};
    std::optional<std::int64_t> segment{};
    std::optional<std::int64_t> row{};  // id of the row, or number of its chunk
    std::string message{};
};

class Findings {
  public:
    /// Findings kept of each kind.
    static constexpr std::size_t kListed = 100;

    void add(Damage damage) {
        if (++counts_[damage.kind] <= kListed) listed_.push_back(std::move(damage));
    }
    void merge(const Findings& others) {
        std::map<std::string, std::uint64_t> listed;
        for (const Damage& damage : others.listed_) {
            add(damage);
            ++listed[damage.kind];
        }
        for (const auto& [kind, count] : others.counts_) counts_[kind] += count - listed[kind];
    }

    bool empty() const { return counts_.empty(); }
    const std::vector<Damage>& listed() const { return listed_; }
    /// Number of findings by kind, including those that are not listed.
    const std::map<std::string, std::uint64_t>& counts() const { return counts_; }

  private:
    std::vector<Damage> listed_;
    std::map<std::string, std::uint64_t> counts_;
};

}  // namespace fendex::upkeep
