// Compares answers of two databases together with those of one that has the games of both.
#include <array>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "ask/filter_fields.hpp"
#include "chess/san.hpp"
#include "chess/variant_play.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "query/near_names.hpp"
#include "query/opening_tree.hpp"
#include "query/repetition_summary.hpp"
#include "query/tree_json.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/memory_store.hpp"
#include "support/process.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using chess::Variant;

/// Writes tags with few different values, so that ranks are often equal, and some missing.
void write_tags(std::mt19937_64& random, std::ostream& pgn) {
    const auto one_in = [&](unsigned n) { return random() % n == 0; };
    const char* const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    pgn << "[White \"Player " << random() % 5 << "\"]\n[Result \"" << results[random() % 4]
        << "\"]\n";
    if (!one_in(4)) pgn << "[WhiteElo \"" << 2000 + 100 * (random() % 4) << "\"]\n";
    if (!one_in(4)) pgn << "[BlackElo \"" << 2000 + 100 * (random() % 4) << "\"]\n";
    if (!one_in(4)) pgn << "[Date \"" << 1990 + random() % 5 << ".??.??\"]\n";
}

/// Plays one of the first few moves each time, so that games meet, return and transpose. Some games
/// begin with Black to move, so that others have their positions with colours exchanged.
void write_standard_game(std::mt19937_64& random, std::ostream& pgn) {
    write_tags(random, pgn);
    const bool black_begins = random() % 3 == 0;
    chess::Position position;
    if (black_begins) {
        const std::string fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        pgn << "[SetUp \"1\"]\n[FEN \"" << fen << "\"]\n";
        position = *chess::parse_fen(fen).position;
    }
    pgn << '\n';
    const auto length = random() % 12;
    for (unsigned ply = 0; ply < length; ++ply) {
        const char* const sans[2][6] = {{"Nf3", "Ng1", "e4", "Rg1", "Rh1", "d4"},
                                        {"Nf6", "Ng8", "e5", "Rg8", "Rh8", "d5"}};
        const bool black = position.side_to_move() == chess::Color::kBlack;
        for (unsigned tries = 0; tries < 20; ++tries) {
            const char* const san = sans[black ? 1 : 0][random() % 6];
            chess::Move move;
            if (chess::read_san(position, san, move) != chess::SanError::kNone) continue;
            pgn << san << ' ';
            position.play(move);
            break;
        }
    }
    pgn << "*\n\n";
}

void write_games(std::mt19937_64& random, const std::string& to) {
    std::ofstream pgn(to, std::ios::binary);
    for (int i = 0; i < at_size(150, 600); ++i) write_standard_game(random, pgn);
    for (const Variant variant : variants_to_play()) {
        for (unsigned i = 0; i < 6; ++i) {
            write_tags(random, pgn);
            pgn << "[Variant \"" << chess::name_of(variant) << "\"]\n\n";
            chess::VariantPosition position(variant);
            for (const chess::Move move : random_variant_game(variant, random, 20)) {
                pgn << chess::to_san(position, move) << '\n';
                position.play(move);
            }
            pgn << "*\n\n";
        }
    }
}

/// Made-up games and the samples, cut into two databases, and in one.
class Cut {
  public:
    static const Cut& instance() {
        static const Cut cut;
        return cut;
    }

    std::vector<std::shared_ptr<store::Store>> parts;
    std::shared_ptr<store::Store> whole;
    store::GameId in_first = 0;

    /// Returns where a game of `whole` is: the index of a part and its number there.
    std::pair<std::size_t, store::GameId> place(store::GameId game) const {
        return game <= in_first ? std::pair(std::size_t{0}, game)
                                : std::pair(std::size_t{1}, game - in_first);
    }

  private:
    Cut() {
        std::mt19937_64 random(171);
        std::vector<std::vector<std::string>> files(2);
        const std::vector<std::string> samples = pgn::expand_inputs({FENDEX_SAMPLES});
        for (std::size_t i = 0; i < samples.size(); ++i) files[i % 2].push_back(samples[i]);
        const std::string all = directory_ / "all.db";
        for (std::size_t part = 0; part < 2; ++part) {
            const std::string name = directory_ / std::to_string(part);
            write_games(random, name + ".pgn");
            files[part].push_back(name + ".pgn");
            ingest::import_files(name + ".db", files[part], {});
            ingest::import_files(all, files[part], {});
            // Answers must not depend on how games are stored.
            parts.push_back(part == 0 ? store::file_store(name + ".db")
                                      : memory_store(name + ".db"));
        }
        whole = store::file_store(all);
        in_first = parts[0]->reader()->last_game();
    }

    TemporaryDirectory directory_;
};

/// A database that is asked with a filter.
struct Asked {
    Asked(store::Store& store, const query::GameFilter& filter)
        : reader(store.reader()), matcher(*reader, filter), search(*reader, matcher) {}

    store::Reader reader;
    query::GameMatcher matcher;
    query::PositionSearch search;
};

