#include "codec/position_record.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "codec/packed_searches.hpp"

namespace fendex::codec {

namespace {

constexpr unsigned kTextBits = 3;  // of the lengths of texts. Do not change: on disk.

auto content_of(const chess::EpdOperation& operation) {
    return std::tie(operation.opcode, operation.operand);
}

void put_text(std::string_view text, BitWriter& out) {
    out.put_golomb(text.size(), kTextBits);
    for (const char c : text) out.put(static_cast<unsigned char>(c), 8);
}

std::string get_text(BitReader& bits, std::size_t& room) {
    const std::uint64_t size = bits.get_golomb(kTextBits);
    if (size > room) bits.fail();
    if (bits.failed()) return {};
    room -= size;
    std::string text;
    for (std::uint64_t i = 0; i < size && !bits.failed(); ++i) {
        text += static_cast<char>(bits.get(8));
    }
    return text;
}

void put_operations(const std::vector<chess::EpdOperation>& operations, BitWriter& out) {
    out.put(operations.empty() ? 0 : 1, 1);
    if (operations.empty()) return;
    out.put_golomb(operations.size(), 0);
    for (const chess::EpdOperation& each : operations) {
        put_text(each.opcode, out);
        put_text(each.operand, out);
    }
}

}  // namespace

const Evaluation* PositionRecord::best() const {
    const auto best = std::max_element(
        evaluations.begin(), evaluations.end(), [](const Evaluation& a, const Evaluation& b) {
            return std::pair(a.depth, a.nodes) < std::pair(b.depth, b.nodes);
        });
    return best == evaluations.end() ? nullptr : &*best;
}

bool PositionRecord::operator==(const PositionRecord& other) const {
    return evaluations == other.evaluations &&
           std::equal(operations.begin(), operations.end(), other.operations.begin(),
                      other.operations.end(),
                      [](const auto& a, const auto& b) { return content_of(a) == content_of(b); });
}

bool is_better(const Evaluation& a, const Evaluation& b) {
    if (a.depth != b.depth) return a.depth > b.depth;
    if (a.nodes != b.nodes) return a.nodes > b.nodes;
    // The rest only makes the choice independent of the order.
    return std::lexicographical_compare(
        b.pvs.begin(), b.pvs.end(), a.pvs.begin(), a.pvs.end(),
        [](const Variation& x, const Variation& y) {
            if (x.score != y.score) return x.score < y.score;
            return std::lexicographical_compare(
                x.moves.begin(), x.moves.end(), y.moves.begin(), y.moves.end(),
                [](chess::Move m, chess::Move n) { return m.bits() < n.bits(); });
        });
}

void add_evaluation(Evaluation evaluation, PositionRecord& out) {
    if (evaluation.pvs.empty()) return;
    const auto place = std::find_if(
        out.evaluations.begin(), out.evaluations.end(),
        [&](const Evaluation& each) { return each.pvs.size() >= evaluation.pvs.size(); });
    if (place == out.evaluations.end() || place->pvs.size() != evaluation.pvs.size()) {
        out.evaluations.insert(place, std::move(evaluation));
    } else if (is_better(evaluation, *place)) {
        *place = std::move(evaluation);
    }
}

void add_operation(chess::EpdOperation operation, std::vector<chess::EpdOperation>& out) {
    const auto place = std::lower_bound(
        out.begin(), out.end(), operation,
        [](const auto& a, const auto& b) { return content_of(a) < content_of(b); });
    if (place != out.end() && content_of(*place) == content_of(operation)) return;
    out.insert(place, std::move(operation));
    if (out.size() > kMostOperations) out.pop_back();
}

void merge_record(PositionRecord other, PositionRecord& out) {
    for (Evaluation& each : other.evaluations) add_evaluation(std::move(each), out);
    for (chess::EpdOperation& each : other.operations)
        add_operation(std::move(each), out.operations);
}

bool get_operations(BitReader& bits, std::vector<chess::EpdOperation>& out) {
    out.clear();
    if (bits.get(1) == 0) return !bits.failed();
    const std::uint64_t count = bits.get_golomb(0);
    if (count == 0 || count > kMostOperations) return false;
    for (std::uint64_t i = 0; i < count && !bits.failed(); ++i) {
        std::size_t room = kMostOperationBytes;
        chess::EpdOperation operation;
        operation.opcode = get_text(bits, room);
        operation.operand = get_text(bits, room);
        if (!out.empty() && content_of(out.back()) >= content_of(operation)) return false;
        out.push_back(std::move(operation));
    }
    return !bits.failed();
}

void put_record(const chess::AnyPosition& position, const PositionRecord& record, BitWriter& out) {
    PackedSearches searches;
    for (const Evaluation& each : record.evaluations) searches.add(position, each);
    put_record(searches, record.operations, out);
}

void put_record(PackedSearches& searches, const std::vector<chess::EpdOperation>& operations,
                BitWriter& out) {
    searches.put_heads(out);
    put_operations(operations, out);
    searches.put_moves(out);
}

bool get_record(BitReader& bits, const chess::AnyPosition& position, PositionRecord& out) {
    PackedSearches searches;
    out.evaluations.clear();
    if (!searches.get_heads(bits) || !get_operations(bits, out.operations)) return false;
    for (const PackedSearch& each : searches.all()) {
        Evaluation& evaluation = out.evaluations.emplace_back();
        evaluation.depth = each.depth;
        evaluation.nodes = each.nodes;
        evaluation.pvs.resize(each.pvs);
    }
    bool intact = true;
    searches.for_each_by_moves([&](const PackedSearch& each) {
        Evaluation& evaluation =
            out.evaluations[static_cast<std::size_t>(&each - searches.all().data())];
        for (std::size_t i = 0; intact && i < each.pvs; ++i) {
            const PackedVariation& pv = searches.pv(each, i);
            evaluation.pvs[i].score = pv.score;
            evaluation.pvs[i].moves.resize(pv.moves);
            intact = get_moves(bits, position, evaluation.pvs[i].moves);
        }
    });
    return intact && !bits.failed();
}

}  // namespace fendex::codec
