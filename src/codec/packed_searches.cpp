#include "codec/packed_searches.hpp"

#include <algorithm>
#include <bit>
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
constexpr std::uint64_t kThousand = 1000;

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

template <typename Board>
void append_moves(Board board, const std::vector<chess::Move>& moves, BitWriter& out) {
    drop_idle_en_passant(board);
    for (const chess::Move move : moves) {
        encode_move(board, move, out);
        board.play(move);
    }
}

template <typename Board>
bool read_moves(BitReader& bits, Board board, std::vector<chess::Move>& moves) {
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

}  // namespace

bool get_moves(BitReader& bits, const chess::AnyPosition& position,
               std::vector<chess::Move>& moves) {
    return position.visit([&](const auto& board) { return read_moves(bits, board, moves); });
}

void PackedSearches::clear() {
    searches_.clear();
    pvs_.clear();
    added_ = 0;
    moves_.clear();
}

PackedVariation& PackedSearches::begin_variation() {
    PackedVariation& pv = pvs_.emplace_back();
    pv.begin = moves_.bit_count();
    return pv;
}

void PackedSearches::add(const chess::AnyPosition& position, std::uint32_t depth,
                         std::uint64_t nodes) {
    const PackedSearch search{depth, nodes, added_, new_variations()};
    added_ = pvs_.size();
    const auto place =
        std::find_if(searches_.begin(), searches_.end(),
                     [&](const PackedSearch& each) { return each.pvs >= search.pvs; });
    if (place == searches_.end() || place->pvs != search.pvs) {
        searches_.insert(place, search);
    } else if (is_better(position, search, *place)) {
        *place = search;
    }
}

void PackedSearches::add(const chess::AnyPosition& position, const Evaluation& evaluation) {
    for (const Variation& each : evaluation.pvs) {
        PackedVariation& pv = begin_variation();
        pv.score = each.score;
        pv.moves = each.moves.size();
        position.visit([&](const auto& board) { append_moves(board, each.moves, moves_); });
        end_variation();
    }
    add(position, evaluation.depth, evaluation.nodes);
}

bool PackedSearches::is_better(const chess::AnyPosition& position, const PackedSearch& a,
                               const PackedSearch& b) const {
    if (a.depth != b.depth || a.nodes != b.nodes) {
        return std::pair(a.depth, a.nodes) > std::pair(b.depth, b.nodes);
    }
    return codec::is_better(unpacked(position, a), unpacked(position, b));
}

Evaluation PackedSearches::unpacked(const chess::AnyPosition& position,
                                    const PackedSearch& search) const {
    Evaluation out{search.depth, search.nodes, {}};
    for (std::size_t i = 0; i < search.pvs; ++i) {
        const PackedVariation& packed = pv(search, i);
        const std::string bytes = moves_.bytes_with(packed.begin, packed.bits);
        BitReader bits(bytes, packed.begin % 8);
        Variation& variation = out.pvs.emplace_back();
        variation.score = packed.score;
        variation.moves.resize(packed.moves);
        static_cast<void>(get_moves(bits, position, variation.moves));
    }
    return out;
}

void PackedSearches::put_heads(BitWriter& out) const {
    out.put_golomb(searches_.size(), 0);
    std::size_t before = 0;
    ScoreCode scores;
    for (const PackedSearch& each : searches_) {
        out.put_golomb(each.pvs - before - 1, 0);
        before = each.pvs;
        out.put_golomb(each.depth, kDepthBits);
        put_nodes(each.nodes, out);
        for (std::size_t i = 0; i < each.pvs; ++i) {
            scores.put(pv(each, i).score, out);
            out.put_golomb(pv(each, i).moves, kMovesBits);
        }
    }
}

bool PackedSearches::get_heads(BitReader& bits) {
    clear();
    const std::uint64_t count = bits.get_golomb(0);
    std::uint64_t pvs = 0;
    ScoreCode scores;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t more = bits.get_golomb(0);
        if (bits.failed() || more >= kMostPvs - pvs) return false;
        pvs += more + 1;
        const std::uint64_t depth = bits.get_golomb(kDepthBits);
        if (depth > kMostDepth) return false;
        searches_.push_back({static_cast<std::uint32_t>(depth), get_nodes(bits), added_, pvs});
        for (std::uint64_t pv = 0; pv < pvs; ++pv) {
            PackedVariation& variation = pvs_.emplace_back();
            variation.score = scores.get(bits);
            variation.moves = bits.get_golomb(kMovesBits);
            if (bits.failed() || variation.moves > kMostPvMoves) return false;
        }
        added_ = pvs_.size();
    }
    return !bits.failed();
}

void PackedSearches::put_moves(BitWriter& out) {
    bytes_.clear();
    moves_.append_to(bytes_);
    for_each_by_moves([&](const PackedSearch& each) {
        for (std::size_t i = 0; i < each.pvs; ++i) {
            copy_bits(BitReader(bytes_, pv(each, i).begin), pv(each, i).bits, out);
        }
    });
}

const PackedSearch* PackedSearches::best() const {
    const auto best = std::max_element(
        searches_.begin(), searches_.end(), [](const PackedSearch& a, const PackedSearch& b) {
            return std::pair(a.depth, a.nodes) < std::pair(b.depth, b.nodes);
        });
    return best == searches_.end() ? nullptr : &*best;
}

BestSearch best_of(const PositionRecord& record) {
    const Evaluation* const best = record.best();
    if (best == nullptr) return {};
    const Variation& pv = best->pvs.front();
    return {pv.score, best->depth, best->nodes, best->pvs.size(),
            pv.moves.empty() ? std::nullopt : std::optional(pv.moves.front())};
}

bool get_best(BitReader& bits, const chess::AnyPosition& position, PackedSearches& searches,
              BestSearch& out) {
    std::vector<chess::EpdOperation> operations;
    if (!searches.get_heads(bits) || !get_operations(bits, operations)) return false;
    const PackedSearch* const best = searches.best();
    out.pvs = 0;
    if (best == nullptr) return true;
    const PackedVariation& pv = searches.pv(*best, 0);
    out = {pv.score, best->depth, best->nodes, best->pvs, std::nullopt};
    if (pv.moves == 0) return true;
    std::vector<chess::Move> first(1);
    if (!get_moves(bits, position, first)) return false;
    out.move = first.front();
    return true;
}

}  // namespace fendex::codec
