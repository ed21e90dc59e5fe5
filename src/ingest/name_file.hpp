// Files that say which names are one: CSV with a joined name and the name that stands for it, and
// Scid's spelling file (spelling.ssp). Pure functions of the text.
#pragma once

#include <cstdint>
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

struct NameFile {
    /// In the order of the file. Each name is joined once, to a name that is not joined itself.
    std::vector<NamedJoin> joins;
    /// Lines that say something of names, but not which are one: rounds, prefixes to replace.
    std::uint64_t ignored = 0;
};

/// A file that cannot be read; the message names the line.
class NameFileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reads a file: as Scid's if its first line that is neither empty nor a comment begins with @,
/// else as CSV. CSV has the columns name and canonical, and may have a column kind (player, event,
/// site); `kind` is that of lines without one. A first line with the name "canonical" says the
/// order of the columns. Text that is not UTF-8 is read as Windows-1252. A name that is joined to
/// two names, or names that are joined in a circle, are errors.
[[nodiscard]] NameFile read_name_file(std::string_view text, store::NameKind kind);

}  // namespace fendex::ingest
