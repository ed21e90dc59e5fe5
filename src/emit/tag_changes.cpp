#include "emit/tag_changes.hpp"

#include <algorithm>
#include <utility>

#include "codec/game_codes.hpp"
#include "replay/opening_names.hpp"
#include "store/named_codes.hpp"

namespace fendex::emit {

namespace {

/// Indexes in kFilledTags.
enum Fill : std::uint8_t { kEco, kOpening, kVariation, kPlyCount, kFideId };

using store::NameKind;

struct NameTag {
    std::string_view tag;
    NameKind kind;
};
constexpr NameTag kNameTags[] = {{"White", NameKind::kPlayer},
                                 {"Black", NameKind::kPlayer},
                                 {"Event", NameKind::kEvent},
                                 {"Site", NameKind::kSite}};

/// Sets a tag that is missing or unknown.
void fill(std::string_view name, std::string_view value, store::StoredGame& game) {
    if (value.empty()) return;
    const auto found =
        std::ranges::find_if(game.tags, [&](const auto& tag) { return tag.first == name; });
    if (found == game.tags.end()) {
        game.tags.emplace_back(name, value);
    } else if (store::is_unknown_name(found->second)) {
        found->second = value;
    }
}

}  // namespace

TagChanges::TagChanges(store::StoreReader& reader, const TagChoice& choice) : choice_(choice) {
    store::LocalReader& local = require(reader, store::Capability::kChangedTags);
    if (choice_.canonical_names) read_joined_names(local);
    if (choice_.fill[kEco] || choice_.fill[kOpening] || choice_.fill[kVariation]) {
        local.for_each_name(NameKind::kOpening, [&](std::int64_t id, std::string_view name) {
            const std::uint32_t code = codec::code_of_id(id);
            if (code >= openings_.size()) openings_.resize(code + std::size_t{1});
            openings_[code] = name;
        });
    }
    if (!choice_.fill[kFideId]) return;
    base::StopCheck never{std::stop_token()};
    numbers_.emplace(local, never);
}

void TagChanges::read_joined_names(store::LocalReader& reader) {
    reader.for_each_name_join([&](const store::NameJoin& join) {
        auto name = reader.name(join.kind, join.name);
        auto other = reader.name(join.kind, join.canonical);
        if (name && other) canonical_[join.kind].emplace(std::move(*name), std::move(*other));
    });
}

std::optional<std::string_view> TagChanges::canonical(NameKind kind,
                                                      const std::string& name) const {
    const auto names = canonical_.find(kind);
    if (names == canonical_.end()) return std::nullopt;
    const auto found = names->second.find(name);
    if (found == names->second.end()) return std::nullopt;
    return found->second;
}

std::string_view TagChanges::opening_of(store::LocalReader& reader, store::GameId id) const {
    if (openings_.empty()) return {};
    const std::uint32_t code = value_in(reader, store::GameColumn::kOpening, id);
    return code < openings_.size() ? std::string_view(openings_[code]) : std::string_view();
}

/// "C50 Italian Game: Giuoco Piano" has the opening "Italian Game" and the variation "Giuoco
/// Piano".
void TagChanges::fill_opening(std::string_view text, store::StoredGame& game) const {
    if (text.empty()) return;
    constexpr std::string_view kBeforeVariation = ": ";
    const replay::Opening opening = replay::opening_of_text(text);
    const std::size_t colon = opening.name.find(kBeforeVariation);
    if (choice_.fill[kEco]) fill("ECO", opening.eco, game);
    if (choice_.fill[kOpening]) fill("Opening", opening.name.substr(0, colon), game);
    if (choice_.fill[kVariation] && colon != std::string_view::npos) {
        fill("Variation", opening.name.substr(colon + kBeforeVariation.size()), game);
    }
}

void TagChanges::fill_fide_numbers(store::LocalReader& reader, store::GameId id,
                                   store::StoredGame& game) const {
    for (const auto& [tag, column] : {std::pair{"WhiteFideId", store::GameColumn::kWhite},
                                      std::pair{"BlackFideId", store::GameColumn::kBlack}}) {
        const std::uint64_t number = numbers_->only(value_in(reader, column, id));
        if (number != 0) fill(tag, std::to_string(number), game);
    }
}

void TagChanges::apply(store::StoreReader& reader, store::GameId id,
                       store::StoredGame& game) const {
    store::LocalReader& local = *reader.local();
    fill_opening(opening_of(local, id), game);
    if (choice_.fill[kPlyCount]) fill("PlyCount", std::to_string(game.moves.facts.plies), game);
    if (choice_.fill[kFideId]) fill_fide_numbers(local, id, game);
    for (auto& [name, value] : game.tags) {
        const auto* const tag = std::ranges::find(kNameTags, name, &NameTag::tag);
        if (tag == std::end(kNameTags)) continue;
        if (const auto other = canonical(tag->kind, value)) value = *other;
    }
}

void TagChanges::apply(store::GameHeader& header) const {
    for (const auto& [value, kind] : {std::pair{&header.white, NameKind::kPlayer},
                                      {&header.black, NameKind::kPlayer},
                                      {&header.event, NameKind::kEvent},
                                      {&header.site, NameKind::kSite}}) {
        if (!*value) continue;
        if (const auto other = canonical(kind, std::string(**value))) *value = other;
    }
}

}  // namespace fendex::emit
