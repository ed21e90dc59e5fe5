#include "codec/big_position.hpp"

#include <algorithm>
#include <bit>

#include "base/checksum.hpp"

namespace fendex::codec {

namespace {

/// The count of a chunk has 16 bits. Most chunks end earlier, because of their size in bytes; a
/// posting takes at most 12 bytes.
constexpr std::size_t kMaxChunkPostings = 1 << 16;
/// The most bytes that a chunk has besides the bits counted so far: a posting, the header, the
/// checksum.
constexpr std::size_t kChunkReserve = 12 + 5 + base::kSealBytes;
/// A legal chess position has at most 218 moves; the null move and the end of the game are added.
constexpr std::size_t kMaxGroups = 512;

void put_tally(const Tally& t, std::string& out) {
    put_varint(t.games, out);
    put_varint(t.occurrences - t.games, out);
    for (const std::uint64_t n : t.results.by_code) put_varint(n, out);
    put_varint(t.white_elo_sum, out);
    put_varint(t.white_elo_games, out);
    put_varint(t.black_elo_sum, out);
    put_varint(t.black_elo_games, out);
    put_varint(t.first_date.number(), out);
    put_varint(t.last_date.number(), out);
}

Tally get_tally(ByteReader& in) {
    Tally t;
    t.games = in.varint();
    t.occurrences = t.games + in.varint();
    for (std::uint64_t& n : t.results.by_code) n = in.varint();
    t.white_elo_sum = in.varint();
    t.white_elo_games = in.varint();
    t.black_elo_sum = in.varint();
    t.black_elo_games = in.varint();
    t.first_date = static_cast<std::uint32_t>(in.varint());
    t.last_date = static_cast<std::uint32_t>(in.varint());
    return t;
}

void put_games(const std::vector<std::uint32_t>& games, std::string& out) {
    put_varint(games.size(), out);
    for (const std::uint32_t game : games) put_varint(game, out);
}

std::vector<std::uint32_t> get_games(ByteReader& in) {
    const std::uint64_t n = in.varint();
    if (n > kNamedGames) in.fail();
    std::vector<std::uint32_t> games;
    for (std::uint64_t i = 0; i < n && !in.failed(); ++i) {
        games.push_back(static_cast<std::uint32_t>(in.varint()));
    }
    return games;
}

void extend_dates(Date first, Date last, Tally& t) {
    if (first == 0) return;
    t.first_date = t.first_date == 0 ? first : std::min(t.first_date, first);
    t.last_date = std::max(t.last_date, last);
}

}  // namespace

void Tally::add_game(const GameFacts& facts) {
    ++games;
    ++results[facts.result];
    white_elo_sum += facts.white_elo;
    white_elo_games += facts.white_elo != 0 ? 1U : 0U;
    black_elo_sum += facts.black_elo;
    black_elo_games += facts.black_elo != 0 ? 1U : 0U;
    extend_dates(facts.date, facts.date, *this);
}

void Tally::remove_game(const GameFacts& facts) {
    Tally one;
    one.add_game(facts);
    remove_games(one);
}

void Tally::remove_games(const Tally& other) {
    games -= other.games;
    for (unsigned i = 0; i < 4; ++i) results.by_code[i] -= other.results.by_code[i];
    white_elo_sum -= other.white_elo_sum;
    white_elo_games -= other.white_elo_games;
    black_elo_sum -= other.black_elo_sum;
    black_elo_games -= other.black_elo_games;
}

void Tally::add_dates(const Tally& other) {
    extend_dates(other.first_date, other.last_date, *this);
}

void Tally::add(const Tally& other) {
    games += other.games;
    occurrences += other.occurrences;
    for (unsigned i = 0; i < 4; ++i) results.by_code[i] += other.results.by_code[i];
    white_elo_sum += other.white_elo_sum;
    white_elo_games += other.white_elo_games;
    black_elo_sum += other.black_elo_sum;
    black_elo_games += other.black_elo_games;
    add_dates(other);
}

std::string encode_summary(const PositionSummary& summary) {
    std::string out;
    put_tally(summary.total, out);
    put_varint(summary.groups.size(), out);
    for (const GroupSummary& group : summary.groups) {
        put_varint(group.next.bits(), out);
        put_tally(group.tally, out);
        put_games(group.top_games, out);
        put_games(group.recent_games, out);
        put_varint(group.chunks, out);
    }
    return out;
}

std::optional<PositionSummary> decode_summary(std::string_view bytes) {
    ByteReader in(bytes);
    PositionSummary summary;
    summary.total = get_tally(in);
    const std::uint64_t groups = in.varint();
    if (groups > kMaxGroups) return std::nullopt;
    for (std::uint64_t i = 0; i < groups && !in.failed(); ++i) {
        GroupSummary group;
        group.next = chess::Move::from_bits(static_cast<std::uint16_t>(in.varint()));
        group.tally = get_tally(in);
        group.top_games = get_games(in);
        group.recent_games = get_games(in);
        group.chunks = static_cast<std::uint32_t>(in.varint());
        summary.groups.push_back(std::move(group));
    }
    if (in.failed() || !in.done()) return std::nullopt;
    return summary;
}

std::optional<Tally> decode_total(std::string_view bytes) {
    ByteReader in(bytes);
    const Tally total = get_tally(in);
    return in.failed() ? std::nullopt : std::optional(total);
}

// A chunk: 16 bits of count, 6 of the gap parameter, the next move, the first game (uniform) and
// ply (Exp-Golomb), then for each further posting the gap between games and the difference of plies
// to the previous one.
std::vector<std::string> encode_big_postings(std::span<const Posting> group,
                                             const SegmentShape& shape) {
    const std::uint64_t mean = (group.back().game() - group.front().game()) / group.size();
    const unsigned k = mean == 0 ? 0 : static_cast<unsigned>(std::bit_width(mean)) - 1;
    std::vector<std::string> chunks;
    for (std::size_t begin = 0; begin < group.size();) {
        BitWriter body;
        std::size_t i = begin;
        for (; i < group.size() && i - begin + 1 < kMaxChunkPostings; ++i) {
            if (body.bit_count() / 8 + 1 + kChunkReserve > kBlockBytes) break;
            const std::int64_t ply = group[i].ply();
            if (i == begin) {
                body.put_uniform(group[i].game(), shape.games);
                body.put_golomb(group[i].ply(), 5);
            } else {
                body.put_golomb(group[i].game() - group[i - 1].game(), k);
                body.put_golomb(zigzag(ply - std::int64_t{group[i - 1].ply()}), 0);
            }
        }
        BitWriter header;
        header.put(i - begin, 16);
        header.put(k, 6);
        put_next_move(group.front().next(), header);
        std::string chunk = header.take();
        body.append_to(chunk);
        chunks.push_back(std::move(chunk));
        begin = i;
    }
    return chunks;
}

BlockStatus decode_big_postings(std::string_view chunk, const SegmentShape& shape,
                                std::uint64_t key, std::vector<Posting>& out) {
    BitReader in(chunk);
    const std::uint64_t count = in.get(16);
    const auto k = static_cast<unsigned>(in.get(6));
    const chess::Move next = get_next_move(in);
    in.align();
    if (k > Posting::kGameBits || count == 0) return BlockStatus::kCorrupt;
    std::uint64_t game = 0;
    std::int64_t ply = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i == 0) {
            game = in.get_uniform(shape.games);
            ply = static_cast<std::int64_t>(in.get_golomb(5));
        } else {
            game += in.get_golomb(k);
            ply += unzigzag(in.get_golomb(0));
        }
        if (in.failed() || game >= shape.games || ply < 0 || ply > std::int64_t{Posting::kMaxPly}) {
            return BlockStatus::kCorrupt;
        }
        out.emplace_back(key, next, static_cast<std::uint32_t>(game),
                         static_cast<std::uint32_t>(ply));
    }
    return BlockStatus::kOk;
}

