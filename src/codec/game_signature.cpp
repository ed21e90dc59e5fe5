#include "codec/game_signature.hpp"

#include <algorithm>
#include <bit>

namespace fendex::codec {

using chess::Bitboard;
using chess::Color;
using chess::PieceType;

namespace {

// A chunk: a header of 2 bytes (count), then columns: flags (1 byte: surplus of Black 1, of White
// 2, replayed 4), least counts (5 bytes), White's pawn squares (5), Black's (5).
constexpr std::size_t kSignatureHeader = 2;
constexpr unsigned kColumn = 5;
constexpr std::size_t kBytesPerGame = 1 + 3 * kColumn;
enum Flag : unsigned { kBlackSurplus = 1, kWhiteSurplus = 2, kReplayed = 4 };

// Offsets of the forty followed squares.
constexpr unsigned kWhiteShift = std::countr_zero(followed_pawn_squares(Color::kWhite));
constexpr unsigned kBlackShift = std::countr_zero(followed_pawn_squares(Color::kBlack));

}  // namespace

template <typename Position>
void SignatureFinder::start(const Position& position) {
    signature_ = {};
    signature_.least = ~std::uint64_t{0};
    signature_.replayed = true;
    pieces_ = 0;
    update(position);
}

template <typename Position>
void SignatureFinder::update(const Position& position) {
    GameSignature& s = signature_;
    const Bitboard pawns = position.pieces(PieceType::kPawn);
    s.white_pawns |= pawns & position.pieces(Color::kWhite) & followed_pawn_squares(Color::kWhite);
    s.black_pawns |= pawns & position.pieces(Color::kBlack) & followed_pawn_squares(Color::kBlack);
    const unsigned pieces = chess::count(position.occupied());
    const unsigned pawn_count = chess::count(pawns);
    if (pieces == pieces_ && pawn_count == pawns_) return;
    pieces_ = pieces;
    pawns_ = pawn_count;
    std::uint64_t least = 0;
    for (unsigned piece = 0; piece < kCountedPieces; ++piece) {
        const auto color = static_cast<Color>(piece & 1U);
        const unsigned type = piece >> 1;
        const unsigned number = chess::count(position.pieces(color, static_cast<PieceType>(type)));
        if (number > kStartingSet[type]) s.surplus[chess::index(color)] = true;
        least |= std::uint64_t{std::min(number, s.least_of(piece))} << (4 * piece);
    }
    s.least = least;
}

template void SignatureFinder::start(const chess::Position& position);
template void SignatureFinder::start(const chess::VariantPosition& position);
template void SignatureFinder::update(const chess::Position& position);
template void SignatureFinder::update(const chess::VariantPosition& position);

std::string encode_signatures(std::span<const GameSignature> signatures) {
    std::string out;
    out.reserve(kSignatureHeader + signatures.size() * kBytesPerGame);
    put_fixed(signatures.size(), 2, out);
    for (const GameSignature& s : signatures) {
        put_fixed((s.surplus[chess::index(Color::kBlack)] ? kBlackSurplus : 0U) |
                      (s.surplus[chess::index(Color::kWhite)] ? kWhiteSurplus : 0U) |
                      (s.replayed ? kReplayed : 0U),
                  1, out);
    }
    for (const GameSignature& s : signatures) put_fixed(s.least, kColumn, out);
    for (const GameSignature& s : signatures) put_fixed(s.white_pawns >> kWhiteShift, kColumn, out);
    for (const GameSignature& s : signatures) put_fixed(s.black_pawns >> kBlackShift, kColumn, out);
    return out;
}

SignatureChunk::SignatureChunk(std::string_view bytes) : bytes_(bytes) {
    if (bytes.size() < kSignatureHeader) return;
    const std::size_t size = get_fixed(bytes, 0, 2);
    if (size <= kGamesPerChunk && bytes.size() == kSignatureHeader + size * kBytesPerGame) {
        size_ = size;
    }
}

GameSignature SignatureChunk::operator[](std::size_t i) const {
    const auto flags = static_cast<unsigned>(get_fixed(bytes_, kSignatureHeader + i, 1));
    std::size_t column = kSignatureHeader + size_;
    const auto next = [&] {
        const std::uint64_t value = get_fixed(bytes_, column + kColumn * i, kColumn);
        column += kColumn * size_;
        return value;
    };
    GameSignature s;
    s.surplus[chess::index(Color::kBlack)] = (flags & kBlackSurplus) != 0;
    s.surplus[chess::index(Color::kWhite)] = (flags & kWhiteSurplus) != 0;
    s.replayed = (flags & kReplayed) != 0;
    s.least = next();
    s.white_pawns = next() << kWhiteShift;
    s.black_pawns = next() << kBlackShift;
    return s;
}

bool SignatureCondition::may_hold(const GameSignature& game) const {
    const auto fewer_than = [](unsigned n) { return (std::uint64_t{1} << n) - 1; };
    if (!game.replayed) return false;
    if ((game.white_pawns & white_pawns) != white_pawns) return false;
    if ((game.black_pawns & black_pawns) != black_pawns) return false;
    for (const Count& count : counts) {
        // The game has had at least `least_of` such pieces and, without surplus, at most the
        // starting set.
        std::uint64_t possible = ~fewer_than(game.least_of(count.piece));
        const auto piece = static_cast<chess::Piece>(count.piece);
        if (!game.surplus[chess::index(chess::color_of(piece))]) {
            possible &= fewer_than(kStartingSet[chess::index(chess::type_of(piece))] + 1U);
        }
        if ((count.allowed & possible) == 0) return false;
    }
    return true;
}

}  // namespace fendex::codec
