#include "ingest/spelling_file.hpp"

#include <algorithm>
#include <charconv>

#include "base/cut.hpp"
#include "base/text_fold.hpp"
#include "base/trimmed.hpp"
#include "ingest/name_file.hpp"
#include "pgn/lexer.hpp"
#include "store/name_join.hpp"

namespace fendex::ingest {

namespace {

using store::NameKind;

/// Returns the first line, without its comment and the blanks around it, and removes it.
std::string_view take_line(std::string_view& text) {
    const std::string_view line = base::cut(text, '\n');
    return base::trimmed(line.substr(0, line.find('#')), " \t\r");
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

/// Returns the first word, and removes it and the blanks after it.
std::string_view take_word(std::string_view& text) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(text.find_first_not_of(" \t", end), text.size()));
    return word;
}

/// Returns the text in quotation marks at the beginning, and removes it; empty if there is none.
std::optional<std::string_view> take_quoted(std::string_view& text) {
    if (!text.starts_with('"')) return std::nullopt;
    const std::size_t end = text.find('"', 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view quoted = text.substr(1, end - 1);
    text = base::trimmed(text.substr(end + 1));
    return quoted;
}

std::size_t section_of(NameKind kind) {
    return kind == NameKind::kPlayer ? 0 : kind == NameKind::kEvent ? 1 : 2;
}

/// Returns a name with its last word before the others; empty if it has a comma or one word only.
std::string last_word_first(std::string_view name) {
    const std::size_t blank = name.find_last_of(' ');
    if (blank == std::string_view::npos || name.find(',') != std::string_view::npos) return {};
    std::string out(name.substr(blank + 1));
    return out.append(" ").append(name.substr(0, blank));
}

}  // namespace

bool is_spelling_file(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (!line.empty()) return line.front() == '@';
    }
    return false;
}

void SpelledNames::add_name(std::string name) {
    names_.push_back(std::move(name));
    add(names_.back(), true);
}

void SpelledNames::add_spelling(std::string_view spelling) { add(spelling, false); }

bool SpelledNames::add_rule(std::string_view where, std::string from, std::string to) {
    std::vector<Rule>* const rules = where == "prefix"   ? &prefixes_
                                     : where == "infix"  ? &infixes_
                                     : where == "suffix" ? &suffixes_
                                                         : nullptr;
    if (rules == nullptr || from.empty()) return false;
    rules->push_back({std::move(from), std::move(to)});
    return true;
}

std::string SpelledNames::without_ignored(std::string_view name) const {
    std::string out(name);
    std::erase_if(out, [&](char c) { return ignored_.find(c) != std::string::npos; });
    return out;
}

void SpelledNames::add(std::string_view spelling, bool is_right) {
    add(by_letters_, without_ignored(spelling), is_right);
    add(by_words_, base::fold(spelling), is_right);
}

/// A right spelling counts more than another spelling of some other name.
void SpelledNames::add(Meanings& meanings, const std::string& key, bool is_right) const {
    const auto name = static_cast<std::uint32_t>(names_.size() - 1);
    const auto [known, is_new] = meanings.try_emplace(key, Meaning{name, is_right, false});
    if (is_new || (known->second.is_right && !is_right)) return;
    if (is_right && !known->second.is_right) {
        known->second = {name, true, false};
    } else if (names_[known->second.name] != names_[name]) {
        known->second.is_several = true;
    }
}

const std::string* SpelledNames::right(std::string_view name) const {
    const auto look_up = [&](const Meanings& meanings, const std::string& key) -> const Meaning* {
        const auto found = key.empty() ? meanings.end() : meanings.find(key);
        return found == meanings.end() ? nullptr : &found->second;
    };
    const Meaning* found = look_up(by_letters_, without_ignored(name));
    if (found == nullptr) found = look_up(by_words_, base::fold(name));
    return found == nullptr || found->is_several ? nullptr : &names_[found->name];
}

std::string SpelledNames::by_rules(std::string_view name) const {
    std::string out(name);
    const auto prefix = std::ranges::find_if(
        prefixes_, [&](const Rule& rule) { return out.starts_with(rule.from); });
    if (prefix != prefixes_.end()) out.replace(0, prefix->from.size(), prefix->to);
    for (const Rule& rule : infixes_) {
        const std::size_t at = out.find(rule.from);
        if (at != std::string::npos) out.replace(at, rule.from.size(), rule.to);
    }
    const auto suffix =
        std::ranges::find_if(suffixes_, [&](const Rule& rule) { return out.ends_with(rule.from); });
    if (suffix != suffixes_.end()) {
        out.replace(out.size() - suffix->from.size(), suffix->from.size(), suffix->to);
    }
    return out;
}

SpellingFile::SpellingFile(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    SpelledNames* section = nullptr;  // none: that of rounds
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        std::string_view line = take_line(text);
        if (line.empty()) continue;
        if (line.front() == '@') {
            const std::string word = lower(take_word(line).substr(1));
            const auto kind = store::joinable_kind(word);
            section = kind ? &sections_[section_of(*kind)] : nullptr;
            // Names are kept without these characters, so a second heading cannot change them.
            if (section != nullptr && section->empty()) {
                section->set_ignored(take_quoted(line).value_or(""));
            }
        } else if (section == nullptr) {
            continue;
        } else if (line.front() == '%') {
            const std::string word = lower(take_word(line).substr(1));
            if (word == "bio" && section == &sections_.front()) add_note(line);
            const auto from = take_quoted(line);
            const auto to = take_quoted(line);
            if (from && to) {
                section->add_rule(word, pgn::clean_text(*from), pgn::clean_text(*to));
            }
        } else if (line.front() != '=') {
            section->add_name(pgn::clean_text(line));
        } else if (section->empty()) {
            throw NameFileError("line " + std::to_string(number) +
                                ": another spelling before the first name");
        } else if (const auto spelling = base::trimmed(line.substr(1)); !spelling.empty()) {
            section->add_spelling(pgn::clean_text(spelling));
        }
    }
}

/// Reads a note on the player that was added last: "FIDEID 4100026", which may have "deprecated"
/// after the number.
void SpellingFile::add_note(std::string_view line) {
    if (take_word(line) != "FIDEID" || sections_.front().empty()) return;
    std::uint64_t number = 0;
    std::from_chars(line.data(), line.data() + line.size(), number);
    if (number == 0) return;
    const auto [known, is_new] = fide_numbers_.try_emplace(number, sections_.front().last_name());
    if (!is_new && known->second != sections_.front().last_name()) known->second.clear();
}

std::optional<SpellingFile::Right> SpellingFile::right(NameKind kind, std::string_view name) const {
    const SpelledNames& section = sections_[section_of(kind)];
    if (const std::string* const known = section.right(name)) return Right{*known, true};
    if (kind == NameKind::kPlayer) {
        const std::string* const turned = section.right(last_word_first(name));
        if (turned != nullptr) return Right{*turned, true};
    }
    std::string other = section.by_rules(name);
    if (other == name) return std::nullopt;
    if (const std::string* const known = section.right(other)) return Right{*known, true};
    return Right{std::move(other), false};
}

const std::string& SpellingFile::player_with(std::uint64_t fide_number) const {
    static const std::string kNone;
    const auto found = fide_numbers_.find(fide_number);
    return found == fide_numbers_.end() ? kNone : found->second;
}

}  // namespace fendex::ingest
