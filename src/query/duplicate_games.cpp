#include "query/duplicate_games.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "base/stop_check.hpp"
#include "chess/zobrist.hpp"
#include "query/game_moves.hpp"
#include "store/game_identity.hpp"

namespace fendex::query {

namespace {

using store::GameHashes;
using store::GameId;
using store::StoredGame;
using store::StoredMoves;

/// A game and its hashes, indexed by kind. A hash is 0 if the game cannot have duplicates of that
/// kind.
struct Proposal {
    std::uint64_t hashes[3]{};
    GameId game = 0;
};

/// Returns a hash of the players and of the first kFewestSharedPlies moves, which all games of a
/// prefix group share.
std::uint64_t prefix_hash(const GameHashes& hashes, const StoredMoves& moves) {
    std::uint64_t hash = hashes.players;
    for (const char16_t move : moves_of(hashes.id, moves, kFewestSharedPlies)) {
        hash = chess::zobrist::mix(hash) + move;
    }
    return hash;
}

/// A game that has the same hash as another one.
struct Compared {
    GameId id = 0;
    std::uint32_t plies = 0;
    bool annotated = false;
    std::size_t tags = 0;  // tags with a known value
    std::string common;    // equal for games of one group
    std::string whole;     // for kMoves and kSimilar: equal for identical games
    Moves moves;           // for kPrefix
};

class DuplicateFinder {
  public:
    DuplicateFinder(store::StoreReader& reader, GameMatcher& matcher,
                    const DuplicateOptions& options)
        : reader_(reader), matcher_(matcher), options_(options), stop_(options.stop) {}

    std::vector<DuplicateGroup> find(std::span<const DuplicateKind> kinds) {
        if (std::ranges::any_of(kinds, [](auto kind) { return kind != DuplicateKind::kSimilar; })) {
            propose(kinds);
        }
        for (const DuplicateKind kind : kinds) {
            const std::size_t before = groups_.size();
            kind == DuplicateKind::kSimilar ? add_similar() : compare(kind);
            std::sort(groups_.begin() + static_cast<std::ptrdiff_t>(before), groups_.end(),
                      [](const auto& a, const auto& b) { return a.games < b.games; });
        }
        return std::move(groups_);
    }

  private:
    void propose(std::span<const DuplicateKind> kinds) {
        const bool prefixes = std::ranges::find(kinds, DuplicateKind::kPrefix) != kinds.end();
        proposals_.reserve(reader_.info().games);
        store::for_each_hash(reader_, [&](const GameHashes& hashes, const StoredMoves& moves) {
            stop_();
            if (!matcher_(hashes.id)) return;
            Proposal& proposal = proposals_.emplace_back();
            proposal.game = hashes.id;
            proposal.hashes[0] = hashes.game;
            if (hashes.facts.plies < kFewestSharedPlies) return;
            proposal.hashes[1] = hashes.moves;
            if (prefixes) proposal.hashes[2] = prefix_hash(hashes, moves);
        });
    }

    void compare(DuplicateKind kind) {
        const auto k = static_cast<std::size_t>(kind);
        std::ranges::sort(proposals_, [k](const auto& a, const auto& b) {
            return std::tie(a.hashes[k], a.game) < std::tie(b.hashes[k], b.game);
        });
        for (std::size_t begin = 0; begin < proposals_.size();) {
            const std::uint64_t hash = proposals_[begin].hashes[k];
            std::size_t end = begin + 1;
            while (end < proposals_.size() && proposals_[end].hashes[k] == hash) ++end;
            if (end - begin > 1 && hash != 0) {
                compare(kind, std::span(proposals_).subspan(begin, end - begin));
            }
            begin = end;
        }
    }

    /// Compares games with equal hashes. Those with equal texts form a group.
    void compare(DuplicateKind kind, std::span<const Proposal> proposed) {
        std::map<std::string, std::vector<Compared>> alike;
        for (const Proposal& each : proposed) {
            Compared game = read(kind, each.game);
            alike[game.common].push_back(std::move(game));
        }
        for (auto& [text, games] : alike) {
            if (kind == DuplicateKind::kPrefix) {
                add_prefixes(games);
            } else if (kind == DuplicateKind::kIdentical || differ(games)) {
                add(kind, games);
            }
        }
    }

