#include "store/sqlite/tables/chunk_table.hpp"

#include <algorithm>
#include <utility>

#include "schema_sql.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

std::uint64_t chunk_of(GameId game) { return (game - 1) / codec::kGamesPerChunk; }
std::size_t index_in_chunk(GameId game) { return (game - 1) % codec::kGamesPerChunk; }

}  // namespace

template <typename Kind>
ChunkReader<Kind>::ChunkReader(const Connection& connection, std::size_t most_bytes)
    : connection_(&connection),
      select_(connection,
              "SELECT data FROM main." + std::string(Kind::kTable.name) + " WHERE chunk = ?1"),
      most_bytes_(std::min(Kind::kCachedBytes, most_bytes)) {}

template <typename Kind>
void ChunkReader<Kind>::forget() {
    use(std::make_shared<SharedChunks>());
}

template <typename Kind>
void ChunkReader<Kind>::use(std::shared_ptr<SharedChunks> shared) {
    chunks_ = std::move(shared);
    last_bytes_ = {};
}

/// Returns the bytes of a chunk; without an owner if there is no such chunk.
template <typename Kind>
ChunkBytes ChunkReader<Kind>::load(std::uint64_t chunk, SharedChunks::Reading reading) {
    if (ChunkBytes known = chunks_->find(chunk); known.owner) return known;
    const auto id = static_cast<std::int64_t>(chunk);
    std::shared_ptr<const std::string> own;
    {
        // Another thread may have read it meanwhile; then it is read twice, which does no harm.
        const std::lock_guard lock(connection_->mutex());
        const ResetAtEnd end(select_);
        select_.bind(1, id);
        if (!select_.step()) return {};
        own = std::make_shared<const std::string>(select_.blob(0));
    }
    const std::string_view bytes = require_sealed(*connection_, *own, Kind::kTable, id);
    return chunks_->add(chunk, {std::move(own), bytes}, most_bytes_, reading);
}

template <typename Kind>
bool ChunkReader<Kind>::has_cached(GameId game) const {
    return chunks_->find(chunk_of(game)).owner != nullptr;
}

template <typename Kind>
typename Kind::Record ChunkReader<Kind>::at(GameId game) {
    const std::uint64_t chunk = chunk_of(game);
    if (chunk != last_ || !last_bytes_.owner) {
        last_bytes_ = load(chunk, SharedChunks::Reading::kAtRandom);
        last_ = chunk;
    }
    if (!last_bytes_.owner) {
        throw DamageError(connection_->path() + ": no " + Kind::kName + " of game " +
                          std::to_string(game));
    }
    const typename Kind::Chunk records(last_bytes_.bytes);
    if (index_in_chunk(game) >= records.size()) {
        throw DamageError(connection_->path() + ": damaged " + Kind::kName + " of game " +
                          std::to_string(game));
    }
    return records[index_in_chunk(game)];
}

template <typename Kind>
typename Kind::Chunk ChunkReader<Kind>::chunk_with(const ChunkBytes& bytes, GameId game,
                                                   std::size_t least) {
    const typename Kind::Chunk records(bytes.bytes);
    if (records.size() < least) {
        connection_->throw_damaged(Kind::kName + (" of the games from " + std::to_string(game)) +
                                   " on");
    }
    return records;
}

template <typename Kind>
std::vector<typename Kind::Record> ChunkReader<Kind>::chunk(std::uint64_t number) {
    std::vector<Record> out;
    if (const ChunkBytes bytes = load(number, SharedChunks::Reading::kAtRandom); bytes.owner) {
        const typename Kind::Chunk records(bytes.bytes);
        out.reserve(records.size());
        for (std::size_t i = 0; i < records.size(); ++i) out.push_back(records[i]);
    }
    return out;
}

template <typename Kind>
ChunkWriter<Kind>::ChunkWriter(const Connection& connection)
    : connection_(&connection),
      replace_(connection, "INSERT OR REPLACE INTO " + std::string(Kind::kTable.name) +
                               "(chunk, data) VALUES (?1, ?2)"),
      stored_(connection) {}

template <typename Kind>
void ChunkWriter<Kind>::begin(std::uint64_t games) {
    stored_.forget();
    open_.clear();
    changed_ = false;
    open_chunk_ = chunk_of(games + 1);
    const std::size_t stored = index_in_chunk(games + 1);
    if (stored == 0) return;
    open_ = stored_.chunk(open_chunk_);
    if (open_.size() != stored) {
        connection_->throw_damaged(std::string(Kind::kName) + " do not match the games");
    }
    // The stored chunk will be out of date, so it is not kept.
    stored_.forget();
}

