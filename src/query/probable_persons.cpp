#include "query/probable_persons.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/name_fit.hpp"
#include "base/name_sound.hpp"
#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "codec/game_codes.hpp"
#include "query/fide_numbers.hpp"
#include "store/column_scan.hpp"
#include "store/joined_names.hpp"
#include "store/records.hpp"

namespace fendex::query {

namespace {

using Code = std::uint32_t;  // of a player (codec/game_codes.hpp)

/// A word of fewer letters is an initial, not a last name.
constexpr std::size_t kLastNameLetters = 3;
/// Of more names with one last name and initial, only neighbours in their order are compared.
constexpr std::size_t kMostInGroup = 1500;
constexpr std::size_t kNeighbours = 20;
/// A FIDE number that more names have is not one person's.
constexpr std::size_t kMostOfNumber = 20;
/// An abbreviation is compared with so many fuller names to find out if it could be several.
constexpr std::size_t kMostFuller = 20;
constexpr std::size_t kMostLetters = 99;

// Scores of names that are alike, before the games are looked at.
constexpr int kSameNumber = 95;
constexpr int kSameWords = 85;
constexpr int kSameSound = 75;
constexpr int kFewerNames = 70;
constexpr int kAbbreviated[] = {50, 60, 68};  // by the letters of the shortest initial
constexpr int kMistyped = 60;
constexpr int kOnlyLastName = 20;
// What games add and subtract.
constexpr int kMostForOpponents = 12;
constexpr int kSameYears = 5;
constexpr int kSameRating = 6;
constexpr int kSeveralFit = -25;
constexpr int kYearsApart = -20;
constexpr int kLivesApart = -45;
constexpr int kRatingsApart = -40;
constexpr int kMet = -60;
constexpr int kOtherNumber = -80;
constexpr int kLeastScore = 10;
constexpr int kMostScore = 99;

constexpr std::uint32_t kFewYears = 15;
constexpr std::uint32_t kManyYears = 40;
constexpr double kNearRatings = 100;
constexpr double kFarRatings = 400;

/// A way to read a name: which word is the last name.
struct Reading {
    Code code = 0;
    std::string last;                   // its sound
    char initial = 0;                   // 0: there are no given names
    std::vector<base::NameWord> given;  // in their order
    std::string words;                  // all folded words, sorted
};

struct NameLikeness {
    int score = 0;
    std::string reason;
};

/// Returns the readings of a name. A name without a comma may begin or end with the last name.
std::vector<Reading> readings_of(Code code, std::string_view name) {
    const std::string folded = base::folded_in_latin(name);
    std::vector<std::string_view> words = base::words_of(folded);
    std::vector<std::string_view> sorted = words;
    std::ranges::sort(sorted);
    std::string all;
    for (const std::string_view word : sorted) all.append(word).append(" ");
    std::vector<Reading> out;
    const auto add = [&](std::string_view last, std::span<const std::string_view> given) {
        if (last.size() < kLastNameLetters) return;
        std::string sound;
        for (const std::string_view word : base::words_of(last)) sound += base::sound_of(word);
        Reading reading{code, std::move(sound), 0, {given.begin(), given.end()}, all};
        if (given.empty()) {
            out.push_back(std::move(reading));
            return;
        }
        // "Evgeny" and "Yevgeny" have one initial as they sound, "Ian" and "I." as they are
        // spelled.
        const base::NameWord& first = reading.given.front();
        for (const char initial : std::set{first.text.front(), first.sound.front()}) {
            reading.initial = initial;
            out.push_back(reading);
        }
    };
    if (const std::size_t comma = name.find(','); comma != std::string_view::npos) {
        const std::string last = base::folded_in_latin(name.substr(0, comma));
        const std::string given = base::folded_in_latin(name.substr(comma + 1));
        add(last, base::words_of(given));
        return out;
    }
    if (words.empty()) return out;
    const std::span<const std::string_view> span(words);
    add(words.back(), span.first(words.size() - 1));
    if (words.size() > 1) add(words.front(), span.subspan(1));
    return out;
}

/// Returns how two readings with the same last name are alike; empty if they are not. Each given
/// name of the one with fewer must begin one of the other, or the other way round.
std::optional<NameLikeness> likeness(const Reading& a, const Reading& b) {
    if (a.words == b.words) return NameLikeness{kSameWords, "the same words"};
    if (a.given.empty() && b.given.empty()) {
        return NameLikeness{kSameSound, "names that sound alike"};
    }
    const auto& [fewer, more] = a.given.size() <= b.given.size() ? std::tie(a, b) : std::tie(b, a);
    if (fewer.given.empty()) return NameLikeness{kOnlyLastName, "only a last name"};
    std::vector<bool> taken(more.given.size());
    std::size_t shortest = kMostLetters;
    base::WordFit worst = base::WordFit::kSame;
    bool is_initial_in_more = false;
    for (const base::NameWord& one : fewer.given) {
        std::size_t best = taken.size();
        base::WordFit best_fit = base::WordFit::kOther;
        for (std::size_t i = 0; i < taken.size(); ++i) {
            if (taken[i]) continue;
            const base::WordFit fit = base::words_fit(one, more.given[i]);
            if (fit <= best_fit) continue;
            best = i;
            best_fit = fit;
        }
        if (best == taken.size()) return std::nullopt;
        taken[best] = true;
        worst = std::min(worst, best_fit);
        if (best_fit == base::WordFit::kShortened && one.text != more.given[best].text) {
            shortest = std::min({shortest, one.text.size(), more.given[best].text.size()});
            is_initial_in_more |= more.given[best].text.size() == 1;
        }
    }
    if (shortest != kMostLetters) {
        // "Raul R" is not "Rodney": his first name is written out.
        for (std::size_t i = 0; is_initial_in_more && i < taken.size(); ++i) {
            if (!taken[i] && more.given[i].text.size() >= kLastNameLetters) return std::nullopt;
        }
        const std::size_t letters = std::clamp<std::size_t>(shortest, 1, 3);
        return NameLikeness{kAbbreviated[letters - 1], "an abbreviated first name"};
    }
    if (worst == base::WordFit::kMistyped) return NameLikeness{kMistyped, "other letters"};
    if (fewer.given.size() != more.given.size())
        return NameLikeness{kFewerNames, "fewer first names"};
    return NameLikeness{kSameSound, "names that sound alike"};
}

/// The number of letters of a name's given names.
std::size_t letters_of(const Reading& reading) {
    std::size_t letters = 0;
    for (const base::NameWord& each : reading.given) letters += each.text.size();
    return letters;
}

struct NamePair {
    Code name = 0;
    Code canonical = 0;
    NameLikeness likeness;
    bool several = false;      // the name could be several of the others
    std::uint64_t number = 0;  // the FIDE number of both; 0: unknown
    bool other_number = false;
};

/// What games tell of a name.
struct Evidence {
    std::vector<Code> opponents;  // sorted, each once
    struct Ratings {
        std::uint64_t sum = 0;
        std::uint32_t games = 0;
        [[nodiscard]] double mean() const { return static_cast<double>(sum) / games; }
    };
    std::map<std::uint32_t, Ratings> years;  // 0: unknown year
    std::uint64_t games = 0;

