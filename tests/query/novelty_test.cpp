// Novelties against a search without the index: every position of every game as EPD, dates and
// names as texts. On made-up games of few moves, which transpose, repeat each other and lack parts
// of their dates, in several segments with deleted games; and on samples and the corpus.
#include "query/novelty.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "ask/filter_fields.hpp"
#include "base/text_fold.hpp"
#include "chess/random_play.hpp"
#include "chess/san.hpp"
#include "ingest/importer.hpp"
#include "query/novelty_json.hpp"
#include "query/replayed_games.hpp"
#include "replay/tag_facts.hpp"
#include "store/game_identity.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/memory_store.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using store::GameId;
using test::one_of;
using test::Random;

/// A game as texts.
struct PlainGame {
    std::string players;
    std::string date;  // of the tag
    std::string result;
    std::string variant;
    std::vector<std::string> epds;
    std::vector<std::string> sans;  // one fewer
};

PlainGame plain(const store::StoredGame& game) {
    PlainGame out;
    out.players =
        base::fold(store::tag_of(game, "White")) + " - " + base::fold(store::tag_of(game, "Black"));
    out.date = store::tag_of(game, "Date");
    if (out.date.empty() || out.date.front() == '?') out.date = store::tag_of(game, "UTCDate");
    out.result = codec::result_text(game.moves.facts.result);
    out.variant = std::to_string(static_cast<int>(game.moves.facts.variant));
    if (!replay::has_positions(game.moves)) return out;
    for (replay::AnyWalk walk(1, game.moves);; walk.advance()) {
        out.epds.push_back(chess::to_epd(walk.position()));
        if (walk.at_end()) return out;
        out.sans.push_back(chess::to_san(walk.position(), walk.next_move()));
    }
}

/// The first or the last day that a date allows, "2001.03.01"; empty if the year is unknown.
std::string day(std::string date, bool last) {
    if (date.size() != 10 || date.front() == '?') return {};
    if (date[5] == '?') return date.substr(0, 5) + (last ? "12.31" : "01.01");
    if (date[8] == '?') return date.substr(0, 8) + (last ? "31" : "01");
    return date;
}

/// A date with zeros for what is unknown, which sorts as games do.
std::string sortable(std::string date) {
    if (date.size() != 10) return "0000.00.00";
    std::replace(date.begin(), date.end(), '?', '0');
    return date;
}

class Games {
  public:
    explicit Games(store::StoreReader& reader) {
        reader.for_each_game(1, [&](GameId id, const store::StoredGame& game) {
            stored_.emplace(id, game);
            const PlainGame& each = games_.emplace(id, plain(game)).first->second;
            for (const std::string& epd : each.epds) reached_[epd].insert(id);
            return true;
        });
    }

    const std::map<GameId, store::StoredGame>& stored() const { return stored_; }

    /// Says what is known of a game, with only the games that `fits` accepts.
    template <typename Fits>
    std::string expected(const PlainGame& asked, Fits fits) const {
        for (std::size_t ply = asked.epds.size(); ply-- > 0;) {
            const auto found = reached_.find(asked.epds[ply]);
            if (found == reached_.end()) continue;
            std::vector<GameId> ids;
            for (const GameId id : found->second) {
                if (fits(id) && counts(asked, games_.at(id))) ids.push_back(id);
            }
            if (ids.empty()) continue;
            return describe(asked, ply, ids);
        }
        return "nothing";
    }

  private:
    static bool counts(const PlainGame& asked, const PlainGame& game) {
        if (game.players == asked.players && game.variant == asked.variant &&
            game.epds.front() == asked.epds.front() && game.sans == asked.sans &&
            !game.sans.empty()) {
            return false;
        }
        const std::string first = day(asked.date, false);
        const std::string last = day(game.date, true);
        return first.empty() || (!last.empty() && last < first);
    }

