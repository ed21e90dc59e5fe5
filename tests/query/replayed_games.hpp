// A database and its contents, found without its index: every game replayed from its packed moves,
// every position as text.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "chess/fen.hpp"
#include "chess/mirrored.hpp"
#include "chess/san.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "query/position_match.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/process.hpp"

namespace fendex::test {

struct ReplayedGame {
    std::map<std::string, std::string> tags;
    std::vector<std::string> epds;  // of every ply, the start included
    std::vector<std::string> fens;
    std::vector<std::string> sans;  // the move played from there; one fewer

    std::string tag(const std::string& name) const {
        const auto found = tags.find(name);
        return found == tags.end() ? std::string() : found->second;
    }
    /// Returns the rating; 0 if it is not a number.
    unsigned elo(const std::string& name) const {
        const std::string text = tag(name);
        const bool digits =
            !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return digits && text.size() <= 4 ? static_cast<unsigned>(std::stoul(text)) : 0;
    }
};

/// Game ids with all their plies, by EPD.
using Places = std::map<std::string, std::map<store::GameId, std::vector<std::uint32_t>>>;

class ReplayedDatabase {
  public:
    /// The samples, and games of different kinds from the corpus or its cut.
    static const ReplayedDatabase& instance() {
        static const ReplayedDatabase database;
        return database;
    }

    const std::string& path() const { return path_; }
    const std::map<store::GameId, ReplayedGame>& games() const { return contents().games; }
    const Places& places() const { return contents().places; }

    /// Returns the EPD of a random ply of a random game.
    std::string random_epd(std::mt19937_64& random) const {
        while (true) {
            const auto game = games().find(1 + random() % games().size());
            if (game == games().end() || game->second.epds.empty()) continue;
            return game->second.epds[random() % game->second.epds.size()];
        }
    }

  private:
    ReplayedDatabase() : path_(directory_ / "replayed.db") {
        std::vector<std::string> files = pgn::expand_inputs({FENDEX_SAMPLES});
        const std::string corpus = corpus_in_use();
        files.push_back(directory_ / "human.pgn");
        copy_games(corpus + "/human.pgn.zst", files.back(), 3000);
        files.push_back(corpus + "/online/shakmaty-benches-lichess_db_" +
                        (use_whole_corpus() ? "100k.pgn" : "10k.pgn"));
        files.push_back(corpus + "/annotated/endgames-from-fen.pgn");
        const ingest::ImportOptions options{.threads = 2, .ply_rows = ingest::PlyRowChoice::kNo};
        // Two imports make two segments.
        const auto half = files.begin() + static_cast<std::ptrdiff_t>(files.size() / 2);
        ingest::import_files(path_, {files.begin(), half}, options);
        files.push_back(directory_ / "mirrored.pgn");
        write_mirrored_games(files.back());
        ingest::import_files(path_, {half, files.end()}, options);
    }

    /// Writes existing games with colours exchanged, which hardly occur in real archives, and
    /// without a date; and games that return to a board with other rights.
    void write_mirrored_games(const std::string& to) const {
        std::ofstream out(to, std::ios::binary);
        const auto reader = store::file_store(path_)->reader();
        store::StoredGame game;
        for (store::GameId id = 1; reader->game(id, game) && id <= 30; ++id) {
            if (game.moves.facts.variant != chess::Variant::kStandard) continue;
            codec::GameWalk walk = replay::walk(id, game.moves);
            const bool white_won = game.moves.facts.result == codec::Result::kWhiteWins;
            const bool black_won = game.moves.facts.result == codec::Result::kBlackWins;
            const char* const result = white_won ? "0-1" : black_won ? "1-0" : "1/2-1/2";
            out << "[WhiteElo \"" << 2000 + id << "\"]\n[BlackElo \"" << 2500 + id
                << "\"]\n[Result \"" << result << "\"]\n[SetUp \"1\"]\n[FEN \""
                << chess::to_fen(chess::mirrored(walk.position())) << "\"]\n\n";
            for (; !walk.at_end(); walk.advance()) {
                out << chess::to_san(chess::mirrored(walk.position()),
                                     chess::mirrored(walk.next_move()))
                    << ' ';
            }
            out << result << "\n\n";
        }
        // Two games, because no ply is stored for a position of only one game.
        for (const char* const last : {"4. Ng1 Ng8", "4. g3"}) {
            out << "[TimeControl \"600+5\"]\n[Result \"*\"]\n\n1. Nf3 Nf6 2. Rg1 Rg8 3. Rh1 Rh8 "
                << last << " *\n\n";
        }
    }

    static void copy_games(const std::string& from, const std::string& to, unsigned games) {
        std::ofstream out(to, std::ios::binary);
        for_each_game(from, [&](std::string_view text, bool) {
            out << text << "\n\n";
            return --games != 0;
        });
    }

    struct Contents {
        std::map<store::GameId, ReplayedGame> games;
        Places places;
    };

    /// Not every test needs them.
    const Contents& contents() const {
        static const Contents contents = replayed();
        return contents;
    }

    Contents replayed() const {
        Contents out;
        const auto reader = store::file_store(path_)->reader();
        store::StoredGame stored;
        for (store::GameId id = 1; reader->game(id, stored); ++id) {
            ReplayedGame& game = out.games[id];
            for (const auto& [name, value] : stored.tags) game.tags.emplace(name, value);
            if (!chess::has_standard_rules(stored.moves.facts.variant)) continue;
            for (codec::GameWalk walk = replay::walk(id, stored.moves);; walk.advance()) {
                game.epds.push_back(chess::to_epd(walk.position()));
                game.fens.push_back(chess::to_fen(walk.position()));
                out.places[game.epds.back()][id].push_back(walk.ply());
                if (walk.at_end()) break;
                game.sans.push_back(chess::to_san(walk.position(), walk.next_move()));
            }
        }
        return out;
    }

    TemporaryDirectory directory_;
    std::string path_;
};

}  // namespace fendex::test
