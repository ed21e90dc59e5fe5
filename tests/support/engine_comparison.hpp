// Compares the answers of an engine with those of an engine that looks at every game
// (support/brute_store.hpp).
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ask/filter_fields.hpp"
#include "base/stop_check.hpp"
#include "chess/fen.hpp"
#include "chess/random_play.hpp"
#include "query/position_search.hpp"
#include "replay/stored_walk.hpp"
#include "store/engine.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/brute_store.hpp"
#include "support/name_comparison.hpp"
#include "support/random_filter.hpp"

namespace fendex::test {

using store::Engine;
using store::GameId;
using store::GameOrder;
using store::RankedGame;

inline constexpr std::size_t kAll = 1'000'000;

/// A position of a game.
inline chess::AnyPosition random_position(Random& random, store::StoreReader& reader) {
    while (true) {
        const GameId game = 1 + random() % reader.last_game();
        store::StoredMoves moves;
        if (!reader.moves(game, moves)) continue;
        chess::AnyPosition found;
        const std::uint64_t ply = random() % 2 == 0 ? random() % 6 : random() % 80;
        replay::with_walk(game, moves, [&](auto& walk) {
            while (walk.ply() < ply && !walk.at_end()) walk.advance();
            found = walk.position();
        });
        return found;
    }
}

inline std::vector<Engine::Target> targets_of(const chess::AnyPosition& position,
                                              query::Match match) {
    if (!query::reason_against(match, position.variant()).empty()) match = query::Match::kExact;
    std::vector<Engine::Target> out;
    for (const auto& target : query::Question::of(position, match).targets) {
        out.push_back({target.key, target.mirrored});
    }
    return out;
}

// Answers of several databases as one.

inline std::vector<RankedGame> first_games(std::vector<RankedGame> games, std::size_t most) {
    std::sort(games.begin(), games.end());
    if (games.size() > most) games.resize(most);
    return games;
}

inline void add_named(const std::vector<Engine::NamedGame>& games, std::size_t most,
                      std::vector<Engine::NamedGame>& to) {
    to.insert(to.end(), games.begin(), games.end());
    std::sort(to.begin(), to.end(), [](const auto& a, const auto& b) {
        return std::tuple(b.rank, a.game) < std::tuple(a.rank, b.game);
    });
    if (to.size() > most) to.resize(most);
}

inline void add_tree(const Engine::Tree& tree, std::size_t named, Engine::Tree& sum) {
    sum.total.add(tree.total);
    std::map<std::uint16_t, Engine::PlayedMove> moves;
    for (const Engine::Tree* const each : {&std::as_const(sum), &tree}) {
        for (const Engine::PlayedMove& move : each->moves) {
            Engine::PlayedMove& to = moves[move.next.bits()];
            to.next = move.next;
            to.tally.add(move.tally);
            add_named(move.top, named, to.top);
        }
    }
    add_named(tree.top, named, sum.top);
    add_named(tree.recent, named, sum.recent);
    sum.moves.clear();
    for (const auto& [bits, move] : moves) sum.moves.push_back(move);
}

inline void add_months(const std::vector<Engine::Month>& months, std::vector<Engine::Month>& sum) {
    std::map<std::uint32_t, Engine::Month> by_month;
    for (const auto* const list : {&months, &std::as_const(sum)}) {
        for (const Engine::Month& month : *list) {
            Engine::Month& to = by_month[month.month];
            to.month = month.month;
            for (std::size_t i = 0; i < 4; ++i) to.results.by_code[i] += month.results.by_code[i];
        }
    }
    sum.clear();
    for (const auto& [number, month] : by_month) sum.push_back(month);
}

inline void add_sums(const Engine::RepetitionSums& sums, Engine::RepetitionSums& to) {
    to.games += sums.games;
    to.twofold += sums.twofold;
    to.threefold += sums.threefold;
    to.fivefold += sums.fivefold;
    to.draws += sums.draws;
    to.draws_by_repetition += sums.draws_by_repetition;
    to.fifty_moves += sums.fifty_moves;
    to.seventy_five_moves += sums.seventy_five_moves;
    std::map<std::uint64_t, Engine::RepetitionSums::Position> positions;
    for (const auto* const list : {&std::as_const(to).positions, &sums.positions}) {
        for (const auto& position : *list) {
            auto& known = positions[position.key];
            if (known.games == 0) {
                known = position;
            } else {
                known.games += position.games;
            }
        }
    }
    to.positions.clear();
    for (const auto& [key, position] : positions) to.positions.push_back(position);
    std::sort(to.positions.begin(), to.positions.end(), [](const auto& a, const auto& b) {
        return std::tuple(b.games, a.game, a.ply) < std::tuple(a.games, b.game, b.ply);
    });
    to.shuffles.insert(to.shuffles.end(), sums.shuffles.begin(), sums.shuffles.end());
    std::stable_sort(to.shuffles.begin(), to.shuffles.end(), [](const auto& a, const auto& b) {
        return a.plies.back() - a.plies.front() > b.plies.back() - b.plies.front();
    });
}

// Answers as text, so that a difference is shown.

inline std::string text_of(std::uint64_t number) { return std::to_string(number); }
inline std::string text_of(const RankedGame& game) {
    return std::to_string(game.rank) + ':' + std::to_string(game.game);
}
inline std::string text_of(const Engine::NamedGame& named) {
    return std::to_string(named.rank) + ':' + std::to_string(named.game) + '/' +
           std::to_string(named.move.bits());
}
inline std::string text_of(const Engine::Reached& reached) {
    return text_of(reached.game) +
           (reached.last_ply ? '@' + std::to_string(*reached.last_ply) : std::string());
}
inline std::string text_of(const Engine::Counts& counts) {
    return std::to_string(counts.games) + '/' + std::to_string(counts.occurrences);
}
inline std::string text_of(const codec::Tally& t) {
    std::string out = std::to_string(t.games) + " games " + std::to_string(t.occurrences);
    for (const std::uint64_t result : t.results.by_code) out += ' ' + std::to_string(result);
    for (const std::uint64_t elo :
         {t.white_elo_sum, t.white_elo_games, t.black_elo_sum, t.black_elo_games}) {
        out += ' ' + std::to_string(elo);
    }
    return out + ' ' + std::to_string(t.first_date.number()) + '-' +
           std::to_string(t.last_date.number());
}
template <typename Value>
std::string text_of(const std::vector<Value>& values);
inline std::string text_of(const Engine::PlayedMove& move) {
    return "\n" + std::to_string(move.next.bits()) + ": " + text_of(move.tally) + " top" +
           text_of(move.top);
}
inline std::string text_of(const Engine::Month& month) {
    std::string out = std::to_string(month.month) + '=';
    for (const std::uint64_t games : month.results.by_code) out += std::to_string(games) + ',';
    return out;
}
inline std::string text_of(const codec::GameFacts& facts) {
    std::string out = "[";
    for (const std::uint64_t fact :
         {std::uint64_t{facts.date.number()}, std::uint64_t{facts.plies},
          std::uint64_t{facts.white_elo}, std::uint64_t{facts.black_elo},
          static_cast<std::uint64_t>(facts.result), static_cast<std::uint64_t>(facts.variant),
          static_cast<std::uint64_t>(facts.time_class), static_cast<std::uint64_t>(facts.mode)}) {
        out += std::to_string(fact) + ' ';
    }
    return out + ']';
}
inline std::string text_of(const store::Repetition& each) {
    return std::to_string(each.game) + ' ' + std::to_string(each.key) +
           store::plies_text(each.plies);
}
inline std::string text_of(const Engine::RepetitionOfGame& each) {
    return text_of(each.repetition) + text_of(each.facts);
}
inline std::string text_of(const Engine::QuietRunOfGame& each) {
    return std::to_string(each.run.game) + ' ' + std::to_string(each.run.ply50) + ' ' +
           (each.run.ply75 ? std::to_string(*each.run.ply75) : "-") + ' ' +
           std::to_string(each.run.longest) + text_of(each.facts);
}
inline std::string text_of(const Engine::RepetitionSums::Position& each) {
    return std::to_string(each.key) + 'x' + std::to_string(each.games) + ' ' +
           std::to_string(each.game) + '@' + std::to_string(each.ply);
}
template <typename Value>
std::string text_of(const std::vector<Value>& values) {
    std::string out = " (" + std::to_string(values.size()) + ')';
    for (const Value& value : values) out += ' ' + text_of(value);
    return out;
}
inline std::string text_of(const Engine::Tree& tree) {
    return text_of(tree.total) + text_of(tree.moves) + " top" + text_of(tree.top) + " recent" +
           text_of(tree.recent);
}
inline std::string text_of(const Engine::RepetitionSums& sums) {
    std::string out;
    for (const std::uint64_t number :
         {sums.games, sums.twofold, sums.threefold, sums.fivefold, sums.draws,
          sums.draws_by_repetition, sums.fifty_moves, sums.seventy_five_moves}) {
        out += std::to_string(number) + ' ';
    }
    return out + text_of(sums.positions) + text_of(sums.shuffles);
}

/// Compares an engine with those of brute stores of the same games: random questions, with random
/// filters.
class Comparison {
  public:
    /// The games of `databases` are those of the engine, with their offsets added to their numbers.
    Comparison(store::Reader asked,
               const std::vector<std::pair<std::string, store::GameId>>& databases)
        : asked_(std::move(asked)) {
        for (const auto& [path, offset] : databases) {
            doubles_.push_back(brute_store(path, offset)->reader());
            files_.push_back(store::file_store(path)->reader());
        }
        for (const store::Reader& file : files_) filters_.emplace_back(*file);
    }

