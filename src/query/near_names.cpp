#include "query/near_names.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "base/edit_distance.hpp"
#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "codec/game_codes.hpp"
#include "store/game_chunks.hpp"
#include "store/local_reader.hpp"
#include "store/name_index.hpp"

namespace fendex::query {

namespace {

using store::GameId;

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

/// Returns how much a name differs from the typed words; empty if the name is not near. It is near
/// if at least half of the typed letters are in words that resemble a word of the name.
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

struct NameCondition {
    const char* field;
    std::string words;
    store::NameKind kind;
    std::vector<store::GameColumn> columns;
};

/// Returns the filter's conditions on names.
std::vector<NameCondition> name_conditions(const GameFilter& filter) {
    using enum store::GameColumn;
    using store::NameKind;
    std::vector<NameCondition> conditions{
        {"white", filter.white, NameKind::kPlayer, {kWhite}},
        {"black", filter.black, NameKind::kPlayer, {kBlack}},
        {"player", filter.player, NameKind::kPlayer, {kWhite, kBlack}},
        {"player", filter.opponent, NameKind::kPlayer, {kWhite, kBlack}},
        {"event", filter.event, NameKind::kEvent, {kEvent}},
        {"event", base::fold(filter.event_named), NameKind::kEvent, {kEvent}},
        {"site", filter.site, NameKind::kSite, {kSite}},
        {"opening", filter.opening, NameKind::kOpening, {kOpening}}};
    std::erase_if(conditions, [](const NameCondition& each) { return each.words.empty(); });
    return conditions;
}

/// Calls visit(game, codes of the condition's columns) for each game. `games` must be ascending.
template <typename Visit>
void for_each_codes(store::LocalReader& reader, const NameCondition& condition,
                    std::span<const std::uint32_t> games, base::StopCheck& stop, Visit visit) {
    std::array<std::array<std::uint32_t, codec::kGamesPerChunk>, 2> columns;
    while (!games.empty()) {
        stop();
        const GameId first = games.front();
        const std::span<const std::uint32_t> of_chunk =
            store::take_games_before(store::end_of_chunk(first), games);
        const std::size_t range = of_chunk.back() - first + 1;
        for (std::size_t i = 0; i < condition.columns.size(); ++i) {
            reader.column(condition.columns[i], first, std::span(columns[i]).first(range));
        }
        for (const std::uint32_t game : of_chunk) {
            std::array<std::uint32_t, 2> codes{};
            for (std::size_t i = 0; i < condition.columns.size(); ++i) {
                codes[i] = columns[i][game - first];
            }
            // A game of a player against himself is one game.
            if (codes[0] == codes[1]) codes[1] = codec::kNoCode;
            visit(GameId{game}, codes);
        }
    }
}

/// Calls visit(site) for each added game whose site fits. These sites are stored as texts of their
/// games, not as names with ids. The games are read in batches.
template <typename Visit>
class SiteTexts {
  public:
    SiteTexts(store::LocalReader& reader, const base::NameWords& typed, Visit visit)
        : reader_(reader), typed_(typed), visit_(std::move(visit)) {}

    void add(GameId game) {
        games_.push_back(game);
        if (games_.size() == codec::kGamesPerChunk) read();
    }
    void read() {
        reader_.headers(games_, [&](const store::GameHeader& header) {
            if (header.site && typed_.fit(base::fold(*header.site))) visit_(*header.site);
        });
        games_.clear();
    }

