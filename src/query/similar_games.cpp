#include "query/similar_games.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/name_fit.hpp"
#include "base/stop_check.hpp"
#include "chess/zobrist.hpp"
#include "query/game_moves.hpp"
#include "query/same_game.hpp"
#include "store/game_identity.hpp"
#include "store/local_reader.hpp"
#include "store/record_sorter.hpp"

namespace fendex::query {

namespace {

using base::NameFit;
using base::PersonName;
using store::GameColumn;
using store::GameId;

/// Games are proposed by hashes of this many first plies. The two records of a game share the
/// longest of these beginnings that the shorter one has; that one's bucket compares them.
constexpr std::array<std::uint32_t, 4> kBeginnings{kFewestSharedPlies, 28, 40, 60};
/// Of a bucket with more games, each is compared with this many that follow it in the order of
/// White's names, of Black's, and of the moves.
constexpr std::size_t kMostNeighbours = 200;
/// Names that are kept in memory.
constexpr std::size_t kMostNames = 100'000;

/// A game that begins with the plies that the key is a hash of.
struct Beginning {
    std::uint64_t key = 0;
    std::uint64_t rest = 0;

    Beginning() = default;
    Beginning(std::uint64_t hash, std::uint64_t all_moves, GameId game, bool is_longest)
        : key(hash), rest(all_moves >> 33 << 33 | game << 1 | (is_longest ? 1 : 0)) {}
    GameId game() const { return rest >> 1 & 0xFFFF'FFFF; }
    /// Returns whether the game has none of the longer beginnings.
    bool is_longest() const { return (rest & 1) != 0; }
    /// Returns a part of the hash of all moves.
    std::uint64_t all_moves() const { return rest >> 33; }
};

/// A game of a bucket.
struct Member {
    GameId id = 0;
    bool is_longest = false;
    std::uint64_t all_moves = 0;
    codec::GameFacts facts;
    std::uint32_t white = 0;  // codes
    std::uint32_t black = 0;
    const PersonName* white_name = nullptr;
    const PersonName* black_name = nullptr;

    struct Content {
        std::string event;
        std::string site;
        std::string round;
        std::string start;
        Moves moves;
    };
    std::unique_ptr<Content>
        content;  // read when it is needed: a bucket may have millions of games

    auto spelling() const {
        return std::tuple(all_moves, white, black, facts.date.number(), facts.result, facts.plies);
    }
};

/// Two records of a game.
struct Pair {
    std::uint32_t first = 0;  // the lower number
    std::uint32_t second = 0;
    unsigned score = 0;

    std::uint64_t games() const { return std::uint64_t{first} << 32 | second; }
};

std::string known(std::optional<std::string_view> text) {
    return text && text->find_first_not_of("?.-* ") != std::string_view::npos ? std::string(*text)
                                                                              : std::string();
}

bool is_address(std::string_view site) { return site.find("://") != std::string_view::npos; }

/// Returns whether two rounds differ. "5" may be "5.1".
bool are_other_rounds(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty() || a == b) return false;
    const auto is_part = [](std::string_view whole, std::string_view part) {
        return whole.size() > part.size() && whole.starts_with(part) && whole[part.size()] == '.';
    };
    return !is_part(a, b) && !is_part(b, a);
}

bool are_other_results(codec::Result a, codec::Result b) {
    return a != b && a != codec::Result::kUnknown && b != codec::Result::kUnknown;
}

/// Finds the pairs of records of one game.
class PairFinder {
  public:
    PairFinder(store::LocalReader& reader, GameMatcher& matcher, const SortMemory& memory,
               std::stop_token stop)
        : reader_(reader),
          matcher_(matcher),
          stop_(std::move(stop)),
          sorter_(memory.bytes, 1, memory.directory) {}

