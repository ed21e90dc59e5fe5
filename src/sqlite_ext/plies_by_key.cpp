#include "sqlite_ext/plies_by_key.hpp"

#include <filesystem>

#include "codec/posting.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::sqlite_ext {

namespace {

constexpr std::size_t kMemory = std::size_t{128} << 20;
constexpr std::uint64_t kTopBit = std::uint64_t{1} << 63;
constexpr unsigned kPlyBits = codec::Posting::kPlyBits;

}  // namespace

PliesByKey::PliesByKey() : sorter_(kMemory, 1, std::filesystem::temp_directory_path().string()) {}

void PliesByKey::add(store::GameId game, const store::StoredMoves& moves, std::int64_t first,
                     std::int64_t last) {
    Sorter::Feeder& feeder = sorter_.feeder(0);
    replay::for_each_position(game, moves, [&](const auto& walk) {
        if (walk.ply() < first || walk.ply() > last) return;
        feeder.add({walk.position().key() ^ kTopBit, game << kPlyBits | walk.ply()});
    });
}

void PliesByKey::begin() {
    sorter_.close();
    settle();
}

void PliesByKey::advance() {
    ++next_;
    settle();
}

/// Goes to the next partition that is not empty, if this one has ended.
void PliesByKey::settle() {
    while (next_ == plies_.size() && partition_ != Sorter::kPartitions) {
        sorter_.take(partition_++, plies_, [](Ply&) {});
        next_ = 0;
    }
}

std::int64_t PliesByKey::key() const {
    return static_cast<std::int64_t>(plies_[next_].key ^ kTopBit);
}
store::GameId PliesByKey::game() const { return plies_[next_].rest >> kPlyBits; }
std::uint32_t PliesByKey::ply() const {
    return static_cast<std::uint32_t>(plies_[next_].rest) & codec::Posting::kMaxPly;
}

}  // namespace fendex::sqlite_ext
