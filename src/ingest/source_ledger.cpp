#include "ingest/source_ledger.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "ingest/prefixed_source.hpp"
#include "pgn/member_path.hpp"
#include "pgn/member_source.hpp"
#include "store/source_prefixes.hpp"

namespace fendex::ingest {

namespace {

using store::StoredSource;

std::string content_of(const StoredSource& row) {
    // If all of its games were left out, they are stored with another row.
    const std::uint64_t count = row.records.value_or(row.games != 0 ? row.games : row.duplicates);
    return std::to_string(count) + (row.records ? " record" : " game") + (count == 1 ? "" : "s");
}

std::string name_of(const StoredSource& row) {
    return row.file.path == "-" ? "standard input" : row.file.path;
}

constexpr char kAgain[] = "; --again imports it once more";

bool was_interrupted(const StoredSource& row) {
    return !row.progress.complete && row.progress.bytes == row.progress.resume.byte;
}

bool keeps_notes(const StoredSource& row) {
    return row.options.find("--annotations") != std::string::npos ||
           row.options.find("--variations") != std::string::npos;
}

/// Returns whether the text up to the places where two rows end is the same.
bool ends_alike(const StoredSource& a, const StoredSource& b) {
    return a.progress.resume.byte == b.progress.resume.byte &&
           a.progress.resume.digest == b.progress.resume.digest;
}

/// Returns the indexes of the rows of an interrupted import with these options: the last rows that
/// have these options, each name once.
std::vector<std::size_t> rows_of_interrupted(const std::vector<StoredSource>& rows,
                                             const std::string& options) {
    std::vector<std::size_t> found;
    std::set<std::string> names;
    for (std::size_t i = rows.size(); i-- > 0;) {
        if (rows[i].options != options) continue;
        if (found.empty() && !was_interrupted(rows[i])) break;
        if (!names.insert(rows[i].file.path).second) break;
        found.push_back(i);
    }
    std::ranges::reverse(found);
    return found;
}

}  // namespace

pgn::Checkpoint begin_of(const StoredSource& row) {
    for (pgn::Mark& mark : store::marks_of(row.progress.prefixes)) {
        if (mark.byte == row.first_byte && mark.line != 0) return mark;
    }
    return row.first_byte == 0 ? pgn::Checkpoint() : row.progress.resume;
}

store::SourceFile describe_file(const std::string& path) {
    store::SourceFile file;
    file.path = path;
    struct stat status {};
    if (path != "-" && ::stat(pgn::file_of(path).c_str(), &status) == 0 &&
        S_ISREG(status.st_mode)) {
        file.size = static_cast<std::uint64_t>(status.st_size);
        file.modified =
            std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    }
    return file;
}

SourceLedger::SourceLedger(std::vector<StoredSource> rows, Policy policy,
                           pgn::SourceOptions options)
    : rows_(std::move(rows)), policy_(std::move(policy)), options_(std::move(options)) {
    options_.open_archive = std::make_shared<pgn::OpenArchive>();
    std::vector<std::size_t> counted(rows_.size());
    std::iota(counted.begin(), counted.end(), 0);
    if (policy_.refuses) {
        for (const std::size_t i : counted) stored_texts_.add(i, rows_[i]);
    }
    if (policy_.again) counted = rows_of_interrupted(rows_, *policy_.again);
    for (const StoredSource& row : rows_) names_.insert(row.file.path);
    for (const std::size_t i : counted) {
        latest_[rows_[i].file.path] = i;
        texts_.add(i, rows_[i]);
        if (policy_.again) interrupted_.push_back(rows_[i]);
    }
}

std::vector<StoredSource> SourceLedger::compared_rows(
    const std::vector<StoredSource>& stored) const {
    if (policy_.again) {
        std::vector<StoredSource> rows = interrupted_;
        if (policy_.refuses) std::ranges::copy_if(rows_, std::back_inserter(rows), policy_.refuses);
        return rows;
    }
    return stored.empty() ? rows_ : stored;
}

void SourceLedger::add(const store::SourceFile& file, const store::SourceProgress& progress,
                       std::uint64_t games, bool of_records) {
    if (!policy_.again) latest_[file.path] = rows_.size();
    names_.insert(file.path);
    StoredSource& row = rows_.emplace_back();
    row.file = file;
    row.progress = progress;
    row.games = games;
    if (of_records) row.records = 0;  // their number is known when they are stored
    if (!policy_.again) texts_.add(rows_.size() - 1, row);
}

/// Returns the last row of this name. A file in an archive may have none. Then a row of the archive
/// that records only that it could not be read is returned, so that its error disappears.
const StoredSource* SourceLedger::last_row_of(const std::string& path) const {
    const auto named = latest_.find(path);
    if (named != latest_.end()) return &rows_[named->second];
    const auto archive = latest_.find(pgn::file_of(path));
    if (archive == latest_.end()) return nullptr;
    const StoredSource& row = rows_[archive->second];
    return row.id != 0 && row.progress.bytes == 0 && !row.progress.complete ? &row : nullptr;
}

OpenedSource SourceLedger::open(const std::string& path) {
    OpenedSource out;
    out.file = describe_file(path);
    const bool stream = !out.file.size;
    const StoredSource* const before = last_row_of(path);
    if (before != nullptr && !stream) {
        const bool of_this_run = before->id == 0;
        if (of_this_run ||
            (before->progress.complete && before->file == out.file && !has_notes_to_add(*before))) {
            out.row = *before;
            out.notice = of_this_run ? "is named twice"
                                     : "was imported before (" + content_of(*before) + ")" + kAgain;
            return out;
        }
    }
    std::unique_ptr<pgn::ByteSource> text = pgn::open_source(path, options_);
    KnownPart known = texts_.recognise(*text, path, !stream, options_.stop);
    if (known.same_damage) {
        out.failure = known.same_damage;
        return out;
    }
    if (known.whole && !stream) {
        std::vector<StoredSource> rows = rows_without_notes(rows_[*known.source]);
        if (!rows.empty()) return open_for_notes(path, std::move(rows));
    }
    if (known.whole) {
        out.row = rows_[*known.source];
        out.notice = "was imported before" +
                     (out.row->file.path == path ? "" : ", as " + name_of(*out.row)) + " (" +
                     content_of(*out.row) + ")" + kAgain;
        return out;
    }
    if (known.read_too_far) {
        text = pgn::open_source(path, options_);
        skip_text(*text, known.before.checkpoint.byte, options_.stop);
    }
    out.text =
        std::make_unique<PrefixedSource>(std::move(known.ahead), std::move(text), options_.stop);
    go_on(known, before, out);
    const bool in_row_of_archive = before != nullptr && before->file.path != path;
    if (in_row_of_archive && out.row && out.row->id == before->id) {
        latest_.erase(before->file.path);
    }
    return out;
}

OpenedSource SourceLedger::open_for_notes(const std::string& path,
                                          std::vector<StoredSource> rows) const {
    OpenedSource out;
    out.file = describe_file(path);
    out.inside = std::move(rows);
    out.only_notes = true;
    out.notice = "was imported before without its comments, which are added to its games";
    out.text = pgn::open_source(path, options_);
    return out;
}

/// Returns whether an import with comments may find more in the text of this row: no other row has
/// been made by one.
bool SourceLedger::has_notes_to_add(const StoredSource& row) const {
    if (!policy_.adds_notes || row.id == 0 || row.games == 0 || row.records) return false;
    return !keeps_notes(row) && std::ranges::none_of(rows_, [&](const StoredSource& each) {
        return each.first_byte == 0 && ends_alike(each, row) && keeps_notes(each);
    });
}

std::optional<std::string> SourceLedger::refusal(const std::string& path) const {
    if (!policy_.refuses || !describe_file(path).size) return std::nullopt;
    try {
        const std::unique_ptr<pgn::ByteSource> text = pgn::open_source(path, options_);
        const KnownPart known = stored_texts_.recognise(*text, path, true, options_.stop);
        if (!known.whole || !known.source) return std::nullopt;
        const StoredSource& row = rows_[*known.source];
        if (!policy_.refuses(row)) return std::nullopt;
        return path + ": --again would store its " + content_of(row) +
               " a second time; add --yes to do so";
    } catch (const pgn::SourceError&) {
        return std::nullopt;  // open() throws it again
    }
}

/// Returns the rows of the text up to the end of this row whose games may get comments.
std::vector<StoredSource> SourceLedger::rows_without_notes(const StoredSource& last) const {
    std::vector<StoredSource> out = rows_before(last);
    out.push_back(last);
    std::erase_if(out, [&](const StoredSource& each) { return !has_notes_to_add(each); });
    return out;
}

std::vector<StoredSource> SourceLedger::rows_before(const StoredSource& last) const {
    std::vector<StoredSource> out;
    const StoredSource* row = &last;
    while (row->first_byte != 0 && out.size() < rows_.size()) {
        const pgn::Checkpoint begin = begin_of(*row);
        const auto before = std::ranges::find_if(rows_, [&](const auto& each) {
            return each.progress.resume.byte == begin.byte &&
                   each.progress.resume.digest == begin.digest && each.id < row->id;
        });
        if (before == rows_.end()) break;
        row = &*before;
        out.insert(out.begin(), *row);
    }
    return out;
}

/// Returns the row with this row's text whose last game has no end, which must be replaced; this
/// row if there is none. A text that was read only for comments has another row.
std::size_t SourceLedger::row_with_open_game(std::size_t index) const {
    if (policy_.again) return index;
    const auto found = std::ranges::find_if(rows_, [&](const StoredSource& each) {
        return each.progress.open_game && ends_alike(each, rows_[index]);
    });
    return found == rows_.end() ? index : static_cast<std::size_t>(found - rows_.begin());
}

/// Decides how `out` continues after the known part of its text. `named` is the last row of its
/// name.
void SourceLedger::go_on(KnownPart& known, const StoredSource* named, OpenedSource& out) {
    const std::uint64_t byte = known.before.checkpoint.byte;
    const std::string at = std::to_string(byte);
    const StoredSource* row = known.source ? &rows_[*known.source] : nullptr;
    // The row has no text.
    if (row == nullptr && named != nullptr && named->progress.bytes == 0) row = named;
    if (row != nullptr) {
        out.of_records = row->records.has_value();
        if (byte != 0 && out.file.size) out.lacks_notes = rows_without_notes(*row);
        if (known.source) {
            known.source = row_with_open_game(*known.source);
            row = &rows_[*known.source];
        }
        out.prefixes = store::prefixes_up_to(row->progress.prefixes, byte);
        if (byte != 0) store::add_prefix(out.prefixes, known.before.checkpoint);
        // A row of this import is replaced if its last game has no end; otherwise it is left as it
        // is.
        if (row->progress.resume.byte == byte && (row->id != 0 || row->progress.open_game)) {
            out.row = *row;
            out.rows_before = rows_before(*row);
            if (known.source) texts_.remove(*known.source);
        }
    }
    for (const std::size_t each : known.inside) out.inside.push_back(rows_[each]);
    const std::size_t known_inside = out.inside.size();
    // Which texts their games are from is known when such an import has ended.
    const auto is_begun_database = [&](const StoredSource& each) {
        return !policy_.again && each.id != 0 && each.games != 0 && !each.progress.complete &&
               each.progress.is_in_database();
    };
    std::ranges::copy_if(rows_, std::back_inserter(out.inside), is_begun_database);
    const auto is_of_this_import = [](const StoredSource& each) { return each.id == 0; };
    out.needs_stored = (out.row && is_of_this_import(*out.row)) ||
                       std::ranges::any_of(out.inside, is_of_this_import);
    const bool same_name = row != nullptr && row->file.path == out.file.path;
    const bool was_kept = named != nullptr && named->progress.bytes != 0;
    if (was_kept && !(out.row && same_name) && (out.file.size || !named->progress.complete)) {
        out.notice = "differs from what was imported under this name before (" +
                     content_of(*named) + ", which stay): imported as a new source" +
                     (byte == 0 ? "" : " from byte " + at + " on");
    } else if (byte != 0) {
        out.notice = (same_name ? "" : "begins as " + name_of(*row) + ", which was imported; ") +
                     "continues at byte " + at;
    }
    const auto leaves_out = [&](const char* begin, const StoredSource& with, const char* end) {
        out.notice += (out.notice.empty() ? "" : "; ") + (begin + name_of(with)) + end;
    };
    if (known_inside != 0) {
        leaves_out("ends inside ", out.inside.front(), ": games that it has are left out");
    }
    if (known_inside != out.inside.size()) {
        leaves_out("games that an interrupted import of ", out.inside.back(),
                   " has stored are left out");
    }
    const std::vector<pgn::Mark> marks = store::marks_of(out.prefixes);
    known.before.last_mark = marks.empty() ? 0 : marks.back().byte;
    out.before = std::move(known.before);
}

void SourceLedger::set_stored(const std::vector<StoredSource>& stored, OpenedSource& out) {
    const auto set = [&](StoredSource& row) {
        if (row.id != 0) return true;
        const auto same = std::find_if(stored.rbegin(), stored.rend(), [&](const auto& each) {
            return each.file.path == row.file.path && each.progress.bytes == row.progress.bytes &&
                   each.progress.digest == row.progress.digest;
        });
        if (same == stored.rend()) return false;
        row = *same;
        return true;
    };
    if (out.row && !set(*out.row)) out.row.reset();
    std::erase_if(out.inside, [&](StoredSource& each) { return !set(each); });
    out.needs_stored = false;
}

}  // namespace fendex::ingest
