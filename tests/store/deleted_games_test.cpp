// The store never returns deleted games, and every sum is that of the remaining games.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "replay/stored_walk.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/segments/group_tally.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "store/store_fixtures.hpp"
#include "support/delete_games.hpp"
#include "support/first_wrong.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using store::Candidate;
using store::GameId;
using test::TemporaryDirectory;
using test::TestGame;

/// Stored games, in segments and in none; and those that remain after deletions.
class Games {
  public:
    explicit Games(const std::string& path) : path_(path) {}

    void append(test::Random& random, std::size_t count, unsigned variety, bool indexed) {
        std::vector<TestGame> games;
        while (games.size() < count) {
            TestGame& game = games.emplace_back(test::random_game_of(random, 30, variety));
            game.tags = {{"White", "Player " + std::to_string(random() % 40)},
                         {"Black", "Player " + std::to_string(random() % 40)},
                         {"Event", "Event " + std::to_string(random() % 10)},
                         {"Site", "Site " + std::to_string(random() % 10)}};
        }
        test::store_games(path_, games, indexed);
        if (indexed) segments_.push_back({last_ + 1, last_ + count});
        for (TestGame& game : games) {
            const GameId id = ++last_;
            note(game, id);
            left_.emplace(id, std::move(game));
        }
    }

    void remove(const std::vector<GameId>& ids) {
        const std::size_t before = left_.size();
        for (const GameId id : ids) left_.erase(id);
        CHECK(test::delete_games(path_, ids) == before - left_.size());
    }

    GameId last() const { return last_; }
    std::size_t left() const { return left_.size(); }
    GameId any_left(test::Random& random) const {
        return std::next(left_.begin(), static_cast<std::ptrdiff_t>(random() % left_.size()))
            ->first;
    }

    void check() const {
        const auto reader = store::file_store(path_)->reader();
        check_counts(*reader);
        check_rows(*reader);
        std::size_t round = 0;
        for (const auto& [key, places] : places_) {
            if (test::left_out(round++, 4)) continue;
            if (!check_candidates(*reader, key, places)) FAIL_CHECK("candidates of key " << key);
            if (!check_sums(*reader, key, places)) FAIL_CHECK("sums of key " << key);
        }
    }

  private:
    struct Place {
        GameId game;
        std::uint32_t ply;
        chess::Move next;
    };

    void note(const TestGame& game, GameId id) {
        chess::Position position = game.start;
        for (std::uint32_t ply = 0; ply <= game.moves.size(); ++ply) {
            const bool ends = ply == game.moves.size();
            const chess::Move next = ends ? codec::kGameEndsHere : game.moves[ply];
            places_[position.key()].push_back({id, ply, next});
            if (!ends) position.play(next);
        }
    }

    void check_counts(store::StoreReader& reader) const {
        std::uint64_t plies = 0;
        std::uint64_t fingerprint = 0;
        std::uint64_t unindexed = 0;
        std::set<std::string> players;
        for (const auto& [id, game] : left_) {
            plies += game.moves.size();
            test::GameBatch::fingerprint(game, id, fingerprint);
            if (segments_.empty() || id > segments_.back().second) ++unindexed;
            players.insert({game.tags[0].second, game.tags[1].second});
        }
        const store::StoreInfo info = reader.info();
        CHECK(info.games == left_.size());
        CHECK(info.plies == plies);
        CHECK(info.positions == plies + left_.size());
        CHECK(info.fingerprint == fingerprint);
        CHECK(info.unindexed_games == unindexed);
        CHECK(reader.count_players() == players.size());
        CHECK(reader.last_game() == last_);
    }

    void check_rows(store::StoreReader& reader) const {
        std::vector<GameId> ids;
        for (const auto& [id, game] : left_) ids.push_back(id);
        std::vector<GameId> found;
        reader.for_each_moves(1, [&](GameId id, const store::StoredMoves&) {
            found.push_back(id);
            return true;
        });
        CHECK(found == ids);
        store::GameHeader header;
        store::StoredMoves moves;
        store::StoredGame stored;
        test::FirstWrong wrong;
        for (GameId id = 1; id <= last_ + 1; ++id) {
            const auto game = left_.find(id);
            const bool there = game != left_.end();
            if (there && test::left_out(id)) continue;
            const auto check = [&](bool right, const char* what) {
                wrong.check(right, [&] {
                    return what + std::string(" of game ") + std::to_string(id) +
                           (there ? ", which is left" : ", which is not there");
                });
            };
            check(reader.has_game(id) == there, "has_game()");
            check(reader.header(id, header) == there, "the header");
            check(reader.moves(id, moves) == there, "the moves");
            check(reader.game(id, stored) == there, "the game");
            if (there) {
                check(reader.facts(id) == game->second.facts, "the facts");
                check(stored.tags == game->second.tags, "the tags");
            } else if (id <= last_) {
                check(reader.facts(id) == codec::GameFacts{}, "the facts");
            }
        }
        CHECK(wrong.text() == "");
        CHECK_FALSE(reader.has_game(0));
    }

