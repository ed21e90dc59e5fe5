#include "codec/position_record.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "codec/move_list.hpp"

namespace fendex::codec {

namespace {

// The parameters of the codes. Do not change: on disk.
constexpr unsigned kDepthBits = 4;
constexpr unsigned kWidthBits = 6;  // of the number of bits of the thousands of nodes
constexpr unsigned kThousandBits = 10;
constexpr unsigned kFirstScoreBits = 6;
constexpr unsigned kNextScoreBits = 3;
constexpr unsigned kMateBits = 3;
constexpr unsigned kMovesBits = 3;
constexpr unsigned kTextBits = 3;
constexpr std::uint64_t kThousand = 1000;

auto content_of(const chess::EpdOperation& operation) {
    return std::tie(operation.opcode, operation.operand);
}

void put_nodes(std::uint64_t nodes, BitWriter& out) {
    const std::uint64_t thousands = nodes / kThousand;
    const auto width = static_cast<unsigned>(std::bit_width(thousands));
    out.put(width, kWidthBits);
    // The highest bit is always a one.
    if (width > 1) out.put(thousands ^ std::uint64_t{1} << (width - 1), width - 1);
    const std::uint64_t rest = nodes % kThousand;
    out.put(rest != 0 ? 1 : 0, 1);
    if (rest != 0) out.put(rest, kThousandBits);
}

std::uint64_t get_nodes(BitReader& bits) {
    const auto width = static_cast<unsigned>(bits.get(kWidthBits));
    if (width > std::bit_width(kMostNodes / kThousand)) bits.fail();
    if (bits.failed()) return 0;
    std::uint64_t thousands = 0;
    if (width > 0) thousands = bits.get(width - 1) | std::uint64_t{1} << (width - 1);
    std::uint64_t rest = 0;
    if (bits.get(1) != 0) rest = bits.get(kThousandBits);
    if (rest >= kThousand) bits.fail();
    return thousands * kThousand + rest;
}

/// Scores are coded one after the other: centipawns as differences.
class ScoreCode {
  public:
    void put(const Score& score, BitWriter& out) {
        out.put(score.is_mate ? 1 : 0, 1);
        if (score.is_mate) return out.put_golomb(zigzag(score.value), kMateBits);
        out.put_golomb(zigzag(std::int64_t{score.value} - last_), width_);
        pass(score.value);
    }
    Score get(BitReader& bits) {
        Score score;
        score.is_mate = bits.get(1) != 0;
        const std::int64_t value = score.is_mate ? unzigzag(bits.get_golomb(kMateBits))
                                                 : unzigzag(bits.get_golomb(width_)) + last_;
        score.value = static_cast<std::int32_t>(value);
        if (score.value != value) bits.fail();
        if (!score.is_mate) pass(score.value);
        return score;
    }

  private:
    void pass(std::int32_t value) {
        last_ = value;
        width_ = kNextScoreBits;
    }

