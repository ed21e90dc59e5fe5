#include "store/sqlite/tables/name_ids.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>

namespace fendex::store {

namespace {

constexpr std::size_t kFirstSlots = 64;

std::uint64_t hash_of(std::string_view name) { return std::hash<std::string_view>{}(name); }

std::uint32_t upper_half(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

NameIds::Entry NameIds::find(std::string_view name) const {
    if (slots_.empty()) return {};
    const std::uint64_t hash = hash_of(name);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask; slots_[i].place != kFree; i = (i + 1) & mask) {
        if (slots_[i].hash != upper_half(hash)) continue;
        const Entry found = entry(slots_[i].place);
        if (found.name == name) return found;
    }
    return {};
}

NameIds::Entry NameIds::add(std::string_view name, std::int64_t id) {
    if (4 * (used_ + 1) > 3 * slots_.size()) grow();
    const std::uint32_t place = append(name, id);
    put(hash_of(name), place);
    ++used_;
    return entry(place);
}

void NameIds::clear() { *this = NameIds(); }

NameIds::Entry NameIds::entry(std::uint32_t place) const {
    const char* const bytes =
        blocks_[place / kUnitsPerBlock].data() + place % kUnitsPerBlock * kUnit;
    Entry out;
    std::uint32_t size = 0;
    std::memcpy(&out.id, bytes, sizeof out.id);
    std::memcpy(&size, bytes + sizeof out.id, sizeof size);
    out.name = {bytes + kHeaderBytes, size};
    return out;
}

std::uint32_t NameIds::append(std::string_view name, std::int64_t id) {
    const std::size_t units = (kHeaderBytes + name.size() + kUnit - 1) / kUnit;
    if (blocks_.empty() || blocks_.back().size() / kUnit - units_ < units) {
        // A name that is too long for a block has one for itself.
        const std::size_t size = std::max(units, kUnitsPerBlock) * kUnit;
        if (blocks_.size() >= kFree / kUnitsPerBlock) throw std::length_error("too many names");
        blocks_.emplace_back(size);
        text_bytes_ += size;
        units_ = 0;
    }
    const std::size_t place = (blocks_.size() - 1) * kUnitsPerBlock + units_;
    char* const bytes = blocks_.back().data() + units_ * kUnit;
    const auto size = static_cast<std::uint32_t>(name.size());
    std::memcpy(bytes, &id, sizeof id);
    std::memcpy(bytes + sizeof id, &size, sizeof size);
    if (!name.empty()) std::memcpy(bytes + kHeaderBytes, name.data(), name.size());
    units_ = blocks_.back().size() > kUnitsPerBlock * kUnit ? blocks_.back().size() / kUnit
                                                            : units_ + units;
    return static_cast<std::uint32_t>(place);
}

void NameIds::put(std::uint64_t hash, std::uint32_t place) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash & mask;
    while (slots_[i].place != kFree) i = (i + 1) & mask;
    slots_[i] = {upper_half(hash), place};
}

void NameIds::grow() {
    const std::vector<Slot> before =
        std::exchange(slots_, std::vector<Slot>(std::max(kFirstSlots, 2 * slots_.size())));
    for (const Slot& each : before) {
        if (each.place != kFree) put(hash_of(entry(each.place).name), each.place);
    }
}

}  // namespace fendex::store