    bool check_candidates(store::StoreReader& reader, std::uint64_t key,
                          const std::vector<Place>& places) const {
        std::vector<std::pair<GameId, std::uint32_t>> expected;
        for (const Place& each : places) {
            if (left_.contains(each.game)) expected.emplace_back(each.game, each.ply);
        }
        std::vector<std::pair<GameId, std::uint32_t>> found;
        std::size_t candidates = 0;
        const auto cursor = reader.local()->candidates(key);
        for (Candidate candidate; cursor->next(candidate); ++candidates) {
            const auto game = left_.find(candidate.game);
            if (game == left_.end()) return false;
            if (candidate.ply) {
                found.emplace_back(candidate.game, *candidate.ply);
                continue;
            }
            chess::Position position = game->second.start;
            for (std::uint32_t ply = 0; ply <= game->second.moves.size(); ++ply) {
                if (position.key() == key) found.emplace_back(candidate.game, ply);
                if (ply < game->second.moves.size()) position.play(game->second.moves[ply]);
            }
        }
        bool right = true;
        reader.local()->for_each_candidate_group(key, [&](std::span<const Candidate> group) {
            candidates -= group.size();
            for (const Candidate& each : group) right = right && left_.contains(each.game);
        });
        return right && found == expected && candidates == 0;
    }

    bool check_sums(store::StoreReader& reader, std::uint64_t key,
                    const std::vector<Place>& places) const {
        const store::PositionOverview overview = reader.local()->overview(key);
        bool right = std::all_of(overview.candidates.begin(), overview.candidates.end(),
                                 [&](const Candidate& each) { return left_.contains(each.game); });
        for (const store::PositionSums& sums : overview.sums) {
            const auto segment =
                std::find_if(segments_.begin(), segments_.end(),
                             [&](const auto& each) { return each.first == sums.games.first; });
            if (segment == segments_.end()) return false;
            std::map<std::uint16_t, store::GroupTally> groups;
            codec::Tally total;
            std::set<GameId> games;
            for (const Place& each : places) {
                if (each.game < segment->first || each.game > segment->second) continue;
                if (!left_.contains(each.game)) continue;
                const codec::GameFacts& facts = left_.at(each.game).facts;
                groups[each.next.bits()].add(static_cast<std::uint32_t>(each.game - segment->first),
                                             [&] { return facts; });
                ++total.occurrences;
                if (games.insert(each.game).second) total.add_game(facts);
            }
            right = right && sums.total == total && total.games != 0 &&
                    sums.moves.size() == groups.size();
            for (const store::MoveSums& move : sums.moves) {
                codec::GroupSummary expected;
                groups[move.next.bits()].put(expected);
                const auto are = [&](const std::vector<GameId>& ids,
                                     const std::vector<std::uint32_t>& numbers) {
                    return std::equal(ids.begin(), ids.end(), numbers.begin(), numbers.end(),
                                      [&](GameId id, std::uint32_t number) {
                                          return id == segment->first + number;
                                      });
                };
                right = right && move.tally == expected.tally && move.tally.games != 0 &&
                        are(move.top_games, expected.top_games) &&
                        are(move.recent_games, expected.recent_games);
            }
        }
        return right;
    }

    std::string path_;
    GameId last_ = 0;
    std::map<GameId, TestGame> left_;
    std::map<std::uint64_t, std::vector<Place>> places_;  // of all games, with deleted ones
    std::vector<std::pair<GameId, GameId>> segments_;
};

}  // namespace

TEST_CASE("No query finds a deleted game, with and without segments, in several rounds", "[full]") {
    const TemporaryDirectory directory;
    Games games(directory / "a.db");
    test::Random random(301);
    games.append(random, test::at_size(400U, 900U), 3, true);
    games.append(random, 40, 100'000, true);
    games.append(random, test::at_size(300U, 700U), 3, true);
    games.append(random, 15, 3, false);
    for (const std::size_t count : {1U, 1U, 7U, 300U, 600U}) {
        std::vector<GameId> ids;
        for (std::size_t i = 0; i < count; ++i) ids.push_back(1 + random() % games.last());
        games.remove(ids);
        games.check();
    }
    // Later games get new numbers, and names that were removed return.
    games.append(random, 30, 3, false);
    games.check();
    games.remove({games.last(), games.last() - 29});
    games.check();
    while (games.left() > 3) {
        std::vector<GameId> ids;
        for (std::size_t i = 0; i < games.left() / 2; ++i) ids.push_back(games.any_left(random));
        games.remove(ids);
    }
    games.check();
    games.remove({games.any_left(random), 0, games.last() + 1, 5'000'000'000});
    games.check();
    std::vector<GameId> all;
    for (GameId id = 1; id <= games.last(); ++id) all.push_back(id);
    games.remove(all);
    CHECK(games.left() == 0);
    games.check();
    games.append(random, 5, 3, false);
    games.check();
}

TEST_CASE("Single games are deleted from a chunk of many, also at its ends") {
    const TemporaryDirectory directory;
    Games games(directory / "a.db");
    test::Random random(302);
    games.append(random, 4500, 2, true);
    games.remove({1, 2, 4095, 4096, 4097, 4099, 4500});
    games.check();
    games.append(random, 10, 2, false);
    games.remove({4505, 4506, 8, 4098});
    games.check();
}

TEST_CASE("A deletion that is rolled back has deleted nothing") {
    const TemporaryDirectory directory;
    Games games(directory / "a.db");
    test::Random random(303);
    games.append(random, 400, 3, true);
    {
        const auto writer = store::open_sqlite_writer(directory / "a.db");
        CHECK(writer->remove_games(std::vector<GameId>{3, 5, 400}).games == 3);
        writer->rollback();
        writer->commit();
        writer->close();
    }
    games.check();
}
