#include "clickhouse/record_rows.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/hex.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/key_ranges.hpp"
#include "clickhouse/posting_sql.hpp"
#include "clickhouse/schema.hpp"
#include "codec/record_block.hpp"

namespace fendex::clickhouse {

namespace {

/// So many keys are kept, or those of one expect().
constexpr std::size_t kMostKnown = 4096;
/// The keys of one query.
constexpr std::size_t kKeysAtOnce = 1024;
/// About how many records one query of a scan returns.
constexpr std::uint64_t kScannedAtOnce = 16'384;

}  // namespace

void RecordRows::for_each_record(const chess::AnyPosition& position, const Use& use) {
    if (count() == 0) return;
    const std::uint64_t key = position.key();
    if (!known_.contains(key)) expect({&key, 1});
    const codec::PositionBits bits(position);
    for (const std::string& record : known_.at(key)) {
        if (!bits.begin(record)) continue;
        codec::BitReader reader(record, bits.size());
        if (!use(reader)) throw_damaged(key);
    }
}

void RecordRows::expect(std::span<const std::uint64_t> keys) {
    if (count() == 0) return;
    if (known_.size() > kMostKnown) known_.clear();
    std::vector<std::uint64_t> unknown;
    for (const std::uint64_t key : keys) {
        if (known_.try_emplace(key).second) unknown.push_back(key);
    }
    for (std::span<const std::uint64_t> rest(unknown); !rest.empty();) {
        const auto some = rest.first(std::min(rest.size(), kKeysAtOnce));
        rest = rest.subspan(some.size());
        const PlaceOfKeys place = session_.place_of(some);
        try {
            read_rows(place.connection, kRecords,
                      "SELECT key, packed FROM " + place.table(kRecords) + " WHERE " +
                          sql_keys(some) + " AND " + sql_of_pushes(),
                      [&](AnswerRow& row) {
                          const std::uint64_t key = row.any_u64();
                          const auto found = known_.find(key);
                          if (found == known_.end()) row.refuse_row("key", key);
                          found->second.emplace_back(row.text());
                      });
        } catch (...) {
            known_.clear();  // they were not read
            throw;
        }
    }
}

void RecordRows::for_each_from(std::uint64_t key, const Visit& visit) {
    if (count() == 0) return;
    std::map<std::uint64_t, codec::RecordGroup> groups;
    chess::AnyPosition position;
    codec::PositionRecord record;
    for (const KeyRange& keys : key_ranges(count(), kScannedAtOnce)) {
        if (keys.last < key) continue;
        groups.clear();
        read_rows(session_.connection(), kRecords,
                  std::string("SELECT key, packed FROM ") + kRecords +
                      " WHERE key >= " + std::to_string(std::max(key, keys.first)) +
                      " AND key <= " + std::to_string(keys.last) + " AND " + sql_of_pushes(),
                  [&](AnswerRow& row) {
                      const std::uint64_t of_row = row.any_u64();
                      if (!groups[of_row].add(row.text())) throw_damaged(of_row);
                  });
        for (auto& [of_group, group] : groups) {
            for (const std::string& packed : group.sorted()) {
                if (!codec::unpack_record(packed, position, record) || position.key() != of_group) {
                    throw_damaged(of_group);
                }
                if (!visit(position, record)) return;
            }
        }
    }
}

std::string RecordRows::sql_of_pushes() const {
    return sql_pushes(session_.snapshot().pushes_of_records());
}

void RecordRows::throw_damaged(std::uint64_t key) {
    throw damaged(session_.connection(), "table record has a record of the key " +
                                             base::hex_key(key) + " that no push writes");
}

}  // namespace fendex::clickhouse
