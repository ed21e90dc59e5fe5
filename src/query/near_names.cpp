#include "query/near_names.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/edit_distance.hpp"
#include "base/stop_check.hpp"
#include "base/text_fold.hpp"

namespace fendex::query {

namespace {

constexpr std::size_t kMostNear = 5;
/// The unlikeness of a typed word that resembles no word of the name; greater than any other.
constexpr unsigned kUnlike = 16;

/// Returns how much a word of a name differs from a typed word.
unsigned unlikeness(std::string_view typed, std::string_view word) {
    if (word.starts_with(typed)) return 0;
    if (typed.starts_with(word)) return word.size() == 1 ? 1 : 2;  // an initial; a shorter name
    const std::size_t most = std::min<std::size_t>(2, typed.size() / 3);
    if (most == 0) return kUnlike;
    const std::size_t edits =
        std::min(base::edits_between(typed, word, most),
                 base::edits_between(typed, word.substr(0, typed.size()), most));
    return edits > most ? kUnlike : 2 * static_cast<unsigned>(edits);
}

/// Returns how much a name differs from the typed words. Empty if it is not near: less than half of
/// the typed letters are in words that resemble a word of the name.
std::optional<unsigned> unlikeness(const base::NameWords& typed, std::string_view folded_name) {
    const std::vector<std::string_view> words = base::words_of(folded_name);
    unsigned sum = 0;
    std::size_t letters = 0;
    std::size_t alike = 0;
    for (const std::string& each : typed.words()) {
        unsigned least = kUnlike;
        std::size_t in_common = 0;
        for (const std::string_view word : words) {
            const unsigned unlike = unlikeness(each, word);
            if (unlike >= least) continue;
            least = unlike;
            in_common = std::min(each.size(), word.size());
        }
        sum += least;
        letters += each.size();
        alike += in_common;
    }
    if (2 * alike < letters) return std::nullopt;
    return sum;
}

/// A condition on names, by their words.
struct NameCondition {
    const char* field;
    std::string words;
    store::NameKind kind;
    std::vector<std::int64_t store::GameColumns::*> columns;
};

/// Returns the conditions on names that a filter has.
std::vector<NameCondition> name_conditions(const GameFilter& filter) {
    using store::GameColumns;
    using store::NameKind;
    std::vector<NameCondition> conditions{
        {"white", filter.white, NameKind::kPlayer, {&GameColumns::white}},
        {"black", filter.black, NameKind::kPlayer, {&GameColumns::black}},
        {"player", filter.player, NameKind::kPlayer, {&GameColumns::white, &GameColumns::black}},
        {"event", filter.event, NameKind::kEvent, {&GameColumns::event}},
        {"site", filter.site, NameKind::kSite, {&GameColumns::site}}};
    std::erase_if(conditions, [](const NameCondition& each) { return each.words.empty(); });
    return conditions;
}

/// Sites of hardly any other game are stored as text, not as names with ids.
bool fits_site_text(const base::NameWords& typed, const store::GameColumns& game) {
    return !game.site_text.empty() && typed.fit(base::fold(game.site_text));
}

/// Returns the condition if no name fits it; else empty.
std::optional<UnmetName> unmet(store::StoreReader& reader, const NameCondition& condition,
                               base::StopCheck& stop) {
    struct Candidate {
        std::string name;
        unsigned unlike = 0;
        std::uint64_t games = 0;
    };
    const base::NameWords typed(condition.words);
    std::unordered_map<std::int64_t, Candidate> candidates;
    bool met = false;
    reader.for_each_name(condition.kind, [&](std::int64_t id, std::string_view name) {
        stop();
        if (met) return;
        const std::string folded = base::fold(name);
        met = typed.fit(folded);
        const std::optional<unsigned> unlike = met ? std::nullopt : unlikeness(typed, folded);
        if (unlike) candidates[id] = {std::string(name), *unlike, 0};
    });
    if (met) return std::nullopt;
    UnmetName out{condition.field, condition.words, {}};
    const bool sites = condition.kind == store::NameKind::kSite;
    if (candidates.empty() && !sites) return out;
    reader.for_each_columns([&](const store::GameColumns& game) {
        stop();
        met = met || (sites && fits_site_text(typed, game));
        for (const auto column : condition.columns) {
            if (const auto found = candidates.find(game.*column); found != candidates.end()) {
                ++found->second.games;
            }
        }
    });
    if (met) return std::nullopt;
    std::vector<Candidate> near;
    for (auto& [id, candidate] : candidates) {
        if (candidate.games != 0) near.push_back(std::move(candidate));
    }
    std::sort(near.begin(), near.end(), [](const Candidate& a, const Candidate& b) {
        if (a.unlike != b.unlike) return a.unlike < b.unlike;
        return a.games != b.games ? a.games > b.games : a.name < b.name;
    });
    // Keep only names that lack no more words than the nearest one does.
    if (!near.empty()) {
        const unsigned lacking = near.front().unlike / kUnlike;
        std::erase_if(near, [&](const Candidate& each) { return each.unlike / kUnlike > lacking; });
    }
    near.resize(std::min(near.size(), kMostNear));
    for (Candidate& each : near) out.near.push_back({std::move(each.name), each.games});
    return out;
}

}  // namespace

std::vector<UnmetName> unmet_names(store::StoreReader& reader, const GameFilter& filter,
                                   std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    std::vector<UnmetName> out;
    for (const NameCondition& condition : name_conditions(filter)) {
        if (std::optional<UnmetName> name = unmet(reader, condition, check)) {
            out.push_back(std::move(*name));
        }
    }
    return out;
}

std::vector<MetNames> met_names(store::StoreReader& reader, const GameFilter& filter,
                                std::span<const store::GameId> games) {
    std::vector<MetNames> out;
    for (const NameCondition& condition : name_conditions(filter)) {
        const base::NameWords typed(condition.words);
        MetNames names{condition.field, condition.words, {}};
        std::unordered_map<std::int64_t, NameCount> met;
        reader.for_each_name(condition.kind, [&](std::int64_t id, std::string_view name) {
            if (typed.fit(base::fold(name))) met[id].name = name;
        });
        reader.for_each_columns([&](const store::GameColumns& game) {
            if (!std::binary_search(games.begin(), games.end(), game.id)) return;
            if (condition.kind == store::NameKind::kSite && fits_site_text(typed, game)) {
                names.names.push_back({std::string(game.site_text), 1});
            }
            std::int64_t counted = 0;  // a game of a player against himself is one game
            for (const auto column : condition.columns) {
                const auto found = met.find(game.*column);
                if (found == met.end() || found->first == counted) continue;
                ++found->second.games;
                counted = found->first;
            }
        });
        for (auto& [id, each] : met) {
            if (each.games != 0) names.names.push_back(std::move(each));
        }
        std::sort(names.names.begin(), names.names.end(),
                  [](const NameCount& a, const NameCount& b) {
                      return a.games != b.games ? a.games > b.games : a.name < b.name;
                  });
        out.push_back(std::move(names));
    }
    return out;
}

}  // namespace fendex::query
