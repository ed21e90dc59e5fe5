#include "store/fact_table.hpp"

namespace fendex::store {

namespace {

constexpr char kReplaceFacts[] = "INSERT OR REPLACE INTO fact(chunk, data) VALUES (?1, ?2)";
constexpr char kSelectFacts[] = "SELECT data FROM fact WHERE chunk = ?1";

constexpr std::size_t kMaxCachedBytes = std::size_t{64} << 20;

std::uint64_t chunk_of(GameId game) { return (game - 1) / codec::kFactsPerChunk; }
std::size_t index_in_chunk(GameId game) { return (game - 1) % codec::kFactsPerChunk; }

}  // namespace

FactReader::FactReader(const Connection& connection)
    : connection_(&connection), select_(connection, kSelectFacts) {}

void FactReader::forget() {
    chunks_.clear();
    bytes_ = 0;
    last_bytes_ = nullptr;
}

/// Null where there is no such chunk.
const std::string* FactReader::load(std::uint64_t chunk) {
    if (const auto known = chunks_.find(chunk); known != chunks_.end()) return &known->second;
    if (bytes_ >= kMaxCachedBytes) forget();
    select_.bind(1, static_cast<std::int64_t>(chunk));
    const std::string* out = nullptr;
    if (select_.step()) {
        out = &chunks_.emplace(chunk, select_.blob(0)).first->second;
        bytes_ += out->size();
    }
    select_.reset();
    return out;
}

codec::GameFacts FactReader::facts(GameId game) {
    const std::uint64_t chunk = chunk_of(game);
    if (chunk != last_ || last_bytes_ == nullptr) {
        last_bytes_ = load(chunk);
        last_ = chunk;
    }
    if (last_bytes_ == nullptr) {
        throw StoreError(connection_->path() + ": no facts of game " + std::to_string(game));
    }
    const codec::FactsChunk facts(*last_bytes_);
    if (index_in_chunk(game) >= facts.size()) {
        throw StoreError(connection_->path() + ": damaged facts of game " + std::to_string(game));
    }
    return facts[index_in_chunk(game)];
}

std::vector<codec::GameFacts> FactReader::chunk(std::uint64_t number) {
    std::vector<codec::GameFacts> out;
    if (const std::string* const bytes = load(number)) {
        const codec::FactsChunk facts(*bytes);
        for (std::size_t i = 0; i < facts.size(); ++i) out.push_back(facts[i]);
    }
    return out;
}

FactWriter::FactWriter(const Connection& connection)
    : connection_(&connection), replace_(connection, kReplaceFacts), stored_(connection) {}

void FactWriter::begin(std::uint64_t games) {
    stored_.forget();
    open_.clear();
    open_chunk_ = chunk_of(games + 1);
    const std::size_t stored = index_in_chunk(games + 1);
    if (stored == 0) return;
    open_ = stored_.chunk(open_chunk_);
    if (open_.size() != stored) {
        throw StoreError(connection_->path() + ": damaged: facts do not match the games");
    }
    // The chunk changes from here on.
    stored_.forget();
}

void FactWriter::add(const codec::GameFacts& facts) {
    open_.push_back(facts);
    if (open_.size() == codec::kFactsPerChunk) {
        flush();
        open_.clear();
        ++open_chunk_;
    }
}

void FactWriter::flush() {
    if (open_.empty()) return;
    const std::string data = codec::encode_facts(open_);
    replace_.bind(1, static_cast<std::int64_t>(open_chunk_));
    replace_.bind_blob(2, data);
    replace_.run();
}

codec::GameFacts FactWriter::facts(GameId game) {
    return chunk_of(game) == open_chunk_ ? open_.at(index_in_chunk(game)) : stored_.facts(game);
}

}  // namespace fendex::store
