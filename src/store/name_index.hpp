// Names found by the beginnings of their words, as people type them. Those of players are looked up
// in the store's lists (store/player_lists.hpp). The first question of a kind about a snapshot of
// the database reads all names that are in no list. The second makes an index of the folded names,
// which costs more memory and time than reading them once; it is kept in the snapshot cache and
// shared by the snapshot's readers. Names that sound like what was typed are kept at once: names
// like those found are looked up next.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "store/local_reader.hpp"
#include "store/players.hpp"

namespace fendex::store {

/// Returns the codes (codec/game_codes.hpp) of the names that fit the words, and of all names that
/// are joined with one of these; ascending. None if there are no words. Throws base::Stopped, as
/// all of these do.
[[nodiscard]] std::vector<std::uint32_t> codes_with_words(LocalReader& reader, NameKind kind,
                                                          const base::NameWords& words,
                                                          base::StopCheck& stop);

/// The pairs of letters with which a word of a name may begin (LikeNames::may_begin), and all bytes
/// that begin no letter. A word of one letter has no pair.
class WantedPairs {
  public:
    explicit WantedPairs(const std::function<bool(std::string_view pair)>& is_wanted);

    /// Returns the first bytes of the pairs.
    [[nodiscard]] std::vector<std::string> beginnings() const;
    /// Returns whether a word of a folded name begins with one of the pairs.
    [[nodiscard]] bool begin_word_of(std::string_view folded) const;
    [[nodiscard]] bool include(const WantedPairs& others) const {
        return (others.buckets_ & ~buckets_).none();
    }
    /// By the pair's bytes as a number.
    [[nodiscard]] bool has(std::size_t bucket) const { return buckets_[bucket]; }

  private:
    std::bitset<std::size_t{1} << 16> buckets_;
};

/// Returns the codes of the names that pass a test, and of all names that are joined with one of
/// these; ascending. They are kept in the snapshot cache.
[[nodiscard]] std::vector<std::uint32_t> codes_like(LocalReader& reader, NameKind kind,
                                                    const LikeNames& test, base::StopCheck& stop);

/// Returns the codes of the names that begin with a folded text.
[[nodiscard]] std::vector<std::uint32_t> codes_beginning(LocalReader& reader, NameKind kind,
                                                         std::string_view folded,
                                                         base::StopCheck& stop);

/// Returns the codes of the players with exactly this name; if there are none, of those whose names
/// equal it after folding. Includes the names that are joined with these; ascending.
[[nodiscard]] std::vector<std::uint32_t> codes_of_player(LocalReader& reader, std::string_view name,
                                                         base::StopCheck& stop);

}  // namespace fendex::store
