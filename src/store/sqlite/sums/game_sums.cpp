#include "store/sqlite/sums/game_sums.hpp"

#include <bit>

#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

using namespace game_columns;

/// Do not change: on disk.
enum class Tag : unsigned char { kNull, kInteger, kReal, kText, kBlob };

Tag tag_of(ValueType type) {
    switch (type) {
        case ValueType::kInteger: return Tag::kInteger;
        case ValueType::kReal: return Tag::kReal;
        case ValueType::kText: return Tag::kText;
        case ValueType::kBlob: return Tag::kBlob;
        case ValueType::kNull: break;
    }
    return Tag::kNull;
}

/// Appends tag and number in one call, because this runs for every value of every row.
void put(Tag tag, std::uint64_t number, std::string& out) {
    char raw[9];
    raw[0] = static_cast<char>(tag);
    for (unsigned i = 0; i < 8; ++i) raw[1 + i] = static_cast<char>(number >> (8 * i) & 0xFF);
    out.append(raw, sizeof raw);
}

}  // namespace

void RowDigest::add(std::nullptr_t) { bytes_ += static_cast<char>(Tag::kNull); }

void RowDigest::add(std::int64_t value) {
    put(Tag::kInteger, static_cast<std::uint64_t>(value), bytes_);
}

void RowDigest::add(ValueType type, std::string_view bytes) {
    put(tag_of(type), bytes.size(), bytes_);
    bytes_ += bytes;
}

void RowDigest::add(const Statement& row, int column) {
    const RowValue value = row.value(column);
    switch (value.type) {
        case ValueType::kNull: return add(nullptr);
        case ValueType::kInteger: return add(value.integer);
        case ValueType::kReal:
            return put(Tag::kReal, std::bit_cast<std::uint64_t>(value.real), bytes_);
        case ValueType::kText:
        case ValueType::kBlob: return add(value.type, value.bytes);
    }
}

std::int64_t RowDigest::sum(Sealed what, std::int64_t game) const {
    return static_cast<std::int32_t>(base::checksum(bytes_, row_seed(what, game)));
}

std::int64_t tags_sum(const Statement& row, RowDigest& digest) {
    digest.begin();
    for (int column = kWhite; column <= kTags; ++column) digest.add(row, column);
    return digest.sum(Sealed::kTags, row.integer(kId));
}

std::int64_t moves_sum(const Statement& row, const MoveColumns& columns, RowDigest& digest) {
    digest.begin();
    for (const int column : {columns.plies, columns.variant, columns.result, columns.fen}) {
        digest.add(row, column);
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
