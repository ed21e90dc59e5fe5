#include "store/sqlite/segments/segment_reader.hpp"

#include <algorithm>
#include <mutex>
#include <queue>
#include <string>
#include <utility>

#include "store/sqlite/file/database.hpp"
#include "store/sqlite/segments/fine_sum_table.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectSegments[] =
    "SELECT id, first_game, last_game, postings, positions, key_bits FROM main.segment"
    " WHERE kind = ?1 ORDER BY first_game";
// Selects the last row not after a key and part: the summary of a big position, a block, or a part
// of another big position.
constexpr char kSelectLast[] =
    "SELECT id, first_key, part, data FROM main.block"
    " WHERE segment = ?1 AND (first_key, part) <= (?2, ?3)"
    " ORDER BY first_key DESC, part DESC LIMIT 1";
constexpr char kSelectPart[] =
    "SELECT id, data FROM main.block WHERE segment = ?1 AND first_key = ?2 AND part = ?3";

// SQLite reads only the index for this.
constexpr char kSelectBig[] =
    "SELECT first_key FROM main.block WHERE segment = ?1 AND part = 1 ORDER BY first_key";

// SQLite reads only the index for this, too.
constexpr char kSelectIds[] = "SELECT id FROM main.block WHERE segment = ?1";
constexpr char kSelectRow[] = "SELECT first_key, part, data FROM main.block WHERE id = ?1";

bool earlier(const Candidate& a, const Candidate& b) {
    return std::pair(a.game, a.ply.value_or(0)) < std::pair(b.game, b.ply.value_or(0));
}

/// Merges the groups of big positions and the postings of blocks in the order of games. The groups
/// of a segment are read only after all games before the segment were returned.
class MergingCursor final : public CandidateCursor {
  public:
    MergingCursor(SegmentReader& reader, std::uint64_t key, KeyPostings postings)
        : reader_(reader), key_(key), big_(std::move(postings.big)) {
        sort_candidates(postings.small);
        if (!postings.small.empty()) {
            Stream& stream = streams_.emplace_back();
            stream.ready = std::move(postings.small);
            queue_.push(0);
        }
    }

    bool next(Candidate& out) override {
        while (begun_ != big_.size() && (queue_.empty() || streams_[queue_.top()].front().game >=
                                                               big_[begun_].segment.first_game)) {
            begin(big_[begun_++]);
        }
        if (queue_.empty()) return false;
        const std::size_t index = queue_.top();
        queue_.pop();
        Stream& stream = streams_[index];
        out = stream.front();
        ++stream.position;
        if (stream.position < stream.ready.size() || refill(stream)) queue_.push(index);
        return true;
    }

  private:
    /// The postings of one group, read chunk by chunk.
    struct Stream {
        std::vector<Candidate> ready;
        std::size_t position = 0;
        SegmentRecord segment;
        unsigned part = 0;
        unsigned end_part = 0;
        const Candidate& front() const { return ready[position]; }
    };
    struct Later {
        const std::vector<Stream>* streams;
        bool operator()(std::size_t a, std::size_t b) const {
            return earlier((*streams)[b].front(), (*streams)[a].front());
        }
    };

    void begin(const BigPosition& position) {
        unsigned part = 2;
        for (const codec::GroupSummary& group : position.summary.groups) {
            const std::size_t index = streams_.size();
            Stream& stream = streams_.emplace_back();
            stream.segment = position.segment;
            stream.part = part;
            part += group.chunks;
            stream.end_part = part;
            if (refill(stream)) queue_.push(index);
        }
    }

    /// Reads the next chunk. Returns false at the end of the group, and frees its memory.
    bool refill(Stream& stream) {
        stream.ready.clear();
        stream.position = 0;
        // A loop, because all games of a chunk may be deleted.
        while (stream.ready.empty() && stream.part != stream.end_part) {
            reader_.read_chunk(stream.segment, key_, stream.part++, stream.ready);
        }
        if (stream.ready.empty()) stream.ready = std::vector<Candidate>();
        return !stream.ready.empty();
    }

    SegmentReader& reader_;
    std::uint64_t key_;
    std::vector<BigPosition> big_;  // in the order of their segments
    std::size_t begun_ = 0;         // how many of them have been begun
    std::vector<Stream> streams_;
    std::priority_queue<std::size_t, std::vector<std::size_t>, Later> queue_{Later{&streams_}};
};

