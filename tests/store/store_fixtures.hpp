// Games for the tests of the store, without the text layer: tags, moves and facts as values.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chess/fen.hpp"
#include "chess/random_play.hpp"
#include "codec/move_list.hpp"
#include "codec/posting.hpp"
#include "store/fingerprint.hpp"
#include "store/posting_sorter.hpp"
#include "store/sqlite/segments/segment_writer.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "store/store.hpp"
#include "support/process.hpp"

namespace fendex::test {

using Tags = std::vector<std::pair<std::string, std::string>>;

struct TestGame {
    Tags tags;
    chess::Position start;
    std::vector<chess::Move> moves;
    codec::GameFacts facts;
};

/// Returns a game of random moves from the standard start, one of `variety` move sequences.
inline TestGame random_game_of(Random& random, unsigned plies, unsigned variety = 1000) {
    TestGame game;
    Random moves(random() % variety);
    random_game(game.start, moves, plies,
                [&](const chess::Position&, chess::Move move) { game.moves.push_back(move); });
    game.facts.plies = static_cast<std::uint32_t>(game.moves.size());
    game.facts.result = static_cast<codec::Result>(random() % 4);
    game.facts.white_elo = static_cast<std::uint16_t>(random() % 2 * (2000 + random() % 800));
    game.facts.black_elo = static_cast<std::uint16_t>(random() % 2 * (2000 + random() % 800));
    game.facts.date =
        static_cast<std::uint32_t>(random() % 3 * (19'000'101 + random() % 1'000'000));
    return game;
}

/// Games as a worker returns them, with the texts that they have views of.
class GameBatch {
  public:
    void add(const TestGame& game) {
        store::NewGame& out = games_.games.emplace_back();
        out.facts = game.facts;
        out.facts.plies = static_cast<std::uint32_t>(game.moves.size());
        out.tags.begin = games_.tags.size();
        for (const auto& [name, value] : game.tags) games_.tags.push_back({own(name), own(value)});
        out.tags.size = game.tags.size();
        if (!game.start.same_as(chess::Position())) out.start = own(chess::to_fen(game.start));
        codec::BitWriter packed;
        chess::Position position = game.start;
        out.positions = {games_.positions.size(), game.moves.size() + 1};
        for (const chess::Move move : game.moves) {
            games_.positions.push_back({position.key(), move});
            codec::encode_move(position, move, packed);
            position.play(move);
        }
        games_.positions.push_back({position.key(), codec::kGameEndsHere});
        out.moves.begin = games_.moves.size();
        packed.append_to(games_.moves);
        out.moves.size = games_.moves.size() - out.moves.begin;
    }
    /// Adds repetitions of the last game.
    void add_repetitions(const std::vector<store::RepeatedPosition>& repetitions) {
        games_.games.back().repetitions = {games_.repetitions.size(), repetitions.size()};
        games_.repetitions.insert(games_.repetitions.end(), repetitions.begin(), repetitions.end());
    }
    void add_quiet_runs(const std::vector<store::QuietPlies>& runs) {
        games_.games.back().quiet_runs = {games_.quiet_runs.size(), runs.size()};
        games_.quiet_runs.insert(games_.quiet_runs.end(), runs.begin(), runs.end());
    }

    store::NewGames& games() { return games_; }

    /// Adds a game's terms.
    static void fingerprint(const TestGame& game, store::GameId id, std::uint64_t& sum) {
        const store::GameFingerprint terms(id);
        chess::Position position = game.start;
        for (std::uint32_t ply = 0; ply <= game.moves.size(); ++ply) {
            sum += terms.term(ply, position.key());
            if (ply < game.moves.size()) position.play(game.moves[ply]);
        }
    }

  private:
    std::string_view own(const std::string& text) { return games_.owned.emplace_back(text); }

    store::NewGames games_;
};

/// Appends the postings of a game.
inline void add_game_postings(const TestGame& game, std::uint32_t number,
                              std::vector<codec::Posting>& out) {
    chess::Position position = game.start;
    for (std::uint32_t ply = 0; ply <= game.moves.size(); ++ply) {
        const bool ends = ply == game.moves.size();
        out.emplace_back(position.key(), ends ? codec::kGameEndsHere : game.moves[ply], number,
                         ply);
        if (!ends) position.play(game.moves[ply]);
    }
}

inline void begin_source(store::StoreWriter& writer, const std::string& path) {
    writer.begin_source({path, {}, {}}, "");
}

/// Writes a segment of postings that have the games' ids.
inline void index_games(store::SegmentedWriter& writer, store::PostingSorter& sorter,
                        store::GameId first, store::GameId last, unsigned threads) {
    const store::SegmentRecord segment =
        store::write_segment(sorter, store::SegmentKind::kMainLine, {first, last}, threads, writer);
    writer.put_segments({&segment, 1});
}

/// Adds games to a database and commits; with `indexed`, their postings become a segment.
inline void store_games(const std::string& path, const std::vector<TestGame>& games, bool indexed,
                        std::size_t memory = std::size_t{1} << 20, unsigned threads = 2) {
    const std::unique_ptr<store::SegmentedWriter> writer = store::open_sqlite_writer(path);
    if (!writer->ply_rows()) writer->choose_ply_rows(store::PlyRows::kNo);
    begin_source(*writer, "test.pgn");
    const store::GameId first = writer->next_game();
    GameBatch batch;
    std::vector<codec::Posting> postings;
    for (std::uint32_t i = 0; i < games.size(); ++i) {
        batch.add(games[i]);
        add_game_postings(games[i], static_cast<std::uint32_t>(first) + i, postings);
    }
    writer->add(batch.games());
    store::SourceProgress progress;
    progress.complete = true;
    writer->update_source(progress);
    if (indexed) {
        store::PostingSorter sorter(memory, 1, std::filesystem::temp_directory_path().string());
        for (const codec::Posting& posting : postings) sorter.feeder(0).add(posting);
        index_games(*writer, sorter, first, first + games.size() - 1, threads);
    }
    writer->commit();
    writer->close();
}

}  // namespace fendex::test
