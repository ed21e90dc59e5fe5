#include "codec/game_facts.hpp"

#include <algorithm>

#include "codec/columns.hpp"

namespace fendex::codec {

namespace {

// A chunk: a header of 3 bytes (count: 2, width of the plies column: 1), then columns of `count`
// entries: flags (1 byte: result 2 bits, time class 3, mode 2), variant (1), white Elo (2), black
// Elo (2), date (4), plies (2 or 4).
constexpr std::size_t kBytesBesidePlies = 10;

}  // namespace

std::string_view result_text(Result result) {
    switch (result) {
        case Result::kWhiteWins: return "1-0";
        case Result::kBlackWins: return "0-1";
        case Result::kDraw: return "1/2-1/2";
        case Result::kUnknown: break;
    }
    return "*";
}

Result result_of(std::string_view text) {
    if (text == "1-0") return Result::kWhiteWins;
    if (text == "0-1") return Result::kBlackWins;
    if (text == "1/2-1/2" || text == "1/2") return Result::kDraw;
    return Result::kUnknown;
}

std::string encode_facts(std::span<const GameFacts> facts) {
    const bool wide =
        std::ranges::any_of(facts, [](const GameFacts& f) { return f.plies > 0xFFFF; });
    const unsigned ply_bytes = wide ? 4 : 2;
    std::string out;
    out.reserve(kFactsHeader + facts.size() * (kBytesBesidePlies + ply_bytes));
    put_fixed(facts.size(), 2, out);
    put_fixed(ply_bytes, 1, out);
    for (const GameFacts& f : facts) {
        put_fixed(static_cast<unsigned>(f.result) | static_cast<unsigned>(f.time_class) << 2 |
                      static_cast<unsigned>(f.mode) << 5,
                  1, out);
    }
    for (const GameFacts& f : facts) put_fixed(static_cast<unsigned>(f.variant), 1, out);
    for (const GameFacts& f : facts) put_fixed(f.white_elo, 2, out);
    for (const GameFacts& f : facts) put_fixed(f.black_elo, 2, out);
    for (const GameFacts& f : facts) put_fixed(f.date.number(), 4, out);
    for (const GameFacts& f : facts) put_fixed(f.plies, ply_bytes, out);
    return out;
}

FactsChunk::FactsChunk(std::string_view bytes) : bytes_(bytes) {
    if (bytes.size() < kFactsHeader) return;
    size_ = static_cast<std::size_t>(get_fixed(bytes, 0, 2));
    ply_bytes_ = static_cast<unsigned>(get_fixed(bytes, 2, 1));
    const bool valid = (ply_bytes_ == 2 || ply_bytes_ == 4) && size_ <= kGamesPerChunk &&
                       bytes.size() == kFactsHeader + size_ * (kBytesBesidePlies + ply_bytes_);
    if (!valid) size_ = 0;
}

GameFacts FactsChunk::operator[](std::size_t i) const {
    GameFacts facts;
    const unsigned flags = number<std::uint8_t>(0, i);
    facts.result = static_cast<Result>(flags & 3U);
    facts.time_class = static_cast<TimeClass>(flags >> 2 & 7U);
    facts.mode = static_cast<Mode>(flags >> 5 & 3U);
    const unsigned variant = number<std::uint8_t>(1, i);
    facts.variant =
        variant < chess::kVariants ? static_cast<chess::Variant>(variant) : chess::Variant::kOther;
    facts.white_elo = number<std::uint16_t>(2, i);
    facts.black_elo = number<std::uint16_t>(4, i);
    facts.date = date(i);
    facts.plies = ply_bytes_ == 2 ? number<std::uint16_t>(kBytesBesidePlies, i)
                                  : number<std::uint32_t>(kBytesBesidePlies, i);
    return facts;
}

void FactsChunk::column(FactColumn which, std::size_t first, std::span<std::uint32_t> out) const {
    const auto decode = [&](std::size_t bytes_before, unsigned width) {
        get_column(bytes_.substr(kFactsHeader + bytes_before * size_ + first * width), width, out);
    };
    const auto flags = [&](unsigned shift, unsigned mask) {
        decode(0, 1);
        for (std::uint32_t& value : out) value = value >> shift & mask;
    };
    switch (which) {
        case FactColumn::kResult: return flags(0, 3);
        case FactColumn::kTimeClass: return flags(2, 7);
        case FactColumn::kMode: return flags(5, 3);
        case FactColumn::kVariant: return decode(1, 1);
        case FactColumn::kWhiteElo: return decode(2, 2);
        case FactColumn::kBlackElo: return decode(4, 2);
        case FactColumn::kDate: return decode(6, 4);
        case FactColumn::kPlies: return decode(kBytesBesidePlies, ply_bytes_);
    }
}

}  // namespace fendex::codec
