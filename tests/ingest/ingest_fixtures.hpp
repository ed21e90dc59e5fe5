// Archives of random games, written as PGN with the rules layer's own SAN, and their correct
// contents.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chess/fen.hpp"
#include "chess/random_play.hpp"
#include "chess/san.hpp"
#include "codec/game_walk.hpp"
#include "ingest/importer.hpp"
#include "replay/stored_walk.hpp"
#include "store/fingerprint.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/first_wrong.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"
#include "upkeep/database_check.hpp"

namespace fendex::test {

struct PgnGame {
    chess::Position start;
    std::vector<chess::Move> moves;
    std::string text;
};

/// Returns a game in a random layout: with or without tags, comments, variations, line ends.
inline PgnGame random_pgn_game(Random& random, unsigned number) {
    PgnGame game;
    const char* line_end = number % 5 == 0 ? "\r\n" : "\n";
    if (number % 4 == 1) game.start = random_start(random, number % 8 == 1);
    // Every sixth game has no result, so the next one must begin with tags.
    const bool result = number % 6 != 5;
    const bool tagged =
        number % 7 != 3 || number % 6 == 0 || !result || !game.start.same_as(chess::Position());
    const auto tag = [&](const std::string& name, const std::string& value) {
        game.text += "[" + name + " \"" + value + "\"]" + line_end;
    };
    if (tagged) {
        tag("Event", "Event " + std::to_string(number % 3));
        tag("White", "M\xFCller, " + std::to_string(random() % 9));
        tag("Round", std::to_string(number));
        if (!game.start.same_as(chess::Position())) {
            tag("Variant", "Chess960");
            tag("FEN", chess::to_fen(game.start));
        }
        game.text += line_end;
    }
    random_game(game.start, random, 5 + static_cast<unsigned>(random() % 90),
                [&](const chess::Position& position, chess::Move move) {
                    if (game.moves.size() % 2 == 0) {
                        game.text += std::to_string(game.moves.size() / 2 + 1) + ". ";
                    }
                    game.text += chess::to_san(position, move);
                    game.moves.push_back(move);
                    switch (random() % 12) {
                        case 0: game.text += " {a ) comment; 1-0}"; break;
                        case 1: game.text += " (1. xx (Nf3) $1)"; break;
                        case 2: game.text += std::string(" ; gone") + line_end; return;
                        case 3: game.text += line_end; return;
                        default: break;
                    }
                    game.text += ' ';
                });
    game.text += std::string(result ? "1-0" : "") + line_end + line_end;
    return game;
}

struct PgnArchive {
    std::vector<PgnGame> games;

    std::string text(std::size_t first = 0, std::size_t last = ~std::size_t{0}) const {
        std::string out;
        for (std::size_t i = first; i < std::min(last, games.size()); ++i) out += games[i].text;
        return out;
    }
    std::uint64_t plies() const {
        std::uint64_t plies = 0;
        for (const PgnGame& game : games) plies += game.moves.size();
        return plies;
    }
    /// The sum over every (game, ply, key) of the first games, from the boards.
    std::uint64_t fingerprint(std::size_t count = ~std::size_t{0}) const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < std::min(count, games.size()); ++i) {
            const store::GameFingerprint terms(i + 1);
            chess::Position position = games[i].start;
            sum += terms.term(0, position.key());
            for (std::uint32_t ply = 1; ply <= games[i].moves.size(); ++ply) {
                position.play(games[i].moves[ply - 1]);
                sum += terms.term(ply, position.key());
            }
        }
        return sum;
    }
};

inline PgnArchive random_archive(std::uint64_t seed, unsigned games) {
    Random random(seed);
    PgnArchive archive;
    for (unsigned number = 1; number <= games; ++number) {
        archive.games.push_back(random_pgn_game(random, number));
    }
    return archive;
}

inline ingest::ImportOptions threads(unsigned count) {
    ingest::ImportOptions options{.threads = count};
    return options;
}
inline ingest::ImportOptions ply_rows(ingest::PlyRowChoice choice) {
    ingest::ImportOptions options{.ply_rows = choice};
    return options;
}

/// A new database, and the summaries of imports.
class Imported {
  public:
    Imported() : path_(directory_ / "games.db") {}
    explicit Imported(const std::vector<std::string>& inputs, ingest::ImportOptions options = {})
        : path_(directory_ / "games.db") {
        again(inputs, std::move(options));
    }

    const ingest::ImportSummary& again(const std::vector<std::string>& inputs,
                                       ingest::ImportOptions options = {}) {
        summary_ = ingest::import_files(path_, inputs, options);
        return summary_;
    }

    const std::string& path() const { return path_; }
    const ingest::ImportSummary& summary() const { return summary_; }
    store::StoreInfo info() const { return store::file_store(path_)->reader()->info(); }

    /// Returns the rows of a query, columns joined by '|'.
    std::vector<std::string> rows(const std::string& sql) const {
        const store::Connection connection(path_, store::Connection::Mode::kReadOnly);
        store::Statement statement(connection, sql);
        std::vector<std::string> out;
        while (statement.step()) out.emplace_back(statement.text(0));
        return out;
    }