    std::string describe(const PlainGame& asked, std::size_t ply,
                         const std::vector<GameId>& ids) const {
        std::map<std::string, std::map<std::string, unsigned>> moves;  // results
        std::pair<std::string, GameId> latest;
        for (const GameId id : ids) {
            const PlainGame& game = games_.at(id);
            const std::string date = sortable(game.date);
            if (latest.second == 0 || date > latest.first) latest = {date, id};
            std::set<std::string> played;
            for (std::size_t i = 0; i < game.epds.size(); ++i) {
                if (game.epds[i] != asked.epds[ply]) continue;
                played.insert(i == game.sans.size() ? "end" : game.sans[i]);
            }
            for (const std::string& move : played) ++moves[move][game.result];
        }
        std::string out = std::to_string(ply) + ' ' + asked.epds[ply] + ": " +
                          std::to_string(ids.size()) + ", last " + std::to_string(latest.second) +
                          ", new " + (ply == asked.sans.size() ? "none" : asked.sans[ply]);
        unsigned ended = 0;
        for (const auto& [move, results] : moves) {
            if (move == "end") {
                for (const auto& [result, games] : results) ended += games;
                continue;
            }
            out += "; " + move;
            for (const char* const result : {"*", "1-0", "0-1", "1/2-1/2"}) {
                const auto games = results.find(result);
                out += ' ' + std::to_string(games == results.end() ? 0 : games->second);
            }
        }
        return out + "; ended " + std::to_string(ended);
    }

    std::map<GameId, store::StoredGame> stored_;
    std::map<GameId, PlainGame> games_;
    std::map<std::string, std::set<GameId>> reached_;
};

std::string found(const query::Novelty& novelty) {
    if (!novelty.known) return "nothing";
    const query::KnownPosition& known = *novelty.known;
    std::string out = std::to_string(known.ply) + ' ' + chess::to_epd(known.position) + ": " +
                      std::to_string(known.total.games) + ", last " + std::to_string(known.last) +
                      ", new " + (novelty.move ? novelty.move->san : "none");
    std::map<std::string, std::string> moves;
    std::uint64_t most = UINT64_MAX;
    for (const query::NoveltyMove& move : known.played) {
        std::string& text = moves[move.san];
        for (const std::uint64_t games : move.tally.results.by_code)
            text += ' ' + std::to_string(games);
        CHECK(move.tally.games <= most);
        most = move.tally.games;
    }
    for (const auto& [move, games] : moves) out.append("; ").append(move).append(games);
    return out + "; ended " + std::to_string(known.ended);
}

codec::Date date_of(const store::StoredGame& game) {
    codec::GameFacts facts;
    std::vector<store::TagPair> tags;
    for (const auto& [name, value] : game.tags) tags.push_back({name, value});
    replay::read_facts(tags, codec::Result::kUnknown, facts);
    return facts.date;
}

/// Asks for every `step`th of these games, and counts how many have a novelty.
unsigned check_novelties(store::StoreReader& reader, const Games& known, const Games& asked,
                         std::size_t step, std::size_t offset = 0) {
    query::GameMatcher all(reader);
    query::NoveltyFinder finder(reader, all);
    query::GameFilter draws;
    ask::set_field(draws, "result", "draw");
    query::GameMatcher drawn(reader, draws);
    query::NoveltyFinder finder_of_draws(reader, drawn);
    unsigned novelties = 0;
    for (auto game = asked.stored().begin(); game != asked.stored().end(); ++game) {
        if (offset++ % step != 0) continue;
        const PlainGame text = plain(game->second);
        CAPTURE(game->first, text.players, text.date, text.sans);
        const query::Novelty novelty = finder.find(game->second, date_of(game->second));
        CHECK(found(novelty) == known.expected(text, [](GameId) { return true; }));
        novelties += novelty.move ? 1U : 0U;
        if (!novelty.known) continue;
        CHECK(found(finder_of_draws.find(game->second, date_of(game->second))) ==
              known.expected(text, [&](GameId id) {
                  return known.stored().at(id).moves.facts.result == codec::Result::kDraw;
              }));
    }
    return novelties;
}