/// The chunks of big positions are the pieces.
class PiecesOfSegments final : public PositionPieces {
  public:
    PiecesOfSegments(SegmentReader& reader, std::uint64_t key, KeyPostings postings)
        : reader_(reader), key_(key), big_(std::move(postings.big)) {
        sort_candidates(postings.small);
        others_ = std::move(postings.small);
        for (const BigPosition& position : big_) {
            const codec::Tally& total = position.summary.total;
            games_ += total.games;
            once_ = once_ && total.occurrences == total.games;
            add(position);
        }
    }

    void read(std::size_t piece, std::vector<std::uint32_t>& games) override {
        games.clear();
        const auto& [position, part] = parts_[piece];
        chess::Move next;
        reader_.read_games(position->segment, key_, part, next, games);
        if (next != pieces_[piece].next) reader_.damaged(position->segment, key_);
    }

  private:
    void add(const BigPosition& position) {
        const GameRange range{position.segment.first_game, position.segment.last_game};
        unsigned part = 2;
        for (const codec::GroupSummary& group : position.summary.groups) {
            for (std::uint32_t i = 0; i < group.chunks; ++i) {
                pieces_.push_back({group.next, i != 0, range});
                parts_.emplace_back(&position, part++);
            }
        }
    }

    SegmentReader& reader_;
    std::uint64_t key_;
    std::vector<BigPosition> big_;  // in the order of their segments
    std::vector<std::pair<const BigPosition*, unsigned>> parts_;
};

}  // namespace

void sort_candidates(std::vector<Candidate>& candidates) { std::ranges::sort(candidates, earlier); }

SegmentReader::SegmentReader(const Connection& connection, SegmentKind kind,
                             const DeletedGames& deleted)
    : connection_(&connection),
      kind_(kind),
      deleted_(&deleted),
      select_last_(connection, kSelectLast),
      select_part_(connection, kSelectPart),
      select_big_(connection, kSelectBig),
      fine_sums_(connection) {}

std::vector<SegmentRecord> read_segments(const Connection& connection, SegmentKind kind,
                                         bool to_write) {
    std::vector<SegmentRecord> segments;
    Statement row(connection, kSelectSegments);
    row.bind_all(static_cast<std::int64_t>(kind));
    const auto number = [&](int column) { return static_cast<std::uint64_t>(row.integer(column)); };
    for (GameId before = 0; row.step(); before = segments.back().last_game) {
        const GameId first = number(1);
        const GameId last = number(2);
        const std::uint64_t key_bits = number(5);
        // Segments of main lines have no gaps.
        const bool follows = kind == SegmentKind::kMainLine ? first == before + 1 : first > before;
        bool is_sound = follows && last >= first && last - first < codec::Posting::kMaxGames &&
                        key_bits >= 8 && key_bits <= 48;
        for (int column = 0; column < row.column_count(); ++column) {
            is_sound &= !to_write || row.is_integer(column);
        }
        if (!is_sound) {
            const std::string what = "segment " + std::to_string(row.integer(0));
            if (to_write) connection.throw_to_repair(what);
            connection.throw_damaged(what);
        }
        SegmentRecord& segment = segments.emplace_back(
            SegmentRecord{row.integer(0), kind, first, last, number(3), number(4), {}});
        segment.shape =
            sealed_shape({static_cast<unsigned>(key_bits), last - first + 1}, kind, first);
        segment.shape.checked = connection.format() >= kSealedFormat;
    }
    return segments;
}

const SegmentRecord* SegmentReader::segment_of(GameId game) const {
    const auto found = std::ranges::find_if(segments_, [&](const SegmentRecord& each) {
        return game >= each.first_game && game <= each.last_game;
    });
    return found == segments_.end() ? nullptr : &*found;
}

void SegmentReader::damaged(const SegmentRecord& segment, std::uint64_t key) const {
    connection_->throw_damaged("segment " + std::to_string(segment.id) + ", block of key " +
                               std::to_string(key));
}

