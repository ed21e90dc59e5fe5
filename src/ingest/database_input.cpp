#include "ingest/database_input.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "base/counted.hpp"
#include "base/digest.hpp"
#include "pgn/byte_source.hpp"
#include "store/source_prefixes.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/segments/segment_reader.hpp"
#include "store/store_error.hpp"

namespace fendex::ingest {

namespace {

using store::GameId;
using store::GameRange;
using store::StoredSource;

constexpr std::string_view kSqlite{"SQLite format 3\0", 16};
/// Keys are spread evenly, so a share of them has about as many records as another.
constexpr std::uint64_t kRecordsOfBatch = 20'000;

bool begins_as_sqlite(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    std::array<char, kSqlite.size()> head{};
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), head.size());
    if (file.bad()) throw pgn::SourceError(path + ": cannot be read", 0);
    return std::string_view(head.data(), head.size()) == kSqlite;
}

/// Returns the places of a text at which its digest is known.
std::vector<pgn::Mark> known_places(const StoredSource& row) {
    std::vector<pgn::Mark> places;
    const store::SourceProgress& progress = row.progress;
    if (progress.is_in_database() || progress.bytes == 0) return places;
    places = store::marks_of(progress.prefixes);
    if (progress.resume.byte != 0) places.push_back(progress.resume);
    places.push_back({progress.bytes, 0, progress.digest});
    return places;
}

bool have_common_text(const StoredSource& a, const StoredSource& b) {
    const std::vector<pgn::Mark> of_b = known_places(b);
    return std::ranges::any_of(known_places(a), [&](const pgn::Mark& place) {
        return std::ranges::any_of(of_b, [&](const pgn::Mark& other) {
            return place.byte == other.byte && place.digest == other.digest;
        });
    });
}

/// Returns whether what this row says of its text is said here, too.
bool is_known(const StoredSource& row, const std::vector<StoredSource>& known) {
    return std::ranges::any_of(known, [&](const StoredSource& each) {
        return each.progress.bytes == row.progress.bytes &&
               each.progress.digest == row.progress.digest &&
               (each.progress.complete || !row.progress.complete);
    });
}

}  // namespace

std::unique_ptr<DatabaseInput> DatabaseInput::open(const std::string& path, std::size_t number,
                                                   const Options& options) {
    if (!begins_as_sqlite(path)) return nullptr;
    std::error_code error;
    if (std::filesystem::equivalent(path, options.written, error)) {
        throw pgn::SourceError(path + ": is the database itself", 0);
    }
    try {
        return std::unique_ptr<DatabaseInput>(
            new DatabaseInput(path, number, store::file_store(path), options));
    } catch (const store::StoreError& problem) {
        if (problem.kind() == store::StoreError::kNotADatabase) return nullptr;
        throw pgn::SourceError(problem.what(), 0);
    }
}

DatabaseInput::DatabaseInput(const std::string& path, std::size_t number,
                             std::shared_ptr<store::Store> store, const Options& options)
    : path_(path),
      number_(number),
      file_(describe_file(path)),
      store_(std::move(store)),
      database_(std::make_shared<OtherDatabase>(path, *store_, options.threads)),
      reader_(database_->spare_reader()),
      info_(reader_.info()),
      games_of_batch_(options.games_of_batch),
      copies_segments_(options.copies_segments),
      takes_rows_(options.takes_rows) {}

