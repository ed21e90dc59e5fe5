#include "ingest/name_file.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "pgn/lexer.hpp"

namespace fendex::ingest {

namespace {

using store::NameKind;

struct SectionOfNames {
    std::string_view word;
    NameKind kind;
};
constexpr std::array<SectionOfNames, 3> kSections{
    {{"player", NameKind::kPlayer}, {"event", NameKind::kEvent}, {"site", NameKind::kSite}}};

std::optional<NameKind> kind_named(std::string_view word) {
    const auto* const found = std::ranges::find(kSections, word, &SectionOfNames::word);
    return found == kSections.end() ? std::nullopt : std::optional(found->kind);
}

[[noreturn]] void refuse(std::uint64_t line, const std::string& what) {
    throw NameFileError("line " + std::to_string(line) + ": " + what);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

/// Collects joins, and follows them to the names that are not joined themselves.
class Joins {
    using Known = std::map<std::pair<NameKind, std::string>, std::string>;

  public:
    void add(NameKind kind, std::string_view name, std::string_view canonical, std::uint64_t line) {
        if (name == canonical) return;
        const auto [known, is_new] =
            known_.try_emplace({kind, std::string(name)}, std::string(canonical));
        if (is_new) {
            order_.push_back(&*known);
        } else if (known->second != canonical) {
            refuse(line, "'" + known->first.second + "' is joined to '" + known->second +
                             "' already, not to '" + std::string(canonical) + "'");
        }
    }

    std::vector<NamedJoin> resolved() {
        std::vector<NamedJoin> out;
        out.reserve(order_.size());
        for (Known::value_type* const each : order_) {
            shorten(*each);
            out.push_back({each->first.first, each->first.second, each->second});
        }
        return out;
    }

  private:
    /// Joins a name, and those on its way, to the name at the end of the way.
    void shorten(Known::value_type& join) {
        std::vector<Known::value_type*> way{&join};
        for (auto next = known_.find({join.first.first, join.second}); next != known_.end();
             next = known_.find({join.first.first, next->second})) {
            way.push_back(&*next);
            if (way.size() > known_.size()) {
                throw NameFileError("'" + join.first.second +
                                    "' is joined to itself, through other names");
            }
        }
        const std::string end = way.back()->second;
        for (Known::value_type* const each : way) each->second = end;
    }

    Known known_;
    std::vector<Known::value_type*> order_;
};

/// Scid's spelling file: a section for each kind; a name, and below it its aliases after "=".
NameFile read_spelling_file(std::string_view text) {
    NameFile out;
    Joins joins;
    std::optional<NameKind> kind;
    std::string canonical;
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        // A comment ends the line; with players, it has titles, countries, ratings and dates.
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        if (line.front() == '@') {
            // After the word come the characters that Scid passes over in names.
            kind = kind_named(lower(line.substr(1, line.find_first_of(" \t") - 1)));
            canonical.clear();
        } else if (line.front() == '%' || !kind) {
            ++out.ignored;
        } else if (line.front() != '=') {
            canonical = pgn::clean_text(line);
        } else if (const std::string_view alias = trimmed(line.substr(1)); !alias.empty()) {
            if (canonical.empty()) refuse(number, "an alias before the first name");
            joins.add(*kind, pgn::clean_text(alias), canonical, number);
        }
    }
    out.joins = joins.resolved();
    return out;
}

/// Reads CSV (RFC 4180), a record at a time.
class CsvReader {
  public:
    explicit CsvReader(std::string_view text) : text_(text) {}

    /// Sets the fields of the next record; returns false if there is none.
    bool next(std::vector<std::string>& fields) {
        fields.clear();
        if (text_.empty()) return false;
        line_ = next_line_;
        while (true) {
            fields.push_back(field());
            if (text_.empty()) return true;
            const char separator = text_.front();
            text_.remove_prefix(1);
            if (separator == ',') continue;
            if (separator == '\r' && text_.starts_with('\n')) text_.remove_prefix(1);
            ++next_line_;
            return true;
        }
    }
    /// The line where the record begins.
    [[nodiscard]] std::uint64_t line() const { return line_; }

  private:
    std::string field() {
        std::string out;
        if (text_.starts_with('"')) {
            text_.remove_prefix(1);
            while (true) {
                const std::size_t quote = text_.find('"');
                if (quote == std::string_view::npos) refuse(line_, "a quotation mark is missing");
                out += text_.substr(0, quote);
                text_.remove_prefix(quote + 1);
                if (!text_.starts_with('"')) break;
                out += '"';
                text_.remove_prefix(1);
            }
            next_line_ += static_cast<std::uint64_t>(std::ranges::count(out, '\n'));
            if (!text_.empty() &&
                std::string_view(",\r\n").find(text_.front()) == std::string_view::npos) {
                refuse(line_, "text after a quotation mark");
            }
        } else {
            const std::size_t end = std::min(text_.find_first_of(",\r\n"), text_.size());
            out = text_.substr(0, end);
            text_.remove_prefix(end);
        }
        return without_guard(pgn::clean_text(trimmed(out)));
    }
    /// Removes the ' that keeps a spreadsheet from reading a text as a formula (emit/rows.hpp).
    static std::string without_guard(std::string text) {
        if (text.size() > 1 && text[0] == '\'' &&
            std::string_view("=+-@").find(text[1]) != std::string_view::npos) {
            text.erase(0, 1);
        }
        return text;
    }

    std::string_view text_;
    std::uint64_t line_ = 1;
    std::uint64_t next_line_ = 1;
};

NameFile read_csv(std::string_view text, NameKind kind_of_file) {
    struct Columns {
        std::size_t name = 0;
        std::size_t canonical = 1;
        std::size_t kind = SIZE_MAX;
    } columns;
    Joins joins;
    CsvReader csv(text);
    std::vector<std::string> fields;
    bool is_first = true;
    while (csv.next(fields)) {
        if (fields.size() == 1 && fields.front().empty()) continue;
        if (std::exchange(is_first, false)) {
            const auto column = [&](std::string_view name) {
                return static_cast<std::size_t>(std::ranges::find(fields, name) - fields.begin());
            };
            if (column("canonical") != fields.size()) {
                columns = {std::min(column("name"), column("alias")), column("canonical"),
                           column("kind")};
                if (columns.name == fields.size()) refuse(csv.line(), "a column 'name' is missing");
                continue;
            }
        }
        if (fields.size() <= std::max(columns.name, columns.canonical)) {
            refuse(csv.line(), "a name and the name that stands for it are expected");
        }
        NameKind kind = kind_of_file;
        if (columns.kind < fields.size()) {
            const auto named = kind_named(fields[columns.kind]);
            if (!named) refuse(csv.line(), "there are no names of '" + fields[columns.kind] + "'");
            kind = *named;
        }
        const std::string& name = fields[columns.name];
        const std::string& canonical = fields[columns.canonical];
        if (name.empty() || canonical.empty()) refuse(csv.line(), "a name is empty");
        joins.add(kind, name, canonical, csv.line());
    }
    return {joins.resolved(), 0};
}

bool is_spelling_file(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        if (!line.empty() && line.front() != '#') return line.front() == '@';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return false;
}

}  // namespace

NameFile read_name_file(std::string_view text, NameKind kind) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return is_spelling_file(text) ? read_spelling_file(text) : read_csv(text, kind);
}

}  // namespace fendex::ingest
