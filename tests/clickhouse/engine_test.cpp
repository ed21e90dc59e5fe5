// The engine of a cluster answers what a double answers that looks at every game of the pushed
// databases: random questions with random filters, of one database and of two, before and after
// games were added and deleted.
#include "store/engine.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ask/filter_fields.hpp"
#include "base/text_fold.hpp"
#include "chess/random_play.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/open.hpp"
#include "clickhouse/program.hpp"
#include "clickhouse/random_filter.hpp"
#include "clickhouse/servers.hpp"
#include "query/position_search.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/brute_store.hpp"
#include "support/process.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using store::Engine;
using store::GameId;
using store::GameOrder;
using store::RankedGame;

constexpr std::size_t kAll = 1'000'000;

template <std::size_t kCount>
std::string one_of(Random& random, const char* const (&values)[kCount]) {
    return values[random() % kCount];
}

/// Many games have positions in common, and many are equal in what they are ranked by.
std::string made_up_games(std::uint32_t seed, std::size_t games) {
    static constexpr const char* kPlayers[] = {"Carlsen, Magnus", "Carlsen,M",
                                               "carlsen magnus",  "Karpov, Anatoly",
                                               "Ivanchuk, Vasyl", "M\xC3\xBCller, Karsten",
                                               "Mueller, K",      "O'Brien, Anna Ann",
                                               "Ann A",           "?"};
    static constexpr const char* kEvents[] = {
        "Rated Blitz game", "Casual Rapid game", "Candidates 2014",
        "Rated Bullet tournament https://lichess.org/t/x", "\xC5\x81\xC3\xB3\x64\xC5\xBA Open"};
    static constexpr const char* kSites[] = {"Moscow RUS",     "https://lichess.org/abcdefgh",
                                             "London",         "https://lichess.org/moscow12",
                                             "M\xC3\xBCnchen", "Lon London"};
    static constexpr const char* kEcos[] = {"B90", "B97", "C60", "C60a", "A00", "E99", "D2", ""};
    static constexpr const char* kControls[] = {"15+0",    "60+0",    "180+2", "900+10",
                                                "5400+30", "1/86400", "-"};
    static constexpr const char* kTerminations[] = {
        "Normal", "Time forfeit",    "normal end",
        "N",      "Time  (forfeit)", "temps \xC3\xA9puis\xC3\xA9"};
    static constexpr const char* kResults[] = {"1-0", "0-1", "1/2-1/2", "*"};
    static constexpr const char* kMoves[] = {
        "",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5) 3... a6",
        "1. e4 c5 2. Nf3 (2. Nc3 Nc6) 2... d6 3. d4 cxd4",
        "1. d4 d5 2. c4 e6 3. Nc3",
        "1. e4 e5 2. Bc4 Bc5",
        "1. e3 e5 2. e4",
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5",
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. d4",
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8",
        "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8"};
    Random random(seed);
    std::string text;
    for (std::size_t i = 0; i < games; ++i) {
        const auto tag = [&](const char* name, const std::string& value) {
            if (random() % 6 != 0) text += '[' + std::string(name) + " \"" + value + "\"]\n";
        };
        const auto number = [&](std::uint64_t low, std::uint64_t count) {
            return std::to_string(low + random() % count);
        };
        tag("Event", one_of(random, kEvents));
        tag("Site", random() % 3 == 0 ? "https://lichess.org/x" + number(10'000, 90'000)
                                      : one_of(random, kSites));
        tag("White", one_of(random, kPlayers));
        tag("Black", one_of(random, kPlayers));
        if (random() % 9 == 0) tag("White", one_of(random, kPlayers));
        tag("Round", number(1, 3));
        tag("Date",
            random() % 6 == 0 ? "????.??.??" : number(1990, 4) + ".0" + number(1, 9) + ".??");
        tag("UTCDate", number(1990, 4) + ".12.2" + number(0, 3));
        tag("WhiteElo", random() % 6 == 0 ? "?" : number(1800, 40));
        tag("BlackElo", number(1800, 40));
        tag("ECO", one_of(random, kEcos));
        tag("TimeControl", one_of(random, kControls));
        tag("Termination", one_of(random, kTerminations));
        if (random() % 12 == 0) tag("Termination", one_of(random, kTerminations));
        if (random() % 9 == 0) tag("Annotator", number(1, 3));
        if (random() % 12 == 0) text += "[Variant \"Crazyhouse\"]\n";
        const std::string result = one_of(random, kResults);
        text += "[Result \"" + result + "\"]\n\n" + one_of(random, kMoves) + ' ' + result + "\n\n";
    }
    return text;
}