void DatabaseInput::begin(const std::vector<StoredSource>& known) {
    std::vector<StoredSource> rows = reader_.sources();
    std::ranges::stable_sort(rows, {}, &StoredSource::first_game);
    GameId next = 1;
    for (const StoredSource& row : rows) {
        if (row.records) continue;
        if (has_better_copy(row, rows)) {
            ++second_copies_;
            next = std::max(next, row.first_game + row.games);
            continue;
        }
        if (row.games != 0) {
            add_unclaimed(next, std::min(row.first_game - 1, info_.last_game), known);
            next = std::max(next, row.first_game + row.games);
        }
        if (row.progress.bytes != 0) {
            add_part(row, known);
        } else if (row.games != 0) {
            add_unclaimed(row.first_game, std::min(next - 1, info_.last_game), known);
        }
    }
    add_unclaimed(next, info_.last_game, known);
    add_parts_of_records(rows, known);
    read_errors();
    read_joins();
    if (copies_segments_) find_copyable_segments();

    if (known_sources_ + second_copies_ == 0 && !parts_.empty()) return;
    BeginSource begin;
    begin.source = number_;
    begin.file = file_;
    begin.untouched = true;
    EndSource end;
    end.ends_input = parts_.empty();
    if (end.ends_input) end.joins = std::move(joins_);
    if (second_copies_ != 0) {
        begin.notice = base::counted(second_copies_, "source") +
                       " of it, stored there a second time, " +
                       (second_copies_ == 1 ? "is" : "are") + " taken once";
    }
    if (known_sources_ == 0 && parts_.empty()) {
        end.failure = path_ + ": no game found";
    } else if (known_sources_ != 0) {
        if (!begin.notice.empty()) begin.notice += "; ";
        begin.notice +=
            (parts_.empty() ? "" : base::counted(known_sources_, "source") + " of it ") +
            std::string(known_sources_ == 1 || parts_.empty() ? "was" : "were") +
            " imported before (" + base::counted(known_games_, "game") +
            "); --again --yes imports " + (parts_.empty() ? "it" : "all of it") + " once more";
    }
    first_.emplace_back(std::move(end));
    first_.emplace_back(std::move(begin));
}

/// Returns whether another row there has the same text, and more of its games, or as many and comes
/// first. A text that was imported twice there is taken once, whether or not the import is
/// interrupted.
bool DatabaseInput::has_better_copy(const StoredSource& row,
                                    const std::vector<StoredSource>& rows) const {
    if (row.progress.bytes == 0) return false;
    const auto stored_games = [&](const StoredSource& of) {
        return count_games(of.first_game, of.first_game + of.games);
    };
    return std::ranges::any_of(rows, [&](const StoredSource& each) {
        if (each.id == row.id || each.records || !each.progress.complete ||
            each.progress.bytes != row.progress.bytes ||
            each.progress.digest != row.progress.digest) {
            return false;
        }
        const std::uint64_t games = stored_games(row);
        const std::uint64_t others = stored_games(each);
        return others > games || (others == games && (!row.progress.complete || each.id < row.id));
    });
}

std::uint64_t DatabaseInput::count_games(GameId first, GameId end) const {
    std::uint64_t count = 0;
    for (GameId game = first; game < end; ++game) count += reader_.has_game(game) ? 1U : 0U;
    return count;
}

void DatabaseInput::add_part(const StoredSource& row, const std::vector<StoredSource>& known) {
    // If games were damaged there, the row here has the place and not the text.
    StoredSource taken = row;
    taken.progress = place(row, std::min(row.first_game + row.games - 1, info_.last_game) + 1);
    taken.progress.complete = true;
    if (is_known(row, known) || (row.games != 0 && is_known(taken, known))) {
        ++known_sources_;
        known_games_ += row.games;
        return;
    }
    Part& part = parts_.emplace_back();
    part.row = row;
    part.rest = {row.first_game, std::min(row.first_game + row.games - 1, info_.last_game)};
    for (const StoredSource& each : known) {
        if (each.id != 0 && have_common_text(each, row)) part.inside.push_back(each);
        if (each.id == 0 || each.progress.complete || !each.progress.is_in_database()) continue;
        const GameId next = each.progress.resume.byte - store::kPlacesInDatabases;
        if (each.progress.resume.digest != digest_at(row, next)) continue;
        part.continued = each;
        part.rest.first = next;
    }
    part.first_taken = part.rest.first;
}

/// Adds games that are in no row of the ledger, as after a repair, or in one without text.
void DatabaseInput::add_unclaimed(GameId first, GameId last,
                                  const std::vector<StoredSource>& known) {
    if (first > last) return;
    StoredSource row;
    row.file = file_;
    row.first_game = first;
    row.games = last - first + 1;
    row.progress = place(row, last + 1);
    row.progress.complete = true;
    const std::size_t before = parts_.size();
    add_part(row, known);
    if (parts_.size() != before) parts_.back().has_text = false;
}

