// Scid's spelling file (spelling.ssp): how names of players, events and sites should be spelled.
// It has a section for each kind of names. In a section, a line has the right spelling of a name,
// and the lines after it other spellings, each after "=", and what is known of a player, after
// "%Bio". Other lines that begin with % have rules: what to replace in a name. "#" begins a
// comment.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/game_column.hpp"

namespace fendex::ingest {

/// Returns whether a text is a spelling file: its first line that is neither empty nor a comment
/// begins with @.
[[nodiscard]] bool is_spelling_file(std::string_view text);

/// The names of a section of the file, with their spellings and rules.
class SpelledNames {
  public:
    void set_ignored(std::string_view characters) { ignored_ = characters; }
    void add_name(std::string name);
    /// Adds another spelling of the name that was added last, which must exist.
    void add_spelling(std::string_view spelling);
    /// Adds a rule. `where`: "prefix", "infix" or "suffix". Returns false if there are no such
    /// ones.
    bool add_rule(std::string_view where, std::string from, std::string to);
    [[nodiscard]] bool empty() const { return names_.empty(); }
    [[nodiscard]] const std::string& last_name() const { return names_.back(); }

    /// Returns the right spelling of a name; null if it is not known, or could be several.
    [[nodiscard]] const std::string* right(std::string_view name) const;
    /// Returns a name after the first prefix that fits, every infix and the first suffix that fits
    /// are replaced.
    [[nodiscard]] std::string by_rules(std::string_view name) const;

  private:
    /// The number of a name.
    struct Meaning {
        std::uint32_t name = 0;
        bool is_right = false;  // else another spelling of it
        bool is_several = false;
    };
    using Meanings = std::unordered_map<std::string, Meaning>;
    struct Rule {
        std::string from;
        std::string to;
    };

    [[nodiscard]] std::string without_ignored(std::string_view name) const;
    void add(std::string_view spelling, bool is_right);
    void add(Meanings& meanings, const std::string& key, bool is_right) const;

    std::string ignored_;  // characters that are left out of names before they are compared
    std::vector<std::string> names_;
    Meanings by_letters_;  // by without_ignored()
    Meanings by_words_;    // by base::fold()
    std::vector<Rule> prefixes_;
    std::vector<Rule> infixes_;
    std::vector<Rule> suffixes_;
};

/// Const after construction. Text that is not UTF-8 is read as Windows-1252.
class SpellingFile {
  public:
    /// Throws NameFileError (name_file.hpp) if the text is no spelling file.
    explicit SpellingFile(std::string_view text);

    struct Right {
        std::string name;
        /// The name is in the file. Else rules have made it.
        bool is_known = false;
    };
    /// Returns the right spelling of a name; empty if the file says none, or several. Names are
    /// compared as Scid does, without the characters that the section names; else without case,
    /// accents and punctuation. A player's last name may also be the last word.
    [[nodiscard]] std::optional<Right> right(store::NameKind kind, std::string_view name) const;
    /// Returns the player with a FIDE number; empty if there is none, or if several have it.
    [[nodiscard]] const std::string& player_with(std::uint64_t fide_number) const;
    [[nodiscard]] bool has_fide_numbers() const { return !fide_numbers_.empty(); }

  private:
    void add_note(std::string_view line);

    std::array<SpelledNames, 3> sections_;
    std::unordered_map<std::uint64_t, std::string> fide_numbers_;
};

}  // namespace fendex::ingest
