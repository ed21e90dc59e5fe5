// Positions in variations: the index finds the same as reading every variation, and the index of
// main lines does not depend on it.
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <tuple>

#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "query/position_search.hpp"
#include "replay/variation_walk.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/index/reindex.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "support/corpus.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

ingest::ImportOptions options_with(bool variations) {
    ingest::ImportOptions options{.threads = 2,
                                  .ply_rows = ingest::PlyRowChoice::kNo,
                                  .annotations = true,
                                  .variations = variations};
    return options;
}

/// Returns "game:ply line next" for each hit in a variation.
std::vector<std::string> hits_of(store::StoreReader& reader, const query::Question& question) {
    query::GameMatcher matcher(reader);
    std::vector<std::string> out;
    query::PositionSearch(reader, matcher)
        .find_with_variations(question, [&](const query::Hit& hit) {
            if (hit.line.empty()) return true;
            out.push_back(std::to_string(hit.game) + ":" + std::to_string(hit.plies.front()) + " " +
                          hit.line + " " +
                          (hit.next ? chess::to_san(hit.position, *hit.next) : "-"));
            return true;
        });
    return out;
}

chess::Position after(std::initializer_list<const char*> moves) {
    chess::Position position;
    for (const char* text : moves) {
        chess::SanMove san;
        chess::Move move;
        REQUIRE(chess::parse_san(text, san) == chess::SanError::kNone);
        REQUIRE(chess::resolve_san(position, san, move) == chess::SanError::kNone);
        position.play(move);
    }
    return position;
}

/// Collects every node by key, without the index: game, ply, line.
class Nodes final : public replay::VariationVisitor {
  public:
    using Node = std::tuple<store::GameId, std::uint32_t, std::string>;

    explicit Nodes(store::StoreReader& reader) {
        reader.for_each_annotation(1, [&](store::GameId game, std::string_view annotation) {
            store::StoredMoves moves;
            REQUIRE(reader.moves(game, moves));
            game_ = game;
            replay::walk_variations(game, moves, annotation, true, *this);
            return true;
        });
    }
    void node(const replay::VariationNode& node) override {
        CHECK(node.position.key() == node.position.standard()->computed_key());
        by_key_[node.position.key()].emplace_back(game_, node.ply, node.line);
    }
    const std::map<std::uint64_t, std::vector<Node>>& by_key() const { return by_key_; }

  private:
    store::GameId game_ = 0;
    std::map<std::uint64_t, std::vector<Node>> by_key_;
};

/// Compares the index with the nodes; returns the number of keys.
std::size_t check_index(const std::string& database) {
    const auto reader = store::file_store(database)->reader();
    const Nodes nodes(*reader);
    query::GameMatcher matcher(*reader);
    query::PositionSearch search(*reader, matcher);
    std::size_t wrong = 0;
    std::size_t place = 0;
    for (const auto& [key, expected] : nodes.by_key()) {
        if (nodes.by_key().size() > 2000 && place++ % 17 != 0 && expected.size() < 30) continue;
        std::vector<Nodes::Node> found;
        search.find_with_variations(query::Question::of_key(key), [&](const query::Hit& hit) {
            if (!hit.line.empty()) found.emplace_back(hit.game, hit.plies.front(), hit.line);
            return true;
        });
        if (found != expected) ++wrong;
    }
    CHECK(wrong == 0);
    return nodes.by_key().size();
}

std::vector<std::string> rows(const std::string& database, const std::string& sql) {
    const store::Connection connection(database, store::Connection::Mode::kReadOnly);
    store::Statement statement(connection, sql);
    std::vector<std::string> out;
    while (statement.step()) out.emplace_back(statement.text(0));
    return out;
}

std::vector<std::string> main_index(const std::string& database) {
    return rows(database,
                "SELECT first_key || ' ' || part || ' ' || hex(data) FROM block WHERE segment IN"
                " (SELECT id FROM segment WHERE kind = 0) ORDER BY segment, first_key, part");
}

/// Imports the files with and without an index of variations. Returns the number of its keys.
std::size_t check_both(const std::vector<std::string>& files) {
    const TemporaryDirectory directory;
    const std::string with = directory.path() + "/with.db";
    const std::string without = directory.path() + "/without.db";
    ingest::import_files(with, files, options_with(true));
    ingest::import_files(without, files, options_with(false));
    const std::size_t keys = check_index(with);
    CHECK(main_index(with) == main_index(without));
    const auto info = store::file_store(with)->reader()->info();
    const auto plain = store::file_store(without)->reader()->info();
    CHECK(info.fingerprint == plain.fingerprint);
    CHECK(info.distinct_positions == plain.distinct_positions);
    CHECK(info.index_pieces == plain.index_pieces);
    CHECK(rows(without, "SELECT count(*) FROM segment WHERE kind = 1") ==
          std::vector<std::string>{"0"});
    return keys;
}

constexpr char kGames[] =
    "[Event \"a\"]\n\n1. e4 e5 (1... c5! {x} 2. Nf3 (2. c3 d5 $1) 2... d6 (2... -- 3. d4) junk 3. "
    "d4 (3. "
    "c3)) (1... c5 2. c3) 2. Nf3 Nc6 (2... Nf6 e8(Q)) *\n\n"
    "[Event \"b\"]\n\n(1. d4 d5) 1. c4 c5 (1. e4 c5) *\n\n"
    "[Event \"c\"]\n\n1. e4 c5 *\n\n";

