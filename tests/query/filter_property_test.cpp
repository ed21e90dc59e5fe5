// Questions with filters, in every combination of conditions, against a scan of all games that
// reads their tags: which games fit, in which order, which of them reached a position, and the sums
// of what they played. On a database in several segments with deleted games and variants, in SQLite
// and in memory, asked as a reader's first question and again.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "ask/filter_fields.hpp"
#include "base/joined.hpp"
#include "base/text_fold.hpp"
#include "chess/fen.hpp"
#include "chess/random_play.hpp"
#include "ingest/importer.hpp"
#include "query/opening_tree.hpp"
#include "replay/opening_names.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/memory_store.hpp"
#include "support/process.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using test::one_of;
using test::Random;
using Tags = std::map<std::string, std::string>;
using store::GameId;

constexpr const char* kPlayers[] = {
    "Carlsen, Magnus", "Carlsen,M", "Karpov, Anatoly", "Ivanchuk, Vasyl", "M\xC3\xBCller, Karsten",
    "Karlsson, Lars",  "?"};
constexpr const char* kEvents[] = {"Rated Blitz game", "Casual Rapid game", "Candidates 2014",
                                   "Rated Bullet tournament https://lichess.org/tournament/x", "?"};
constexpr const char* kSites[] = {"Moscow RUS", "https://lichess.org/abcdefgh", "London",
                                  "https://lichess.org/moscow12"};
constexpr const char* kEcos[] = {"B90", "B97", "C60", "C60a", "A00", "E99", "D2"};
constexpr const char* kControls[] = {"15+0", "60+0", "180+2", "900+10", "5400+30", "1/86400", "-"};
constexpr const char* kTerminations[] = {"Normal", "Time forfeit", "normal end", "N"};
constexpr const char* kResults[] = {"1-0", "0-1", "1/2-1/2", "*"};
// Some return to the start; many games play the same.
constexpr const char* kMoves[] = {"",
                                  "1. e4 e5 2. Nf3 Nc6 3. Bb5",
                                  "1. e4 c5 2. Nf3",
                                  "1. d4 d5 2. c4",
                                  "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5",
                                  "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. d4",
                                  "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8"};

std::string made_up_game(Random& random) {
    std::string text;
    const auto tag = [&](const char* name, const std::string& value) {
        if (random() % 5 != 0) text += '[' + std::string(name) + " \"" + value + "\"]\n";
    };
    const auto number = [&](unsigned low, unsigned count) {
        return std::to_string(low + random() % count);
    };
    tag("Event", one_of(random, kEvents));
    tag("Site", one_of(random, kSites));
    tag("White", one_of(random, kPlayers));
    tag("Black", one_of(random, kPlayers));
    tag("Date", random() % 6 == 0 ? "????.??.??" : number(1990, 30) + ".0" + number(1, 9) + ".??");
    tag("UTCDate", number(1990, 30) + ".12.24");
    tag("WhiteElo", random() % 6 == 0 ? "?" : number(1800, 900));
    tag("BlackElo", number(1800, 900));
    tag("ECO", one_of(random, kEcos));
    tag("TimeControl", one_of(random, kControls));
    tag("Termination", one_of(random, kTerminations));
    if (random() % 9 == 0) text += "[Variant \"Crazyhouse\"]\n";
    const std::string result = one_of(random, kResults);
    text += "[Result \"" + result + "\"]\n";
    return text + '\n' + one_of(random, kMoves) + ' ' + result + "\n\n";
}

/// A filter, and the same as a predicate of tags.
struct Condition {
    std::string field;
    std::string value;
    std::function<bool(const Tags&, const codec::GameFacts&)> fits;
    std::function<bool(const replay::Opening&)> fits_opening = nullptr;
    /// For a condition that GameFilter::set() does not know.
    std::function<void(query::GameFilter&)> set = nullptr;
};

std::string value_of(const Tags& tags, const std::string& name) {
    const auto tag = tags.find(name);
    return tag == tags.end() ? "" : tag->second;
}

unsigned elo(const Tags& tags, const char* name) {
    const std::string text = value_of(tags, name);
    return text.empty() || text == "?" ? 0 : static_cast<unsigned>(std::stoul(text));
}

