#include "query/alike_names.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "base/key_text.hpp"
#include "base/name_fit.hpp"
#include "base/name_sound.hpp"
#include "base/text_fold.hpp"
#include "codec/game_codes.hpp"
#include "store/games_of_players.hpp"
#include "store/joined_names.hpp"
#include "store/name_index.hpp"

namespace fendex::query {

namespace {

using base::NameFit;
using base::NameWord;
using base::NameWords;
using base::PersonName;
using store::NameKind;

using Codes = std::vector<std::uint32_t>;

/// Returns the words of a name's last name: those before the comma or, without a comma, the first
/// and the last word.
std::vector<NameWord> last_names_of(std::string_view name) {
    const std::size_t comma = name.find(',');
    const std::string folded = base::folded_in_latin(name.substr(0, comma));
    std::vector<std::string_view> words = base::words_of(folded);
    if (comma == std::string_view::npos && words.size() > 2) words = {words.front(), words.back()};
    return {words.begin(), words.end()};
}

/// Some names, prepared for comparisons with many others.
class Persons {
  public:
    explicit Persons(std::span<const std::string> names) {
        // A last name alone would be like all names with that last name.
        const bool all_bare = std::ranges::all_of(names, is_bare);
        for (const std::string& name : names) {
            if (is_bare(name) && !all_bare) continue;
            persons_.emplace_back(name);
            for (NameWord& word : last_names_of(name)) {
                if (word.sound.empty()) continue;
                first_sounds_ += word.sound.front();
                const bool known =
                    std::ranges::find(last_names_, word.text, &NameWord::text) != last_names_.end();
                if (!known) last_names_.push_back(std::move(word));
            }
        }
    }

    /// Returns whether a word with these first letters may be like a last name.
    [[nodiscard]] bool may_begin(std::string_view pair) const {
        return base::may_sound_like(pair, first_sounds_);
    }
    [[nodiscard]] bool are_like(std::string_view folded) const {
        const auto is_last_name = [&](std::string_view word) { return this->is_last_name(word); };
        if (!std::ranges::any_of(base::words_of(folded), is_last_name)) return false;
        const PersonName other(folded);
        return std::ranges::any_of(persons_, [&](const PersonName& each) {
            return names_fit(each, other) >= NameFit::kNear;
        });
    }

  private:
    static bool is_bare(const std::string& name) {
        return base::words_of(base::fold(name)).size() < 2;
    }

    /// Returns whether a word may be a last name, or a part of one.
    bool is_last_name(std::string_view word) const {
        const std::string latin = base::in_latin_letters(word);
        // Most words of most names begin with another sound.
        if (first_sounds_.find(base::first_sound(latin)) == std::string::npos) return false;
        const NameWord other(latin);
        return std::ranges::any_of(last_names_, [&](const NameWord& each) {
            return each.sound.front() == other.sound.front() &&
                   words_fit(each, other) != base::WordFit::kOther;
        });
    }

    std::vector<PersonName> persons_;
    std::vector<NameWord> last_names_;
    std::string first_sounds_;  // of the last names
};

}  // namespace

store::LikeNames like_names(std::span<const std::string> names) {
    base::KeyText key("spellings");
    for (const std::string& name : names) key.add(name);
    const auto persons = std::make_shared<const Persons>(names);
    return {key.text(), [persons](std::string_view pair) { return persons->may_begin(pair); },
            [persons](std::string_view folded) { return persons->are_like(folded); }};
}

namespace {

/// A condition of a filter on players.
struct PlayerCondition {
    std::string typed;
    bool is_exact = false;
    std::vector<store::GameColumn> columns;
    GameFilter others;  // the filter's other conditions
};

std::vector<PlayerCondition> player_conditions(const GameFilter& filter) {
    using enum store::GameColumn;
    std::vector<PlayerCondition> out;
    const auto add = [&](std::string GameFilter::*member, bool is_exact,
                         std::vector<store::GameColumn> columns) {
        if ((filter.*member).empty()) return;
        out.push_back({filter.*member, is_exact, std::move(columns), filter});
        (out.back().others.*member).clear();
    };
    add(&GameFilter::white, false, {kWhite});
    add(&GameFilter::black, false, {kBlack});
    add(&GameFilter::white_named, true, {kWhite});
    add(&GameFilter::black_named, true, {kBlack});
    add(&GameFilter::player, false, {kWhite, kBlack});
    add(&GameFilter::opponent, false, {kWhite, kBlack});
    for (PlayerCondition& each : out) {
        // An opponent without a player is no condition.
        if (each.others.player.empty()) std::swap(each.others.player, each.others.opponent);
    }
    return out;
}

/// A database, and the codes of the players that a condition takes.
struct Taken {
    store::LocalReader* reader;
    Codes codes;
};

std::string name_of(store::LocalReader& reader, std::uint32_t code) {
    return reader.name(NameKind::kPlayer, *codec::id_of_code(code)).value_or("");
}

/// Returns in how many games that fit the other conditions each of these players, under any of the
/// joined names, has one of the colours.
std::map<std::uint32_t, std::uint64_t> count_games(store::LocalReader& reader,
                                                   const PlayerCondition& condition,
                                                   const Codes& codes,
                                                   const std::stop_token& stop) {
    const auto joined = store::JoinedNames::of(reader, NameKind::kPlayer);
    std::map<std::uint32_t, std::uint64_t> counts;
    store::ColumnScan scan =
        store::scan_games_of(reader, codes, condition.others, condition.columns, stop);
    while (scan.next()) {
        for (const std::uint32_t place : scan.places()) {
            std::set<std::uint32_t> players;  // a game of a player against himself counts once
            for (std::size_t column = 0; column < condition.columns.size(); ++column) {
                const std::uint32_t code = scan.values(column)[place];
                if (std::ranges::binary_search(codes, code))
                    players.insert(joined->canonical(code));
            }
            for (const std::uint32_t player : players) ++counts[player];
        }
    }
    return counts;
}

/// A condition, and the players that it takes.
class AlikeOfCondition {
  public:
    AlikeOfCondition(PlayerCondition condition, std::span<store::StoreReader* const> readers,
                     std::stop_token stop)
        : condition_(std::move(condition)), stop_(std::move(stop)), check_(stop_) {
        std::size_t players = 0;
        for (store::StoreReader* const reader : readers) {
            store::LocalReader* const local = reader->local();
            if (local == nullptr) continue;
            taken_.push_back({local, codes_taken(*local)});
            const auto joined = store::JoinedNames::of(*local, NameKind::kPlayer);
            for (const std::uint32_t code : taken_.back().codes) {
                if (joined->canonical(code) == code) ++players;
            }
        }
        if (players <= kMostCompared * taken_.size()) read_names();
    }

