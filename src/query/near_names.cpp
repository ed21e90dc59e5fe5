#include "query/near_names.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/edit_distance.hpp"
#include "base/stop_check.hpp"
#include "base/text_fold.hpp"

namespace fendex::query {

namespace {

constexpr std::size_t kMostNear = 5;
/// What it costs a name that no word of it resembles a word that was typed: more than any
/// likeness.
constexpr unsigned kUnlike = 16;

/// How unlike a word of a name is to a word that was typed.
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

/// How unlike a name is to the words that were typed; empty if it is not near: less than half of
/// the letters have a likeness in it.
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

struct Condition {
    const char* field;
    const std::string& words;
    store::NameKind kind;
    std::vector<std::int64_t store::GameColumns::*> columns;
};

/// Empty if a name fits.
std::optional<UnmetName> unmet(store::StoreReader& reader, const Condition& condition,
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
    if (candidates.empty()) return out;
    reader.for_each_columns([&](const store::GameColumns& game) {
        stop();
        for (const auto column : condition.columns) {
            if (const auto found = candidates.find(game.*column); found != candidates.end()) {
                ++found->second.games;
            }
        }
    });
    std::vector<Candidate> near;
    for (auto& [id, candidate] : candidates) {
        if (candidate.games != 0) near.push_back(std::move(candidate));
    }
    std::sort(near.begin(), near.end(), [](const Candidate& a, const Candidate& b) {
        if (a.unlike != b.unlike) return a.unlike < b.unlike;
        return a.games != b.games ? a.games > b.games : a.name < b.name;
    });
    // A name that lacks more of the words than the nearest one does is not near beside it.
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
    using store::GameColumns;
    using store::NameKind;
    const Condition conditions[]{
        {"white", filter.white, NameKind::kPlayer, {&GameColumns::white}},
        {"black", filter.black, NameKind::kPlayer, {&GameColumns::black}},
        {"player", filter.player, NameKind::kPlayer, {&GameColumns::white, &GameColumns::black}},
        {"event", filter.event, NameKind::kEvent, {&GameColumns::event}},
        {"site", filter.site, NameKind::kSite, {&GameColumns::site}}};
    std::vector<UnmetName> out;
    for (const Condition& condition : conditions) {
        if (condition.words.empty()) continue;
        if (std::optional<UnmetName> name = unmet(reader, condition, check)) {
            out.push_back(std::move(*name));
        }
    }
    return out;
}

}  // namespace fendex::query