struct PartsRequest {
    explicit PartsRequest(const query::GameFilter& filter)
        : first(*Cut::instance().parts[0], filter),
          second(*Cut::instance().parts[1], filter),
          sources{{&*first.reader, &first.search}, {&*second.reader, &second.search}} {}

    Asked first;
    Asked second;
    std::vector<query::TreeSource> sources;
};

void check_named(const std::vector<query::NamedGame>& found,
                 const std::vector<query::NamedGame>& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(std::pair(found[i].database, found[i].game) ==
              Cut::instance().place(expected[i].game));
        CHECK(found[i].uci == expected[i].uci);
    }
}

void check_same(const query::Tree& found, const query::Tree& expected) {
    CHECK((found.total == expected.total));
    CHECK((found.ended == expected.ended));
    CHECK(found.opening.has_value() == expected.opening.has_value());
    CHECK(found.position.key() == expected.position.key());
    check_named(found.top_games, expected.top_games);
    check_named(found.recent_games, expected.recent_games);
    REQUIRE(found.moves.size() == expected.moves.size());
    for (std::size_t i = 0; i < found.moves.size(); ++i) {
        const query::TreeMove& move = found.moves[i];
        const query::TreeMove& other = expected.moves[i];
        CHECK(move.move == other.move);
        CHECK(move.mover == other.mover);
        CHECK(move.san == other.san);
        CHECK(move.uci == other.uci);
        CHECK((move.tally == other.tally));
        CHECK(move.mean_rating() == other.mean_rating());
        CHECK(move.performance() == other.performance());
        CHECK(move.reached == other.reached);
        CHECK(move.opening.has_value() == other.opening.has_value());
        CHECK(move.after.key() == other.after.key());
        check_named(move.top_games, other.top_games);
    }
}

/// Returns the position at a random ply, rather near the start, of a random game.
chess::AnyPosition random_position(store::StoreReader& reader, std::mt19937_64& random) {
    while (true) {
        const store::GameId id = 1 + random() % reader.last_game();
        store::StoredGame stored;
        if (!reader.game(id, stored)) continue;
        try {
            replay::AnyWalk walk(id, stored.moves);
            for (auto plies = random() % 9; plies != 0 && !walk.at_end(); --plies) walk.advance();
            return walk.position();
        } catch (const store::StoreError&) {
            continue;  // a variant without rules
        }
    }
}

}  // namespace

TEST_CASE("The tree of two databases equals that of one with the games of both", "[full]") {
    const Cut& cut = Cut::instance();
    REQUIRE(cut.whole->reader()->last_game() == cut.in_first + cut.parts[1]->reader()->last_game());
    query::GameFilter filter;
    SECTION("of all games") {}
    SECTION("of strong players") { ask::set_field(filter, "min-elo", "2100"); }
    SECTION("of a player of some years") {
        ask::set_field(filter, "white", "player 1");
        ask::set_field(filter, "since", "1992");
    }
    SECTION("of a player that may be in only one of them") {
        ask::set_field(filter, "player", "fischer");
    }
    Asked whole(*cut.whole, filter);
    PartsRequest parts(filter);
    std::mt19937_64 random(172);
    std::uint64_t games = 0;
    std::uint64_t moves = 0;
    for (int i = 0; i < at_size(60, 400); ++i) {
        const chess::AnyPosition position =
            i == 0 ? chess::AnyPosition() : random_position(*whole.reader, random);
        query::TreeOptions options{
            .transpositions = i % 4 != 0,
            .min_games = static_cast<std::uint64_t>(i % 3),
            .lists = std::array{query::GameLists::kNone, query::GameLists::kOfTree,
                                query::GameLists::kOfTreeAndMoves}[random() % 3]};
        for (const query::Match match :
             {query::Match::kExact, query::Match::kBoard, query::Match::kMirrored}) {
            if (!query::reason_against(match, position.variant()).empty()) continue;
            CAPTURE(i, static_cast<int>(match), chess::to_fen(position));
            options.match = match;
            const query::Tree expected =
                query::opening_tree(*whole.reader, whole.search, position, options);
            check_same(query::opening_tree(parts.sources, position, options), expected);
            games += expected.total.games;
            moves += expected.moves.size();
        }
    }
    CHECK(games != 0);
    CHECK(moves != 0);
}

TEST_CASE("A deep tree of two databases has the moves that enough games of both played", "[full]") {
    Asked whole(*Cut::instance().whole, {});
    PartsRequest parts({});
    const query::TreeOptions options{.min_games = 5};
    query::TreeDescent expected({{&*whole.reader, &whole.search}}, options, 4);
    query::TreeDescent found(parts.sources, options, 4);
    unsigned trees = 0;
    const auto compare = [&](const auto& self, const query::Tree& a, const query::Tree& b) -> void {
        ++trees;
        check_same(a, b);
        for (std::size_t i = 0; i < a.moves.size(); ++i) {
            found.replies(a.moves[i], [&](const query::Tree& reply) {
                expected.replies(b.moves[i],
                                 [&](const query::Tree& other) { self(self, reply, other); });
            });
        }
    };
    found.from(chess::AnyPosition(), [&](const query::Tree& a) {
        expected.from(chess::AnyPosition(), [&](const query::Tree& b) { compare(compare, a, b); });
    });
    CHECK(trees > 10);
}

