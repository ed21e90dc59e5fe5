#include "ingest/name_file.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/trimmed.hpp"
#include "pgn/lexer.hpp"
#include "store/name_join.hpp"

namespace fendex::ingest {

namespace {

using store::NameKind;

[[noreturn]] void refuse(std::uint64_t line, const std::string& what) {
    throw NameFileError("line " + std::to_string(line) + ": " + what);
}

/// Collects joins, and follows them to the names that are not joined themselves.
class Joins {
    struct Target {
        std::string name;
        std::uint64_t line = 0;
    };
    using Known = std::map<std::pair<NameKind, std::string>, Target>;
    using Join = Known::value_type;

  public:
    void add(NameKind kind, std::string_view name, std::string_view canonical, std::uint64_t line) {
        if (name == canonical) return;
        const auto [known, is_new] =
            known_.try_emplace({kind, std::string(name)}, Target{std::string(canonical), line});
        if (is_new) {
            order_.push_back(&*known);
        } else if (known->second.name != canonical) {
            refuse(line, "'" + known->first.second + "' is joined to '" + known->second.name +
                             "' in line " + std::to_string(known->second.line) + ", not to '" +
                             std::string(canonical) + "'");
        }
    }

    std::vector<NamedJoin> resolved() {
        std::vector<NamedJoin> out;
        out.reserve(order_.size());
        for (Join* const each : order_) {
            shorten(*each);
            out.push_back({each->first.first, each->first.second, each->second.name});
        }
        return out;
    }

  private:
    /// Returns the join of the name to which a name is joined; null if there is none.
    Join* next(const Join& join) {
        const auto found = known_.find({join.first.first, join.second.name});
        return found == known_.end() ? nullptr : &*found;
    }

    /// Joins a name, and those on its way, to the name at the end of the way.
    void shorten(Join& join) {
        std::vector<Join*> way{&join};
        while (Join* const further = next(*way.back())) {
            way.push_back(further);
            if (way.size() > known_.size()) throw_circle(*further);
        }
        const std::string end = way.back()->second.name;
        for (Join* const each : way) each->second.name = end;
    }

    [[noreturn]] void throw_circle(const Join& first) {
        std::string lines = std::to_string(first.second.line);
        int named = 1;
        for (const Join* each = next(first); each != &first; each = next(*each)) {
            if (++named > kMostLines) {
                lines += ", ...";
                break;
            }
            lines += ", " + std::to_string(each->second.line);
        }
        throw NameFileError((named == 1 ? "line " : "lines ") + lines + ": '" + first.first.second +
                            "' is joined to itself");
    }

    static constexpr int kMostLines = 10;

    Known known_;
    std::vector<Join*> order_;
};

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
            out = base::trimmed(text_.substr(0, end));
            text_.remove_prefix(end);
        }
        return without_guard(pgn::clean_text(out));
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

}  // namespace

std::vector<NamedJoin> read_name_file(std::string_view text, NameKind kind_of_file) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
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
            const auto named = store::joinable_kind(fields[columns.kind]);
            if (!named) refuse(csv.line(), "there are no names of '" + fields[columns.kind] + "'");
            kind = *named;
        }
        const std::string& name = fields[columns.name];
        const std::string& canonical = fields[columns.canonical];
        if (name.empty() || canonical.empty()) refuse(csv.line(), "a name is empty");
        joins.add(kind, name, canonical, csv.line());
    }
    return joins.resolved();
}

}  // namespace fendex::ingest