    [[nodiscard]] std::uint32_t first_year() const {
        const auto first = years.upper_bound(0);
        return first == years.end() ? 0 : first->first;
    }
    [[nodiscard]] std::uint32_t last_year() const {
        return years.empty() ? 0 : years.rbegin()->first;
    }
    [[nodiscard]] std::uint32_t rating() const {
        Ratings all;
        for (const auto& [year, each] : years) {
            all.sum += each.sum;
            all.games += each.games;
        }
        return all.games == 0 ? 0 : static_cast<std::uint32_t>(std::lround(all.mean()));
    }
};

class Search {
  public:
    Search(store::LocalReader& reader, std::stop_token stop)
        : reader_(reader),
          stop_(std::move(stop)),
          check_(stop_),
          joined_(store::JoinedNames::of(reader, store::NameKind::kPlayer)),
          numbers_(reader, check_) {}

    std::vector<ProbablePerson> run() {
        count_games();
        read_names();
        pair_names();
        pair_numbers();
        keep_best();
        read_evidence();
        return judged();
    }

  private:
    void count_games() {
        store::ColumnScan scan(reader_, {}, {store::GameColumn::kWhite, store::GameColumn::kBlack},
                               stop_);
        games_.resize(joined_->end_of_codes());
        while (scan.next()) {
            for (const std::size_t column : {0U, 1U}) {
                for (const std::uint32_t place : scan.places()) {
                    const Code code = joined_->canonical(scan.values(column)[place]);
                    if (code >= games_.size()) games_.resize(2 * std::size_t{code} + 1);
                    ++games_[code];
                }
            }
        }
    }

