#include "ingest/source_ledger.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "ingest/prefixed_source.hpp"

namespace fendex::ingest {

namespace {

using store::StoredSource;

constexpr std::size_t kReadBytes = std::size_t{256} << 10;
/// What stands behind the checkpoint of a source that has been read to its end is compared too, up
/// to this size: a file that was only touched, or is damaged as before, is left alone then.
constexpr std::uint64_t kMaxRest = std::uint64_t{1} << 20;

/// Reads `bytes` of text, or what there is of them; returns how many.
std::uint64_t skip(pgn::ByteSource& source, std::uint64_t bytes, pgn::TextBefore& before,
                   const std::function<bool()>& stop) {
    std::vector<char> buffer(kReadBytes);
    std::uint64_t skipped = 0;
    while (skipped < bytes && !(stop && stop())) {
        const std::size_t wanted = std::min<std::uint64_t>(buffer.size(), bytes - skipped);
        const std::size_t count = source.read(std::span(buffer).first(wanted));
        if (count == 0) break;
        const std::string_view read(buffer.data(), count);
        before.digest.add(read);
        before.last_bytes += read.substr(count - std::min(count, pgn::Splitter::kLookbehind));
        if (before.last_bytes.size() > pgn::Splitter::kLookbehind) {
            before.last_bytes.erase(0, before.last_bytes.size() - pgn::Splitter::kLookbehind);
        }
        skipped += count;
    }
    return skipped;
}

std::string read_ahead(pgn::ByteSource& source, std::uint64_t bytes) {
    std::string out(bytes, '\0');
    std::size_t size = 0;
    while (size < out.size()) {
        const std::size_t count = source.read(std::span(out).subspan(size));
        if (count == 0) break;
        size += count;
    }
    out.resize(size);
    return out;
}

std::string games_text(const StoredSource& row) {
    return std::to_string(row.games) + (row.games == 1 ? " game" : " games");
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
    for (std::size_t i = 0; i < rows_.size(); ++i) latest_[rows_[i].file.path] = i;
}

void SourceLedger::add(const store::SourceFile& file, const store::SourceProgress& progress,
                       std::uint64_t games) {
    latest_[file.path] = rows_.size();
    StoredSource& row = rows_.emplace_back();
    row.file = file;
    row.progress = progress;
    row.games = games;
}

OpenedSource SourceLedger::open(const std::string& path) {
    OpenedSource out;
    out.file = describe_file(path);
    const bool stream = !out.file.size;
    const auto known = again_ ? latest_.end() : latest_.find(path);
    if (known != latest_.end()) {
        const StoredSource& row = rows_[known->second];
        const bool of_this_run = row.id == 0;
        if (!stream && (of_this_run || (row.progress.complete && row.file == out.file))) {
            out.row = row;
            out.notice = of_this_run ? "is named twice"
                                     : "was imported before (" + games_text(row) + ")" + kAgain;
            return out;
        }
        if (!of_this_run && !(stream && row.progress.complete)) {
            if (read_on(row, out)) return out;
            if (stream) {
                throw pgn::SourceError(
                    "standard input: does not begin with the " +
                        std::to_string(row.progress.resume.byte) +
                        " bytes that were read before an import of it was interrupted; give it the "
                        "same text once more, or import this one with --again",
                    0);
            }
            out.notice = "is not what was imported as this before (" + games_text(row) +
                         ", which stay): imported as a new source";
        }
    }
    if (!stream && !again_ && imported_elsewhere(out)) return out;
    out.text = pgn::open_source(path, options_);
    return out;
}

/// True where the text begins as it did when this row was written: `out` says how to go on.
bool SourceLedger::read_on(const StoredSource& row, OpenedSource& out) const {
    const store::SourceProgress& progress = row.progress;
    std::unique_ptr<pgn::ByteSource> text = pgn::open_source(out.file.path, options_);
    pgn::TextBefore before{progress.resume, {}, {}};
    const std::uint64_t skipped = skip(*text, progress.resume.byte, before, options_.stop);
    const bool stopped = options_.stop && options_.stop();
    if (!stopped && (skipped != progress.resume.byte ||
                     (skipped != 0 && before.digest.hex() != progress.resume.digest))) {
        return false;
    }
    std::string ahead;
    bool whole_text = false;
    const std::uint64_t rest = progress.bytes - progress.resume.byte;
    if (!stopped && rest <= kMaxRest && (progress.complete || rest != 0)) {
        ahead = read_ahead(*text, rest);
        base::Digest digest = before.digest;
        digest.add(ahead);
        whole_text = ahead.size() == rest && digest.hex() == progress.digest;
        if (whole_text) {
            // Throws where the same damage follows as before.
            const std::string more = read_ahead(*text, 1);
            if (more.empty() && progress.complete) {
                out.row = row;
                out.notice = "was imported before (" + games_text(row) + ")" + kAgain;
                return true;
            }
            ahead += more;
        }
    }
    // That nothing is before a checkpoint is true of any text.
    if (!stopped && progress.resume.byte == 0 && progress.bytes != 0 && !whole_text) return false;
    out.row = row;
    if (progress.resume.byte != 0) {
        out.notice = "goes on at byte " + std::to_string(progress.resume.byte);
    }
    out.before = std::move(before);
    out.text = std::make_unique<PrefixedSource>(std::move(ahead), std::move(text));
    return true;
}

/// Whether the same text has been imported by another name. It is read only where a file of the
/// same size has been.
bool SourceLedger::imported_elsewhere(OpenedSource& out) const {
    std::unordered_map<std::string, const StoredSource*> same_size;
    for (const StoredSource& row : rows_) {
        if (row.progress.complete && row.file.size == out.file.size && row.progress.bytes != 0) {
            same_size.emplace(row.progress.digest, &row);
        }
    }
    if (same_size.empty()) return false;
    pgn::TextBefore read;
    try {
        skip(*pgn::open_source(out.file.path, options_), ~std::uint64_t{0}, read, options_.stop);
    } catch (const pgn::SourceError&) {
        return false;  // met again when its games are read
    }
    const auto same = same_size.find(read.digest.hex());
    if (same == same_size.end()) return false;
    out.row = *same->second;
    out.notice = "was imported before, as " + out.row->file.path + " (" + games_text(*out.row) +
                 ")" + kAgain;
    return true;
}

}  // namespace fendex::ingest
