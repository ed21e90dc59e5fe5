#include "store/game_sums.hpp"

#include <bit>

#include "codec/columns.hpp"

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

constexpr unsigned kNumberBytes = 8;

}  // namespace

void RowDigest::add(std::nullptr_t) { bytes_ += static_cast<char>(Tag::kNull); }

void RowDigest::add(std::int64_t value) {
    bytes_ += static_cast<char>(Tag::kInteger);
    codec::put_fixed(static_cast<std::uint64_t>(value), kNumberBytes, bytes_);
}

void RowDigest::add(ValueType type, std::string_view bytes) {
    bytes_ += static_cast<char>(tag_of(type));
    codec::put_fixed(bytes.size(), kNumberBytes, bytes_);
    bytes_ += bytes;
}

void RowDigest::add(const Statement& row, int column) {
    switch (const ValueType type = row.type(column)) {
        case ValueType::kNull: return add(nullptr);
        case ValueType::kInteger: return add(row.integer(column));
        case ValueType::kReal:
            bytes_ += static_cast<char>(Tag::kReal);
            return codec::put_fixed(std::bit_cast<std::uint64_t>(row.real(column)), kNumberBytes,
                                    bytes_);
        case ValueType::kText: return add(type, row.text(column));
        case ValueType::kBlob: return add(type, row.blob(column));
    }
}

std::int64_t RowDigest::take(Sealed what, std::int64_t game) {
    const std::uint32_t sum = base::checksum(bytes_, row_seed(what, game));
    bytes_.clear();
    return static_cast<std::int32_t>(sum);
}

std::int64_t tags_sum(const Statement& row, RowDigest& digest) {
    for (int column = kWhite; column <= kTags; ++column) digest.add(row, column);
    return digest.take(Sealed::kTags, row.integer(kId));
}

std::int64_t moves_sum(const Statement& row, const MoveColumns& columns, RowDigest& digest) {
    for (const int column : {columns.plies, columns.variant, columns.result, columns.fen}) {
        digest.add(row, column);
    }
    digest.append(row.blob(columns.moves));
    return digest.take(Sealed::kMoves, row.integer(kId));
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
