// Which names of one kind are joined, by code (codec/game_codes.hpp). Made once for a snapshot of
// the database, kept in its snapshot cache and shared by its readers; const afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "store/local_reader.hpp"

namespace fendex::store {

class JoinedNames {
  public:
    /// Reads the joined names if no reader of the snapshot has done so before.
    static std::shared_ptr<const JoinedNames> of(LocalReader& reader, NameKind kind);

    [[nodiscard]] bool empty() const { return spellings_.empty(); }
    /// One more than the greatest code of a joined name or of one that stands for others.
    [[nodiscard]] std::size_t end_of_codes() const { return canonical_.size(); }
    /// Returns the code of the name that stands for this one: its own unless it is joined.
    [[nodiscard]] std::uint32_t canonical(std::uint32_t code) const {
        return code < canonical_.size() ? canonical_[code] : code;
    }
    /// Returns the codes of the names that are joined to this one, ascending.
    [[nodiscard]] std::span<const std::uint32_t> spellings(std::uint32_t canonical) const;
    /// Adds the codes of all names that are joined with any of these. Sorts the codes.
    void complete(std::vector<std::uint32_t>& codes) const;

  private:
    void add(const NameJoin& join);
    void sort();
    [[nodiscard]] std::size_t bytes() const;

    std::vector<std::uint32_t> canonical_;
    std::vector<std::uint32_t> spellings_;  // joined names, by their canonical one and code
};

}  // namespace fendex::store
