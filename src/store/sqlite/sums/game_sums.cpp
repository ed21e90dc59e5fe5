#include "store/sqlite/sums/game_sums.hpp"

#include <bit>

#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

using namespace game_columns;

/// Do not change: on disk.
enum class Tag : unsigned char { kNull, kInteger, kReal, kText, kBlob };

/// Appends tag and number in one call, because this runs for every value of every row.
void put(Tag tag, std::uint64_t number, std::string& out) {
    char raw[9];
    raw[0] = static_cast<char>(tag);
    for (unsigned i = 0; i < 8; ++i) raw[1 + i] = static_cast<char>(number >> (8 * i) & 0xFF);
    out.append(raw, sizeof raw);
}

}  // namespace

void RowDigest::add(const RowValue& value) {
    switch (value.type) {
        case ValueType::kNull: bytes_ += static_cast<char>(Tag::kNull); return;
        case ValueType::kInteger:
            return put(Tag::kInteger, static_cast<std::uint64_t>(value.integer), bytes_);
        case ValueType::kReal:
            return put(Tag::kReal, std::bit_cast<std::uint64_t>(value.real), bytes_);
        case ValueType::kText: put(Tag::kText, value.bytes.size(), bytes_); break;
        case ValueType::kBlob: put(Tag::kBlob, value.bytes.size(), bytes_); break;
    }
    bytes_ += value.bytes;
}

std::int64_t RowDigest::sum(Sealed what, std::int64_t game) const {
    return static_cast<std::int32_t>(base::checksum(bytes_, row_seed(what, game)));
}

std::int64_t tags_sum(const Statement& row, RowDigest& digest) {
    digest.begin();
    for (int column = kWhite; column <= kTags; ++column) digest.add(row.value(column));
    return digest.sum(Sealed::kTags, row.integer(kId));
}

std::int64_t moves_sum(const Statement& row, const MoveColumns& columns, RowDigest& digest) {
    digest.begin();
    for (const int column : {columns.plies, columns.variant, columns.result, columns.fen}) {
        digest.add(row.value(column));
    }
    digest.append(row.blob(columns.moves));
    return digest.sum(Sealed::kMoves, row.integer(kId));
}

std::string sum_column(const Connection& connection, const char* name) {
    return connection.format() >= kSealedFormat ? name : "NULL";
}

void require_sum(const Connection& connection, const Statement& row, int column, std::int64_t sum) {
    if (connection.format() < kSealedFormat) return;
    if (row.is_integer(column) && row.integer(column) == sum) return;
    throw_mismatch(connection, "game", row.integer(kId));
}

}  // namespace fendex::store