std::string date(const Tags& tags) {
    const std::string text = value_of(tags, "Date");
    return text.empty() || text.front() == '?' ? value_of(tags, "UTCDate") : text;
}

/// Ratings in groups, some of which are empty or meet.
Condition mean_elo_condition(Random& random) {
    std::vector<store::NumberRange> ranges;
    std::string shown;
    for (std::size_t n = random() % 4; n != 0; --n) {
        const auto low = static_cast<std::uint32_t>(1800 + 100 * (random() % 9));
        const auto width = static_cast<std::uint32_t>(100 * (random() % 3));
        ranges.push_back({low, low + width - 1});
        if (random() % 8 == 0) ranges.back().high = UINT32_MAX;
        shown += ' ' + std::to_string(low) + '+' + std::to_string(width);
    }
    Condition out{"mean-elo", shown, [ranges](const Tags& tags, const auto&) {
                      const unsigned white = elo(tags, "WhiteElo");
                      const unsigned black = elo(tags, "BlackElo");
                      return white != 0 && black != 0 &&
                             std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
                                 return range.contains((white + black) / 2);
                             });
                  }};
    out.set = [ranges](query::GameFilter& filter) { filter.mean_elo = ranges; };
    return out;
}

/// A control of kControls that has the same class: only on a server "-" is correspondence, and
/// small numbers are seconds. Empty if the game has no class.
std::string control_of(const Tags& tags) {
    const std::string control = value_of(tags, "TimeControl");
    const bool on_server = value_of(tags, "Site").starts_with("https://");
    if (control == "-") return on_server ? "1/86400" : "";
    return control == "15+0" && !on_server ? "" : control;
}

/// One or two time classes.
Condition time_condition(Random& random) {
    static const std::map<std::string, std::vector<std::string>> kClasses{
        {"ultrabullet", {"15+0"}}, {"bullet", {"15+0", "60+0"}}, {"blitz", {"180+2"}},
        {"rapid", {"900+10"}},     {"classical", {"5400+30"}},   {"correspondence", {"1/86400"}}};
    std::vector<std::string> asked;
    std::vector<std::string> controls;
    for (auto n = 1 + random() % 2; n != 0; --n) {
        const auto& [name, of_class] =
            *std::next(kClasses.begin(), static_cast<std::ptrdiff_t>(random() % kClasses.size()));
        asked.push_back(name);
        controls.insert(controls.end(), of_class.begin(), of_class.end());
    }
    Condition out{
        "time-control", base::joined(" or ", asked), [controls](const Tags& tags, const auto&) {
            return std::find(controls.begin(), controls.end(), control_of(tags)) != controls.end();
        }};
    out.set = [asked](query::GameFilter& filter) {
        for (const std::string& name : asked) ask::set_field(filter, "time-control", name);
    };
    return out;
}

/// Several time classes, each without others, or several modes.
Condition list_condition(Random& random) {
    using enum codec::TimeClass;
    static const std::map<codec::TimeClass, std::string> kClasses{
        {kUltraBullet, "15+0"}, {kBullet, "60+0"},       {kBlitz, "180+2"},
        {kRapid, "900+10"},     {kClassical, "5400+30"}, {kCorrespondence, "1/86400"}};
    if (random() % 2 == 0) {
        std::vector<codec::TimeClass> classes;
        std::string shown = ",";
        for (const auto& [time_class, control] : kClasses) {
            if (random() % 3 != 0) continue;
            classes.push_back(time_class);
            shown += control + ',';
        }
        Condition out{"time-control", shown, [shown](const Tags& tags, const auto&) {
                          const std::string control = control_of(tags);
                          return !control.empty() &&
                                 shown.find(',' + control + ',') != std::string::npos;
                      }};
        out.set = [classes](query::GameFilter& filter) { filter.time_classes = classes; };
        return out;
    }
    std::vector<codec::Mode> modes{codec::Mode::kRated};
    if (random() % 2 == 0) modes.push_back(codec::Mode::kCasual);
    const bool both = modes.size() == 2;
    Condition out{"modes", both ? "both" : "rated", [both](const Tags& tags, const auto&) {
                      const std::string event = value_of(tags, "Event");
                      return event.starts_with("Rated ") || (both && event.starts_with("Casual "));
                  }};
    out.set = [modes](query::GameFilter& filter) { filter.modes = modes; };
    return out;
}

