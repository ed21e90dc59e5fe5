// Reads the stored rows of a database for checks. Rows are not verified. Has a reader of the same
// snapshot, on the same connection. Each thread needs its own object.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/key_block.hpp"
#include "store/local_reader.hpp"
#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/reader/ledger_reader.hpp"
#include "store/sqlite/segments/fine_sum_table.hpp"
#include "store/sqlite/segments/segment_reader.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/row_codes.hpp"

namespace fendex::store {

/// A row of table `segment`.
struct RawSegment {
    std::int64_t id = 0;
    std::int64_t kind = 0;
    std::int64_t first_game = 0;
    std::int64_t last_game = 0;
    std::int64_t postings = 0;
    std::int64_t positions = 0;
    std::int64_t key_bits = 0;
    bool has_numbers = true;  // false if a column is not an integer
};

/// A row of table `block`. `data` lives until visit() returns.
struct RawBlock {
    std::int64_t id = 0;
    std::uint64_t first_key = 0;
    std::int64_t part = 0;
    std::string_view data;
};

struct RawRepetition {
    std::int64_t key = 0;
    std::int64_t count = 0;
    std::string plies;
    std::optional<std::int64_t> third_ply;
    std::optional<std::int64_t> fifth_ply;

    bool operator==(const RawRepetition&) const = default;
};

/// A row of table `ply`. Views live until visit() returns.
struct RawPly {
    std::int64_t ply = 0;
    std::int64_t key = 0;
    std::int64_t occurrence = 0;
    std::string_view san;
    std::string_view uci;
    std::string_view fen;
    std::string_view epd;

    bool operator==(const RawPly&) const = default;
};

class RawRows {
  public:
    /// Throws StoreError if the file cannot be opened or is not a database of fendex.
    explicit RawRows(const std::string& path);
    ~RawRows();
    RawRows(const RawRows&) = delete;
    RawRows& operator=(const RawRows&) = delete;

    /// Returns the connection of the snapshot.
    Connection& connection() { return connection_; }
    /// Returns a text that identifies the data. If two objects have the same text, checks through
    /// either of them have the same result.
    std::string state();
    /// Returns a reader of the same snapshot. Throws StoreError if the database is too damaged for
    /// one.
    LocalReader& reader();

    std::optional<std::int64_t> meta(std::string_view name);
    bool has_ply_table();

    /// Returns ids of games in (after, last], ascending, at most `limit`.
    std::vector<GameId> games(GameId after, GameId last, std::size_t limit);
    /// Returns the sum over the games of a range.
    std::int64_t plies(std::int64_t first, std::int64_t last);

    std::vector<RawSegment> segments();
    /// Returns the shape of a segment's blocks, with its checksums.
    codec::SegmentShape shape_of(const RawSegment& segment) const;
    /// Visits the rows of a segment with from <= first_key <= to, in the order of keys and parts.
    void for_each_block(std::int64_t segment, std::uint64_t from, std::uint64_t to,
                        const std::function<void(const RawBlock&)>& visit);
    /// Visits the last block (part 0) before a key, if there is one.
    void block_before(std::int64_t segment, std::uint64_t key,
                      const std::function<void(const RawBlock&)>& visit);

    /// Returns the row of a position's fine sums; empty if there is none. Valid until the next
    /// call.
    std::optional<std::string_view> fine_row(std::int64_t segment, std::uint64_t key) {
        return fine_sums_.row(segment, key);
    }

    /// Visits the postings of a key in the segments, in pieces. Leaves out games that are in no
    /// segment.
    void for_each_indexed(std::uint64_t key,
                          const std::function<void(std::span<const Candidate>)>& visit);

    std::vector<RawRepetition> repetitions(GameId game);
    void for_each_ply(GameId game, const std::function<void(const RawPly&)>& visit);

    std::vector<StoredSource> sources() { return read_sources(connection_); }
    /// Visits the rows of table `deleted`: the number of the chunk, and its bits without their
    /// checksum. If the checksum does not match, the bits are empty.
    void for_each_deleted(const std::function<void(std::int64_t, std::string_view)>& visit);
    /// Visits games that have rows in `table` (repetition, quiet_run, ply, annotation) but none in
    /// `game`.
    void for_each_orphan(const std::string& table, const std::function<bool(std::int64_t)>& visit);
    /// Returns the facts as the database's version of the format stores them.
    codec::GameFacts stored_form(codec::GameFacts facts) const;
    /// Returns whether the stored codes of a game are those of its row, or empty if the game was
    /// deleted. Returns true before version 6, which has no codes. Throws StoreError if they are
    /// damaged.
    bool codes_are_right(GameId game);
    /// Returns whether all games got their openings from the table with this mark
    /// (replay/opening_names.hpp). Only then can they be compared.
    bool has_openings_of(std::uint64_t mark);
    /// Returns whether the time controls and dates of all games were read by this rule
    /// (replay/tag_facts.hpp). Only then can they be compared.
    bool has_tag_facts_of(std::uint64_t rule);
    /// Returns the text of a game's opening; empty if it has none. Call it only if the database has
    /// openings.
    std::string opening(GameId game);
    /// Returns whether the swings of all games with annotations were found by this rule
    /// (codec/swing.hpp). Only then can they be compared.
    bool has_swings_of(std::uint64_t rule);
    /// Returns the code of the stored swings of a game. Throws StoreError if they are damaged.
    std::uint32_t swings(GameId game);
    /// Returns the names of the tables of chunks.
    std::vector<std::string> chunk_tables();

  private:
    Connection connection_;
    std::unique_ptr<LocalReader> reader_;
    std::exception_ptr no_reader_;  // why there cannot be one; kept, so that it is tried only once
    DeletedGames deleted_;
    std::optional<SegmentReader> index_;
    Statement select_meta_;
    Statement select_games_;
    Statement select_blocks_;
    Statement select_block_before_;
    Statement select_repetitions_;
    std::optional<Statement> select_plies_;
    FineSumReader fine_sums_;
    RowCodes row_codes_;
    std::optional<PlayerCodeReader> player_codes_;
    std::optional<NameCodeReader> name_codes_;
    std::optional<OpeningCodeReader> opening_codes_;
    std::optional<SwingReader> swings_;
    std::optional<Statement> select_opening_;
};

}  // namespace fendex::store
