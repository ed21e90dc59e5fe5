// Reads the segments of a database: the postings of a key, summaries and chunks of big positions,
// and a cursor that merges them. Skips deleted games. Uses the connection of a reader, in its
// thread and snapshot. Damage is thrown as StoreError.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/big_position.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/segments/fine_sum_table.hpp"
#include "store/sqlite/segments/position_summary.hpp"
#include "store/sqlite/sums/segment_record.hpp"
#include "store/sqlite/tables/deleted_games.hpp"

namespace fendex::store {

/// Returns the segments of a kind in the order of games. Throws StoreError if they overlap or are
/// out of order; if they are read `to_write`, also if a value is not a number.
std::vector<SegmentRecord> read_segments(const Connection& connection, SegmentKind kind,
                                         bool to_write);

/// A position with rows of its own, in one segment.
struct BigPosition {
    SegmentRecord segment;
    codec::PositionSummary summary;
    std::uint32_t mark = 0;  // of the summary (segments/fine_sum_table.hpp)
};

/// The postings of a key in all segments.
struct KeyPostings {
    std::vector<Candidate> small;  // from blocks, segment by segment
    std::vector<BigPosition> big;
};

/// Says how much of a big position's summary is read: all, or only PositionSummary::total.
enum class SummaryPart : std::uint8_t { kWhole, kTotal };

/// Sorts by game and ply.
void sort_candidates(std::vector<Candidate>& candidates);

class SegmentReader {
  public:
    /// Reads the segments of a kind; `deleted` must outlive the reader.
    SegmentReader(const Connection& connection, SegmentKind kind, const DeletedGames& deleted);

    /// Loads the list of segments from the connection's current snapshot.
    void load() {
        segments_ = read_segments(*connection_, kind_, false);
        fine_sums_.load();
    }
    const std::vector<SegmentRecord>& segments() const { return segments_; }
    /// Returns the segment with the game's postings; null if there is none.
    const SegmentRecord* segment_of(GameId game) const;
    /// Returns the last game that is in a segment; 0 if there is none.
    GameId indexed_games() const { return segments_.empty() ? 0 : segments_.back().last_game; }

    /// Calls visit() with the rows of a segment in the order in which they were written.
    void for_each_row(
        const SegmentRecord& segment,
        const std::function<void(std::uint64_t key, unsigned part, std::string_view data)>& visit);
    KeyPostings find(std::uint64_t key, SummaryPart part = SummaryPart::kWhole);
    /// Returns the keys of a segment's big positions, ascending.
    std::vector<std::uint64_t> big_keys(const SegmentRecord& segment);
    BigPosition big_position(const SegmentRecord& segment, std::uint64_t key);
    /// Returns the rows of fine sums.
    FineSumReader& fine_sums() { return fine_sums_; }
    /// Appends the candidates of a chunk of a big position. Chunks are the parts from 2 on.
    void read_chunk(const SegmentRecord& segment, std::uint64_t key, unsigned part,
                    std::vector<Candidate>& out);
    /// Makes the fine sums of a big position with this summary; empty if they are too many.
    std::optional<codec::FineSums> sum_finely(const SegmentRecord& segment, std::uint64_t key,
                                              const codec::PositionSummary& summary,
                                              const std::function<codec::GameFacts(GameId)>& facts,
                                              const FineRequest& request);
    /// Appends the games of such a chunk, each as often as it has a posting, and sets `next` to
    /// their move. Several threads may call it at once, but then no other function.
    void read_games(const SegmentRecord& segment, std::uint64_t key, unsigned part,
                    chess::Move& next, std::vector<std::uint32_t>& out);
    /// Returns all candidates, those of big positions as pieces; the reader must outlive them.
    std::unique_ptr<PositionPieces> pieces(std::uint64_t key, KeyPostings postings);
    /// Visits all candidates, in pieces, in any order.
    void for_each_group(std::uint64_t key, KeyPostings postings,
                        const std::function<void(std::span<const Candidate>)>& visit);
    /// Returns all candidates in the order of games; the reader must outlive the cursor.
    std::unique_ptr<CandidateCursor> merge(std::uint64_t key, KeyPostings postings);
    /// Throws StoreError: the rows of a key are damaged.
    [[noreturn]] void damaged(const SegmentRecord& segment, std::uint64_t key) const;

  private:
    void look_up(const SegmentRecord& segment, std::uint64_t key, SummaryPart summary,
                 KeyPostings& out);
    /// Decodes the row of its summary.
    BigPosition big_position(const SegmentRecord& segment, std::uint64_t key, SummaryPart part,
                             std::int64_t row, std::string_view data) const;
    void add(const SegmentRecord& segment, std::uint32_t number, std::optional<std::uint32_t> ply,
             chess::Move next, std::vector<Candidate>& out) const;

    const Connection* connection_;
    SegmentKind kind_;
    const DeletedGames* deleted_;
    Statement select_last_;
    Statement select_part_;
    Statement select_big_;
    FineSumReader fine_sums_;
    std::vector<SegmentRecord> segments_;
    std::vector<codec::Posting> chunk_;
};

}  // namespace fendex::store
