// Everything that a reader returns, as lines of text, so that two stores can be compared. Ids of a
// cluster's games, sources and errors become those of the database that was pushed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/hex.hpp"
#include "chess/variant_names.hpp"
#include "clickhouse/ids.hpp"
#include "store/store_reader.hpp"

namespace fendex::test {

class ReaderText {
  public:
    /// `origin` of the cluster; 0 for a file, too.
    explicit ReaderText(store::StoreReader& reader, clickhouse::Origin origin = 0)
        : reader_(reader), origin_(origin) {}

    using Lines = std::vector<std::string>;

    Lines counts() {
        const store::StoreInfo info = reader_.info();
        line("id", info.id);
        line("games", info.games);
        line("plies", info.plies);
        line("positions", info.positions);
        line("sources", info.sources);
        line("errors", info.errors);
        line("warnings", info.warnings);
        line("players", reader_.count_players());
        line("last", number(info.last_game));
        line("annotated", info.annotated_games);
        line("annotations", info.annotation_bytes);
        line("fingerprint", base::hex_key(info.fingerprint));
        line("last game", number(reader_.last_game()));
        return take();
    }

    Lines facts() {
        const store::GameId last = number(reader_.last_game());
        for (store::GameId game = 1; game <= last + 2; ++game) {
            const bool exists = reader_.has_game(id(game));
            line(game, exists);
            if (!exists) continue;
            line(reader_.facts(id(game)));
            const codec::GameRanks ranks = reader_.ranks(id(game));
            line("ranks", ranks.rating, ranks.date.number());
        }
        return take();
    }

    Lines headers(const std::vector<store::GameId>& games) {
        reader_.headers(ids(games), [&](const store::GameHeader& header) { line(header); });
        return take();
    }
    Lines moves(const std::vector<store::GameId>& games) {
        reader_.moves(ids(games), [&](store::GameId game, const store::StoredMoves& moves) {
            line(number(game));
            line(moves);
        });
        return take();
    }
    Lines games(const std::vector<store::GameId>& games) {
        reader_.games(ids(games), [&](store::GameId game, const store::StoredGame& stored) {
            line(number(game));
            line(stored);
        });
        return take();
    }
    Lines annotations(const std::vector<store::GameId>& games) {
        reader_.annotations(ids(games), [&](store::GameId game, std::string_view stream) {
            line(number(game), stream);
        });
        return take();
    }
    /// Reads everything about each game before the next game.
    Lines one_by_one(const std::vector<store::GameId>& games) {
        for (const store::GameId game : games) {
            store::GameHeader header;
            if (reader_.header(id(game), header)) line(header);
            store::StoredMoves moves;
            if (reader_.moves(id(game), moves)) line(moves);
            store::StoredGame stored;
            if (reader_.game(id(game), stored)) line(stored);
            std::string annotation;
            if (reader_.annotation(id(game), annotation)) line(annotation);
            for (const auto& each : reader_.repetitions(id(game))) line(each);
            for (const auto& each : reader_.quiet_runs(id(game))) line(each);
        }
        return take();
    }

    Lines scans(store::GameId first, std::size_t most) {
        std::size_t left = most;
        reader_.for_each_moves(id(first), [&](store::GameId game, const auto& moves) {
            line(number(game));
            line(moves);
            return --left != 0;
        });
        left = most;
        reader_.for_each_game(id(first), [&](store::GameId game, const auto& stored) {
            line(number(game));
            line(stored);
            std::string annotation;
            line("annotation", reader_.annotation(game, annotation));
            line(annotation);
            for (const auto& each : reader_.repetitions(game)) line(each);
            return --left != 0;
        });
        left = most;
        reader_.for_each_annotation(id(first), [&](store::GameId game, std::string_view stream) {
            line(number(game), stream);
            return --left != 0;
        });
        return take();
    }

    Lines imports() {
        for (const store::StoredSource& each : reader_.sources()) {
            line("source", source(each.id), each.file.path, each.file.size, each.file.modified);
            line(each.first_byte, each.progress.bytes, each.progress.digest);
            line(each.progress.resume.byte, each.progress.resume.line, each.progress.resume.digest);
            line("open", each.progress.open_game ? number(*each.progress.open_game) : 0);
            line(each.progress.complete, number(each.first_game), each.games, each.duplicates);
            line(each.plies, each.errors, each.started, each.finished, each.options);
            line(each.progress.prefixes);
        }
        std::vector<std::int64_t> errors;
        reader_.for_each_error([&](const store::StoredError& each) {
            errors.push_back(each.id);
            line("error", source(each.id), source(each.source), each.path);
            line(each.game ? number(*each.game) : 0, each.error.byte, each.error.line,
                 each.error.ply);
            line(each.error.reason, each.error.text, each.error.warning);
            return true;
        });
        for (const std::int64_t error : errors) line(reader_.broken_game(error));
        line(reader_.broken_game(errors.empty() ? 1 : errors.back() + 1));
        return take();
    }

  private:
    store::GameId id(store::GameId game) const { return clickhouse::cluster_id(origin_, game); }
    store::GameId number(store::GameId game) const {
        return game == 0 ? 0 : game - clickhouse::cluster_id(origin_, 0);
    }
    std::uint64_t source(std::int64_t source) const {
        return number(static_cast<store::GameId>(source));
    }
    std::vector<store::GameId> ids(std::vector<store::GameId> games) const {
        for (store::GameId& game : games) game = id(game);
        return games;
    }

    static std::string text(std::string_view value) { return std::string(value); }
    static std::string text(const std::string& value) { return value; }
    static std::string text(const char* value) { return value; }
    template <typename Value>
    static std::string text(const std::optional<Value>& value) {
        return value ? "=" + text(*value) : "none";
    }
    template <typename Number>
    static std::string text(Number value) {
        return std::to_string(value);
    }

    template <typename... Values>
    void line(const Values&... values) {
        std::string& out = lines_.emplace_back();
        ((out += text(values), out += '|'), ...);
    }
    void line(const codec::GameFacts& facts) {
        line("facts", static_cast<unsigned>(facts.result), static_cast<unsigned>(facts.variant),
             static_cast<unsigned>(facts.time_class), static_cast<unsigned>(facts.mode),
             facts.white_elo, facts.black_elo, facts.date.number(), facts.plies);
    }
    void line(const store::GameHeader& header) {
        line("header", number(header.id), header.white, header.black, header.event, header.site,
             header.date, header.round, header.eco, static_cast<unsigned>(header.result),
             header.white_elo, header.black_elo, header.plies,
             static_cast<unsigned>(header.variant));
    }
    void line(const store::StoredMoves& moves) {
        line("moves", static_cast<unsigned>(moves.facts.result),
             static_cast<unsigned>(moves.facts.variant), moves.facts.plies, moves.start,
             moves.moves);
    }
    void line(const store::StoredGame& game) {
        line(game.moves);
        for (const auto& [name, value] : game.tags) line(name, value);
    }
    void line(const store::Repetition& each) {
        line("repetition", number(each.game), base::hex_key(each.key),
             store::plies_text(each.plies));
    }
    void line(const store::QuietRun& run) {
        line("run", number(run.game), run.ply50, run.ply75, run.longest);
    }
    Lines take() { return std::exchange(lines_, {}); }

    store::StoreReader& reader_;
    clickhouse::Origin origin_;
    Lines lines_;
};

}  // namespace fendex::test