void append_line(chess::Position position, unsigned plies, unsigned depth, std::mt19937_64& random,
                 std::string& out) {
    for (; plies > 0; --plies) {
        chess::MoveList moves;
        chess::legal_moves(position, moves);
        if (moves.empty()) return;
        const chess::Move move = moves.begin()[random() % moves.size()];
        out += chess::to_san(position, move) + ' ';
        if (depth < 2 && random() % 3 == 0) {
            out += '(';
            append_line(position, 1 + static_cast<unsigned>(random() % 7), depth + 1, random, out);
            out += ") ";
        }
        position.play(move);
    }
}

/// Games of random moves with random variations, nested to depth 2.
std::string random_variations(unsigned games) {
    std::mt19937_64 random(20'250'104);
    std::string out;
    for (unsigned i = 0; i < games; ++i) {
        out += "[Event \"random\"]\n\n";
        append_line({}, 60, 0, random, out);
        out += "*\n\n";
    }
    return out;
}

std::string database_of(const TemporaryDirectory& directory, const std::string& pgn) {
    const std::string path = directory.path() + "/games.db";
    ingest::import_files(path, {directory.write("games.pgn", pgn)}, options_with(true));
    return path;
}

}  // namespace

TEST_CASE("a position in a variation is found with the line that leads to it") {
    const TemporaryDirectory directory;
    const auto reader = store::file_store(database_of(directory, kGames))->reader();
    using Lines = std::vector<std::string>;
    const auto lines = [&](std::initializer_list<const char*> moves) {
        return hits_of(*reader, query::Question::of(after(moves)));
    };
    CHECK(lines({"e4", "c5"}) == Lines{"1:2 1...c5 Nf3", "1:2 1...c5 c3"});
    CHECK(lines({"e4", "c5", "c3"}) == Lines{"1:3 1...c5 2.c3 d5", "1:3 1...c5 2.c3 -"});
    CHECK(lines({"e4", "c5", "Nf3", "d6"}) == Lines{"1:4 1...c5 2.Nf3 d6 -"});
    CHECK(lines({"e4", "c5", "Nf3", "--", "d4"}) == Lines{"1:5 1...c5 2.Nf3 -- 3.d4 -"});
    CHECK(lines({"e4", "c5", "Nf3", "d6", "d4"}).empty());  // after a word that is not a move
    CHECK(lines({"e4", "e5", "Nf3", "Nf6"}) == Lines{"1:4 2...Nf6 -"});
    CHECK(lines({"d4", "d5"}) == Lines{"2:2 1.d4 d5 -"});
    CHECK(lines({"c4", "e5"}).empty());
    // The games' own hits come first; in game b, the variation that replaces 1...c5 has no move of
    // Black.
    query::GameMatcher matcher(*reader);
    std::vector<std::pair<store::GameId, bool>> hits;
    query::PositionSearch(*reader, matcher)
        .find_with_variations(query::Question::of(after({"e4", "c5"})), [&](const query::Hit& hit) {
            hits.emplace_back(hit.game, hit.line.empty());
            return true;
        });
    CHECK(hits == std::vector<std::pair<store::GameId, bool>>{{1, false}, {1, false}, {3, true}});
}

TEST_CASE("the index of variations finds what reading all of them does, and changes nothing else") {
    const TemporaryDirectory directory;
    std::string games;
    for (unsigned i = 0; i < 300; ++i) games += kGames;
    games += random_variations(fewer(100U, 4));
    CHECK(check_both({directory.write("games.pgn", games)}) > fewer(10'000U, 4));
}

TEST_CASE("the index of the corpus' variations finds what reading all of them does", "[.corpus]") {
    CHECK(check_both(pgn::expand_inputs({whole_corpus() + "/annotated"})) > 10'000);
}

TEST_CASE("variations are found equally after several imports, a killed one and a new index") {
    const TemporaryDirectory directory;
    const std::string path = database_of(directory, kGames);
    const auto import = [&](bool variations) {
        // A different beginning, or the import would continue the first text.
        std::string games = "\n";
        for (int i = 0; i < 150; ++i) games += kGames;
        ingest::ImportOptions options = options_with(variations);
        const std::string name = std::to_string(variations) + "x.pgn";
        ingest::import_files(path, {directory.write(name, games)}, options);
    };
    const auto hits = [&] {
        const auto reader = store::file_store(path)->reader();
        return hits_of(*reader, query::Question::of(after({"e4", "c5"}))).size();
    };
    const auto segments = [&] {
        return rows(path,
                    "SELECT first_game || '-' || last_game FROM segment WHERE kind = 1"
                    " ORDER BY first_game");
    };
    CHECK(hits() == 2);
    import(true);  // absorbs the small one; some keys have rows of their own
    CHECK(segments() == std::vector<std::string>{"1-453"});
    CHECK(hits() == 302);
    check_index(path);

    // An import that is killed before it indexes the variations.
    {
        store::Connection connection(path, store::Connection::Mode::kReadWrite);
        connection.run("DELETE FROM segment WHERE kind = 1");
        connection.run("INSERT INTO meta(name, value) VALUES ('variations_from', 1)");
    }
    CHECK(hits() == 302);
    {
        const auto writer = store::open_sqlite_writer(path);
        store::reindex(path, *writer, {});
        writer->commit();
        writer->close();
    }
    CHECK(hits() == 302);
    {
        std::string one = "[Event \"d\"]\n\n1. e4 c5 *\n\n";
        ingest::import_files(path, {directory.write("one.pgn", one)}, options_with(false));
    }
    CHECK(segments() == std::vector<std::string>{"1-453"});
    CHECK(hits() == 302);
    check_index(path);
    {
        const auto writer = store::open_sqlite_writer(path);
        store::reindex(path, *writer, {});
        writer->commit();
        const std::vector<store::GameId> games{1, 2, 4};
        writer->remove_games(games);
        writer->commit();
        writer->close();
    }
    CHECK(segments() == std::vector<std::string>{"1-453"});
    CHECK(hits() == 298);
    check_index(path);
}