template <typename Kind>
void ChunkWriter<Kind>::add(const Record& record) {
    open_.push_back(record);
    changed_ = true;
    if (open_.size() == codec::kGamesPerChunk) {
        flush();
        open_.clear();
        ++open_chunk_;
    }
}

template <typename Kind>
void ChunkWriter<Kind>::flush() {
    if (std::exchange(changed_, false)) write(open_chunk_, open_);
}

template <typename Kind>
void ChunkWriter<Kind>::write(std::uint64_t chunk, const std::vector<Record>& records) {
    const auto id = static_cast<std::int64_t>(chunk);
    std::string data = Kind::kEncode(records);
    base::seal(data, row_seed(Kind::kTable.what, id));
    replace_.run(id, Blob{data});
}

template <typename Kind>
void ChunkWriter<Kind>::cut(std::uint64_t games) {
    flush();
    stored_.forget();
    const std::uint64_t chunk = chunk_of(games + 1);
    std::vector<Record> kept = stored_.chunk(chunk);
    kept.resize(std::min(kept.size(), index_in_chunk(games + 1)));
    Statement remove(*connection_,
                     "DELETE FROM " + std::string(Kind::kTable.name) + " WHERE chunk >= ?1");
    remove.run(static_cast<std::int64_t>(chunk));
    if (!kept.empty()) write(chunk, kept);
    begin(games);
}

template <typename Kind>
void ChunkWriter<Kind>::replace(std::span<const GameId> games, std::span<const Record> records) {
    for (auto game = games.begin(); game != games.end();) {
        const std::uint64_t chunk = chunk_of(*game);
        std::vector<Record> stored;
        if (chunk != open_chunk_) stored = stored_.chunk(chunk);
        std::vector<Record>& of_chunk = chunk == open_chunk_ ? open_ : stored;
        for (; game != games.end() && chunk_of(*game) == chunk; ++game) {
            of_chunk.at(index_in_chunk(*game)) =
                records[static_cast<std::size_t>(game - games.begin())];
        }
        if (chunk != open_chunk_) {
            write(chunk, of_chunk);
        } else {
            changed_ = true;
        }
    }
    stored_.forget();
}

template <typename Kind>
typename Kind::Record ChunkWriter<Kind>::at(GameId game) {
    return chunk_of(game) == open_chunk_ ? open_.at(index_in_chunk(game)) : stored_.at(game);
}

bool has_swing_table(Connection& connection) {
    return connection
        .integer("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'game_swing'")
        .has_value();
}

void SwingWriter::open() {
    writer_.reset();
    if (has_swing_table(connection_)) writer_.emplace(connection_);
}

void SwingWriter::begin(std::uint64_t games) {
    open();
    games_ = games;
    if (writer_) writer_->begin(games);
}

void SwingWriter::add(std::uint32_t code) {
    if (!writer_ && code != 0) make_table();
    if (writer_) writer_->add({code});
    ++games_;
}

/// The games before have no swings.
void SwingWriter::make_table() {
    connection_.run(sql::kSwingSql);
    writer_.emplace(connection_);
    for (std::uint64_t game = 0; game < games_; ++game) writer_->add({});
}

void SwingWriter::replace(std::span<const GameId> games, std::span<const std::uint32_t> codes) {
    if (!writer_ && std::ranges::any_of(codes, [](std::uint32_t code) { return code != 0; })) {
        make_table();
    }
    if (!writer_) return;
    std::vector<SwingChunks::Record> records;
    for (const std::uint32_t code : codes) records.push_back({code});
    writer_->replace(games, records);
}

void SwingWriter::cut(std::uint64_t games) {
    if (writer_) writer_->cut(games);
    games_ = games;
}

std::vector<std::string> chunk_tables(Connection& connection) {
    std::vector<std::string> out{kFactTable.name, kSignatureTable.name};
    if (connection.format() >= kCodesFormat) {
        out.insert(out.end(), {kPlayerCodeTable.name, kNameCodeTable.name});
    }
    if (connection.format() >= kOpeningsFormat) out.emplace_back(kOpeningCodeTable.name);
    if (has_swing_table(connection)) out.emplace_back(kSwingTable.name);
    return out;
}

template class ChunkReader<FactChunks>;
template class ChunkWriter<FactChunks>;
template class ChunkReader<SignatureChunks>;
template class ChunkWriter<SignatureChunks>;
template class ChunkReader<PlayerChunks>;
template class ChunkWriter<PlayerChunks>;
template class ChunkReader<NameChunks>;
template class ChunkWriter<NameChunks>;
template class ChunkReader<OpeningChunks>;
template class ChunkWriter<OpeningChunks>;
template class ChunkReader<SwingChunks>;
template class ChunkWriter<SwingChunks>;

}  // namespace fendex::store