    /// Returns the names that are taken in any database, the longest first; none if they are too
    /// many to be compared.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    /// Returns the names that are left out.
    std::map<std::string, AlikeName> left_out() {
        std::map<std::string, AlikeName> out;
        if (names_.empty()) return out;
        for (const Taken& taken : taken_) {
            Codes codes;
            std::ranges::set_difference(
                store::codes_like(*taken.reader, NameKind::kPlayer, like_names(names_), check_),
                taken.codes, std::back_inserter(codes));
            if (codes.empty()) continue;
            for (const auto& [code, games] : count_games(*taken.reader, condition_, codes, stop_)) {
                const std::string name = name_of(*taken.reader, code);
                AlikeName& alike = out[name];
                if (alike.games == 0) alike = {name, 0, fullest_alike(name)};
                alike.games += games;
            }
        }
        return out;
    }

  private:
    Codes codes_taken(store::LocalReader& reader) {
        if (condition_.is_exact) return codes_of_player(reader, condition_.typed, check_);
        return store::codes_with_words(reader, NameKind::kPlayer,
                                       NameWords(base::fold(condition_.typed)), check_);
    }

    void read_names() {
        for (const Taken& taken : taken_) {
            for (const std::uint32_t code : taken.codes) {
                names_.push_back(name_of(*taken.reader, code));
            }
        }
        std::ranges::sort(names_, [](const std::string& a, const std::string& b) {
            return a.size() != b.size() ? a.size() > b.size() : a < b;
        });
        names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    }

    /// Returns the longest of the names taken that is like this one, else the longest.
    [[nodiscard]] std::string fullest_alike(const std::string& name) const {
        const PersonName other(name);
        const auto found = std::ranges::find_if(names_, [&](const std::string& each) {
            return names_fit(PersonName(each), other) >= NameFit::kNear;
        });
        return found == names_.end() ? names_.front() : *found;
    }

    PlayerCondition condition_;
    std::stop_token stop_;
    base::StopCheck check_;
    std::vector<Taken> taken_;
    std::vector<std::string> names_;
};

}  // namespace

std::vector<AlikeName> alike_names(std::span<store::StoreReader* const> readers,
                                   const GameFilter& filter, const std::stop_token& stop) {
    std::vector<AlikeOfCondition> conditions;
    for (PlayerCondition& each : player_conditions(filter)) {
        conditions.emplace_back(std::move(each), readers, stop);
    }
    std::map<std::string, AlikeName> names;
    for (AlikeOfCondition& condition : conditions) {
        std::map<std::string, AlikeName> left_out = condition.left_out();
        // What one condition leaves out, another may take.
        for (const AlikeOfCondition& other : conditions) {
            if (&other == &condition) continue;
            for (const std::string& name : other.names()) left_out.erase(name);
        }
        for (auto& [name, each] : left_out) {
            AlikeName& sum = names.try_emplace(name, AlikeName{name, 0, each.of}).first->second;
            sum.games += each.games;
        }
    }
    std::vector<AlikeName> out;
    out.reserve(names.size());
    for (auto& [name, alike] : names) out.push_back(std::move(alike));
    std::ranges::stable_sort(out, std::ranges::greater(), &AlikeName::games);
    return out;
}

}  // namespace fendex::query
