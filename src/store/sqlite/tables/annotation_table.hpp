// Tables `annotation` and `dictionary`: the annotations of games, compressed with a dictionary that
// is trained on the first ones. The writer holds back annotations until there are enough for
// training, at most until the next commit. Writer and reader belong to the thread of their
// connection. Damage is thrown as StoreError.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/text_packer.hpp"
#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// Appends the bytes of a row of table `annotation`: the stream, packed with the packer's
/// dictionary, and a checksum. `dictionary` is the id of that dictionary; 0: none.
void pack_annotation(GameId game, std::string_view stream, std::int64_t dictionary,
                     codec::TextPacker& packer, std::string& out);

class AnnotationWriter {
  public:
    explicit AnnotationWriter(Connection& connection);

    struct Totals {
        std::uint64_t games = 0;
        std::uint64_t bytes = 0;  // as stored
    };

    /// Forgets everything that is not committed. `totals` are those of the table.
    void begin(Totals totals);
    const Totals& totals() const { return totals_; }

    /// Adds a stream of codec::AnnotationStreamWriter.
    void insert(GameId game, std::string_view stream);
    bool has(GameId game);
    /// Removes the annotation of a game, if it has one.
    void remove(GameId game);
    /// Writes the annotations that were held back. Call it before each commit.
    void flush();

  private:
    void train();
    void write(GameId game, std::string_view stream);

    Connection* connection_;
    Statement insert_;
    Statement select_size_;
    Statement delete_;
    Totals totals_;

    std::int64_t dictionary_ = 0;  // its id; 0: there is none yet
    std::optional<codec::TextPacker> packer_;
    std::string packed_;
    // Games that wait for a dictionary, and their streams, one after the other.
    std::vector<GameId> pending_;
    std::vector<std::size_t> pending_sizes_;
    std::string pending_streams_;
};

class AnnotationReader {
  public:
    explicit AnnotationReader(const Connection& connection);

    /// Reads the annotation of a game. Returns false if it has none.
    bool read(GameId game, std::string& stream);
    void for_each(GameId first, const std::function<bool(GameId, std::string_view)>& visit);

  private:
    void unpack(GameId game, std::string_view data, std::string& stream);
    codec::TextUnpacker& unpacker(std::uint64_t dictionary);

    const Connection* connection_;
    Statement select_;
    Statement scan_;
    Statement select_dictionary_;
    std::unordered_map<std::uint64_t, codec::TextUnpacker> unpackers_;
};

}  // namespace fendex::store
