// CSV files that say which names are one: a joined name and the name that stands for it. A pure
// function of the text.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "store/game_column.hpp"

namespace fendex::ingest {

/// The second name stands for the first.
struct NamedJoin {
    store::NameKind kind = store::NameKind::kPlayer;
    std::string name;
    std::string canonical;

    bool operator==(const NamedJoin&) const = default;
};

/// A file that cannot be read; the message names the line.
class NameFileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reads CSV with the columns name and canonical, and perhaps a column kind (player, event, site);
/// `kind` is that of lines without one. A first line with the name "canonical" says the order of
/// the columns. Text that is not UTF-8 is read as Windows-1252. A name that is joined to two names,
/// and names that are joined in a circle, are errors. Returns the joins in the order of the file:
/// each name is joined once, to a name that is not joined itself.
[[nodiscard]] std::vector<NamedJoin> read_name_file(std::string_view text, store::NameKind kind);

}  // namespace fendex::ingest