    [[nodiscard]] std::uint32_t games(Code code) const {
        return code < games_.size() ? games_[code] : 0;
    }

    void read_names() {
        reader_.for_each_name(store::NameKind::kPlayer,
                              [&](std::int64_t id, std::string_view name) {
                                  check_();
                                  const Code code = codec::code_of_id(id);
                                  if (code == codec::kCodeInRow || games(code) == 0) return;
                                  for (Reading& each : readings_of(code, name))
                                      readings_.push_back(std::move(each));
                              });
        std::ranges::sort(readings_, [](const Reading& a, const Reading& b) {
            return std::tie(a.last, a.initial, a.words, a.code) <
                   std::tie(b.last, b.initial, b.words, b.code);
        });
    }

    /// Compares the names of each last name and initial, and those without a first name.
    void pair_names() {
        for (auto first = readings_.begin(); first != readings_.end();) {
            const auto end = std::find_if(first, readings_.end(), [&](const Reading& each) {
                return each.last != first->last;
            });
            const auto with_given =
                std::find_if(first, end, [](const Reading& each) { return !each.given.empty(); });
            pair_group({first, with_given}, {first, end});
            for (auto group = with_given; group != end;) {
                const char initial = group->initial;
                const auto next = std::find_if(
                    group, end, [&](const Reading& each) { return each.initial != initial; });
                pair_group({group, next}, {group, next});
                group = next;
            }
            first = end;
        }
    }

    /// Compares each of `ones` with the readings of `group` after it. `ones` are the first of them.
    void pair_group(std::span<const Reading> ones, std::span<const Reading> group) {
        const std::size_t most = group.size() > kMostInGroup ? kNeighbours : group.size();
        for (std::size_t i = 0; i < ones.size(); ++i) {
            check_();
            for (std::size_t j = i + 1; j < std::min(group.size(), i + 1 + most); ++j) {
                if (group[i].code == group[j].code) continue;
                if (auto alike = likeness(group[i], group[j])) {
                    add_pair(group[i], group[j], std::move(*alike));
                }
            }
        }
    }

    void add_pair(const Reading& a, const Reading& b, NameLikeness alike) {
        const std::size_t of_a = letters_of(a);
        const std::size_t of_b = letters_of(b);
        const bool a_is_canonical =
            of_a != of_b && alike.score < kSameSound ? of_a > of_b : is_first(a.code, b.code);
        const auto& [name, canonical] = a_is_canonical ? std::tie(b, a) : std::tie(a, b);
        if (alike.score < kFewerNames) fuller_[name.code].push_back(&canonical);
        pairs_.push_back({name.code, canonical.code, std::move(alike)});
    }
    [[nodiscard]] bool is_first(Code a, Code b) const {
        return games(a) != games(b) ? games(a) > games(b) : a < b;
    }

    /// Adds the pairs of names that have the same FIDE number, however they are spelled.
    void pair_numbers() {
        std::map<std::uint64_t, std::vector<Code>> names;
        for (const auto& each : numbers_.players())
            names[numbers_.most_frequent(each.first)].push_back(each.first);
        for (auto& [number, codes] : names) {
            if (codes.size() > kMostOfNumber) continue;
            std::ranges::sort(codes, [&](Code a, Code b) { return is_first(a, b); });
            for (std::size_t i = 1; i < codes.size(); ++i) {
                pairs_.push_back({codes[i], codes.front(), {kSameNumber, ""}});
            }
        }
    }