    void ask(std::uint32_t seed, int rounds) {
        Random random(seed);
        for (int round = 0; round < rounds; ++round) {
            const std::size_t file = random() % files_.size();
            query::GameFilter filter;
            std::string shown;
            if (random() % 4 != 0) filter = filters_[file].filter(random, shown);
            CAPTURE(round, shown);
            ask_of_games(random, filter);
            compare_names(
                random, engine(), [&](auto ask) { for_each_double(ask); }, filter);
            ask_of_earlier_games(random, *files_[file], filter);
            ask_of_positions(random, *files_[file], filter);
            ask_of_repetitions(random, *files_[file], filter);
        }
    }

  private:
    Engine& engine() { return asked_->engine(); }

    /// Calls add(engine) for each double.
    template <typename Add>
    void for_each_double(Add add) {
        for (const store::Reader& reader : doubles_) {
            try {
                add(reader->engine());
            } catch (const query::FilterError&) {
                // The source is in the other database.
            }
        }
    }

    void ask_of_games(Random& random, const query::GameFilter& filter) {
        std::uint64_t count = 0;
        for_each_double([&](Engine& one) { count += one.count_games(filter, {}); });
        CHECK(engine().count_games(filter, {}) == count);

        const auto order = static_cast<GameOrder>(random() % 4);
        std::vector<RankedGame> games;
        for_each_double([&](Engine& one) {
            const auto more = one.games(filter, order, {}, kAll, {});
            games.insert(games.end(), more.begin(), more.end());
        });
        games = first_games(games, kAll);
        CAPTURE(static_cast<int>(order));
        CHECK(text_of(engine().games(filter, order, {}, kAll, {})) == text_of(games));
        if (games.empty()) return;
        const std::size_t at = random() % games.size();
        const std::size_t most = 1 + random() % 20;
        const std::vector<RankedGame> page(
            games.begin() + static_cast<std::ptrdiff_t>(at + 1),
            games.begin() + static_cast<std::ptrdiff_t>(std::min(games.size(), at + 1 + most)));
        CHECK(text_of(engine().games(filter, order, games[at], most, {})) == text_of(page));

        std::set<GameId> asked{1, 999'999};
        for (int i = 0; i < 20; ++i) asked.insert(games[random() % games.size()].game);
        const std::vector<GameId> ids(asked.begin(), asked.end());
        std::vector<RankedGame> ranks;
        for_each_double([&](Engine& one) {
            const auto more = one.ranks(filter, order, ids, {});
            ranks.insert(ranks.end(), more.begin(), more.end());
        });
        // In the order of ids.
        std::sort(ranks.begin(), ranks.end(),
                  [](const auto& a, const auto& b) { return a.game < b.game; });
        CHECK(text_of(engine().ranks(filter, order, ids, {})) == text_of(ranks));
    }

    void ask_of_positions(Random& random, store::StoreReader& file,
                          const query::GameFilter& whole_filter) {
        const query::GameFilter filter = ask::for_position(whole_filter);
        const auto match = static_cast<query::Match>(random() % 3);
        const chess::AnyPosition position = random_position(random, file);
        const std::vector<Engine::Target> targets = targets_of(position, match);
        CAPTURE(chess::to_fen(position), static_cast<int>(match));

        const std::size_t named = filter == query::GameFilter{} ? random() % 5 : random() % 8;
        CAPTURE(named);
        const Engine::TreeLists lists{.most = named};
        Engine::Tree tree;
        for_each_double(
            [&](Engine& one) { add_tree(one.tree(targets, filter, lists, {}), named, tree); });
        CHECK(text_of(engine().tree(targets, filter, lists, {})) == text_of(tree));

        std::vector<std::vector<Engine::Target>> questions{targets};
        for (int i = 0; i < 6; ++i) {
            questions.push_back(
                targets_of(random_position(random, file), static_cast<query::Match>(random() % 3)));
        }
        std::vector<Engine::Counts> counts(questions.size());
        for_each_double([&](Engine& one) {
            const auto more = one.counts(questions, filter, {});
            for (std::size_t i = 0; i < more.size(); ++i) {
                counts[i].games += more[i].games;
                counts[i].occurrences += more[i].occurrences;
            }
        });
        CHECK(text_of(engine().counts(questions, filter, {})) == text_of(counts));

        std::vector<Engine::Month> months;
        for_each_double([&](Engine& one) { add_months(one.months(targets, filter, {}), months); });
        CHECK(text_of(engine().months(targets, filter, {})) == text_of(months));

        ask_who_reached(random, targets, filter);
        std::vector<GameId> in_variations;
        for_each_double([&](Engine& one) {
            const auto more = one.in_variations(targets, filter, 5, kAll, {});
            in_variations.insert(in_variations.end(), more.begin(), more.end());
        });
        if (in_variations.size() > 7) in_variations.resize(7);
        CHECK(text_of(engine().in_variations(targets, filter, 5, 7, {})) == text_of(in_variations));
    }

    void ask_of_earlier_games(Random& random, store::StoreReader& file,
                              const query::GameFilter& whole_filter) {
        Engine::Earlier earlier{ask::for_position(whole_filter), 0};
        const GameId game = 1 + random() % file.last_game();
        store::StoredMoves moves;
        if (!file.moves(game, moves) || !replay::has_positions(moves)) return;
        if (random() % 4 != 0) earlier.before = file.facts(game).date;
        for (GameId each = random() % 5; each < 30; each += 7) earlier.except.push_back(each);
        std::vector<std::uint64_t> keys;
        replay::for_each_position(game, moves,
                                  [&](const auto& walk) { keys.push_back(walk.position().key()); });
        CAPTURE(game, earlier.before.number());
        std::optional<std::size_t> last;
        for_each_double(
            [&](Engine& one) { last = std::max(last, one.last_reached(keys, earlier, {})); });
        const std::optional<std::size_t> found = engine().last_reached(keys, earlier, {});
        // The engine of a file may name a position that such games only may have reached.
        CHECK(found >= last);
        for (const std::size_t ply : {last.value_or(0), random() % keys.size()}) {
            CAPTURE(ply);
            Engine::Tree tree;
            for_each_double(
                [&](Engine& one) { add_tree(one.earlier_tree(keys[ply], earlier, {}), 1, tree); });
            Engine::Tree of_engine = engine().earlier_tree(keys[ply], earlier, {});
            for (Engine::Tree* const each : {&tree, &of_engine}) {
                for (Engine::NamedGame& named : each->recent) named.move = {};
            }
            CHECK(text_of(of_engine) == text_of(tree));
        }
        std::vector<GameId> ends;
        const auto plies = static_cast<std::uint32_t>(keys.size() - 1);
        for_each_double([&](Engine& one) {
            const auto more = one.earlier_ends(keys.back(), plies, earlier, {});
            ends.insert(ends.end(), more.begin(), more.end());
        });
        const std::vector<GameId> games = engine().earlier_ends(keys.back(), plies, earlier, {});
        CHECK(std::includes(games.begin(), games.end(), ends.begin(), ends.end()));
    }

    void ask_who_reached(Random& random, const std::vector<Engine::Target>& targets,
                         const query::GameFilter& filter) {
        const auto order = static_cast<GameOrder>(random() % 4);
        std::vector<Engine::Reached> reached;
        for_each_double([&](Engine& one) {
            const auto more = one.reached(targets, filter, order, {}, kAll, {});
            reached.insert(reached.end(), more.begin(), more.end());
        });
        std::sort(reached.begin(), reached.end(),
                  [](const auto& a, const auto& b) { return a.game < b.game; });
        CAPTURE(static_cast<int>(order));
        const auto found = engine().reached(targets, filter, order, {}, kAll, {});
        // The engine of a file does not tell the last ply.
        if (!found.empty() && !found.front().last_ply) {
            for (Engine::Reached& each : reached) each.last_ply.reset();
        }
        CHECK(text_of(found) == text_of(reached));
        if (reached.empty()) return;
        const std::size_t at = random() % reached.size();
        const std::vector<Engine::Reached> page(
            reached.begin() + static_cast<std::ptrdiff_t>(at + 1),
            reached.begin() + static_cast<std::ptrdiff_t>(std::min(reached.size(), at + 6)));
        CHECK(text_of(engine().reached(targets, filter, order, reached[at].game, 5, {})) ==
              text_of(page));
    }

    /// Asks page by page; pages need not be of one size.
    template <typename Row, typename Ask, typename GameOf>
    std::vector<Row> all_pages(std::size_t most, Ask ask, GameOf game_of) {
        std::vector<Row> out;
        for (GameId from = 1;;) {
            const std::vector<Row> page = ask(from, most);
            if (page.empty()) return out;
            out.insert(out.end(), page.begin(), page.end());
            from = game_of(page.back()) + 1;
        }
    }

    void ask_of_repetitions(Random& random, store::StoreReader& file,
                            const query::GameFilter& filter) {
        const std::size_t most = random() % 3 == 0 ? 3 : 200;
        Engine::RepetitionQuestion question;
        question.filter = filter;
        question.min_count = 2 + static_cast<std::uint32_t>(random() % 3);
        question.decided = random() % 4 == 0;
        if (random() % 3 == 0) question.key = random_position(random, file).key();
        if (random() % 5 == 0) question.game = 1 + random() % file.last_game();
        const auto game_of = [](const auto& row) { return row.repetition.game; };
        const auto list = [&](Engine& engine, std::size_t size) {
            return all_pages<Engine::RepetitionOfGame>(
                size,
                [&](GameId from, std::size_t n) {
                    return engine.repetitions(question, from, n, {});
                },
                game_of);
        };
        std::vector<Engine::RepetitionOfGame> repetitions;
        for_each_double([&](Engine& one) {
            const auto more = list(one, kAll);
            repetitions.insert(repetitions.end(), more.begin(), more.end());
        });
        CAPTURE(most, question.min_count, question.decided, question.key.value_or(0),
                question.game.value_or(0));
        CHECK(text_of(list(engine(), most)) == text_of(repetitions));

        Engine::QuietRunQuestion runs;
        runs.filter = filter;
        runs.decided = random() % 4 == 0;
        runs.seventy_five = random() % 3 == 0;
        const auto list_runs = [&](Engine& engine, std::size_t size) {
            return all_pages<Engine::QuietRunOfGame>(
                size,
                [&](GameId from, std::size_t n) { return engine.quiet_runs(runs, from, n, {}); },
                [](const auto& row) { return row.run.game; });
        };
        std::vector<Engine::QuietRunOfGame> expected;
        for_each_double([&](Engine& one) {
            const auto more = list_runs(one, kAll);
            expected.insert(expected.end(), more.begin(), more.end());
        });
        CHECK(text_of(list_runs(engine(), most)) == text_of(expected));

        const std::size_t top = random() % 12;
        Engine::RepetitionSums sums;
        for_each_double([&](Engine& one) {
            add_sums(one.repetition_sums(filter, question.min_count, {kAll, kAll}, {}), sums);
        });
        if (sums.positions.size() > top) sums.positions.resize(top);
        if (sums.shuffles.size() > top) sums.shuffles.resize(top);
        CHECK(text_of(engine().repetition_sums(filter, question.min_count, {top, top}, {})) ==
              text_of(sums));
    }

  public:
    void ask_of_the_whole() {
        std::vector<std::uint64_t> variants(chess::kVariants);
        for_each_double([&](Engine& one) {
            const auto more = one.count_by_variant({});
            for (std::size_t i = 0; i < more.size(); ++i) variants[i] += more[i];
        });
        CHECK(text_of(engine().count_by_variant({})) == text_of(variants));
        for (const std::string part : {"lichess.org/", "abcdefgh", "M\xC3\xBC", "'; --", ""}) {
            std::vector<GameId> games;
            for_each_double([&](Engine& one) {
                const auto more = one.games_at_site(part, kAll, {});
                games.insert(games.end(), more.begin(), more.end());
            });
            if (games.size() > 9) games.resize(9);
            CAPTURE(part);
            CHECK(text_of(engine().games_at_site(part, 9, {})) == text_of(games));
        }
        std::stop_source stop;
        stop.request_stop();
        CHECK_THROWS_AS(engine().count_games({}, stop.get_token()), base::Stopped);
        CHECK(engine().count_games({}, {}) > 0);
    }

  private:
    store::Reader asked_;
    std::vector<store::Reader> doubles_;
    std::vector<store::Reader> files_;
    std::vector<RandomFilters> filters_;
};

}  // namespace fendex::test
