#include "emit/polyglot_book.hpp"

#include <algorithm>
#include <vector>

#include "emit/sorted_positions.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

using chess::Color;
using chess::Move;
using chess::Position;
using chess::Square;
using codec::Result;

namespace {

/// A move that a game played in a position; sorted by key, then by move and game.
struct PlayedMove {
    std::uint64_t key = 0;
    std::uint64_t rest = 0;  // move (16) | place of the game (28) | points (2)

    PlayedMove() = default;
    PlayedMove(std::uint64_t k, Move move, std::uint64_t place, std::uint32_t points)
        : key(k), rest((std::uint64_t{move.bits()} << kPlaceBits | place) << kPointBits | points) {}

    Move move() const {
        return Move::from_bits(static_cast<std::uint16_t>(rest >> (kPlaceBits + kPointBits)));
    }
    std::uint64_t place() const {
        return rest >> kPointBits & ((std::uint64_t{1} << kPlaceBits) - 1);
    }
    std::uint32_t points() const {
        return static_cast<std::uint32_t>(rest & ((1U << kPointBits) - 1));
    }

    auto operator<=>(const PlayedMove&) const = default;

  private:
    static constexpr unsigned kPointBits = 2;
};

using MoveSorter = store::RecordSorter<PlayedMove>;

struct Entry {
    std::uint16_t move = 0;
    std::uint64_t score = 0;
};

/// Returns how many points a game gives to the moves of a side: 2, 1 or 0.
std::uint32_t points(Result result, Color mover) {
    if (result == Result::kDraw) return 1;
    return result == (mover == Color::kWhite ? Result::kWhiteWins : Result::kBlackWins) ? 2 : 0;
}

/// Adds every move of the games to the sorter.
void collect_moves(const ExportJob& job, const PositionChoice& choice, MoveSorter& sorter) {
    for_each_batch(job, [&](unsigned thread, store::StoreReader& reader, GameBatch batch) {
        MoveSorter::Feeder& feeder = sorter.feeder(thread);
        for_each_moves(reader, job.games, batch,
                       [&](std::uint64_t place, store::GameId id, const store::StoredMoves& moves) {
                           if (!chess::has_standard_rules(moves.facts.variant)) return;
                           codec::GameWalk walk = replay::walk(id, moves);
                           for (; !walk.at_end() && walk.ply() < choice.max_ply; walk.advance()) {
                               const Position& position = walk.position();
                               if (walk.next_move().kind() == chess::MoveKind::kNull ||
                                   !has_polyglot_key(position)) {
                                   continue;
                               }
                               feeder.add({polyglot_key(position), walk.next_move(), place,
                                           points(moves.facts.result, position.side_to_move())});
                           }
                           replay::require_intact(id, walk);
                       });
    });
}

void put_big_endian(std::uint64_t value, unsigned bytes, std::string& out) {
    for (unsigned i = bytes; i-- > 0;) out += static_cast<char>(value >> 8 * i & 0xFFU);
}

/// Appends the entries of a position, the heaviest first.
void append_entries(std::uint64_t key, std::vector<Entry>& entries, std::string& out) {
    constexpr std::uint64_t kMaxWeight = 0xFFFF;
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
        return a.score != b.score ? a.score > b.score : a.move < b.move;
    });
    for (const Entry& entry : entries) {
        std::uint64_t weight = entry.score;
        if (entries.front().score > kMaxWeight) {
            weight = std::max<std::uint64_t>(1, weight * kMaxWeight / entries.front().score);
        }
        put_big_endian(key, 8, out);
        put_big_endian(entry.move, 2, out);
        put_big_endian(weight, 2, out);
        put_big_endian(0, 4, out);
    }
}

/// Returns the entries of a partition. A game that returned to a position and played the same move
/// counts once.
std::string entries_of(const std::vector<PlayedMove>& sorted, const PositionChoice& choice) {
    std::string out;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < sorted.size();) {
        const std::uint64_t key = sorted[i].key;
        entries.clear();
        while (i < sorted.size() && sorted[i].key == key) {
            const Move move = sorted[i].move();
            Entry entry{polyglot_move(move), 0};
            std::uint64_t games = 0;
            for (const std::size_t begin = i;
                 i < sorted.size() && sorted[i].key == key && sorted[i].move() == move; ++i) {
                if (i != begin && sorted[i - 1].place() == sorted[i].place()) continue;
                ++games;
                entry.score += sorted[i].points();
            }
            if (games >= choice.min_games && entry.score != 0) entries.push_back(entry);
        }
        append_entries(key, entries, out);
    }
    return out;
}

}  // namespace

std::uint64_t export_polyglot_book(const ExportJob& job, const PositionChoice& choice,
                                   ByteSink& sink) {
    constexpr std::size_t kEntrySize = 16;
    require_countable(job.games);
    MoveSorter sorter(choice.memory_bytes, job.threads, choice.directory);
    collect_moves(job, choice, sorter);
    sorter.close();
    std::uint64_t entries = 0;
    for_each_partition(
        job.threads, sorter,
        [&](unsigned, const std::vector<PlayedMove>& sorted) { return entries_of(sorted, choice); },
        [&](const std::string& bytes) {
            sink.write(bytes);
            entries += bytes.size() / kEntrySize;
        });
    return entries;
}

std::uint64_t polyglot_key(const Position& p) {
    const Square square = p.en_passant_square();
    if (square == chess::kNoSquare || p.en_passant_is_legal()) return p.key();
    const Color us = p.side_to_move();
    const bool ready =
        (chess::pawn_attacks(~us, square) & p.pieces(us, chess::PieceType::kPawn)) != 0;
    return ready ? p.key() ^ chess::zobrist::en_passant(chess::file_of(square)) : p.key();
}

bool has_polyglot_key(const Position& p) {
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        const chess::Bitboard rank = chess::rank_mask(chess::back_rank(c));
        const chess::Bitboard own = p.pieces(c, chess::PieceType::kRook) & rank;
        for (chess::Bitboard rooks = p.castling_rooks() & rank; rooks != 0;) {
            const Square rook = chess::pop_lowest(rooks);
            if (rook != (rook > p.king(c) ? chess::highest(own) : chess::lowest(own))) return false;
        }
    }
    return true;
}

std::uint16_t polyglot_move(Move move) {
    const unsigned promotion = move.is_promotion() ? chess::index(move.promotion()) -
                                                         chess::index(chess::PieceType::kKnight) + 1
                                                   : 0;
    return static_cast<std::uint16_t>(move.to() | move.from() << 6 | promotion << 12);
}

}  // namespace fendex::emit