void SegmentReader::for_each_row(
    const SegmentRecord& segment,
    const std::function<void(std::uint64_t key, unsigned part, std::string_view data)>& visit) {
    std::vector<std::int64_t> ids;
    Statement select_ids(*connection_, kSelectIds);
    select_ids.bind_all(segment.id);
    while (select_ids.step()) ids.push_back(select_ids.integer(0));
    std::ranges::sort(ids);
    Statement select_row(*connection_, kSelectRow);
    for (const std::int64_t id : ids) {
        const ResetAtEnd end(select_row, id);
        if (!select_row.step()) connection_->throw_damaged("the index of table block");
        visit(key_of_sql_order(select_row.integer(0)), static_cast<unsigned>(select_row.integer(1)),
              select_row.blob(2));
    }
}

KeyPostings SegmentReader::find(std::uint64_t key, SummaryPart part) {
    KeyPostings out;
    for (const SegmentRecord& segment : segments_) look_up(segment, key, part, out);
    return out;
}

void SegmentReader::look_up(const SegmentRecord& segment, std::uint64_t key, SummaryPart summary,
                            KeyPostings& out) {
    const ResetAtEnd end(select_last_);
    std::int64_t before = sql_order(key);
    int part = 1;
    while (true) {
        select_last_.bind_all(segment.id, before, part);
        if (!select_last_.step()) break;
        const std::int64_t first_key = select_last_.integer(1);
        const std::int64_t found = select_last_.integer(2);
        if (found == 1 && first_key == sql_order(key)) {
            // The key's postings are in parts, so its block need not be read.
            out.big.push_back(
                big_position(segment, key, summary, select_last_.integer(0), select_last_.blob(3)));
            return;
        }
        if (found != 0) {
            // Another big position lies between the block and the key. The block may begin with
            // that one's key.
            if (found < 0 || std::pair(first_key, found) > std::pair(before, std::int64_t{part})) {
                damaged(segment, key);
            }
            before = first_key;
            part = 0;
            select_last_.reset();
            continue;
        }
        codec::KeyMatch match;
        if (codec::look_up(select_last_.blob(3), key_of_sql_order(first_key), segment.shape, key,
                           match) != codec::BlockStatus::kOk) {
            throw_mismatch(*connection_, "block", select_last_.integer(0));
        }
        select_last_.reset();
        if (match.big) damaged(segment, key);  // its summary is lost
        // If the key itself has postings, singletons cannot belong to it. A game with two
        // singletons of this short key has the position at most once.
        if (match.postings.empty()) {
            std::vector<std::uint32_t>& games = match.singletons;
            std::ranges::sort(games);
            games.erase(std::unique(games.begin(), games.end()), games.end());
            for (const std::uint32_t game : games) {
                add(segment, game, std::nullopt, {}, out.small);
            }
        }
        for (const codec::Posting& p : match.postings) {
            add(segment, p.game(), p.ply(), p.next(), out.small);
        }
        return;
    }
    // The first block of a segment begins before every key.
    if (segment.shape.checked && segment.postings != 0) damaged(segment, key);
}

void SegmentReader::add(const SegmentRecord& segment, std::uint32_t number,
                        std::optional<std::uint32_t> ply, chess::Move next,
                        std::vector<Candidate>& out) const {
    const GameId game = segment.first_game + number;
    if (!deleted_->contains(game)) out.push_back({game, ply, next});
}

std::vector<std::uint64_t> SegmentReader::big_keys(const SegmentRecord& segment) {
    const ResetAtEnd end(select_big_, segment.id);
    std::vector<std::uint64_t> keys;
    while (select_big_.step()) keys.push_back(key_of_sql_order(select_big_.integer(0)));
    return keys;
}

BigPosition SegmentReader::big_position(const SegmentRecord& segment, std::uint64_t key) {
    const ResetAtEnd end(select_part_, segment.id, sql_order(key), 1);
    if (!select_part_.step()) damaged(segment, key);
    return big_position(segment, key, SummaryPart::kWhole, select_part_.integer(0),
                        select_part_.blob(1));
}

BigPosition SegmentReader::big_position(const SegmentRecord& segment, std::uint64_t key,
                                        SummaryPart part, std::int64_t row,
                                        std::string_view data) const {
    const auto bytes = unsealed_part(data, segment.shape, key, 1);
    std::optional<codec::PositionSummary> summary;
    if (bytes && part == SummaryPart::kWhole) summary = codec::decode_summary(*bytes);
    if (bytes && part == SummaryPart::kTotal) {
        if (const auto total = codec::decode_total(*bytes)) summary.emplace().total = *total;
    }
    if (!summary) throw_mismatch(*connection_, "block", row);
    return {segment, std::move(*summary), mark_of_summary(*bytes)};
}