BlockStatus decode_big_games(std::string_view chunk, const SegmentShape& shape, chess::Move& next,
                             std::vector<std::uint32_t>& games) {
    BitReader in(chunk);
    const std::uint64_t count = in.get(16);
    const auto k = static_cast<unsigned>(in.get(6));
    next = get_next_move(in);
    in.align();
    if (k > Posting::kGameBits || count == 0) return BlockStatus::kCorrupt;
    const std::size_t before = games.size();
    games.resize(before + count);
    std::uint32_t* out = games.data() + before;
    std::uint64_t game = in.get_uniform(shape.games);
    auto ply = static_cast<std::int64_t>(in.get_golomb(5));
    bool is_sound = game < shape.games && ply <= std::int64_t{Posting::kMaxPly};
    *out++ = static_cast<std::uint32_t>(game);
    // Most gaps have few bits, and most plies are those of the posting before, which is one bit: a
    // word has several of them. Longer ones are read by the reader.
    constexpr unsigned kBits = 57;
    const std::uint64_t low = (std::uint64_t{1} << k) - 1;
    std::uint64_t word = in.peek();
    unsigned used = 0;
    for (std::uint64_t i = 1; i < count; ++i) {
        const auto zeros =
            static_cast<unsigned>(std::countr_zero(word | std::uint64_t{1} << (kBits - 1)));
        const unsigned bits = 2 * zeros + 1 + k;
        if (used + bits < kBits && (word >> bits & 1) != 0) [[likely]] {
            const std::uint64_t high = std::uint64_t{1} << zeros |
                                       (word >> (zeros + 1) & ((std::uint64_t{1} << zeros) - 1));
            game += (high - 1) << k | (word >> (2 * zeros + 1) & low);
            word >>= bits + 1;
            used += bits + 1;
        } else {
            in.skip(used);
            game += in.get_golomb(k);
            ply += unzigzag(in.get_golomb(0));
            is_sound &= ply >= 0 && ply <= std::int64_t{Posting::kMaxPly};
            word = in.peek();
            used = 0;
        }
        is_sound &= game < shape.games;
        *out++ = static_cast<std::uint32_t>(game);
    }
    in.skip(used);
    return is_sound && !in.failed() ? BlockStatus::kOk : BlockStatus::kCorrupt;
}

}  // namespace fendex::codec
