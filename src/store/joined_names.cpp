#include "store/joined_names.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/key_text.hpp"
#include "codec/game_codes.hpp"

namespace fendex::store {

std::shared_ptr<const JoinedNames> JoinedNames::of(LocalReader& reader, NameKind kind) {
    const base::KeyText key = base::KeyText("joined names").add(static_cast<std::uint64_t>(kind));
    if (auto known = reader.snapshot_cache().get<JoinedNames>(key.text())) return known;
    const auto names = std::make_shared<JoinedNames>();
    reader.for_each_name_join([&](const NameJoin& join) {
        if (join.kind == kind) names->add(join);
    });
    names->sort();
    reader.snapshot_cache().put(key.text(), names, names->bytes());
    return names;
}

void JoinedNames::add(const NameJoin& join) {
    const std::uint32_t name = codec::code_of_id(join.name);
    const std::uint32_t canonical = codec::code_of_id(join.canonical);
    // Filters compare names without a code as texts.
    if (name == codec::kCodeInRow || canonical == codec::kCodeInRow) return;
    while (canonical_.size() <= std::max(name, canonical)) {
        canonical_.push_back(static_cast<std::uint32_t>(canonical_.size()));
    }
    canonical_[name] = canonical;
    spellings_.push_back(name);
}

void JoinedNames::sort() {
    std::ranges::sort(spellings_, [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(canonical_[a], a) < std::tie(canonical_[b], b);
    });
}

std::size_t JoinedNames::bytes() const {
    return (canonical_.capacity() + spellings_.capacity()) * sizeof(std::uint32_t);
}

std::span<const std::uint32_t> JoinedNames::spellings(std::uint32_t canonical) const {
    const auto canonical_of = [&](std::uint32_t name) { return canonical_[name]; };
    return {std::ranges::lower_bound(spellings_, canonical, {}, canonical_of),
            std::ranges::upper_bound(spellings_, canonical, {}, canonical_of)};
}

void JoinedNames::complete(std::vector<std::uint32_t>& codes) const {
    std::ranges::sort(codes);
    if (empty()) return;
    std::vector<std::uint32_t> all;
    for (const std::uint32_t code : codes) {
        const std::uint32_t one = canonical(code);
        all.push_back(one);
        const auto others = spellings(one);
        all.insert(all.end(), others.begin(), others.end());
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    codes = std::move(all);
}

}  // namespace fendex::store