/// A whole name. "carlsen magnus" is in no game, so case and marks do not matter.
Condition named_condition(Random& random) {
    static constexpr const char* kTyped[][2] = {{"Carlsen, Magnus", "Carlsen, Magnus"},
                                                {"carlsen magnus", "Carlsen, Magnus"},
                                                {"Carlsen", ""},
                                                {"muller karsten", "M\xC3\xBCller, Karsten"},
                                                {"zz", ""}};
    const auto& [typed, name] = kTyped[random() % std::size(kTyped)];
    const char* const side = random() % 2 == 0 ? "White" : "Black";
    Condition out{std::string(side) + "-named", typed,
                  [side, name = std::string(name)](const Tags& tags, const auto&) {
                      return tags.contains(side) && !name.empty() && tags.at(side) == name;
                  }};
    out.set = [side = std::string(side), typed = std::string(typed)](query::GameFilter& filter) {
        (side == "White" ? filter.white_named : filter.black_named) = typed;
    };
    return out;
}

/// The whole name of an event, or an unknown event.
Condition event_condition(Random& random) {
    static constexpr const char* kNames[] = {"Rated Blitz game", "rated blitz game", "Rated",
                                             "Candidates 2014", "?"};
    const std::string name = one_of(random, kNames);
    return {"event", '=' + name, [name](const Tags& tags, const auto&) {
                const std::string event = value_of(tags, "Event");
                return name == (event.empty() ? "?" : event);
            }};
}

Condition random_condition(Random& random) {
    const auto has = [](std::vector<std::string> names, const std::string& typed) {
        return [names, words = base::NameWords(base::fold(typed))](const Tags& tags, const auto&) {
            return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                return tags.contains(name) && words.fit(base::fold(tags.at(name)));
            });
        };
    };
    const auto rated = [](std::vector<const char*> names, unsigned low, unsigned high) {
        return [=](const Tags& tags, const auto&) {
            return std::all_of(names.begin(), names.end(), [&](const char* name) {
                return elo(tags, name) != 0 && elo(tags, name) >= low && elo(tags, name) <= high;
            });
        };
    };
    static constexpr const char* kNames[] = {"carlsen",        "kar",    "m",
                                             "magnus carlsen", "muller", "zz"};
    static constexpr const char* kWords[] = {"rated", "lichess", "moscow", "candidates", "l"};
    const std::string name = one_of(random, kNames);
    const std::string words = one_of(random, kWords);
    const std::string year = std::to_string(1990 + random() % 30);
    const unsigned rating = 1800 + static_cast<unsigned>(random() % 900);
    const std::string number = std::to_string(rating);
    switch (random() % 23) {
        case 22: return event_condition(random);
        case 18: return mean_elo_condition(random);
        case 19: return list_condition(random);
        case 20: return named_condition(random);
        case 0: return {"white", name, has({"White"}, name)};
        case 1: return {"black", name, has({"Black"}, name)};
        case 2: return {"player", name, has({"White", "Black"}, name)};
        case 3: return {"event", words, has({"Event"}, words)};
        case 4: return {"site", words, has({"Site"}, words)};
        case 5: return {"since", year, [=](const Tags& t, const auto&) { return date(t) >= year; }};
        case 6:
            return {"until", year, [=](const Tags& t, const auto&) {
                        return !date(t).empty() && date(t).substr(0, 4) <= year;
                    }};
        case 7: return {"min-elo", number, rated({"WhiteElo", "BlackElo"}, rating, 9999)};
        case 8: return {"max-elo", number, rated({"WhiteElo", "BlackElo"}, 1, rating)};
        case 9: return {"white-elo", number + "-", rated({"WhiteElo"}, rating, 9999)};
        case 10: {
            const std::string eco =
                std::vector<std::string>{"B9", "C60", "A", "B90-C60"}[random() % 4];
            const std::string low = eco.substr(0, eco.find('-'));
            const std::string high = eco.substr(eco.find('-') + 1);
            return {"eco", eco, [=](const Tags& t, const auto&) {
                        const std::string code = value_of(t, "ECO");
                        return code >= low && !code.empty() && code.substr(0, high.size()) <= high;
                    }};
        }
        case 11: {
            const std::string result = one_of(random, kResults);
            return {"result", result,
                    [=](const Tags& t, const auto&) { return value_of(t, "Result") == result; }};
        }
        case 12: return time_condition(random);
        case 13: {
            const std::string mode = random() % 2 == 0 ? "rated" : "casual";
            const std::string word = mode == "rated" ? "Rated " : "Casual ";
            return {"mode", mode, [=](const Tags& t, const auto&) {
                        return value_of(t, "Event").starts_with(word);
                    }};
        }
        case 14: {
            const bool standard = random() % 2 == 0;
            return {"variant", standard ? "standard" : "crazyhouse",
                    [=](const Tags& t, const auto&) { return t.contains("Variant") != standard; }};
        }
        case 15: {
            const std::string end = random() % 2 == 0 ? "normal" : "time";
            return {"termination", end, [=](const Tags& t, const auto&) {
                        return base::fold(value_of(t, "Termination")).starts_with(end);
                    }};
        }
        case 16: {
            const std::string word = random() % 2 == 0 ? "sicil" : "game opening";
            return {"opening", word, nullptr, [words = base::NameWords(word)](const auto& opening) {
                        return words.fit(base::fold(opening.name));
                    }};
        }
        case 17:
            return {"opening-eco", "B00-C4", nullptr, [](const auto& opening) {
                        return opening.eco >= "B00" && opening.eco.substr(0, 2) <= "C4";
                    }};
        default: {
            const auto plies = static_cast<unsigned>(random() % 9);
            return {random() % 2 == 0 ? "min-plies" : "max-plies", std::to_string(plies), nullptr};
        }
    }
}

