// Tables `fact`, `signature`, `game_players`, `game_names`, `game_opening` and `game_swing`: a few
// bytes of fixed width for every game, in chunks of codec::kGamesPerChunk games. The writer appends
// to the last chunk and clears the values of deleted games. Table `game_swing` is made with the
// first game that has a swing. Writer and reader belong to the thread of their
// connection. Damaged or missing chunks are thrown as StoreError.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/game_codes.hpp"
#include "codec/game_facts.hpp"
#include "codec/game_signature.hpp"
#include "store/records.hpp"
#include "store/sqlite/caches/shared_chunks.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

/// Table `fact`: values for filters and sums.
struct FactChunks {
    using Record = codec::GameFacts;
    using Chunk = codec::FactsChunk;
    static constexpr char kName[] = "facts";
    /// Enough for the facts of ten million games. Every query with sums or an order reads them all.
    static constexpr std::size_t kCachedBytes = std::size_t{128} << 20;
    static constexpr SealedTable kTable = kFactTable;
    static constexpr auto kEncode = codec::encode_facts;
};

/// Table `signature`: shows that a pattern cannot occur in a game.
struct SignatureChunks {
    using Record = codec::GameSignature;
    using Chunk = codec::SignatureChunk;
    static constexpr char kName[] = "signatures";
    static constexpr std::size_t kCachedBytes = std::size_t{64} << 20;
    static constexpr SealedTable kTable = kSignatureTable;
    static constexpr auto kEncode = codec::encode_signatures;
};

template <std::size_t kColumns>
struct CodeChunks {
    using Record = codec::CodeRow<kColumns>;
    using Chunk = codec::CodeChunk<kColumns>;
    static constexpr auto kEncode = codec::encode_codes<kColumns>;
};

/// Table `game_players`: codes of the players.
struct PlayerChunks : CodeChunks<codec::kPlayerColumns> {
    static constexpr char kName[] = "players";
    static constexpr std::size_t kCachedBytes = std::size_t{64} << 20;
    static constexpr SealedTable kTable = kPlayerCodeTable;
};

/// Table `game_names`: codes of event, site, ECO and termination.
struct NameChunks : CodeChunks<codec::kNameColumns> {
    static constexpr char kName[] = "names";
    static constexpr std::size_t kCachedBytes = std::size_t{16} << 20;
    static constexpr SealedTable kTable = kNameCodeTable;
};

/// Table `game_opening`: codes of the openings.
struct OpeningChunks : CodeChunks<codec::kOpeningColumns> {
    static constexpr char kName[] = "opening";
    static constexpr std::size_t kCachedBytes = std::size_t{16} << 20;
    static constexpr SealedTable kTable = kOpeningCodeTable;
};

/// Table `game_swing`: the swings of both players in one code.
struct SwingChunks : CodeChunks<codec::kSwingColumns> {
    static constexpr char kName[] = "swings";
    static constexpr std::size_t kCachedBytes = std::size_t{32} << 20;
    static constexpr SealedTable kTable = kSwingTable;
};

/// Chunks that are read again and again stay in memory, up to a limit. A reader that goes over all
/// of them with for_each_chunk() or chunk_at() keeps the first ones and reads the others each time.
/// Several threads may call these two at once.
template <typename Kind>
class ChunkReader {
  public:
    using Record = typename Kind::Record;

    /// Keeps at most Kind::kCachedBytes or `most_bytes`, whichever is less.
    explicit ChunkReader(const Connection& connection, std::size_t most_bytes = Kind::kCachedBytes);

    /// Returns the record of a game.
    Record at(GameId game);
    /// Returns whether the chunk of a game is cached.
    [[nodiscard]] bool has_cached(GameId game) const;
    /// Returns the stored records of a chunk; none if there is no such chunk.
    std::vector<Record> chunk(std::uint64_t number);
    /// Calls visit(const Kind::Chunk&, offset, count) for the chunks with the games from `first`
    /// on. Their records in the chunk are offset to offset + count. Throws if a record is missing.
    template <typename Visit>
    void for_each_chunk(GameId first, std::size_t games, Visit visit) {
        while (games != 0) {
            const std::size_t offset = (first - 1) % codec::kGamesPerChunk;
            const std::size_t count = std::min(games, codec::kGamesPerChunk - offset);
            const ChunkBytes bytes =
                load((first - 1) / codec::kGamesPerChunk, SharedChunks::Reading::kInTurn);
            visit(chunk_with(bytes, first, offset + count), offset, count);
            first += count;
            games -= count;
        }
    }
    /// Returns the chunk of a game, and its bytes. Throws if it has fewer than `least` records.
    std::pair<ChunkBytes, typename Kind::Chunk> chunk_at(GameId game, std::size_t least) {
        ChunkBytes bytes = load((game - 1) / codec::kGamesPerChunk, SharedChunks::Reading::kInTurn);
        const typename Kind::Chunk chunk = chunk_with(bytes, game, least);
        return {std::move(bytes), chunk};
    }
    /// Forgets chunks, which may have changed since.
    void forget();
    /// Forgets chunks, and shares the chunks that it reads afterwards.
    void use(std::shared_ptr<SharedChunks> shared);
    /// Limits the memory of kept chunks. The default is Kind::kCachedBytes.
    void limit_cache(std::size_t bytes) { most_bytes_ = bytes; }

  private:
    /// Returns the chunk of a game. Throws StoreError if it has fewer than `least` records.
    typename Kind::Chunk chunk_with(const ChunkBytes& bytes, GameId game, std::size_t least);
    ChunkBytes load(std::uint64_t chunk, SharedChunks::Reading reading);