/// Records of several texts are merged there, so they are taken together. After that, the rows of
/// their texts are taken without records.
void DatabaseInput::add_parts_of_records(const std::vector<StoredSource>& rows,
                                         const std::vector<StoredSource>& known) {
    if (info_.records == 0) return;
    StoredSource all;
    all.file = file_;
    all.records = info_.records;
    all.progress = place(all, info_.records);
    all.progress.complete = true;
    const std::size_t before = parts_.size();
    const std::uint64_t known_before = known_sources_;
    add_part(all, known);
    if (parts_.size() == before) return;
    parts_.back().all_records = true;
    parts_.back().has_text = false;
    bool has_rows = false;
    for (const StoredSource& row : rows) {
        if (!row.records || row.progress.bytes == 0) continue;
        has_rows = true;
        add_part(row, known);
        if (parts_.back().row.id == row.id) parts_.back().inside.clear();
    }
    // All texts that the records are from are known.
    const bool all_known = has_rows && parts_.size() == before + 1;
    if (all_known && known_sources_ != known_before) parts_.pop_back();
}

void DatabaseInput::read_errors() {
    reader_.for_each_error([&](const store::StoredError& error) {
        for (Part& part : parts_) {
            if (part.row.id != 0 && part.row.id == error.source) part.errors.push_back(error);
        }
        return true;
    });
    for (Part& part : parts_) {
        if (part.rest.first == part.row.first_game) continue;  // nothing has been taken
        // Errors outside games were taken with the games before the next error of a game.
        const auto next = std::ranges::find_if(part.errors, [&](const store::StoredError& each) {
            return each.game && *each.game >= part.rest.first;
        });
        part.next_error = static_cast<std::size_t>(next - part.errors.begin());
    }
}

void DatabaseInput::find_copyable_segments() {
    const store::SegmentReader* const segments = reader_.copyable_segments();
    if (segments == nullptr) return;
    for (const store::SegmentRecord& segment : segments->segments()) {
        const GameRange games{segment.first_game, segment.last_game};
        if (is_taken_whole(games)) copyable_.push_back(games);
    }
}

/// Returns whether none of these games was deleted, is known here, or may be left out.
bool DatabaseInput::is_taken_whole(const GameRange& games) const {
    GameId next = games.first;
    for (const Part& part : parts_) {
        if (part.row.records || !part.inside.empty()) continue;
        if (part.rest.first <= next && part.rest.last >= next) next = part.rest.last + 1;
    }
    if (next <= games.last) return false;
    for (GameId game = games.first; game <= games.last; ++game) {
        if (!reader_.has_game(game)) return false;
    }
    return true;
}

bool DatabaseInput::waits() const {
    if (!first_.empty() || current_ == parts_.size() || parts_[current_].row.records) return false;
    const GameId next = parts_[current_].rest.first;
    return next != stored_up_to_ && std::ranges::any_of(copyable_, [&](const GameRange& each) {
               return next == each.first || next == each.last + 1;
           });
}

void DatabaseInput::read_joins() {
    reader_.for_each_name_join([&](const store::NameJoin& join) {
        const std::optional<std::string> name = reader_.name(join.kind, join.name);
        const std::optional<std::string> canonical = reader_.name(join.kind, join.canonical);
        if (name && canonical) joins_.push_back({join.kind, *name, *canonical, join.origin});
    });
}

/// Do not change: on disk.
std::string DatabaseInput::digest_at(const StoredSource& row, GameId next) const {
    base::Digest digest;
    for (const std::string& part : {info_.id.empty() ? path_ : info_.id, std::to_string(row.id),
                                    std::to_string(row.first_game), std::to_string(next),
                                    std::string(row.records ? "records" : "games")}) {
        digest.add(part);
        digest.add("\n");
    }
    return digest.hex();
}

store::SourceProgress DatabaseInput::place(const StoredSource& row, GameId next) const {
    store::SourceProgress progress;
    progress.bytes = store::kPlacesInDatabases + next;
    progress.digest = digest_at(row, next);
    progress.resume = {progress.bytes, 1, progress.digest};
    return progress;
}