    /// Returns everything that an import stores of its games, as one text.
    std::string content() const {
        std::string out;
        for (const char* sql :
             {"SELECT id || '|' || result || '|' || plies || '|' || variant || '|' || ifnull(fen, "
              "'-')"
              " || '|' || hex(moves) || '|' || (SELECT name FROM tag_shape WHERE id = shape)"
              " FROM game ORDER BY id",
              "SELECT game_id || '|' || key || '|' || plies FROM repetition ORDER BY game_id, key",
              "SELECT game_id || '|' || ply50 || '|' || ifnull(ply75, '-') || '|' || longest"
              " FROM quiet_run ORDER BY game_id, ply50",
              "SELECT ifnull(game_id, '-') || '|' || line || '|' || ifnull(ply, '-') || '|' || "
              "reason"
              " || '|' || text FROM import_error ORDER BY id"}) {
            for (const std::string& row : rows(sql)) out += row + "\n";
        }
        return out;
    }

  private:
    TemporaryDirectory directory_;
    std::string path_;
    ingest::ImportSummary summary_;
};

/// Returns the comments and variations of all games, and the swings.
inline std::string notes(const Imported& imported) {
    std::string out;
    const auto reader = store::file_store(imported.path())->reader();
    reader->for_each_annotation(1, [&](store::GameId game, std::string_view stream) {
        out += std::to_string(game) + '|' + std::string(stream) + '\n';
        return true;
    });
    for (const std::string& row :
         imported.rows("SELECT chunk || '|' || hex(data) FROM game_swing ORDER BY chunk")) {
        out += row + '\n';
    }
    return out;
}

inline void check_undamaged(const Imported& imported) {
    const upkeep::CheckReport report = upkeep::check_database(imported.path(), {});
    for (const upkeep::Damage& each : report.findings.listed()) CHECK(each.message == "");
}

struct Interrupted {};

/// Imports until that many batches have been stored, and loses the last one. Returns whether the
/// import came to its end.
inline bool import_batches(Imported& imported, const std::vector<std::string>& inputs,
                           ingest::ImportOptions options, unsigned batches) {
    unsigned stored = 0;
    options.progress = [&](const ingest::ImportProgress& progress) {
        if (progress.phase == ingest::ImportProgress::Phase::kReading && ++stored == batches) {
            throw Interrupted();
        }
    };
    try {
        imported.again(inputs, std::move(options));
        return true;
    } catch (const Interrupted&) {
        return false;
    }
}

/// Returns all that an import stores, without times.
inline std::string everything(const Imported& imported) {
    std::string out = imported.content();
    for (const char* sql :
         {"SELECT source || '|' || byte || '|' || ifnull(hex(pgn), '-') FROM import_error"
          " ORDER BY id",
          "SELECT id || '|' || path || '|' || ifnull(size, '-') || '|' || first_byte || '|' ||"
          " bytes || '|' || digest || '|' || resume_byte || '|' || resume_line || '|' ||"
          " resume_digest || '|' || ifnull(open_game, '-') || '|' || first_game || '|' || games"
          " || '|' || plies || '|' || errors || '|' || complete FROM source ORDER BY id",
          "SELECT name || '|' || value FROM meta WHERE name IN"
          " ('games', 'plies', 'positions', 'errors', 'fingerprint') ORDER BY name",
          "SELECT id || '|' || name FROM player ORDER BY id", "SELECT hex(data) FROM fact",
          "SELECT hex(data) FROM signature"}) {
        for (const std::string& row : imported.rows(sql)) out += row + "\n";
    }
    const auto reader = store::file_store(imported.path())->reader();
    reader->for_each_game(1, [&](store::GameId id, const store::StoredGame& game) {
        out += std::to_string(id);
        for (const auto& [name, value] : game.tags) out.append(1, '|').append(name + '=' + value);
        out += '\n';
        return true;
    });
    return out;
}

/// Checks that every position, or every n-th one (fewer in a sanitizer build), is among the
/// candidates of its key.
inline void check_found(const Imported& imported, const PgnArchive& games, std::size_t every = 1) {
    const auto reader = store::file_store(imported.path())->reader();
    std::map<std::uint64_t, std::vector<std::pair<store::GameId, std::uint32_t>>> places;
    for (std::size_t i = 0; i < games.games.size(); ++i) {
        chess::Position position = games.games[i].start;
        places[position.key()].emplace_back(i + 1, 0);
        for (std::uint32_t ply = 1; ply <= games.games[i].moves.size(); ++ply) {
            position.play(games.games[i].moves[ply - 1]);
            places[position.key()].emplace_back(i + 1, ply);
        }
    }
    FirstWrong wrong;
    std::size_t n = 0;
    for (const auto& [key, expected] : places) {
        if (++n % every != 0 || left_out(n / every)) continue;
        std::vector<std::pair<store::GameId, std::uint32_t>> found;
        const auto cursor = reader->local()->candidates(key);
        store::Candidate candidate;
        while (cursor->next(candidate)) {
            if (candidate.ply) {
                found.emplace_back(candidate.game, *candidate.ply);
                continue;
            }
            store::StoredMoves moves;
            reader->moves(candidate.game, moves);
            for (codec::GameWalk walk = replay::walk(candidate.game, moves);; walk.advance()) {
                if (walk.position().key() == key) found.emplace_back(candidate.game, walk.ply());
                if (walk.at_end()) break;
            }
        }
        wrong.check(found == expected, [&, key = key, &expected = expected] {
            const auto text = [](const auto& all) {
                std::string out;
                for (const auto& [game, ply] : all) {
                    out += " " + std::to_string(game) + "/" + std::to_string(ply);
                }
                return out;
            };
            return "key " + std::to_string(key) + ": found" + text(found) + ", expected" +
                   text(expected);
        });
    }
    CHECK(wrong.text() == "");
}

}  // namespace fendex::test
