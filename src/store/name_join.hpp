// A name that is joined to another: both stand for one player, event or site. A plain value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "store/game_column.hpp"

namespace fendex::store {

/// The kinds of names that can be joined, and the words for them in files and answers.
inline constexpr std::array<std::pair<NameKind, std::string_view>, 3> kJoinableKinds{
    {{NameKind::kPlayer, "player"}, {NameKind::kEvent, "event"}, {NameKind::kSite, "site"}}};

[[nodiscard]] constexpr std::string_view word_of_joinable(NameKind kind) {
    for (const auto& [each, word] : kJoinableKinds) {
        if (each == kind) return word;
    }
    return {};
}
/// Returns the kind for a word; empty if it is another word.
[[nodiscard]] constexpr std::optional<NameKind> joinable_kind(std::string_view word) {
    for (const auto& [kind, each] : kJoinableKinds) {
        if (each == word) return kind;
    }
    return std::nullopt;
}

struct NameJoin {
    NameKind kind = NameKind::kPlayer;  // one of kJoinableKinds
    std::int64_t name = 0;              // its id
    std::int64_t canonical = 0;         // id of the name that stands for it; never joined itself
    std::int64_t joined = 0;            // seconds since 1970
    std::string origin;                 // who joined them: the options, as given

    bool operator==(const NameJoin&) const = default;
};

}  // namespace fendex::store