    /// Keeps each pair once, with its highest score.
    void keep_best() {
        for (NamePair& pair : pairs_) {
            const std::uint64_t one = numbers_.most_frequent(pair.name);
            const std::uint64_t other = numbers_.most_frequent(pair.canonical);
            if (one == 0 || other == 0) continue;
            pair.other_number = one != other;
            if (one == other) pair.number = one;
        }
        std::ranges::sort(pairs_, [](const NamePair& a, const NamePair& b) {
            const auto key = [](const NamePair& each) {
                return std::tuple(std::min(each.name, each.canonical),
                                  std::max(each.name, each.canonical), -each.likeness.score,
                                  each.name);
            };
            return key(a) < key(b);
        });
        const auto same = [](const NamePair& a, const NamePair& b) {
            return std::minmax(a.name, a.canonical) == std::minmax(b.name, b.canonical);
        };
        pairs_.erase(std::unique(pairs_.begin(), pairs_.end(), same), pairs_.end());
        for (NamePair& pair : pairs_) pair.several = could_be_several(pair.name);
    }

    /// Returns whether an abbreviated name fits two fuller ones that are not one person.
    [[nodiscard]] bool could_be_several(Code name) const {
        const auto found = fuller_.find(name);
        if (found == fuller_.end()) return false;
        const std::size_t most = std::min(found->second.size(), kMostFuller);
        for (std::size_t i = 0; i < most; ++i) {
            for (std::size_t j = i + 1; j < most; ++j) {
                const Reading& a = *found->second[i];
                const Reading& b = *found->second[j];
                if (a.code != b.code && !likeness(a, b)) return true;
            }
        }
        return false;
    }

    void read_evidence() {
        using enum store::GameColumn;
        for (const NamePair& pair : pairs_) {
            evidence_[pair.name];
            evidence_[pair.canonical];
        }
        store::ColumnScan scan(reader_, {}, {kWhite, kBlack, kDate, kWhiteElo, kBlackElo}, stop_);
        while (scan.next()) {
            for (const std::uint32_t place : scan.places()) {
                const auto value = [&](std::size_t column) { return scan.values(column)[place]; };
                const Code white = joined_->canonical(value(0));
                const Code black = joined_->canonical(value(1));
                add(white, black, value(2), value(3));
                if (black != white) add(black, white, value(2), value(4));
            }
        }
        for (auto& [code, each] : evidence_) {
            std::ranges::sort(each.opponents);
            each.opponents.erase(std::unique(each.opponents.begin(), each.opponents.end()),
                                 each.opponents.end());
        }
    }
    void add(Code player, Code opponent, std::uint32_t date, std::uint32_t rating) {
        const auto found = evidence_.find(player);
        if (found == evidence_.end()) return;
        Evidence& evidence = found->second;
        ++evidence.games;
        if (opponent > codec::kCodeInRow) evidence.opponents.push_back(opponent);
        Evidence::Ratings& year = evidence.years[codec::Date(date).year()];
        if (rating == 0) return;
        year.sum += rating;
        ++year.games;
    }

    std::vector<ProbablePerson> judged() {
        std::vector<ProbablePerson> out;
        for (const NamePair& pair : pairs_) {
            if (auto person = judged(pair)) out.push_back(std::move(*person));
        }
        std::ranges::sort(out, [](const ProbablePerson& a, const ProbablePerson& b) {
            const auto games = [](const ProbablePerson& each) {
                return each.name.games + each.canonical.games;
            };
            return std::tuple(b.score, games(b), a.canonical.name, a.name.name) <
                   std::tuple(a.score, games(a), b.canonical.name, b.name.name);
        });
        return out;
    }

