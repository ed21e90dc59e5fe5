#include "store/sqlite/sums/game_sums.hpp"

#include <bit>
#include <cstring>

#include "base/little_endian.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

using namespace game_columns;

/// The types of values. Do not change: on disk.
enum : char { kNull, kInteger, kReal, kText, kBlob };

}  // namespace

void RowDigest::put(char tag, std::uint64_t number) {
    number = base::little_endian(number);
    char* const end = room_for(1 + sizeof number);
    end[0] = tag;
    std::memcpy(end + 1, &number, sizeof number);
    size_ += 1 + sizeof number;
}

void RowDigest::add(const RowValue& value) {
    switch (value.type) {
        case ValueType::kNull:
            *room_for(1) = kNull;
            ++size_;
            return;
        case ValueType::kInteger: return put(kInteger, static_cast<std::uint64_t>(value.integer));
        case ValueType::kReal: return put(kReal, std::bit_cast<std::uint64_t>(value.real));
        case ValueType::kText: put(kText, value.bytes.size()); break;
        case ValueType::kBlob: put(kBlob, value.bytes.size()); break;
    }
    append(value.bytes);
}

std::int64_t RowDigest::sum(Sealed what, std::int64_t game) const {
    const std::string_view used = std::string_view(bytes_).substr(0, size_);
    return static_cast<std::int32_t>(base::checksum(used, row_seed(what, game)));
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
