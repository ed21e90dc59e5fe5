// Names found by the beginnings of their words, as people type them. The first question of a kind
// about a snapshot of the database reads all names. The second makes an index of the folded names,
// which costs more memory and time than reading them once; it is kept in the snapshot cache and
// shared by the snapshot's readers.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

/// Returns the codes (codec/game_codes.hpp) of the names that fit the words, and of all names that
/// are joined with one of these; ascending. None if there are no words. Throws base::Stopped, as
/// all of these do.
[[nodiscard]] std::vector<std::uint32_t> codes_with_words(LocalReader& reader, NameKind kind,
                                                          const base::NameWords& words,
                                                          base::StopCheck& stop);

/// Calls visit() with the code and the folded text of each name that has a word beginning with one
/// of the pairs of letters that are wanted. A word of one letter is no pair; a letter that is not
/// Latin has two bytes and is a pair. A name may come twice.
void for_each_with_word(
    LocalReader& reader, NameKind kind, base::StopCheck& stop,
    const std::function<bool(std::string_view pair)>& is_wanted,
    const std::function<void(std::uint32_t code, std::string_view folded)>& visit);

/// Returns the codes of the names that begin with a folded text.
[[nodiscard]] std::vector<std::uint32_t> codes_beginning(LocalReader& reader, NameKind kind,
                                                         std::string_view folded,
                                                         base::StopCheck& stop);

/// Returns the codes of the players with exactly this name; if there are none, of those whose names
/// equal it after folding. Includes the names that are joined with these; ascending.
[[nodiscard]] std::vector<std::uint32_t> codes_of_player(LocalReader& reader, std::string_view name,
                                                         base::StopCheck& stop);

}  // namespace fendex::store