    std::int64_t last_ = 0;
    unsigned width_ = kFirstScoreBits;
};

/// The bits of a move depend on the en passant square, which is not stored if it is idle.
void drop_idle_en_passant(chess::Position& board) { board.drop_idle_en_passant(); }
void drop_idle_en_passant(chess::VariantPosition& /*board*/) {}

template <typename Board>
void put_moves(Board board, const std::vector<chess::Move>& moves, BitWriter& out) {
    drop_idle_en_passant(board);
    for (const chess::Move move : moves) {
        encode_move(board, move, out);
        board.play(move);
    }
}

template <typename Board>
bool get_moves(BitReader& bits, Board board, std::vector<chess::Move>& moves) {
    MoveListReader reader(bits);
    drop_idle_en_passant(board);
    for (chess::Move& move : moves) {
        // Damaged bits may give a move that leaves the king in check, or passes.
        if (!reader.next(board, move) || move == chess::Move::null() || !board.is_legal(move)) {
            return false;
        }
        board.play(move);
    }
    bits = reader.bits();
    return true;
}

void put_evaluations(const chess::AnyPosition& position, const PositionRecord& record,
                     BitWriter& out) {
    out.put_golomb(record.evaluations.size(), 0);
    std::size_t before = 0;
    ScoreCode scores;
    for (const Evaluation& each : record.evaluations) {
        out.put_golomb(each.pvs.size() - before - 1, 0);
        before = each.pvs.size();
        out.put_golomb(each.depth, kDepthBits);
        put_nodes(each.nodes, out);
        for (const Variation& pv : each.pvs) {
            scores.put(pv.score, out);
            out.put_golomb(pv.moves.size(), kMovesBits);
            position.visit([&](const auto& board) { put_moves(board, pv.moves, out); });
        }
    }
}

bool get_evaluations(BitReader& bits, const chess::AnyPosition& position, PositionRecord& out) {
    const std::uint64_t count = bits.get_golomb(0);
    std::uint64_t pvs = 0;
    ScoreCode scores;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t more = bits.get_golomb(0);
        if (bits.failed() || more >= kMostPvs - pvs) return false;
        pvs += more + 1;
        Evaluation& evaluation = out.evaluations.emplace_back();
        const std::uint64_t depth = bits.get_golomb(kDepthBits);
        evaluation.depth = static_cast<std::uint32_t>(std::min<std::uint64_t>(depth, kMostDepth));
        evaluation.nodes = get_nodes(bits);
        if (depth > kMostDepth) return false;
        for (std::uint64_t pv = 0; pv < pvs; ++pv) {
            Variation& variation = evaluation.pvs.emplace_back();
            variation.score = scores.get(bits);
            const std::uint64_t moves = bits.get_golomb(kMovesBits);
            if (bits.failed() || moves > kMostPvMoves) return false;
            variation.moves.resize(moves);
            if (!position.visit(
                    [&](const auto& board) { return get_moves(bits, board, variation.moves); })) {
                return false;
            }
        }
    }
    return !bits.failed();
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

bool get_operations(BitReader& bits, PositionRecord& out) {
    const std::uint64_t count = bits.get_golomb(0);
    if (count > kMostOperations) return false;
    for (std::uint64_t i = 0; i < count && !bits.failed(); ++i) {
        std::size_t room = kMostOperationBytes;
        chess::EpdOperation operation;
        operation.opcode = get_text(bits, room);
        operation.operand = get_text(bits, room);
        if (!out.operations.empty() && content_of(out.operations.back()) >= content_of(operation)) {
            return false;
        }
        out.operations.push_back(std::move(operation));
    }
    return !bits.failed();
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

void add_operation(chess::EpdOperation operation, PositionRecord& out) {
    const auto place = std::lower_bound(
        out.operations.begin(), out.operations.end(), operation,
        [](const auto& a, const auto& b) { return content_of(a) < content_of(b); });
    if (place != out.operations.end() && content_of(*place) == content_of(operation)) return;
    out.operations.insert(place, std::move(operation));
    if (out.operations.size() > kMostOperations) out.operations.pop_back();
}

void merge_record(PositionRecord other, PositionRecord& out) {
    for (Evaluation& each : other.evaluations) add_evaluation(std::move(each), out);
    for (chess::EpdOperation& each : other.operations) add_operation(std::move(each), out);
}

void put_record(const chess::AnyPosition& position, const PositionRecord& record, BitWriter& out) {
    put_evaluations(position, record, out);
    out.put(record.operations.empty() ? 0 : 1, 1);
    if (record.operations.empty()) return;
    out.put_golomb(record.operations.size(), 0);
    for (const chess::EpdOperation& each : record.operations) {
        put_text(each.opcode, out);
        put_text(each.operand, out);
    }
}

bool get_record(BitReader& bits, const chess::AnyPosition& position, PositionRecord& out) {
    out.evaluations.clear();
    out.operations.clear();
    if (!get_evaluations(bits, position, out)) return false;
    return bits.get(1) == 0 ? !bits.failed() : get_operations(bits, out);
}

}  // namespace fendex::codec
