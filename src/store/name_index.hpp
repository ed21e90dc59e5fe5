// The folded names of one kind, found by the beginnings of their words. Made once for a snapshot of
// the database, kept in its snapshot cache and shared by its readers; const afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/huge_allocator.hpp"
#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "store/joined_names.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

class NameIndex {
  public:
    /// Reads all names if no reader of the snapshot has done so before. Throws base::Stopped.
    static std::shared_ptr<const NameIndex> of(LocalReader& reader, NameKind kind,
                                               base::StopCheck& stop);

    /// Returns the codes (codec/game_codes.hpp) of the names that fit the words, and of all names
    /// that are joined with one of these; ascending.
    [[nodiscard]] std::vector<std::uint32_t> codes(const base::NameWords& words) const;
    /// Calls visit() with the code and the folded text of each name that has a word beginning with
    /// one of the pairs of letters that are wanted. A word of one letter is no pair; a letter that
    /// is not Latin has two bytes and is a pair. A name may come twice.
    void for_each_with_word(
        const std::function<bool(std::string_view pair)>& is_wanted,
        const std::function<void(std::uint32_t code, std::string_view folded)>& visit) const;
    /// Returns the codes of the names that begin with a folded text.
    [[nodiscard]] std::vector<std::uint32_t> codes_beginning(std::string_view folded) const;

  private:
    struct Name {
        std::uint32_t begin = 0;  // in text_; up to the next name's
        std::uint32_t code = 0;
    };

    explicit NameIndex(std::shared_ptr<const JoinedNames> joined) : joined_(std::move(joined)) {}

    void add(std::int64_t id, std::string_view name);
    void sort_words();
    [[nodiscard]] std::string_view text_of(std::size_t name) const;
    [[nodiscard]] std::size_t bytes() const;

    std::shared_ptr<const JoinedNames> joined_;
    base::HugeString text_;         // folded names
    base::HugeVector<Name> names_;  // and one that marks the end
    /// The names that have a word with these two first letters, bucket after bucket.
    std::vector<std::uint32_t> bucket_begins_;
    base::HugeVector<std::uint32_t> by_word_;
};

/// Returns the codes of the players with exactly this name; if there are none, of those whose names
/// equal it after folding. Includes the names that are joined with these; ascending.
[[nodiscard]] std::vector<std::uint32_t> codes_of_player(LocalReader& reader, std::string_view name,
                                                         base::StopCheck& stop);

}  // namespace fendex::store