TEST_CASE("The games in the JSON of a joined tree name their databases", "[full]") {
    PartsRequest parts({});
    const query::Tree tree = query::opening_tree(parts.sources, chess::AnyPosition(), {});
    const std::vector<query::TreeDatabase> databases{{&*parts.first.reader, "a.db"},
                                                     {&*parts.second.reader, "b.db"}};
    std::string text;
    json::append_object(text, [&](json::Object& object) {
        query::add_tree(tree, chess::FenDialect{}, databases, object);
    });
    const auto json = nlohmann::json::parse(text);
    REQUIRE(json["topGames"].size() == tree.top_games.size());
    for (std::size_t i = 0; i < tree.top_games.size(); ++i) {
        const query::NamedGame& named = tree.top_games[i];
        CHECK(json["topGames"][i]["database"] == databases[named.database].name);
        CHECK(json["topGames"][i]["game_id"] == named.game);
        store::GameHeader header;
        REQUIRE(databases[named.database].reader->header(named.game, header));
        CHECK(json["topGames"][i]["result"] == codec::result_text(header.result));
        CHECK(json["topGames"][i]["white"]["name"] == header.white.value());
    }
    CHECK(json["moves"][0]["topGames"][0].contains("database"));
}

TEST_CASE("The summary of two databases' repetitions equals that of one with the games of both",
          "[full]") {
    const Cut& cut = Cut::instance();
    for (const bool only_draws : {false, true}) {
        query::GameFilter filter;
        if (only_draws) ask::set_field(filter, "result", "1/2-1/2");
        Asked whole(*cut.whole, filter);
        PartsRequest parts(filter);
        const query::SummarySource one{&*whole.reader, &whole.matcher};
        const query::SummarySource two[] = {{&*parts.first.reader, &parts.first.matcher},
                                            {&*parts.second.reader, &parts.second.matcher}};
        const query::RepetitionSummary expected = query::summarize_repetitions({&one, 1}, 2, 20);
        const query::RepetitionSummary found = query::summarize_repetitions(two, 2, 20);
        CHECK(found.games == expected.games);
        CHECK(found.twofold == expected.twofold);
        CHECK(found.threefold == expected.threefold);
        CHECK(found.fivefold == expected.fivefold);
        CHECK(found.draws == expected.draws);
        CHECK(found.draws_by_repetition == expected.draws_by_repetition);
        CHECK(found.fifty_moves == expected.fifty_moves);
        CHECK(found.seventy_five_moves == expected.seventy_five_moves);
        REQUIRE(!expected.positions.empty());
        REQUIRE(found.positions.size() == expected.positions.size());
        for (std::size_t i = 0; i < found.positions.size(); ++i) {
            const auto& position = found.positions[i];
            const auto& other = expected.positions[i];
            CHECK(position.epd == other.epd);
            CHECK(position.games == other.games);
            CHECK(std::pair(position.database, position.game) == cut.place(other.game));
        }
        REQUIRE(found.shuffles.size() == expected.shuffles.size());
        for (std::size_t i = 0; i < found.shuffles.size(); ++i) {
            const auto& shuffle = found.shuffles[i];
            const auto& other = expected.shuffles[i];
            CHECK(shuffle.epd == other.epd);
            CHECK(shuffle.length() == other.length());
            CHECK(std::pair(shuffle.database, shuffle.repetition.game) ==
                  cut.place(other.repetition.game));
        }
    }
}

TEST_CASE("A name is found if one of two databases has it, and near names come from both",
          "[full]") {
    PartsRequest parts({});
    store::StoreReader* const readers[] = {&*parts.first.reader, &*parts.second.reader};
    Asked whole(*Cut::instance().whole, {});
    store::StoreReader* const all[] = {&*whole.reader};
    unsigned met = 0;
    for (const char* const name : {"Fischer", "Carlsen", "Marx", "Player 3", "Spasski", "Plaier"}) {
        CAPTURE(name);
        query::GameFilter filter;
        ask::set_field(filter, "player", name);
        const auto found = query::unmet_names(readers, filter);
        const auto expected = query::unmet_names(all, filter);
        REQUIRE(found.size() == expected.size());
        if (found.empty()) {
            ++met;
            continue;
        }
        REQUIRE(found[0].near.size() == expected[0].near.size());
        for (std::size_t i = 0; i < found[0].near.size(); ++i) {
            CHECK(found[0].near[i].name == expected[0].near[i].name);
            CHECK(found[0].near[i].games == expected[0].near[i].games);
        }
    }
    CHECK(met >= 2);
    CHECK(met <= 5);
}
