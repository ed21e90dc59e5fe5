// Imports games at once, and bit by bit with segments that are written and absorbed. All answers
// must be the same.
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "chess/random_play.hpp"
#include "chess/san.hpp"
#include "ingest/importer.hpp"
#include "query/position_search.hpp"
#include "query/tree_json.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using test::Random;
using test::TemporaryDirectory;

/// Games of few kinds, so that positions are shared by few, some or hundreds of them.
class SharedGames {
  public:
    explicit SharedGames(unsigned games) {
        Random random(131);
        for (unsigned i = 0; i < games; ++i) texts_.push_back(game(random));
    }

    std::size_t size() const { return texts_.size(); }
    std::string text(std::size_t first, std::size_t last) const {
        std::string out;
        for (std::size_t i = first; i < last; ++i) out += texts_[i];
        return out;
    }
    const std::map<std::uint64_t, chess::Position>& positions() const { return positions_; }

  private:
    std::string game(Random& random) {
        const char* const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
        const std::string result = results[random() % 4];
        std::string tags = "[Result \"" + result + "\"]\n";
        if (random() % 3 != 0) {
            tags += "[WhiteElo \"" + std::to_string(2000 + random() % 700) + "\"]\n[BlackElo \"" +
                    std::to_string(2000 + random() % 700) + "\"]\n";
        }
        if (random() % 4 != 0) {
            tags += "[Date \"" + std::to_string(1990 + random() % 30) + ".??.??\"]\n";
        }
        std::string moves;
        Random of_kind(random() % 30 < 20 ? random() % 3 : random() % 300);
        chess::Position last;
        positions_.emplace(last.key(), last);
        test::random_game(chess::Position(), of_kind, 5 + static_cast<unsigned>(random() % 30),
                          [&](const chess::Position& position, chess::Move move) {
                              moves += chess::to_san(position, move) + " ";
                              last = position;
                              last.play(move);
                              positions_.emplace(last.key(), last);
                          });
        return tags + "\n" + moves + result + "\n\n";
    }

    std::vector<std::string> texts_;
    std::map<std::uint64_t, chess::Position> positions_;
};

class Asked {
  public:
    explicit Asked(const std::string& database)
        : reader_(store::file_store(database)->reader()), all_(*reader_), search_(*reader_, all_) {}

    store::StoreReader& reader() { return *reader_; }
    std::string tree(const chess::Position& position) {
        std::string out;
        const query::Tree tree = query::opening_tree(*reader_, search_, position, {});
        const query::TreeDatabase database{&*reader_, {}};
        json::append_object(out, [&](json::Object& object) {
            query::add_tree(tree, chess::FenDialect::kStandard, {&database, 1}, object);
        });
        return out;
    }
    using Found = std::vector<std::pair<store::GameId, std::vector<std::uint32_t>>>;
    Found find(const chess::Position& position) {
        Found found;
        search_.find(query::Question::of(position), [&](const query::Hit& hit) {
            found.emplace_back(hit.game, hit.plies);
            return true;
        });
        return found;
    }
    std::string repeats(std::uint64_t key) {
        std::string out;
        reader_->local()->for_each_repetition_of(key, 2, [&](const store::Repetition& repetition) {
            out += std::to_string(repetition.game) + " ";
            return true;
        });
        return out;
    }

  private:
    store::Reader reader_;
    query::GameMatcher all_;
    query::PositionSearch search_;
};

}  // namespace

TEST_CASE("Segments written during an import and merged give the same answers as one") {
    const TemporaryDirectory directory;
    const SharedGames games(900);
    ingest::ImportOptions options{.ply_rows = ingest::PlyRowChoice::kNo};
    const std::string once = directory / "once.db";
    ingest::import_files(once, {directory.write("a.pgn", games.text(0, games.size()))}, options);
    Asked one(once);
    REQUIRE(one.reader().info().index_pieces == 1);

    Random random(132);
    std::size_t size = 0;
    for (const std::uint64_t segment_postings : {300ULL, 5000ULL, 8000ULL}) {
        if (test::left_out(size++, 2)) continue;
        const std::string parts = directory / ("parts" + std::to_string(segment_postings));
        options.segment_postings = segment_postings;
        options.batch_bytes = 2000;
        options.read_bytes = 1000;
        for (std::size_t first = 0; first < games.size();) {
            const std::size_t last =
                std::min(games.size(), first + 1 + random() % (random() % 3 == 0 ? 200 : 10));
            options.threads = 1 + static_cast<unsigned>(random() % 3);
            ingest::import_files(parts, {directory.write("b.pgn", games.text(first, last))},
                                 options);
            first = last;
        }
        Asked many(parts);
        CAPTURE(segment_postings, many.reader().info().index_pieces);
        CHECK(many.reader().info().index_pieces >= 2);
        CHECK(many.reader().info().fingerprint == one.reader().info().fingerprint);
        std::size_t different = 0;
        std::size_t big = 0;
        std::size_t round = 0;
        for (const auto& [key, position] : games.positions()) {
            const Asked::Found found = one.find(position);
            if (found.size() < 20 && test::left_out(round++)) continue;
            big += found.size() >= codec::kBigPosition ? 1U : 0U;
            different += many.find(position) != found ? 1U : 0U;
            different += many.repeats(key) != one.repeats(key) ? 1U : 0U;
            // A tree costs as much as a dozen look-ups.
            if (found.size() < 20 && random() % 8 != 0) continue;
            different += many.tree(position) != one.tree(position) ? 1U : 0U;
        }
        CHECK(different == 0);
        CHECK(big > 0);
    }
}