constexpr const char* kPlayers[] = {"Carlsen, Magnus", "Carlsen, magnus", "Polgar, Judit", "?"};
constexpr const char* kDates[] = {"????.??.??", "2001.??.??", "2001.03.??", "2001.03.02",
                                  "2001.03.05", "2001.04.01", "2002.??.??", "1999.12.31"};
constexpr const char* kResults[] = {"1-0", "0-1", "1/2-1/2", "*"};
constexpr const char* kWhite[] = {"Nf3", "Nc3", "g3", "d3", "Ng1", "e4"};
constexpr const char* kBlack[] = {"Nf6", "Nc6", "g6", "d6", "Ng8", "e5"};
// The second is the first with White to move after 1. e4 e5.
constexpr const char* kStarts[] = {"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
                                   "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"};

std::string made_up_game(Random& random) {
    std::string text;
    const auto tag = [&](const char* name, const std::string& value) {
        text += '[' + std::string(name) + " \"" + value + "\"]\n";
    };
    tag("White", one_of(random, kPlayers));
    tag("Black", one_of(random, kPlayers));
    if (random() % 5 != 0) tag("Date", one_of(random, kDates));
    if (random() % 3 == 0) tag("UTCDate", one_of(random, kDates));
    chess::AnyPosition position{chess::Position()};
    if (random() % 6 == 0) {
        const std::string fen = one_of(random, kStarts);
        tag("FEN", fen);
        position = *chess::parse_fen(fen).position;
    } else if (random() % 6 == 0) {
        tag("Variant", "Crazyhouse");
        position = chess::AnyPosition::start_of(chess::Variant::kCrazyhouse);
    } else if (random() % 50 == 0) {
        tag("Variant", "Nobody knows its rules");
    }
    text += '\n';
    const std::size_t plies = random() % 9;
    for (std::size_t ply = 0; ply < plies;) {
        const bool white = position.side_to_move() == chess::Color::kWhite;
        const std::string san = white ? one_of(random, kWhite) : one_of(random, kBlack);
        chess::Move move;
        const bool legal = position.visit(
            [&](const auto& p) { return chess::read_san(p, san, move) == chess::SanError::kNone; });
        if (legal) {
            position.play(move);
            text += san + ' ';
        }
        // A position may allow none of these moves.
        if (legal || random() % 9 == 0) ++ply;
    }
    return text + one_of(random, kResults) + "\n\n";
}

void import_games(const std::string& path, Random& random, std::size_t games) {
    const test::TemporaryDirectory directory;
    for (std::size_t made = 0; made < games;) {
        std::string text;
        for (const std::size_t end = std::min(games, made + 300); made < end; ++made) {
            text += made_up_game(random);
        }
        ingest::import_files(path, {directory.write("part.pgn", text)},
                             {.ply_rows = ingest::PlyRowChoice::kNo, .segment_postings = 1000});
    }
}

void remove_some(const std::string& path, Random& random) {
    std::vector<GameId> gone;
    const GameId last = store::file_store(path)->reader()->last_game();
    for (GameId game = 1; game <= last; ++game) {
        if (random() % 20 == 0) gone.push_back(game);
    }
    test::delete_games(path, gone);
}

}  // namespace

TEST_CASE("A date is before another only if every day that it allows is") {
    struct Pair {
        std::uint32_t date;
        std::uint32_t other;
        bool before;
    };
    for (const Pair& each : std::initializer_list<Pair>{
             {19990430, 19990501, true},
             {19990501, 19990501, false},
             {19990502, 19990501, false},
             {19990000, 20000101, true},
             {19990000, 19990501, false},
             {19990000, 20000000, true},
             {19990000, 19990000, false},
             {19990400, 19990501, true},
             {19990500, 19990501, false},
             {19990500, 19990531, false},
             {19990430, 19990500, true},
             {19990501, 19990500, false},
             {19981231, 19990000, true},
             {19990101, 19990000, false},
             {19990015, 19990501, false},
             {0, 19990501, false},
             {19990501, 0, false},
             {501, 19990501, false},
         }) {
        CAPTURE(each.date, each.other);
        CHECK(codec::is_certainly_before(each.date, each.other) == each.before);
    }
}