    void find() {
        add_beginnings();
        sorter_.close();
        for (unsigned partition = 0; partition < sorter_.kPartitions; ++partition) {
            const std::vector<Beginning> sorted = sorter_.take(partition);
            for (std::size_t begin = 0; begin < sorted.size();) {
                std::size_t end = begin + 1;
                while (end < sorted.size() && sorted[end].key == sorted[begin].key) ++end;
                compare(std::span(sorted).subspan(begin, end - begin));
                begin = end;
            }
        }
    }
    /// Pairs of different spellings; a pair may be there twice.
    std::vector<Pair> pairs;
    /// For games with the moves, players, date and result of an earlier game, spelled alike: that
    /// game.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;

  private:
    void add_beginnings() {
        auto& feeder = sorter_.feeder(0);
        reader_.for_each_moves(1, [&](GameId id, const store::StoredMoves& stored) {
            stop_();
            const std::uint32_t plies = stored.facts.plies;
            if (plies < kFewestSharedPlies || !store::can_be_compared(stored.facts)) return true;
            if (!matcher_(id)) return true;
            const std::uint64_t all =
                store::hash_of_moves(stored.facts, stored.start, stored.moves);
            codec::GameFacts rules;
            rules.variant = stored.facts.variant;
            std::uint64_t hash = store::hash_of_moves(rules, stored.start, {});
            // The last ply may be wrong, so it counts only if the game would be too short.
            const auto longest = std::ranges::find_if(kBeginnings, [&](std::uint32_t length) {
                return length > std::max(plies - 1, kFewestSharedPlies);
            });
            auto next = kBeginnings.begin();
            replay::with_walk(id, stored, [&](auto& walk) {
                while (next != longest && !walk.at_end()) {
                    hash = chess::zobrist::mix(hash) + walk.next_move().bits();
                    walk.advance();
                    if (walk.ply() != *next) continue;
                    ++next;
                    feeder.add({chess::zobrist::mix(hash), all, id, next == longest});
                }
            });
            return true;
        });
    }

    void compare(std::span<const Beginning> bucket) {
        if (bucket.size() < 2) return;
        if (std::ranges::none_of(bucket, &Beginning::is_longest)) return;
        std::vector<Member> members;
        members.reserve(bucket.size());
        if (names_.size() > kMostNames) names_.clear();
        for (const Beginning& each : bucket) {
            stop_();
            Member member;
            member.id = each.game();
            member.is_longest = each.is_longest();
            member.all_moves = each.all_moves();
            member.facts = reader_.facts(member.id);
            reader_.column(GameColumn::kWhite, member.id, {&member.white, 1});
            reader_.column(GameColumn::kBlack, member.id, {&member.black, 1});
            members.push_back(std::move(member));
        }
        take_out_copies(members);
        if (members.size() < 2) return;
        for (Member& member : members) {
            member.white_name = &name_of(member.white);
            member.black_name = &name_of(member.black);
        }
        std::vector<Member*> order;
        for (Member& member : members) order.push_back(&member);
        compare_neighbours(order);
        if (order.size() <= kMostNeighbours) return;
        std::ranges::stable_sort(order, {}, [](const Member* each) -> const std::string& {
            return each->white_name->surname_sound();
        });
        compare_neighbours(order);
        std::ranges::stable_sort(order, {}, [](const Member* each) -> const std::string& {
            return each->black_name->surname_sound();
        });
        compare_neighbours(order);
    }

    /// Leaves one of the games that are spelled alike.
    void take_out_copies(std::vector<Member>& members) {
        std::ranges::stable_sort(members, {}, &Member::spelling);
        std::size_t kept = 0;
        for (std::size_t i = 1; i < members.size(); ++i) {
            if (members[i].spelling() == members[kept].spelling()) {
                if (members[i].is_longest) {
                    copies.emplace_back(static_cast<std::uint32_t>(members[kept].id),
                                        static_cast<std::uint32_t>(members[i].id));
                }
            } else if (++kept != i) {
                members[kept] = std::move(members[i]);
            }
        }
        members.resize(kept + 1);
    }

    void compare_neighbours(std::span<Member* const> order) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            stop_();
            const std::size_t end = std::min(order.size(), i + 1 + kMostNeighbours);
            for (std::size_t j = i + 1; j < end; ++j) compare(*order[i], *order[j]);
        }
    }