  private:
    store::LocalReader& reader_;
    const base::NameWords& typed_;
    Visit visit_;
    std::vector<GameId> games_;
};

/// A name that is near a condition's words.
struct NearName {
    std::string name;
    unsigned unlike = 0;
    std::uint64_t games = 0;
};

std::vector<std::uint32_t> numbers_of_games(store::LocalReader& reader) {
    std::vector<std::uint32_t> numbers;
    for (store::GameId game = 1; game <= reader.last_game(); ++game) {
        if (reader.has_game(game)) numbers.push_back(static_cast<std::uint32_t>(game));
    }
    return numbers;
}

/// Returns the names that are near a condition; std::nullopt if a name meets the condition.
std::optional<std::vector<NearName>> near_if_unmet(store::LocalReader& reader,
                                                   const NameCondition& condition,
                                                   base::StopCheck& stop) {
    const base::NameWords typed(condition.words);
    std::unordered_map<std::uint32_t, NearName> candidates;  // by code
    bool met = false;
    reader.for_each_name(condition.kind, [&](std::int64_t id, std::string_view name) {
        stop();
        if (met) return;
        const std::string folded = base::fold(name);
        met = typed.fit(folded);
        const std::optional<unsigned> unlike = met ? std::nullopt : unlikeness(typed, folded);
        if (unlike) candidates[codec::code_of_id(id)] = {std::string(name), *unlike, 0};
    });
    if (met) return std::nullopt;
    std::vector<NearName> near;
    const bool sites = condition.kind == store::NameKind::kSite;
    if (candidates.empty() && !sites) return near;
    const std::vector<std::uint32_t> games = numbers_of_games(reader);
    SiteTexts texts(reader, typed, [&](std::string_view) { met = true; });
    for_each_codes(reader, condition, games, stop, [&](GameId game, const auto& codes) {
        for (const std::uint32_t code : codes) {
            if (sites && code == codec::kCodeInRow) texts.add(game);
            const auto found = candidates.find(code);
            if (found != candidates.end()) ++found->second.games;
        }
    });
    texts.read();
    if (met) return std::nullopt;
    for (auto& [code, candidate] : candidates) {
        if (candidate.games != 0) near.push_back(std::move(candidate));
    }
    return near;
}

/// Merges equal names of several databases and adds up their games.
void join_names(std::vector<NearName>& near) {
    std::ranges::sort(near, {}, &NearName::name);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < near.size(); ++i) {
        if (near[i].name == near[kept].name) {
            near[kept].games += near[i].games;
        } else if (++kept != i) {
            near[kept] = std::move(near[i]);
        }
    }
    if (!near.empty()) near.resize(kept + 1);
}

/// Returns the condition if no name of these databases meets it; else empty.
std::optional<UnmetName> unmet(std::span<store::StoreReader* const> readers,
                               const NameCondition& condition, base::StopCheck& stop) {
    std::vector<NearName> near;
    for (store::StoreReader* const reader : readers) {
        std::optional<std::vector<NearName>> more =
            near_if_unmet(require(*reader, store::Capability::kSimilarNameScan), condition, stop);
        if (!more) return std::nullopt;
        near.insert(near.end(), std::move_iterator(more->begin()), std::move_iterator(more->end()));
    }
    if (readers.size() > 1) join_names(near);
    std::ranges::sort(near, [](const NearName& a, const NearName& b) {
        return std::tie(a.unlike, b.games, a.name) < std::tie(b.unlike, a.games, b.name);
    });
    // Keep only names that lack no more words than the nearest one does.
    if (!near.empty()) {
        const unsigned lacking = near.front().unlike / kUnlike;
        std::erase_if(near, [&](const NearName& each) { return each.unlike / kUnlike > lacking; });
    }
    near.resize(std::min(near.size(), kMostNear));
    UnmetName out{condition.field, condition.words, {}};
    for (NearName& each : near) out.near.push_back({std::move(each.name), each.games});
    return out;
}

}  // namespace

std::vector<UnmetName> unmet_names(std::span<store::StoreReader* const> readers,
                                   const GameFilter& filter, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    std::vector<UnmetName> out;
    for (const NameCondition& condition : name_conditions(filter)) {
        if (std::optional<UnmetName> name = unmet(readers, condition, check)) {
            out.push_back(std::move(*name));
        }
    }
    return out;
}

std::vector<MetNames> met_names(store::StoreReader& any_reader, const GameFilter& filter,
                                std::span<const store::GameId> games) {
    store::LocalReader& reader = require(any_reader, store::Capability::kSimilarNameScan);
    std::vector<MetNames> out;
    base::StopCheck stop({});
    const std::vector<std::uint32_t> numbers(games.begin(), games.end());
    for (const NameCondition& condition : name_conditions(filter)) {
        const base::NameWords typed(condition.words);
        MetNames names{condition.field, condition.words, {}};
        std::unordered_map<std::uint32_t, std::uint64_t> met;  // games of a code
        const std::vector<std::uint32_t> codes =
            store::codes_with_words(reader, condition.kind, typed, stop);
        const bool sites = condition.kind == store::NameKind::kSite;
        SiteTexts texts(reader, typed, [&](std::string_view site) {
            names.names.push_back({std::string(site), 1});
        });
        for_each_codes(reader, condition, numbers, stop, [&](GameId game, const auto& of_game) {
            for (const std::uint32_t code : of_game) {
                if (sites && code == codec::kCodeInRow) texts.add(game);
                if (std::ranges::binary_search(codes, code)) ++met[code];
            }
        });
        texts.read();
        for (const auto& [code, of_name] : met) {
            const auto id = codec::id_of_code(code);
            auto name = id ? reader.name(condition.kind, *id) : std::nullopt;
            if (name) names.names.push_back({std::move(*name), of_name});
        }
        std::ranges::sort(names.names, [](const NameCount& a, const NameCount& b) {
            return a.games != b.games ? a.games > b.games : a.name < b.name;
        });
        out.push_back(std::move(names));
    }
    return out;
}

}  // namespace fendex::query