    std::optional<ProbablePerson> judged(const NamePair& pair) {
        const Evidence& one = evidence_.at(pair.name);
        const Evidence& other = evidence_.at(pair.canonical);
        ProbablePerson out;
        int score = pair.number != 0 ? kSameNumber : pair.likeness.score;
        out.reason = pair.likeness.reason;
        if (pair.number != 0) {
            out.reason +=
                (out.reason.empty() ? "" : "; ") + ("FIDE number " + std::to_string(pair.number));
        }
        const auto against = [&](int less, const std::string& what) {
            score += less;
            out.against += (out.against.empty() ? "" : "; ") + what;
        };
        if (pair.other_number) against(kOtherNumber, "other FIDE numbers");
        if (pair.several && pair.number == 0) against(kSeveralFit, "the name fits others");
        if (std::ranges::binary_search(one.opponents, pair.canonical)) {
            against(kMet, "they played each other");
        }
        judge_years(one, other, score, against);
        judge_ratings(one, other, score, against);
        std::vector<Code> common;
        std::ranges::set_intersection(one.opponents, other.opponents, std::back_inserter(common));
        out.common_opponents = common.size();
        if (!common.empty()) {
            const std::size_t fewer = std::min(one.opponents.size(), other.opponents.size());
            score += 3 + static_cast<int>((kMostForOpponents - 3) * common.size() / fewer);
        }
        if (score < kLeastScore) return std::nullopt;
        out.score = static_cast<unsigned>(std::min(score, kMostScore));
        out.name = player(pair.name, one);
        out.canonical = player(pair.canonical, other);
        return out;
    }

    template <typename Against>
    static void judge_years(const Evidence& one, const Evidence& other, int& score,
                            Against against) {
        if (one.last_year() == 0 || other.last_year() == 0) return;
        const auto& [earlier, later] =
            one.first_year() <= other.first_year() ? std::tie(one, other) : std::tie(other, one);
        if (later.first_year() <= earlier.last_year() + 1) {
            score += kSameYears;
            return;
        }
        const std::uint32_t apart = later.first_year() - earlier.last_year();
        if (apart > kFewYears) {
            against(apart > kManyYears ? kLivesApart : kYearsApart,
                    std::to_string(apart) + " years between their games");
        }
    }

    template <typename Against>
    static void judge_ratings(const Evidence& one, const Evidence& other, int& score,
                              Against against) {
        double nearest = kFarRatings;
        double farthest = 0;
        std::uint32_t farthest_year = 0;
        for (const auto& [year, ratings] : one.years) {
            const auto found = other.years.find(year);
            if (year == 0 || ratings.games == 0 || found == other.years.end() ||
                found->second.games == 0) {
                continue;
            }
            const double apart = std::abs(ratings.mean() - found->second.mean());
            nearest = std::min(nearest, apart);
            if (apart <= farthest) continue;
            farthest = apart;
            farthest_year = year;
        }
        if (farthest >= kFarRatings) {
            against(kRatingsApart, "ratings " + std::to_string(static_cast<int>(farthest)) +
                                       " apart in " + std::to_string(farthest_year));
        } else if (nearest <= kNearRatings) {
            score += kSameRating;
        }
    }

    [[nodiscard]] NamedPlayer player(Code code, const Evidence& evidence) {
        std::optional<std::string> name =
            reader_.name(store::NameKind::kPlayer, *codec::id_of_code(code));
        return {name ? std::move(*name) : std::string(), evidence.games, evidence.first_year(),
                evidence.last_year(), evidence.rating()};
    }

    store::LocalReader& reader_;
    std::stop_token stop_;
    base::StopCheck check_;
    std::shared_ptr<const store::JoinedNames> joined_;
    std::vector<std::uint32_t> games_;  // by code
    std::vector<Reading> readings_;
    FideNumbers numbers_;
    std::unordered_map<Code, std::vector<const Reading*>> fuller_;
    std::vector<NamePair> pairs_;
    std::unordered_map<Code, Evidence> evidence_;
};

}  // namespace

std::vector<ProbablePerson> probable_persons(store::StoreReader& reader, std::stop_token stop) {
    return Search(require(reader, store::Capability::kPlayerScan), std::move(stop)).run();
}

}  // namespace fendex::query