    void compare(Member& a, Member& b) {
        if (!a.is_longest && !b.is_longest) return;  // compared in another bucket
        const Member& shorter = a.facts.plies <= b.facts.plies ? a : b;
        HeaderFit headers;
        headers.drawn = shorter.facts.result == codec::Result::kDraw;
        headers.other_result = are_other_results(a.facts.result, b.facts.result);
        headers.date = dates_fit(a.facts.date, b.facts.date);
        // Most pairs end here, before names are compared and games are read.
        const auto is_too_short = [&] {
            const auto needed = plies_needed(headers, MovesFit::kSame);
            return !needed || shorter.facts.plies < *needed;
        };
        if (is_too_short()) return;
        headers.white = fit(a.white, *a.white_name, b.white, *b.white_name);
        headers.black = fit(a.black, *a.black_name, b.black, *b.black_name);
        if (is_too_short()) return;
        const Member::Content& of_a = content_of(a);
        const Member::Content& of_b = content_of(b);
        if (of_a.start != of_b.start || a.facts.variant != b.facts.variant) return;
        const auto shared = static_cast<std::uint32_t>(
            std::ranges::mismatch(of_a.moves, of_b.moves).in1 - of_a.moves.begin());
        const std::optional<MovesFit> moves = fit_of_moves(shared, a, b);
        if (!moves) return;
        headers.event =
            std::max(texts_fit(of_a.event, of_b.event), fit_of_sites(of_a.site, of_b.site));
        headers.other_round = are_other_rounds(of_a.round, of_b.round);
        headers.other_address =
            is_address(of_a.site) && is_address(of_b.site) && of_a.site != of_b.site;
        const auto needed = plies_needed(headers, *moves);
        if (!needed || shared < *needed) return;
        const auto [first, second] = std::minmax(a.id, b.id);
        pairs.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second),
                         certainty(shared, *needed)});
    }

    static NameFit fit(std::uint32_t code_a, const PersonName& a, std::uint32_t code_b,
                       const PersonName& b) {
        return code_a == code_b && !a.is_unknown() ? NameFit::kSame : names_fit(a, b);
    }

    /// Places that fit say as much as events, but other places say nothing.
    static TextFit fit_of_sites(std::string_view a, std::string_view b) {
        const TextFit sites = texts_fit(a, b);
        if (sites == TextFit::kUnknown || sites == TextFit::kOther) return TextFit::kOther;
        return is_address(a) && a != b ? TextFit::kOther : sites;
    }

    /// Returns how the moves end after so many shared plies.
    static std::optional<MovesFit> fit_of_moves(std::uint32_t shared, const Member& a,
                                                const Member& b) {
        const std::uint32_t shorter = std::min(a.facts.plies, b.facts.plies);
        if (shared == std::max(a.facts.plies, b.facts.plies)) return MovesFit::kSame;
        if (shared == shorter) return MovesFit::kCutShort;
        return shared + 1 == shorter ? std::optional(MovesFit::kOtherLastMove) : std::nullopt;
    }

    const Member::Content& content_of(Member& member) {
        if (member.content) return *member.content;
        store::GameHeader header;
        if (!reader_.header(member.id, header)) store::throw_no_game(member.id);
        member.content = std::make_unique<Member::Content>();
        Member::Content& content = *member.content;
        content.event = known(header.event);
        content.site = known(header.site);
        content.round = known(header.round);
        store::StoredMoves stored;
        if (!reader_.moves(member.id, stored)) store::throw_no_game(member.id);
        content.start = stored.start;
        content.moves = moves_of(member.id, stored, stored.facts.plies);
        return content;
    }

    const PersonName& name_of(std::uint32_t code) {
        std::unique_ptr<PersonName>& name = names_[code];
        if (!name) {
            const auto id = codec::id_of_code(code);
            const auto text = id ? reader_.name(store::NameKind::kPlayer, *id) : std::nullopt;
            name = std::make_unique<PersonName>(text.value_or(""));
        }
        return *name;
    }

    store::LocalReader& reader_;
    GameMatcher& matcher_;
    base::StopCheck stop_;
    store::RecordSorter<Beginning> sorter_;
    std::unordered_map<std::uint32_t, std::unique_ptr<PersonName>> names_;  // by code
};