class Games {
  public:
    explicit Games(const std::string& path) {
        Random random(20'26);
        const std::size_t games = test::at_size<std::size_t>(1500, 6000);
        const test::TemporaryDirectory directory;
        for (std::size_t made = 0; made < games;) {
            std::string text;
            const std::size_t end = std::min(games, made + 1 + random() % 700);
            for (; made < end; ++made) text += made_up_game(random);
            ingest::import_files(path, {directory.write("part.pgn", text)},
                                 {.ply_rows = ingest::PlyRowChoice::kNo, .segment_postings = 1000});
        }
        std::vector<GameId> gone;
        for (GameId game = 1; game <= games; ++game) {
            if (random() % 10 == 0) gone.push_back(game);
        }
        test::delete_games(path, gone);
        const auto reader = store::file_store(path)->reader();
        reader->for_each_game(1, [&](GameId id, const store::StoredGame& game) {
            std::optional<replay::Opening> opening;
            replay::with_walk(id, game.moves, [&](auto& at) {
                for (;; at.advance()) {
                    if (const auto here = replay::opening_of(at.position().key())) opening = here;
                    if (at.at_end()) break;
                }
            });
            all_.push_back({id, {game.tags.begin(), game.tags.end()}, reader->facts(id), opening});
            return true;
        });
    }

    struct Game {
        GameId id;
        Tags tags;
        codec::GameFacts facts;
        std::optional<replay::Opening> opening;
    };
    const std::vector<Game>& all() const { return all_; }

  private:
    std::vector<Game> all_;
};

bool fits(const Condition& condition, const Games::Game& game) {
    if (condition.fits_opening) return game.opening && condition.fits_opening(*game.opening);
    if (condition.fits) return condition.fits(game.tags, game.facts);
    const bool longer = condition.field == "min-plies";
    const auto plies = static_cast<unsigned>(std::stoul(condition.value));
    return longer ? game.facts.plies >= plies : game.facts.plies <= plies;
}

/// What a question finds, without and with a filter.
struct Answer {
    std::vector<std::pair<GameId, std::vector<std::uint32_t>>> hits;
    query::Count count;
    query::Tree tree;
};

Answer ask(store::StoreReader& reader, const query::GameFilter& filter,
           const chess::Position& position) {
    query::GameMatcher matcher(reader, filter);
    query::PositionSearch search(reader, matcher);
    const query::Question question = query::Question::of(position);
    Answer answer;
    search.find(question, [&](const query::Hit& hit) {
        answer.hits.emplace_back(hit.game, hit.plies);
        return true;
    });
    answer.count = search.count(question, false);
    answer.tree = query::opening_tree(reader, search, position, {.transpositions = false});
    return answer;
}

/// Checks an answer with a filter against the answer without one and the games that fit.
void check_answer(const Answer& found, const Answer& all,
                  const std::map<GameId, codec::GameFacts>& fitting) {
    Answer expected;
    codec::Tally total;
    for (const auto& [game, plies] : all.hits) {
        const auto facts = fitting.find(game);
        if (facts == fitting.end()) continue;
        expected.hits.emplace_back(game, plies);
        total.add_game(facts->second);
        total.occurrences += plies.size();
    }
    CHECK(found.hits == expected.hits);
    CHECK(found.count.games == total.games);
    CHECK(found.count.occurrences == total.occurrences);
    CHECK((found.tree.total == total));
    std::uint64_t played = found.tree.ended.occurrences;
    for (const query::TreeMove& move : found.tree.moves) played += move.tally.occurrences;
    CHECK(played == total.occurrences);
    for (const query::NamedGame& named : found.tree.top_games) {
        CHECK(fitting.contains(named.game));
        CHECK(fitting.at(named.game).white_elo + fitting.at(named.game).black_elo >= 0);
    }
}

void check_filters(store::StoreReader& reader, const Games& games, std::uint32_t seed) {
    Random random(seed);
    const chess::Position positions[] = {
        chess::Position(),
        *chess::parse_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").position,
        *chess::parse_fen("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2").position};
    std::vector<Answer> unfiltered;
    for (const chess::Position& position : positions)
        unfiltered.push_back(ask(reader, {}, position));
    for (int round = 0; round < 40; ++round) {
        query::GameFilter filter;
        std::vector<Condition> conditions;
        std::string shown;
        for (std::size_t n = 1 + random() % 3; n != 0; --n) {
            Condition condition = random_condition(random);
            const auto same = [&](const Condition& other) {
                return other.field == condition.field;
            };
            if (std::any_of(conditions.begin(), conditions.end(), same)) continue;
            if (condition.set) {
                condition.set(filter);
            } else {
                ask::set_field(filter, condition.field, condition.value);
            }
            shown += "--" + condition.field + " " + condition.value + " ";
            conditions.push_back(std::move(condition));
        }
        CAPTURE(shown);
        std::map<GameId, codec::GameFacts> fitting;
        std::vector<GameId> ids;
        for (const Games::Game& game : games.all()) {
            if (std::all_of(conditions.begin(), conditions.end(),
                            [&](const Condition& each) { return fits(each, game); })) {
                fitting.emplace(game.id, game.facts);
                ids.push_back(game.id);
            }
        }
        query::GameMatcher one_by_one(reader, filter);
        query::GameMatcher matcher(reader, filter);
        CHECK(query::select_games(reader, matcher) == ids);
        for (int i = 0; i < 50; ++i) {
            const Games::Game& game = games.all()[random() % games.all().size()];
            CHECK(one_by_one(game.id) == fitting.contains(game.id));
        }
        for (const auto order : {query::GameOrder::kId, query::GameOrder::kDate,
                                 query::GameOrder::kElo, query::GameOrder::kPlies}) {
            std::vector<GameId> sorted = ids;
            if (order != query::GameOrder::kId) {
                sorted.clear();
                for (const auto& each : query::rank_games(reader, order, ids)) {
                    sorted.push_back(each.game);
                }
            }
            const std::size_t most = random() % 30;
            sorted.resize(std::min(sorted.size(), most));
            CHECK(query::select_games(reader, matcher, order, most) == sorted);
        }
        for (std::size_t i = 0; i < std::size(positions); ++i) {
            CAPTURE(i);
            check_answer(ask(reader, filter, positions[i]), unfiltered[i], fitting);
        }
    }
}

}  // namespace

TEST_CASE("Filters find what a scan of all tags finds, in every combination", "[full]") {
    const test::TemporaryFile path("games.db");
    const Games games(path);
    const auto reader = store::file_store(path)->reader();
    REQUIRE(reader->info().index_pieces >= 2);
    check_filters(*reader, games, 1);
    check_filters(*reader, games, 1);  // now the sets are known
    const auto in_memory = test::memory_store(path)->reader();
    check_filters(*in_memory, games, 2);
}
