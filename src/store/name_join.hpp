// A name that is joined to another: both stand for one player, event or site. A plain value.
#pragma once

#include <cstdint>
#include <string>

#include "store/game_column.hpp"

namespace fendex::store {

struct NameJoin {
    NameKind kind = NameKind::kPlayer;  // also kEvent and kSite, no others
    std::int64_t name = 0;              // its id
    std::int64_t canonical = 0;         // id of the name that stands for it; never joined itself
    std::int64_t joined = 0;            // seconds since 1970
    std::string origin;                 // who joined them: the options, as given

    bool operator==(const NameJoin&) const = default;
};

}  // namespace fendex::store
