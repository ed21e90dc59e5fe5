#include "sqlite_ext/evaluation_table.hpp"

#include <limits>
#include <optional>

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "chess/variant_names.hpp"
#include "sqlite_ext/values.hpp"
#include "store/local_reader.hpp"

namespace fendex::sqlite_ext {

namespace {

struct EvaluationColumn {
    enum : int {
        kSearch,
        kPv,
        kDepth,
        kKnodes,
        kCp,
        kMate,
        kUci,
        kSan,
        kEpd,
        kKey,
        kFen,
        kVariant
    };
};

/// Ways to use constraints, as bits of the plan. Their values are arguments in this order.
constexpr int kByFen = 1;
constexpr int kByVariant = 2;  // with a FEN
constexpr int kByKey = 4;      // without a FEN

/// Records that a scan reads at once, and with them all of the last key.
constexpr std::size_t kRecordsAtOnce = 256;

/// Passes the value of a constraint `column = value` to filter(). Returns whether there is one;
/// nothing if its value is not known yet.
std::optional<bool> use_equal(sqlite3_index_info& info, int column, int argument) {
    bool is_later = false;
    for (int i = 0; i < info.nConstraint; ++i) {
        const auto& constraint = info.aConstraint[i];
        if (constraint.iColumn != column || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        is_later |= constraint.usable == 0;
        if (constraint.usable == 0) continue;
        info.aConstraintUsage[i].argvIndex = argument;
        // FENs are compared as positions, not as texts.
        info.aConstraintUsage[i].omit = column == EvaluationColumn::kKey ? 0 : 1;
        return true;
    }
    return is_later ? std::nullopt : std::optional(false);
}

}  // namespace

int EvaluationTable::best_index(sqlite3_index_info& info) {
    static char names[3][4] = {"all", "fen", "key"};
    const std::optional<bool> by_fen = use_equal(info, EvaluationColumn::kFen, 1);
    if (!by_fen) return SQLITE_CONSTRAINT;
    if (*by_fen) {
        info.idxNum = kByFen;
        const std::optional<bool> variant = use_equal(info, EvaluationColumn::kVariant, 2);
        if (!variant) return SQLITE_CONSTRAINT;
        if (*variant) info.idxNum |= kByVariant;
    } else if (use_equal(info, EvaluationColumn::kKey, 1).value_or(false)) {
        info.idxNum = kByKey;
    }
    info.idxStr = names[*by_fen ? 1 : info.idxNum == kByKey ? 2 : 0];
    info.estimatedCost = info.idxNum == 0 ? 1e9 : 100;
    info.estimatedRows = info.idxNum == 0 ? 1'000'000 : 5;
    return SQLITE_OK;
}

void EvaluationTable::filter(int plan, std::span<sqlite3_value*> values) {
    records_.clear();
    at_ = 0;
    row_ = 0;
    fen_.clear();
    is_scan_ = (plan & kByFen) == 0;
    for (sqlite3_value* const value : values) {
        if (is_null(value)) return;
    }
    next_key_ = 0;
    last_key_ = std::numeric_limits<std::uint64_t>::max();
    if (is_scan_) {
        if ((plan & kByKey) != 0) {
            IntegerRange key;
            key.equal(values[0]);
            if (key.empty()) return;
            next_key_ = last_key_ = static_cast<std::uint64_t>(key.first);
        }
        read_more();
    } else {
        Known known{position_of(values[0], (plan & kByVariant) != 0 ? values[1] : nullptr), {}};
        fen_ = text_of(values[0]);
        store::PositionRecords* const records = session_.reader().local()->records();
        if (records != nullptr && records->find(known.position, known.record)) {
            records_.push_back(std::move(known));
        }
    }
    enter();
}

void EvaluationTable::next() {
    ++row_;
    if (++pv_ < searches_[search_]->pvs.size()) return;
    pv_ = 0;
    if (++search_ < searches_.size()) return;
    ++at_;
    enter();
}

/// Goes to the first row of the current record, or of the next one that has an evaluation.
void EvaluationTable::enter() {
    search_ = 0;
    pv_ = 0;
    while (true) {
        if (at_ == records_.size()) {
            if (!is_scan_ || records_.empty()) return;
            read_more();
            if (records_.empty()) return;
        }
        searches_ = query::searches_of(records_[at_].record);
        if (!searches_.empty()) return;
        ++at_;
    }
}

/// Reads the next records of a scan; none after the last.
void EvaluationTable::read_more() {
    records_.clear();
    at_ = 0;
    if (next_key_ > last_key_) return;
    store::PositionRecords* const records = session_.reader().local()->records();
    std::optional<std::uint64_t> rest;
    if (records != nullptr) {
        records->for_each_from(next_key_, [&](const chess::AnyPosition& position,
                                              const codec::PositionRecord& record) {
            const std::uint64_t key = position.key();
            if (key > last_key_) return false;
            if (records_.size() >= kRecordsAtOnce && key != records_.back().position.key()) {
                rest = key;
                return false;
            }
            records_.push_back({position, record});
            return true;
        });
    }
    if (rest) {
        next_key_ = *rest;
    } else {
        // There is no key after the last one.
        next_key_ = 1;
        last_key_ = 0;
    }
}

void EvaluationTable::column(sqlite3_context* context, int number) const {
    const auto& [position, record] = records_[at_];
    const codec::Evaluation& search = *searches_[search_];
    const codec::Variation& pv = search.pvs[pv_];
    switch (number) {
        case EvaluationColumn::kSearch: return set_result(context, search_ + 1);
        case EvaluationColumn::kPv: return set_result(context, pv_ + 1);
        case EvaluationColumn::kDepth: return set_result(context, json::known(search.depth));
        case EvaluationColumn::kKnodes:
            return set_result(context, json::known(search.nodes / 1000));
        case EvaluationColumn::kCp:
            if (!pv.score.is_mate) set_result(context, pv.score.value);
            return;
        case EvaluationColumn::kMate:
            if (pv.score.is_mate) set_result(context, pv.score.value);
            return;
        case EvaluationColumn::kUci:
            return set_result(context, query::uci_line(position, pv.moves));
        case EvaluationColumn::kSan:
            return set_result(context, query::san_line(position, pv.moves));
        case EvaluationColumn::kEpd: return set_result(context, chess::to_epd(position));
        case EvaluationColumn::kKey: return set_result(context, position.key());
        case EvaluationColumn::kVariant:
            return set_result(context, chess::name_of(position.variant()));
        default: return set_result(context, fen_.empty() ? chess::to_fen(position) : fen_);
    }
}

}  // namespace fendex::sqlite_ext