void SegmentReader::read_chunk(const SegmentRecord& segment, std::uint64_t key, unsigned part,
                               std::vector<Candidate>& out) {
    chunk_.clear();
    const ResetAtEnd end(select_part_, segment.id, sql_order(key), part);
    if (!select_part_.step()) damaged(segment, key);
    const auto bytes = unsealed_part(select_part_.blob(1), segment.shape, key, part);
    if (!bytes ||
        codec::decode_big_postings(*bytes, segment.shape, key, chunk_) != codec::BlockStatus::kOk) {
        throw_mismatch(*connection_, "block", select_part_.integer(0));
    }
    out.reserve(out.size() + chunk_.size());
    for (const codec::Posting& p : chunk_) add(segment, p.game(), p.ply(), p.next(), out);
}

std::optional<codec::FineSums> SegmentReader::sum_finely(
    const SegmentRecord& segment, std::uint64_t key, const codec::PositionSummary& summary,
    const std::function<codec::GameFacts(GameId)>& facts, const FineRequest& request) {
    const PositionSum::Facts facts_of_number = [&](std::uint32_t number) {
        return facts(segment.first_game + number);
    };
    std::vector<bool> seen;
    PositionSum sum(seen, facts_of_number, request);
    unsigned part = 2;
    std::vector<Candidate> chunk;
    for (const codec::GroupSummary& group : summary.groups) {
        for (const unsigned end = part + group.chunks; part != end; ++part) {
            chunk.clear();
            read_chunk(segment, key, part, chunk);
            for (const Candidate& each : chunk) {
                sum.add(each.next, static_cast<std::uint32_t>(each.game - segment.first_game));
            }
        }
    }
    return sum.finish().fine;
}

void SegmentReader::read_games(const SegmentRecord& segment, std::uint64_t key, unsigned part,
                               chess::Move& next, std::vector<std::uint32_t>& out) {
    const std::size_t before = out.size();
    // Decoded after the connection is free for the next thread.
    thread_local std::string data;
    std::int64_t row = 0;
    {
        const std::lock_guard lock(connection_->mutex());
        const ResetAtEnd end(select_part_, segment.id, sql_order(key), part);
        if (!select_part_.step()) damaged(segment, key);
        row = select_part_.integer(0);
        data = select_part_.blob(1);
    }
    const auto bytes = unsealed_part(data, segment.shape, key, part);
    if (!bytes ||
        codec::decode_big_games(*bytes, segment.shape, next, out) != codec::BlockStatus::kOk) {
        throw_mismatch(*connection_, "block", row);
    }
    const auto first = static_cast<std::uint32_t>(segment.first_game);
    for (std::size_t i = before; i < out.size(); ++i) out[i] += first;
    if (deleted_->empty()) return;
    const auto is_deleted = [&](std::uint32_t game) { return deleted_->contains(game); };
    out.erase(
        std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), is_deleted),
        out.end());
}

std::unique_ptr<PositionPieces> SegmentReader::pieces(std::uint64_t key, KeyPostings postings) {
    return std::make_unique<PiecesOfSegments>(*this, key, std::move(postings));
}

void SegmentReader::for_each_group(std::uint64_t key, KeyPostings postings,
                                   const std::function<void(std::span<const Candidate>)>& visit) {
    std::vector<Candidate> chunk;
    for (const BigPosition& position : postings.big) {
        std::uint64_t chunks = 0;
        for (const codec::GroupSummary& group : position.summary.groups) chunks += group.chunks;
        for (unsigned part = 2; part < 2 + chunks; ++part) {
            chunk.clear();
            read_chunk(position.segment, key, part, chunk);
            if (!chunk.empty()) visit(chunk);
        }
    }
    sort_candidates(postings.small);
    if (!postings.small.empty()) visit(postings.small);
}

std::unique_ptr<CandidateCursor> SegmentReader::merge(std::uint64_t key, KeyPostings postings) {
    return std::make_unique<MergingCursor>(*this, key, std::move(postings));
}

}  // namespace fendex::store