std::optional<SourceTask> DatabaseInput::next() {
    if (!first_.empty()) {
        SourceTask task = std::move(first_.back());
        first_.pop_back();
        return task;
    }
    if (current_ == parts_.size()) return std::nullopt;
    Part& part = parts_[current_];
    if (!std::exchange(part.begun, true)) return begin_part(part);
    if (std::optional<StoredBatch> batch = next_batch(part)) {
        SourceBatch out;
        out.progress = place(part.row, part.rest.first);
        if (info_.last_game != 0 && !part.row.records) {
            out.compressed_offset = static_cast<std::uint64_t>(
                static_cast<double>(file_.size.value_or(0)) *
                static_cast<double>(part.rest.first - 1) / static_cast<double>(info_.last_game));
        }
        out.stored = std::move(*batch);
        return out;
    }
    EndSource end = end_part(part);
    ++current_;
    end.ends_input = current_ == parts_.size();
    if (end.ends_input) end.joins = std::move(joins_);
    return end;
}

BeginSource DatabaseInput::begin_part(const Part& part) const {
    BeginSource begin;
    begin.source = number_;
    begin.file = file_;
    begin.row = part.continued;
    begin.inside = part.inside;
    begin.from = place(part.row, part.rest.first).resume;
    begin.first_byte_of_original = part.has_text ? part.row.first_byte : 0;
    if (part.continued) begin.notice = "continues at game " + std::to_string(part.rest.first);
    return begin;
}

std::optional<StoredBatch> DatabaseInput::next_batch(Part& part) {
    StoredBatch batch;
    batch.database = database_;
    batch.is_of_records = part.row.records.has_value();
    batch.takes_rows = takes_rows_ && part.inside.empty();
    if (part.all_records) {
        const std::uint64_t batches = std::max<std::uint64_t>(1, info_.records / kRecordsOfBatch);
        const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        const std::uint64_t width = most / batches;
        if (part.has_batch && part.next_keys == 0) return std::nullopt;
        part.has_batch = true;
        batch.records = {part.next_keys,
                         most - part.next_keys < 2 * width ? most : part.next_keys + width - 1};
        part.next_keys = batch.records->last + 1;  // 0 after the last key
        return batch;
    }
    const auto segment = std::ranges::find_if(
        copyable_, [&](const GameRange& each) { return part.rest.first <= each.last; });
    std::uint64_t most = games_of_batch_;
    if (segment != copyable_.end()) {
        batch.in_copyable_segment = part.rest.first >= segment->first;
        const GameId end = batch.in_copyable_segment ? segment->last + 1 : segment->first;
        most = std::min(most, end - part.rest.first);
    }
    if (const std::optional<GameRange> games = take_front(part.rest, most)) {
        batch.games = *games;
    } else if (part.next_error == part.errors.size() && (part.has_batch || !batch.is_of_records)) {
        return std::nullopt;
    }
    part.has_batch = true;
    take_errors(part, batch);
    return batch;
}

/// Takes the errors up to the next one of a game after the batch; at the end, all.
void DatabaseInput::take_errors(Part& part, StoredBatch& batch) {
    const bool is_last = part.rest.first > part.rest.last;
    for (; part.next_error < part.errors.size(); ++part.next_error) {
        const store::StoredError& error = part.errors[part.next_error];
        if (!is_last && error.game && *error.game > batch.games.last) break;
        batch.errors.push_back(error);
    }
}

EndSource DatabaseInput::end_part(const Part& part) const {
    EndSource end;
    end.games_there = count_games(part.row.first_game, part.rest.first);
    end.games_taken = count_games(part.first_taken, part.rest.first);
    end.progress = part.row.progress;
    end.original = part.row.file;
    // Its number here is that of the last game taken.
    const std::optional<GameId> open = std::exchange(end.progress.open_game, std::nullopt);
    end.open_game = open && *open == part.row.first_game + part.row.games - 1;
    return end;
}

}  // namespace fendex::ingest
