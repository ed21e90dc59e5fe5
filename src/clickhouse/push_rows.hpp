// Makes rows of the tables from games of a database: packed columns, postings with their flags,
// positions of variations. Values in memory; each object is for one thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/client/row_binary.hpp"
#include "clickhouse/game_tags.hpp"
#include "clickhouse/ids.hpp"
#include "codec/game_signature.hpp"
#include "store/records.hpp"

namespace fendex::clickhouse {

/// A game with everything that the cluster stores of it. `number` is its number in its database.
struct PushedGame {
    store::GameId number = 0;
    const store::StoredMoves* moves = nullptr;
    codec::GameFacts facts;
    std::string_view annotation;    // the stream; empty if there is none
    bool index_variations = false;  // table variation has its variations
};

/// Rows of table `posting` of many games, in the order of the table.
class PostingRows {
  public:
    PostingRows(PushNumber push, std::int8_t sign);

    /// Adds the positions of a game, and adds their terms to the fingerprint. Throws StoreError if
    /// the moves are damaged.
    void add(const PushedGame& game);
    [[nodiscard]] std::size_t size() const { return records_.size(); }
    [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_; }
    /// Sorts the rows and appends them as RowBinary.
    void append_to(std::string& out);
    void clear();

  private:
    /// A record to sort. `rest` is move (16 bits), game (26), ply (20) and the two flags.
    struct Record {
        std::uint64_t key = 0;
        std::uint64_t rest = 0;
    };
    /// The columns of a game's rows after the ply.
    static constexpr std::size_t kFactBytes = 11;
    struct GameColumns {
        store::GameId id = 0;
        std::array<char, kFactBytes> facts{};
    };
    class FirstSeen {
      public:
        /// Begins a new game with at most `keys` keys, and forgets those of the game before.
        void begin(std::size_t keys);
        /// Adds a key. Returns true if it is new.
        bool insert(std::uint64_t key);

      private:
        struct Slot {
            std::uint64_t key = 0;
            std::uint32_t game = 0;
        };
        std::vector<Slot> slots_;
        std::uint32_t game_ = 0;
    };

    void add_position(std::uint64_t key, chess::Move next, std::uint32_t ply);

    PushNumber push_;
    std::int8_t sign_;
    std::vector<Record> records_;
    std::vector<GameColumns> games_;
    FirstSeen seen_;
    std::size_t game_begin_ = 0;  // of the game's records
    std::uint64_t fingerprint_ = 0;
};

/// Appends rows of table `variation`: the keys that the game's variations reach, each once.
void append_variations(PushNumber push, std::int8_t sign, const PushedGame& game, RowWriter& out);

/// Appends a row of table `game`, and those of its players to rows of table `player`.
void append_game(PushNumber push, const PushedGame& game, const TagPairs& tags,
                 std::string_view opening, const codec::GameSignature& signature, RowWriter& out,
                 RowWriter& players);

void append_repetition(PushNumber push, const store::Repetition& repetition, RowWriter& out);
void append_quiet_run(PushNumber push, const store::QuietRun& run, RowWriter& out);
/// Appends a row of table `joined_name`.
void append_joined_name(PushNumber push, store::NameKind kind, std::string_view name,
                        std::string_view canonical, RowWriter& out);
void append_source(PushNumber push, const store::StoredSource& source, RowWriter& out);
/// Appends a row of table `import_error`. `packed_pgn` is the packed text of the game; only the
/// first error of a game has it.
void append_error(PushNumber push, const store::StoredError& error, std::string_view packed_pgn,
                  RowWriter& out);

}  // namespace fendex::clickhouse