    const Connection* connection_;
    Statement select_;
    std::shared_ptr<SharedChunks> chunks_ = std::make_shared<SharedChunks>();
    std::size_t most_bytes_;
    std::uint64_t last_ = 0;  // the chunk that at() read last
    ChunkBytes last_bytes_;
};

template <typename Kind>
class ChunkWriter {
  public:
    using Record = typename Kind::Record;

    explicit ChunkWriter(const Connection& connection);

    /// Continues after the first `games` games, which must be stored.
    void begin(std::uint64_t games);
    void add(const Record& record);
    /// Writes what has been added so far.
    void flush();
    Record at(GameId game);
    /// Forgets the games after the first `games`.
    void cut(std::uint64_t games);
    /// Replaces the records of these games, whose numbers ascend, by `records`.
    void replace(std::span<const GameId> games, std::span<const Record> records);
    /// Clears the records of these games, whose numbers ascend.
    void clear(std::span<const GameId> games) { replace(games, std::vector<Record>(games.size())); }
    /// Limits the memory of stored chunks that at() keeps.
    void limit_cache(std::size_t bytes) { stored_.limit_cache(bytes); }

  private:
    void write(std::uint64_t chunk, const std::vector<Record>& records);

    const Connection* connection_;
    Statement replace_;
    ChunkReader<Kind> stored_;
    std::uint64_t open_chunk_ = 0;
    std::vector<Record> open_;
    bool changed_ = false;  // open_ has changed since it was written
};

using FactReader = ChunkReader<FactChunks>;
using SignatureReader = ChunkReader<SignatureChunks>;
using PlayerCodeReader = ChunkReader<PlayerChunks>;
using NameCodeReader = ChunkReader<NameChunks>;
using OpeningCodeReader = ChunkReader<OpeningChunks>;
using SwingReader = ChunkReader<SwingChunks>;

extern template class ChunkReader<FactChunks>;
extern template class ChunkReader<SignatureChunks>;
extern template class ChunkReader<PlayerChunks>;
extern template class ChunkReader<NameChunks>;
extern template class ChunkReader<OpeningChunks>;
extern template class ChunkReader<SwingChunks>;

/// The values of a game in all these tables. They are zero if the game was deleted.
struct ChunkRecords {
    codec::GameFacts facts;
    codec::GameSignature signature;
    codec::GameCodes codes;
    std::uint32_t swings = 0;  // codec::code_of_swings()
};

[[nodiscard]] bool has_swing_table(Connection& connection);

/// Writes table `game_swing`, like a ChunkWriter that is begun at the first game.
class SwingWriter {
  public:
    explicit SwingWriter(Connection& connection) : connection_(connection) { open(); }

    void begin(std::uint64_t games);
    void add(std::uint32_t code);
    void flush() {
        if (writer_) writer_->flush();
    }
    void cut(std::uint64_t games);
    void replace(std::span<const GameId> games, std::span<const std::uint32_t> codes);
    void clear(std::span<const GameId> games) {
        if (writer_) writer_->clear(games);
    }

  private:
    void open();
    void make_table();

    Connection& connection_;
    std::uint64_t games_ = 0;
    std::optional<ChunkWriter<SwingChunks>> writer_;  // empty while there is no table
};

/// Writes all these tables.
class ChunkTables {
  public:
    explicit ChunkTables(Connection& connection)
        : facts_(connection),
          signatures_(connection),
          players_(connection),
          names_(connection),
          openings_(connection),
          swings_(connection) {}

    /// Continues after the first `games` games, which must be stored.
    void begin(std::uint64_t games) {
        for_each([&](auto& table) { table.begin(games); });
    }
    void add(const ChunkRecords& game) {
        facts_.add(game.facts);
        signatures_.add(game.signature);
        players_.add(game.codes.players);
        names_.add(game.codes.names);
        openings_.add(game.codes.opening);
        swings_.add(game.swings);
    }
    /// Writes what has been added so far.
    void flush() {
        for_each([](auto& table) { table.flush(); });
    }
    codec::GameFacts facts(GameId game) { return facts_.at(game); }
    /// Limits the memory of stored facts that facts() keeps.
    void limit_facts(std::size_t bytes) { facts_.limit_cache(bytes); }
    /// Forgets the games after the first `games`.
    void cut(std::uint64_t games) {
        for_each([&](auto& table) { table.cut(games); });
    }
    /// Replaces the swings of these games, whose numbers ascend.
    void replace_swings(std::span<const GameId> games, std::span<const std::uint32_t> codes) {
        swings_.replace(games, codes);
    }
    /// Clears the records of these games, whose numbers ascend.
    void clear(std::span<const GameId> games) {
        for_each([&](auto& table) { table.clear(games); });
    }

  private:
    template <typename Call>
    void for_each(Call call) {
        call(facts_);
        call(signatures_);
        call(players_);
        call(names_);
        call(openings_);
        call(swings_);
    }

    ChunkWriter<FactChunks> facts_;
    ChunkWriter<SignatureChunks> signatures_;
    ChunkWriter<PlayerChunks> players_;
    ChunkWriter<NameChunks> names_;
    ChunkWriter<OpeningChunks> openings_;
    SwingWriter swings_;
};

extern template class ChunkWriter<FactChunks>;
extern template class ChunkWriter<SignatureChunks>;
extern template class ChunkWriter<PlayerChunks>;
extern template class ChunkWriter<NameChunks>;
extern template class ChunkWriter<OpeningChunks>;
extern template class ChunkWriter<SwingChunks>;

/// Returns the names of these tables in a database of any version.
[[nodiscard]] std::vector<std::string> chunk_tables(Connection& connection);

}  // namespace fendex::store
