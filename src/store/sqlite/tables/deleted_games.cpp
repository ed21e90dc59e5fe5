#include "store/sqlite/tables/deleted_games.hpp"

#include <algorithm>
#include <bit>

#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectDeletedSets[] = "SELECT chunk, games FROM main.deleted";
constexpr char kReplace[] = "INSERT OR REPLACE INTO deleted(chunk, games) VALUES (?1, ?2)";
constexpr char kRemoveDeletedSets[] = "DELETE FROM deleted WHERE chunk >= ?1";

}  // namespace

DeletedGames::DeletedGames(const Connection& connection)
    : connection_(&connection), select_(connection, kSelectDeletedSets) {}

void DeletedGames::load() {
    chunks_.clear();
    const ResetAtEnd end(select_);
    while (select_.step()) {
        const std::int64_t chunk = select_.integer(0);
        const std::string_view bytes =
            require_sealed(*connection_, select_.blob(1), kDeletedTable, chunk);
        Bits bits{};
        if (chunk < 0 || bytes.size() != bits.size()) {
            connection_->throw_damaged("deleted games of chunk " + std::to_string(chunk));
        }
        std::copy(bytes.begin(), bytes.end(), bits.begin());
        chunks_.emplace(static_cast<std::uint64_t>(chunk), bits);
    }
}

std::vector<GameId> DeletedGames::games() const {
    std::vector<GameId> out;
    for (const auto& [chunk, bits] : chunks_) {
        for (std::size_t i = 0; i < codec::kGamesPerChunk; ++i) {
            if ((static_cast<unsigned>(bits[i / 8]) >> (i % 8) & 1U) == 0) continue;
            out.push_back(chunk * codec::kGamesPerChunk + i + 1);
        }
    }
    std::ranges::sort(out);
    return out;
}

std::uint64_t DeletedGames::count_from(GameId first) const {
    const std::uint64_t first_chunk = (first - 1) / codec::kGamesPerChunk;
    std::uint64_t count = 0;
    for (const auto& [chunk, all] : chunks_) {
        if (chunk < first_chunk) continue;
        const std::size_t from = chunk == first_chunk ? (first - 1) % codec::kGamesPerChunk : 0;
        Bits bits = all;
        std::fill_n(bits.begin(), from / 8, std::uint8_t{0});
        // The range may begin inside this byte; bits before it do not count.
        bits[from / 8] = static_cast<std::uint8_t>(bits[from / 8] >> (from % 8));
        for (const std::uint8_t byte : bits) count += static_cast<unsigned>(std::popcount(byte));
    }
    return count;
}

void DeletedGames::add(std::span<const GameId> games) {
    for (auto game = games.begin(); game != games.end();) {
        const std::uint64_t chunk = (*game - 1) / codec::kGamesPerChunk;
        Bits& bits = chunks_[chunk];
        for (; game != games.end() && (*game - 1) / codec::kGamesPerChunk == chunk; ++game) {
            const std::size_t bit = (*game - 1) % codec::kGamesPerChunk;
            bits[bit / 8] = static_cast<std::uint8_t>(bits[bit / 8] | 1U << (bit % 8));
        }
        write(chunk, bits);
    }
}

void DeletedGames::forget_from(GameId first) {
    const std::uint64_t first_chunk = (first - 1) / codec::kGamesPerChunk;
    const std::size_t kept = (first - 1) % codec::kGamesPerChunk;
    Statement remove(*connection_, kRemoveDeletedSets);
    remove.run(as_signed(first_chunk));
    std::erase_if(chunks_, [&](const auto& each) { return each.first > first_chunk; });
    const auto partial = chunks_.find(first_chunk);
    if (partial == chunks_.end()) return;
    Bits& bits = partial->second;
    std::fill(bits.begin() + static_cast<std::ptrdiff_t>((kept + 7) / 8), bits.end(),
              std::uint8_t{0});
    if (kept % 8 != 0) {
        bits[kept / 8] = static_cast<std::uint8_t>(bits[kept / 8] & ((1U << (kept % 8)) - 1));
    }
    if (bits == Bits{}) {
        chunks_.erase(partial);
    } else {
        write(first_chunk, bits);
    }
}

void DeletedGames::write(std::uint64_t chunk, const Bits& bits) {
    Statement replace(*connection_, kReplace);
    std::string bytes(bits.begin(), bits.end());
    base::seal(bytes, row_seed(Sealed::kDeleted, as_signed(chunk)));
    replace.run(as_signed(chunk), Blob{bytes});
}

}  // namespace fendex::store