/// Forms groups of pairs, the most certain first. All games of a group are paired with its first
/// one: a short record that begins two games must not make them one.
class Grouping {
  public:
    explicit Grouping(std::vector<Pair> pairs) : pairs_(std::move(pairs)) {
        std::ranges::sort(pairs_, [](const Pair& a, const Pair& b) {
            return std::tuple(a.games(), b.score) < std::tuple(b.games(), a.score);
        });
        pairs_.erase(
            std::unique(pairs_.begin(), pairs_.end(),
                        [](const Pair& a, const Pair& b) { return a.games() == b.games(); }),
            pairs_.end());
    }

    /// Adds the copies of games of groups, or groups of copies.
    std::vector<SimilarGames> groups(
        const std::vector<std::pair<std::uint32_t, std::uint32_t>>& copies) {
        std::vector<Pair> by_score = pairs_;
        std::ranges::stable_sort(by_score, std::greater<>(), &Pair::score);
        for (const Pair& pair : by_score) join(pair);
        for (const auto& [game, copy] : copies) {
            const auto group = group_of_.find(game);
            if (group != group_of_.end()) groups_[group->second].games.push_back(copy);
        }
        std::erase_if(groups_, [](const SimilarGames& each) { return each.games.empty(); });
        for (SimilarGames& each : groups_) std::ranges::sort(each.games);
        std::ranges::sort(groups_, {}, &SimilarGames::games);
        return std::move(groups_);
    }

  private:
    void join(const Pair& pair) {
        const auto first = group_of_.find(pair.first);
        const auto second = group_of_.find(pair.second);
        if (first == group_of_.end() && second == group_of_.end()) {
            group_of_[pair.first] = group_of_[pair.second] = groups_.size();
            groups_.push_back({{pair.first, pair.second}, pair.score});
        } else if (first == group_of_.end()) {
            add(pair.first, second->second, pair.score);
        } else if (second == group_of_.end()) {
            add(pair.second, first->second, pair.score);
        } else if (first->second != second->second) {
            merge(first->second, second->second, pair.score);
        }
    }

    void add(std::uint32_t game, std::size_t group, unsigned score) {
        if (!are_paired(game, groups_[group].games.front())) return;
        groups_[group].games.push_back(game);
        groups_[group].score = std::min(groups_[group].score, score);
        group_of_[game] = group;
    }

    void merge(std::size_t into, std::size_t from, unsigned score) {
        const GameId center = groups_[into].games.front();
        const bool paired = std::ranges::all_of(
            groups_[from].games, [&](GameId each) { return are_paired(each, center); });
        if (!paired) return;
        for (const GameId each : groups_[from].games) {
            groups_[into].games.push_back(each);
            group_of_[static_cast<std::uint32_t>(each)] = into;
        }
        groups_[into].score = std::min({groups_[into].score, groups_[from].score, score});
        groups_[from].games.clear();
    }

    bool are_paired(GameId a, GameId b) const {
        const auto [first, second] = std::minmax(a, b);
        return std::ranges::binary_search(pairs_, first << 32 | second, {}, &Pair::games);
    }

    std::vector<Pair> pairs_;  // by games
    std::unordered_map<std::uint32_t, std::size_t> group_of_;
    std::vector<SimilarGames> groups_;
};

}  // namespace

std::vector<SimilarGames> find_similar_games(store::StoreReader& reader, GameMatcher& matcher,
                                             const SortMemory& memory, std::stop_token stop) {
    PairFinder finder(require(reader, store::Capability::kDuplicateScan), matcher, memory,
                      std::move(stop));
    finder.find();
    return Grouping(std::move(finder.pairs)).groups(finder.copies);
}

}  // namespace fendex::query