/// A position of a game.
chess::AnyPosition random_position(Random& random, store::StoreReader& reader) {
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

std::vector<Engine::Target> targets_of(const chess::AnyPosition& position, query::Match match) {
    if (!query::reason_against(match, position.variant()).empty()) match = query::Match::kExact;
    std::vector<Engine::Target> out;
    for (const auto& target : query::Question::of(position, match).targets) {
        out.push_back({target.key, target.mirrored});
    }
    return out;
}

// Answers of several databases as one.

std::vector<RankedGame> first_games(std::vector<RankedGame> games, std::size_t most) {
    std::sort(games.begin(), games.end());
    if (games.size() > most) games.resize(most);
    return games;
}

void add_tree(const Engine::Tree& tree, std::size_t named, Engine::Tree& sum) {
    sum.total.add(tree.total);
    std::map<std::uint16_t, Engine::PlayedMove> moves;
    for (const Engine::Tree* const each : {&std::as_const(sum), &tree}) {
        for (const Engine::PlayedMove& move : each->moves) {
            Engine::PlayedMove& to = moves[move.next.bits()];
            to.next = move.next;
            to.tally.add(move.tally);
            const auto join = [&](const auto& from, auto& into) {
                codec::NamedGames best(named);
                for (const auto& entry : into) best.offer(entry.game, entry.rank);
                for (const auto& entry : from) best.offer(entry.game, entry.rank);
                into = best.entries();
            };
            join(move.top, to.top);
            join(move.recent, to.recent);
        }
    }
    sum.moves.clear();
    for (const auto& [bits, move] : moves) sum.moves.push_back(move);
}

void add_months(const std::vector<Engine::Month>& months, std::vector<Engine::Month>& sum) {
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

void add_sums(const Engine::RepetitionSums& sums, Engine::RepetitionSums& to) {
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

std::string text_of(std::uint64_t number) { return std::to_string(number); }
std::string text_of(const RankedGame& game) {
    return std::to_string(game.rank) + ':' + std::to_string(game.game);
}
std::string text_of(const codec::NamedGames::Entry& entry) {
    return std::to_string(entry.rank) + ':' + std::to_string(entry.game);
}
std::string text_of(const Engine::Reached& reached) {
    return text_of(reached.game) + '@' + std::to_string(reached.last_ply);
}
std::string text_of(const Engine::Counts& counts) {
    return std::to_string(counts.games) + '/' + std::to_string(counts.occurrences);
}
std::string text_of(const codec::Tally& t) {
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
std::string text_of(const Engine::PlayedMove& move) {
    return "\n" + std::to_string(move.next.bits()) + ": " + text_of(move.tally) + " top" +
           text_of(move.top) + " recent" + text_of(move.recent);
}
std::string text_of(const Engine::Month& month) {
    std::string out = std::to_string(month.month) + '=';
    for (const std::uint64_t games : month.results.by_code) out += std::to_string(games) + ',';
    return out;
}
std::string text_of(const codec::GameFacts& facts) {
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
std::string text_of(const store::Repetition& each) {
    return std::to_string(each.game) + ' ' + std::to_string(each.key) +
           store::plies_text(each.plies);
}
std::string text_of(const Engine::RepetitionOfGame& each) {
    return text_of(each.repetition) + text_of(each.facts);
}
std::string text_of(const Engine::QuietRunOfGame& each) {
    return std::to_string(each.run.game) + ' ' + std::to_string(each.run.ply50) + ' ' +
           (each.run.ply75 ? std::to_string(*each.run.ply75) : "-") + ' ' +
           std::to_string(each.run.longest) + text_of(each.facts);
}
std::string text_of(const Engine::RepetitionSums::Position& each) {
    return std::to_string(each.key) + 'x' + std::to_string(each.games) + ' ' +
           std::to_string(each.game) + '@' + std::to_string(each.ply);
}
template <typename Value>
std::string text_of(const std::vector<Value>& values) {
    std::string out = " (" + std::to_string(values.size()) + ')';
    for (const Value& value : values) out += ' ' + text_of(value);
    return out;
}
std::string text_of(const Engine::Tree& tree) { return text_of(tree.total) + text_of(tree.moves); }
std::string text_of(const Engine::RepetitionSums& sums) {
    std::string out;
    for (const std::uint64_t number :
         {sums.games, sums.twofold, sums.threefold, sums.fivefold, sums.draws,
          sums.draws_by_repetition, sums.fifty_moves, sums.seventy_five_moves}) {
        out += std::to_string(number) + ' ';
    }
    return out + text_of(sums.positions) + text_of(sums.shuffles);
}

/// The engine of a cluster beside doubles of the databases that were pushed to it.
class Comparison {
  public:
    /// `files` in the order of their origins.
    Comparison(const TestDatabase& database, const std::vector<std::string>& files)
        : cluster_(clickhouse::open(database.url(), {}, "")->reader()) {
        for (std::size_t origin = 0; origin < files.size(); ++origin) {
            const GameId offset =
                clickhouse::cluster_id(static_cast<clickhouse::Origin>(origin), 0);
            doubles_.push_back(brute_store(files[origin], offset)->reader());
            files_.push_back(store::file_store(files[origin])->reader());
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
            ask_of_positions(random, *files_[file], filter);
            ask_of_repetitions(random, *files_[file], filter);
        }
    }

  private:
    Engine& cluster() { return *cluster_->engine(); }

    /// Calls add(engine) for each double.
    template <typename Add>
    void for_each_double(Add add) {
        for (const store::Reader& reader : doubles_) {
            try {
                add(*reader->engine());
            } catch (const query::FilterError&) {
                // The source is in the other database.
            }
        }
    }

    void ask_of_games(Random& random, const query::GameFilter& filter) {
        std::uint64_t count = 0;
        for_each_double([&](Engine& one) { count += one.count_games(filter, {}); });
        CHECK(cluster().count_games(filter, {}) == count);

        const auto order = static_cast<GameOrder>(random() % 4);
        std::vector<RankedGame> games;
        for_each_double([&](Engine& one) {
            const auto more = one.games(filter, order, {}, kAll, {});
            games.insert(games.end(), more.begin(), more.end());
        });
        games = first_games(games, kAll);
        CAPTURE(static_cast<int>(order));
        CHECK(text_of(cluster().games(filter, order, {}, kAll, {})) == text_of(games));
        if (games.empty()) return;
        const std::size_t at = random() % games.size();
        const std::size_t most = 1 + random() % 20;
        const std::vector<RankedGame> page(
            games.begin() + static_cast<std::ptrdiff_t>(at + 1),
            games.begin() + static_cast<std::ptrdiff_t>(std::min(games.size(), at + 1 + most)));
        CHECK(text_of(cluster().games(filter, order, games[at], most, {})) == text_of(page));

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
        CHECK(text_of(cluster().ranks(filter, order, ids, {})) == text_of(ranks));
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
        Engine::Tree tree;
        for_each_double(
            [&](Engine& one) { add_tree(one.tree(targets, filter, named, {}), named, tree); });
        CHECK(text_of(cluster().tree(targets, filter, named, {})) == text_of(tree));

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
        CHECK(text_of(cluster().counts(questions, filter, {})) == text_of(counts));

        std::vector<Engine::Month> months;
        for_each_double([&](Engine& one) { add_months(one.months(targets, filter, {}), months); });
        CHECK(text_of(cluster().months(targets, filter, {})) == text_of(months));

        ask_who_reached(random, targets, filter);
        std::vector<GameId> in_variations;
        for_each_double([&](Engine& one) {
            const auto more = one.in_variations(targets, filter, 5, kAll, {});
            in_variations.insert(in_variations.end(), more.begin(), more.end());
        });
        if (in_variations.size() > 7) in_variations.resize(7);
        CHECK(text_of(cluster().in_variations(targets, filter, 5, 7, {})) ==
              text_of(in_variations));
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
        CHECK(text_of(cluster().reached(targets, filter, order, {}, kAll, {})) == text_of(reached));
        if (reached.empty()) return;
        const std::size_t at = random() % reached.size();
        const std::vector<Engine::Reached> page(
            reached.begin() + static_cast<std::ptrdiff_t>(at + 1),
            reached.begin() + static_cast<std::ptrdiff_t>(std::min(reached.size(), at + 6)));
        CHECK(text_of(cluster().reached(targets, filter, order, reached[at].game, 5, {})) ==
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
        CHECK(text_of(list(cluster(), most)) == text_of(repetitions));

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
        CHECK(text_of(list_runs(cluster(), most)) == text_of(expected));

        const std::size_t top = random() % 12;
        Engine::RepetitionSums sums;
        for_each_double([&](Engine& one) {
            add_sums(one.repetition_sums(filter, question.min_count, kAll, {}), sums);
        });
        if (sums.positions.size() > top) sums.positions.resize(top);
        if (sums.shuffles.size() > top) sums.shuffles.resize(top);
        CHECK(text_of(cluster().repetition_sums(filter, question.min_count, top, {})) ==
              text_of(sums));
    }

  public:
    void ask_of_the_whole() {
        std::vector<std::uint64_t> variants(chess::kVariants);
        for_each_double([&](Engine& one) {
            const auto more = one.count_by_variant({});
            for (std::size_t i = 0; i < more.size(); ++i) variants[i] += more[i];
        });
        CHECK(text_of(cluster().count_by_variant({})) == text_of(variants));
        for (const std::string part : {"lichess.org/", "abcdefgh", "M\xC3\xBC", "'; --", ""}) {
            std::vector<GameId> games;
            for_each_double([&](Engine& one) {
                const auto more = one.games_at_site(part, kAll, {});
                games.insert(games.end(), more.begin(), more.end());
            });
            if (games.size() > 9) games.resize(9);
            CAPTURE(part);
            CHECK(text_of(cluster().games_at_site(part, 9, {})) == text_of(games));
        }
        std::stop_source stop;
        stop.request_stop();
        CHECK_THROWS_AS(cluster().count_games({}, stop.get_token()), base::Stopped);
        CHECK(cluster().count_games({}, {}) > 0);
    }

  private:
    store::Reader cluster_;
    std::vector<store::Reader> doubles_;
    std::vector<store::Reader> files_;
    std::vector<RandomFilters> filters_;
};

}  // namespace

TEST_CASE("The engine of a cluster gives the same answers as a scan of all games",
          "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kNewEngine))));
    if (!database.is_there()) return;
    const int rounds = at_size(1, 2);
    const TemporaryDirectory folder;
    const std::string data = FENDEX_TEST_DATA;
    const std::string first = folder / "first.db";
    must_run({"import", first, "--variations", "--quiet", FENDEX_SAMPLES,
              data + "/variants/games.pgn", data + "/repeats/pgn-extract.pgn",
              folder.write("made_up.pgn", made_up_games(1, at_size(300U, 900U)))});
    push(first, database);
    {
        Comparison comparison(database, {first});
        comparison.ask(1, rounds);
        comparison.ask_of_the_whole();
    }

    const std::string second = folder / "second.db";
    must_run({"import", second, "--variations", "--quiet", data + "/repeats/pgn-extract.pgn",
              folder.write("others.pgn", made_up_games(2, at_size(250U, 700U)))});
    push(second, database);
    {
        Comparison comparison(database, {first, second});
        comparison.ask(2, rounds);
        comparison.ask_of_the_whole();
    }

    // A small push, and games that are taken back: of many with the start position, all that
    // played one move.
    must_run({"import", first, "--quiet", folder.write("more.pgn", made_up_games(3, 100))});
    must_run({"delete", first, "--games", "2,3,7,40-60,200,210-240", "--quiet"});
    push(first, database);
    {
        Comparison comparison(database, {first, second});
        comparison.ask(3, rounds);
        comparison.ask_of_the_whole();
    }
}