    Compared read(DuplicateKind kind, GameId id) {
        stop_();
        if (!reader_.game(id, game_)) {
            store::throw_no_game(id);
        }
        const codec::GameFacts facts = reader_.facts(id);
        const std::string players =
            store::text_of_players(store::tag_of(game_, "White"), store::tag_of(game_, "Black"));
        const std::string moves =
            store::text_of_moves(game_.moves.facts, game_.moves.start, game_.moves.moves);
        Compared out;
        out.id = id;
        out.annotated = reader_.annotation(id, annotation_);
        out.plies = facts.plies;
        out.tags = static_cast<std::size_t>(std::ranges::count_if(
            game_.tags, [](const auto& tag) { return says_something(tag.second); }));
        switch (kind) {
            case DuplicateKind::kIdentical:
                out.common = store::text_of_game(players, moves, facts);
                break;
            case DuplicateKind::kMoves:
                out.common = moves;
                out.whole = store::text_of_game(players, {}, facts);
                break;
            case DuplicateKind::kSimilar:
                out.whole = store::text_of_game(players, moves, facts);
                break;
            case DuplicateKind::kPrefix: {
                codec::GameFacts any_length;
                any_length.variant = facts.variant;
                out.common = players + store::text_of_moves(any_length, game_.moves.start, {});
                out.moves = moves_of(id, game_.moves, facts.plies);
                break;
            }
        }
        return out;
    }

    static bool differ(const std::vector<Compared>& games) {
        return std::ranges::any_of(
            games, [&](const Compared& each) { return each.whole != games[0].whole; });
    }

    /// Groups games by prefix. Sorts the games by their moves first, so that the games that
    /// continue a game follow it directly.
    void add_prefixes(std::vector<Compared>& games) {
        std::ranges::sort(games, [](const Compared& a, const Compared& b) {
            return std::tie(a.moves, a.id) < std::tie(b.moves, b.id);
        });
        for (std::size_t begin = 0; begin < games.size();) {
            const Compared& shortest = games[begin];
            std::size_t end = begin + 1;
            while (end < games.size() && games[end].moves.starts_with(shortest.moves)) ++end;
            if (games[end - 1].plies > shortest.plies) {
                add(DuplicateKind::kPrefix, std::span(games).subspan(begin, end - begin));
            }
            begin = end;
        }
    }

    void add_similar() {
        for (const SimilarGames& similar :
             find_similar_games(reader_, matcher_, options_.resources, options_.stop)) {
            std::vector<Compared> games;
            for (const GameId id : similar.games)
                games.push_back(read(DuplicateKind::kSimilar, id));
            if (!differ(games)) continue;
            add(DuplicateKind::kSimilar, games);
            groups_.back().score = similar.score;
        }
    }

    void add(DuplicateKind kind, std::span<const Compared> games) {
        if (games.size() < 2) return;
        DuplicateGroup& group = groups_.emplace_back();
        group.kind = kind;
        for (const Compared& each : games) group.games.push_back(each.id);
        std::ranges::sort(group.games);
        const std::uint32_t longest = std::ranges::max(games, {}, &Compared::plies).plies;
        group.keep = std::ranges::max(games, {}, [&](const Compared& each) {
                         return rank(each, longest);
                     }).id;
    }

    /// Returns what the game to keep has the most of, in the order in which it counts.
    std::array<std::uint64_t, 5> rank(const Compared& game, std::uint32_t longest) const {
        const std::uint64_t whole = game.plies + 1 >= longest ? 1 : 0;
        const std::uint64_t annotated = game.annotated ? 1 : 0;
        const std::uint64_t first = ~game.id;
        switch (options_.keep) {
            case Keep::kFirst: return {first};
            case Keep::kLongest: return {game.plies, annotated, game.tags, first};
            case Keep::kAnnotated: return {annotated, whole, game.tags, game.plies, first};
            case Keep::kBest: break;
        }
        return {whole, annotated, game.tags, game.plies, first};
    }

    store::StoreReader& reader_;
    GameMatcher& matcher_;
    const DuplicateOptions& options_;
    base::StopCheck stop_;
    std::vector<Proposal> proposals_;
    std::vector<DuplicateGroup> groups_;
    StoredGame game_;
    std::string annotation_;
};

}  // namespace

std::string_view name_of(DuplicateKind kind) {
    switch (kind) {
        case DuplicateKind::kIdentical: return "identical";
        case DuplicateKind::kMoves: return "moves";
        case DuplicateKind::kPrefix: return "prefix";
        case DuplicateKind::kSimilar: break;
    }
    return "similar";
}

std::vector<DuplicateGroup> find_duplicates(store::StoreReader& reader, GameMatcher& matcher,
                                            std::span<const DuplicateKind> kinds,
                                            const DuplicateOptions& options) {
    return DuplicateFinder(reader, matcher, options).find(kinds);
}

std::vector<GameId> superfluous_games(std::span<const DuplicateGroup> groups) {
    std::vector<GameId> games;
    for (const DuplicateGroup& group : groups) {
        for (const GameId game : group.games) {
            if (game != group.keep) games.push_back(game);
        }
    }
    std::ranges::sort(games);
    return games;
}

}  // namespace fendex::query
