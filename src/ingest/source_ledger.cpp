#include "ingest/source_ledger.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "ingest/prefixed_source.hpp"
#include "store/source_prefixes.hpp"

namespace fendex::ingest {

namespace {

using store::StoredSource;


std::string games_text(const StoredSource& row) {
    return std::to_string(row.games) + (row.games == 1 ? " game" : " games");
}

std::string name_of(const StoredSource& row) {
    return row.file.path == "-" ? "standard input" : row.file.path;
}

constexpr char kAgain[] = "; --again imports it once more";

}  // namespace

store::SourceFile describe_file(const std::string& path) {
    store::SourceFile file;
    file.path = path;
    struct stat status {};
    if (path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
        file.size = static_cast<std::uint64_t>(status.st_size);
        file.modified =
            std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    }
    return file;
}

SourceLedger::SourceLedger(std::vector<StoredSource> rows, bool again, pgn::SourceOptions options)
    : rows_(std::move(rows)), again_(again), options_(std::move(options)) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        latest_[rows_[i].file.path] = i;
        if (!again_) texts_.add(i, rows_[i]);
    }
}

void SourceLedger::add(const store::SourceFile& file, const store::SourceProgress& progress,
                       std::uint64_t games) {
    latest_[file.path] = rows_.size();
    StoredSource& row = rows_.emplace_back();
    row.file = file;
    row.progress = progress;
    row.games = games;
    if (!again_) texts_.add(rows_.size() - 1, row);
}

OpenedSource SourceLedger::open(const std::string& path) {
    OpenedSource out;
    out.file = describe_file(path);
    const bool stream = !out.file.size;
    const auto named = again_ ? latest_.end() : latest_.find(path);
    const StoredSource* const before = named == latest_.end() ? nullptr : &rows_[named->second];
    if (before != nullptr && !stream) {
        const bool of_this_run = before->id == 0;
        if (of_this_run || (before->progress.complete && before->file == out.file)) {
            out.row = *before;
            out.notice = of_this_run ? "is named twice"
                                     : "was imported before (" + games_text(*before) + ")" + kAgain;
            return out;
        }
    }
    std::unique_ptr<pgn::ByteSource> text = pgn::open_source(path, options_);
    KnownPart known = texts_.recognise(*text, path, !stream, options_.stop);
    if (known.same_damage) {
        out.failure = known.same_damage;
        return out;
    }
    if (known.whole) {
        out.row = rows_[*known.source];
        out.notice = "was imported before" +
                     (out.row->file.path == path ? "" : ", as " + name_of(*out.row)) + " (" +
                     games_text(*out.row) + ")" + kAgain;
        return out;
    }
    if (known.read_too_far) {
        text = pgn::open_source(path, options_);
        skip_text(*text, known.before.checkpoint.byte, options_.stop);
    }
    out.text =
        std::make_unique<PrefixedSource>(std::move(known.ahead), std::move(text), options_.stop);
    go_on(known, before, out);
    return out;
}

/// Says how `out` goes on after what is known of its text. `named`: the last row of its name.
void SourceLedger::go_on(KnownPart& known, const StoredSource* named, OpenedSource& out) {
    const std::uint64_t byte = known.before.checkpoint.byte;
    const std::string at = std::to_string(byte);
    const StoredSource* row = known.source ? &rows_[*known.source] : nullptr;
    // Nothing has been kept of it.
    if (row == nullptr && named != nullptr && named->progress.bytes == 0) row = named;
    if (row != nullptr) {
        out.prefixes = store::prefixes_up_to(row->progress.prefixes, byte);
        if (byte != 0) store::add_prefix(out.prefixes, known.before.checkpoint);
        if (row->id != 0 && row->progress.resume.byte == byte) {
            out.row = *row;
            if (known.source) texts_.remove(*known.source);
        }
    }
    const bool same_name = row != nullptr && row->file.path == out.file.path;
    const bool was_kept = named != nullptr && named->progress.bytes != 0;
    if (was_kept && !(out.row && same_name) && (out.file.size || !named->progress.complete)) {
        out.notice = "is not what was imported as this before (" + games_text(*named) +
                     ", which stay): imported as a new source" +
                     (byte == 0 ? "" : " from byte " + at + " on");
    } else if (byte != 0) {
        out.notice = (same_name ? "" : "begins as " + name_of(*row) + ", which was imported; ") +
                     "goes on at byte " + at;
    }
    const std::vector<pgn::Mark> marks = store::marks_of(out.prefixes);
    known.before.last_mark = marks.empty() ? 0 : marks.back().byte;
    out.before = std::move(known.before);
}

}  // namespace fendex::ingest
