// Changes the tags of a game before an export writes it: joined names become the name that stands
// for them, and tags that the game lacks are added. What is stored stays as it came.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/fide_numbers.hpp"
#include "store/local_reader.hpp"

namespace fendex::emit {

/// A group of tags that can be filled in.
struct FilledTags {
    std::string_view name;  // "eco"
    std::string_view help;
};
inline constexpr std::array<FilledTags, 5> kFilledTags{
    {{"eco", "ECO, by the positions of the game"},
     {"opening", "Opening, by the positions of the game"},
     {"variation", "Variation, by the positions of the game"},
     {"plycount", "PlyCount, the plies that can be replayed"},
     {"fideid", "WhiteFideId and BlackFideId, if other games give a player just one number"}}};

struct TagChoice {
    bool canonical_names = false;
    std::array<bool, kFilledTags.size()> fill{};  // by index in kFilledTags

    [[nodiscard]] bool is_empty() const { return *this == TagChoice(); }
    bool operator==(const TagChoice&) const = default;
};

/// Reads what it needs when it is made; const afterwards, so any thread may use it.
class TagChanges {
  public:
    /// Throws StoreError if the database is not on this machine.
    TagChanges(store::StoreReader& reader, const TagChoice& choice);

    /// Changes the tags of a game. `reader` is of the same snapshot.
    void apply(store::StoreReader& reader, store::GameId id, store::StoredGame& game) const;
    /// Changes the names in a header, which has views of this object then.
    void apply(store::GameHeader& header) const;

  private:
    using Canonical = std::unordered_map<std::string, std::string>;

    void read_joined_names(store::LocalReader& reader);
    [[nodiscard]] std::optional<std::string_view> canonical(store::NameKind kind,
                                                            const std::string& name) const;
    /// Returns the opening as databases store it; empty if the game has none.
    [[nodiscard]] std::string_view opening_of(store::LocalReader& reader, store::GameId id) const;
    void fill_opening(std::string_view opening, store::StoredGame& game) const;
    void fill_fide_numbers(store::LocalReader& reader, store::GameId id,
                           store::StoredGame& game) const;

    TagChoice choice_;
    std::unordered_map<store::NameKind, Canonical> canonical_;
    std::vector<std::string> openings_;  // by code
    std::optional<query::FideNumbers> numbers_;
};

}  // namespace fendex::emit
