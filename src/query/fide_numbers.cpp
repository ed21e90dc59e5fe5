#include "query/fide_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace fendex::query {

namespace {

/// Returns the number in a tag; 0 if it is none.
std::uint64_t number_of(const std::string& value) {
    std::uint64_t number = 0;
    const char* const end = value.data() + value.size();
    return std::from_chars(value.data(), end, number).ptr == end ? number : 0;
}

}  // namespace

FideNumbers::FideNumbers(store::LocalReader& reader, base::StopCheck& stop)
    : joined_(store::JoinedNames::of(reader, store::NameKind::kPlayer)) {
    if (!reader.may_have_tag("FideId")) return;
    constexpr std::pair<const char*, store::GameColumn> kTags[] = {
        {"WhiteFideId", store::GameColumn::kWhite}, {"BlackFideId", store::GameColumn::kBlack}};
    reader.for_each_game(1, [&](store::GameId game, const store::StoredGame& stored) {
        stop();
        for (const auto& [name, value] : stored.tags) {
            const auto* const tag =
                std::ranges::find(kTags, name, [](auto& each) { return each.first; });
            if (tag == std::end(kTags)) continue;
            const std::uint64_t number = number_of(value);
            if (number == 0) continue;
            const std::uint32_t code = store::value_in(reader, tag->second, game);
            ++players_[joined_->canonical(code)][number];
        }
        return true;
    });
}

const FideNumbers::Counts* FideNumbers::counts_of(std::uint32_t player) const {
    const auto found = players_.find(joined_->canonical(player));
    return found == players_.end() ? nullptr : &found->second;
}

std::uint64_t FideNumbers::most_frequent(std::uint32_t player) const {
    const Counts* const counts = counts_of(player);
    if (counts == nullptr) return 0;
    return std::ranges::max_element(*counts, {}, [](const auto& each) { return each.second; })
        ->first;
}

std::uint64_t FideNumbers::only(std::uint32_t player) const {
    const Counts* const counts = counts_of(player);
    return counts == nullptr || counts->size() != 1 ? 0 : counts->begin()->first;
}

}  // namespace fendex::query