TEST_CASE("Novelties of made-up games are those that a search of all games finds", "[full]") {
    Random random(15);
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    const std::string others = directory / "others.db";
    import_games(path, random, test::at_size<std::size_t>(900, 6000));
    remove_some(path, random);
    import_games(others, random, 200);
    const auto reader = store::file_store(path)->reader();
    REQUIRE(reader->info().index_pieces >= 2);
    const Games games(*reader);
    const Games new_games(*store::file_store(others)->reader());
    CHECK(check_novelties(*reader, games, games, 3) > 50);
    CHECK(check_novelties(*reader, games, new_games, 1) > 20);
    const auto in_memory = test::memory_store(path)->reader();
    check_novelties(*in_memory, games, new_games, 2);
}

TEST_CASE("Novelties of samples and of the corpus are those that a search of all games finds",
          "[full]") {
    const auto reader = store::file_store(test::ReplayedDatabase::instance().path())->reader();
    const Games games(*reader);
    const std::size_t step = std::max<std::size_t>(1, games.stored().size() / 150);
    CHECK(check_novelties(*reader, games, games, step) != 0);
}

TEST_CASE("A long game that other players repeat is known to its end", "[full]") {
    const auto reader = store::file_store(test::ReplayedDatabase::instance().path())->reader();
    const Games games(*reader);
    query::GameMatcher all(*reader);
    query::NoveltyFinder finder(*reader, all);
    for (GameId id = 1; id <= 40; ++id) {
        CAPTURE(id);
        store::StoredGame game = games.stored().at(id);
        game.tags = {{"White", "Somebody else"}};
        const query::Novelty novelty = finder.find(game, 0);
        REQUIRE(novelty.known);
        CHECK(novelty.known->ply == game.moves.facts.plies);
        CHECK(found(novelty) == games.expected(plain(game), [](GameId) { return true; }));
    }
}

TEST_CASE("A novelty as JSON has all members, even if nothing is known", "[full]") {
    const auto reader = store::file_store(test::ReplayedDatabase::instance().path())->reader();
    query::GameMatcher all(*reader);
    query::NoveltyFinder finder(*reader, all);
    store::StoredGame game;
    REQUIRE(reader->game(1, game));
    const auto json_of = [&](std::uint32_t date) {
        const query::Novelty novelty = finder.find(game, date);
        store::GameHeader last;
        if (novelty.known) REQUIRE(reader->header(novelty.known->last, last));
        std::string text;
        json::append_object(text, [&](json::Object& object) {
            query::add_novelty(novelty, last, nullptr, chess::FenDialect::kStandard, object);
        });
        return nlohmann::ordered_json::parse(text);
    };
    const auto known = json_of(0);
    const auto unknown = json_of(10'000'101);
    std::vector<std::string> names;
    for (const auto& [name, value] : known.items()) names.push_back(name);
    CHECK(names == std::vector<std::string>{"ply", "fen", "key", "games", "last", "novelty",
                                            "played", "ended", "eval"});
    std::vector<std::string> same;
    for (const auto& [name, value] : unknown.items()) same.push_back(name);
    CHECK(same == names);
    CHECK(known["last"]["game_id"].get<unsigned>() > 0);
    CHECK(known["novelty"]["ply"] == known["ply"].get<unsigned>() + 1);
    CHECK(unknown["novelty"].is_null());
    CHECK(unknown["games"] == 0);
    CHECK(unknown["played"].empty());
}
