// Table `fact`: what filters and sums need to know of every game, in chunks. A reader, and a writer
// that appends to the last chunk. Both belong to their connection's thread; what is damaged or
// absent is thrown as StoreError.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "codec/game_facts.hpp"
#include "store/records.hpp"
#include "store/sqlite.hpp"

namespace fendex::store {

class FactReader {
  public:
    explicit FactReader(const Connection& connection);

    /// Random access; chunks are kept within some 64 MiB.
    codec::GameFacts facts(GameId game);
    /// The facts of a chunk that is not full; none where there is no such chunk.
    std::vector<codec::GameFacts> chunk(std::uint64_t number);
    /// Forgets what may have been written since.
    void forget();

  private:
    const std::string* load(std::uint64_t chunk);

    const Connection* connection_;
    Statement select_;
    std::unordered_map<std::uint64_t, std::string> chunks_;
    std::size_t bytes_ = 0;
    std::uint64_t last_ = 0;  // the chunk asked for last, and its bytes
    const std::string* last_bytes_ = nullptr;
};

class FactWriter {
  public:
    explicit FactWriter(const Connection& connection);

    /// Goes on behind that many games, as they are stored.
    void begin(std::uint64_t games);
    void add(const codec::GameFacts& facts);
    /// Writes what has been added so far.
    void flush();
    codec::GameFacts facts(GameId game);

  private:
    const Connection* connection_;
    Statement replace_;
    FactReader stored_;
    std::uint64_t open_chunk_ = 0;
    std::vector<codec::GameFacts> open_;
};

}  // namespace fendex::store
