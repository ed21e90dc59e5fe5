#include "codec/player_games.hpp"

#include "codec/bits.hpp"

namespace fendex::codec {

namespace {

/// With its key, such a row fits into a cell of SQLite's pages.
constexpr std::size_t kGameRowBytes = 3900;
/// Games of a range have numbers below this.
constexpr std::uint64_t kMostSides = std::uint64_t{1} << 32;

}  // namespace

/// A row has the first player of the next one, and entries. An entry is a number: its side, less
/// that of the entry before if it is of the same player; below it a bit that says whether it is of
/// another player. If so, there follows the difference of both codes.
std::vector<PlayerGameRow> encode_player_games(std::span<const PlayerGame> sorted) {
    std::vector<PlayerGameRow> rows(1);
    std::string entries;
    std::uint32_t player = 0;
    std::uint32_t side = 0;
    const auto end_row = [&](std::uint32_t next_player) {
        std::string& data = rows.back().data;
        put_varint(next_player, data);
        data += entries;
        entries.clear();
    };
    for (const PlayerGame& each : sorted) {
        if (entries.size() >= kGameRowBytes) {
            end_row(each.player());
            const bool continues = rows.back().first_player == each.player();
            const std::uint32_t part = continues ? rows.back().part + 1 : 0;
            rows.push_back({each.player(), part, {}});
            player = each.player();
            side = 0;
        }
        const bool is_other = each.player() != player;
        const std::uint32_t distance = each.side() - (is_other ? 0 : side);
        put_varint(std::uint64_t{distance} << 1 | (is_other ? 1U : 0U), entries);
        if (is_other) put_varint(each.player() - player, entries);
        player = each.player();
        side = each.side();
    }
    end_row(0);
    return rows;
}

std::optional<std::uint32_t> decode_player_games(std::string_view data, std::uint32_t first_player,
                                                 std::vector<PlayerGame>& out) {
    ByteReader in(data);
    const std::uint64_t next_player = in.varint();
    std::uint64_t player = first_player;
    std::uint64_t side = 0;
    while (!in.done()) {
        const std::uint64_t entry = in.varint();
        if ((entry & 1) != 0) {
            const std::uint64_t step = in.varint();
            if (step > UINT32_MAX - player) return std::nullopt;
            player += step;
            side = 0;
        }
        side += entry >> 1;
        if (in.failed() || side >= kMostSides) return std::nullopt;
        out.emplace_back(static_cast<std::uint32_t>(player), static_cast<std::uint32_t>(side >> 1),
                         (side & 1) != 0 ? chess::Color::kBlack : chess::Color::kWhite);
    }
    if (in.failed() || next_player > UINT32_MAX) return std::nullopt;
    return static_cast<std::uint32_t>(next_player);
}

}  // namespace fendex::codec
