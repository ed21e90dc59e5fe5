#include "store/sqlite/tables/annotation_table.hpp"

#include <algorithm>

#include "codec/bits.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

namespace {

constexpr char kInsertAnnotation[] = "INSERT INTO annotation(game_id, data) VALUES (?1, ?2)";
constexpr char kSelectSize[] = "SELECT length(data) FROM annotation WHERE game_id = ?1";
constexpr char kDelete[] = "DELETE FROM annotation WHERE game_id = ?1";
constexpr char kInsertDictionary[] = "INSERT INTO dictionary(id, data) VALUES (?1, ?2)";
constexpr char kLastDictionary[] = "SELECT id, data FROM dictionary ORDER BY id DESC LIMIT 1";
constexpr char kSelectAnnotation[] = "SELECT data FROM main.annotation WHERE game_id = ?1";
constexpr char kScanAnnotations[] =
    "SELECT game_id, data FROM main.annotation WHERE game_id >= ?1 ORDER BY game_id";
constexpr char kSelectDictionary[] = "SELECT data FROM main.dictionary WHERE id = ?1";

/// Training begins with kTrainingGames games or kTrainingBytes bytes. If a commit comes earlier and
/// has fewer than kLeastTrainingGames games, they are stored without a dictionary.
constexpr std::size_t kTrainingGames = 4'000;
constexpr std::size_t kTrainingBytes = 4 * 1024 * 1024;
constexpr std::size_t kLeastTrainingGames = 100;
constexpr std::size_t kDictionaryBytes = 64 * 1024;
/// Training needs this many times the size of the dictionary in samples.
constexpr std::size_t kSampleBytesPerDictionaryByte = 8;

// Longer than any stored stream: a game's text has at most 64 MiB, and each byte becomes at most
// three.
constexpr std::size_t kMaxStreamBytes = std::size_t{256} << 20;
constexpr std::size_t kMaxDictionaryBytes = std::size_t{1} << 20;

}  // namespace

void pack_annotation(GameId game, std::string_view stream, std::int64_t dictionary,
                     codec::TextPacker& packer, std::string& out) {
    codec::put_varint(static_cast<std::uint64_t>(dictionary), out);
    packer.pack(stream, out);
    base::seal(out, row_seed(Sealed::kAnnotation, as_signed(game)));
}

AnnotationWriter::AnnotationWriter(Connection& connection)
    : connection_(&connection),
      insert_(connection, kInsertAnnotation),
      select_size_(connection, kSelectSize),
      delete_(connection, kDelete) {}

void AnnotationWriter::begin(Totals totals) {
    totals_ = totals;
    pending_.clear();
    pending_sizes_.clear();
    pending_streams_.clear();
    dictionary_ = 0;
    packer_.reset();
}

void AnnotationWriter::insert(GameId game, std::string_view stream) {
    if (!packer_) {
        Statement select(*connection_, kLastDictionary);
        if (select.step()) {
            dictionary_ = select.integer(0);
            packer_.emplace(
                require_sealed(*connection_, select.blob(1), kDictionaryTable, dictionary_));
        }
    }
    if (packer_) return write(game, stream);
    pending_.push_back(game);
    pending_sizes_.push_back(stream.size());
    pending_streams_ += stream;
    if (pending_.size() >= kTrainingGames || pending_streams_.size() >= kTrainingBytes) flush();
}

bool AnnotationWriter::has(GameId game) {
    if (std::ranges::find(pending_, game) != pending_.end()) return true;
    const ResetAtEnd end(select_size_, as_signed(game));
    return select_size_.step();
}

void AnnotationWriter::remove(GameId game) {
    if (!pending_.empty()) flush();
    select_size_.bind(1, as_signed(game));
    const bool found = select_size_.step();
    const auto size = found ? static_cast<std::uint64_t>(select_size_.integer(0)) : 0;
    select_size_.reset();
    if (!found) return;
    delete_.run(as_signed(game));
    --totals_.games;
    totals_.bytes -= size;
}

void AnnotationWriter::flush() {
    if (pending_.empty()) return;
    train();
    // There may be no dictionary yet: the next games may be enough to train one.
    const bool trained = packer_.has_value();
    if (!trained) packer_.emplace(std::string_view());
    std::string_view streams = pending_streams_;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
        write(pending_[i], streams.substr(0, pending_sizes_[i]));
        streams.remove_prefix(pending_sizes_[i]);
    }
    if (!trained) packer_.reset();
    pending_.clear();
    pending_sizes_.clear();
    pending_streams_.clear();
}

void AnnotationWriter::train() {
    if (pending_.size() < kLeastTrainingGames) return;
    const std::size_t size =
        std::min(kDictionaryBytes, pending_streams_.size() / kSampleBytesPerDictionaryByte);
    std::string dictionary = codec::train_dictionary(pending_streams_, pending_sizes_, size);
    if (dictionary.empty()) return;
    ++dictionary_;
    packer_.emplace(dictionary);
    base::seal(dictionary, row_seed(Sealed::kDictionary, dictionary_));
    Statement insert(*connection_, kInsertDictionary);
    insert.run(dictionary_, Blob{dictionary});
}

void AnnotationWriter::write(GameId game, std::string_view stream) {
    packed_.clear();
    pack_annotation(game, stream, dictionary_, *packer_, packed_);
    insert_.run(as_signed(game), Blob{packed_});
    ++totals_.games;
    totals_.bytes += packed_.size();
}

AnnotationReader::AnnotationReader(const Connection& connection)
    : connection_(&connection),
      select_(connection, kSelectAnnotation),
      scan_(connection, kScanAnnotations),
      select_dictionary_(connection, kSelectDictionary) {}

bool AnnotationReader::read(GameId game, std::string& stream) {
    const ResetAtEnd end(select_, as_signed(game));
    if (!select_.step()) return false;
    unpack(game, select_.blob(0), stream);
    return true;
}

void AnnotationReader::for_each(GameId first,
                                const std::function<bool(GameId, std::string_view)>& visit) {
    const ResetAtEnd end(scan_, as_signed(first));
    std::string stream;
    for (AscendingIds ids(*connection_, "annotation", as_signed(first)); scan_.step();) {
        ids.require_next(scan_.integer(0));
        const auto game = static_cast<GameId>(scan_.integer(0));
        unpack(game, scan_.blob(1), stream);
        if (!visit(game, stream)) break;
    }
}

void AnnotationReader::unpack(GameId game, std::string_view data, std::string& stream) {
    codec::ByteReader bytes(require_sealed(*connection_, data, kAnnotationTable, as_signed(game)));
    const std::uint64_t dictionary = bytes.varint();
    if (bytes.failed() || !unpacker(dictionary).unpack(bytes.rest(), kMaxStreamBytes, stream)) {
        replay::throw_damaged_annotation(game);
    }
}

codec::TextUnpacker& AnnotationReader::unpacker(std::uint64_t dictionary) {
    if (const auto known = unpackers_.find(dictionary); known != unpackers_.end()) {
        return known->second;
    }
    const ResetAtEnd end(select_dictionary_);
    std::string_view bytes;
    if (dictionary != 0) {
        select_dictionary_.bind(1, as_signed(dictionary));
        if (!select_dictionary_.step() || select_dictionary_.blob(0).size() > kMaxDictionaryBytes) {
            connection_->throw_damaged("dictionary " + std::to_string(dictionary));
        }
        bytes = require_sealed(*connection_, select_dictionary_.blob(0), kDictionaryTable,
                               as_signed(dictionary));
    }
    return unpackers_.emplace(dictionary, codec::TextUnpacker(bytes)).first->second;
}

}  // namespace fendex::store
