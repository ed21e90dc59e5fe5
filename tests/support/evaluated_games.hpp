// Random games with random evaluations in their comments, and random records of their positions,
// for tests that compare answers with a plain loop over these numbers.
#pragma once

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/random_play.hpp"
#include "chess/san.hpp"

namespace fendex::test {

inline constexpr const char* kEvaluatedPlayers[] = {"Ivanova", "Petrov", "Sokolov"};
inline constexpr const char* kBlackBegins =
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";

/// A mate is `mate` from White's view, unless it is 0.
struct Eval {
    int centipawns = 0;
    int mate = 0;
};

/// From White's view, with the limits of the filter.
inline int number_of(const Eval& eval) {
    if (eval.mate != 0) return eval.mate > 0 ? 1000 : -1000;
    return std::max(-1000, std::min(1000, eval.centipawns));
}

struct EvaluatedGame {
    std::string white;
    std::string black;
    bool black_begins = false;
    std::vector<std::string> epds;         // of each position
    std::vector<std::optional<Eval>> own;  // after each ply
    std::string text;

    /// The largest loss of a side by these evaluations.
    std::optional<int> swing(bool of_white, const std::vector<std::optional<Eval>>& evals) const {
        std::optional<int> largest;
        for (std::size_t ply = 1; ply < evals.size(); ++ply) {
            const bool white_moved = (ply % 2 == 1) != black_begins;
            if (white_moved != of_white || !evals[ply - 1] || !evals[ply]) continue;
            const int change = number_of(*evals[ply]) - number_of(*evals[ply - 1]);
            const int loss = std::max(0, white_moved ? -change : change);
            largest = std::max(largest.value_or(0), loss);
        }
        return largest;
    }
};

inline Eval random_eval(Random& random) {
    const auto between = [&](int low, int high) {
        return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    if (random() % 8 == 0) return {0, random() % 2 == 0 ? between(1, 9) : between(-9, -1)};
    return {random() % 8 == 0 ? between(-4000, 4000) : between(-300, 300), 0};
}

inline std::string text_of(const Eval& eval) {
    if (eval.mate != 0) return "#" + std::to_string(eval.mate);
    char text[16];
    std::snprintf(text, sizeof text, "%.2f", eval.centipawns / 100.0);
    return text;
}

inline EvaluatedGame random_evaluated_game(Random& random) {
    EvaluatedGame game;
    game.white = one_of(random, kEvaluatedPlayers);
    game.black = one_of(random, kEvaluatedPlayers);
    game.black_begins = random() % 4 == 0;
    game.text = "[White \"" + game.white + "\"]\n[Black \"" + game.black + "\"]\n";
    chess::Position position;
    if (game.black_begins) {
        position = *chess::parse_fen(kBlackBegins).position;
        game.text += std::string("[SetUp \"1\"]\n[FEN \"") + kBlackBegins + "\"]\n";
    }
    game.text += "[Result \"*\"]\n\n";
    const bool has_evals = random() % 2 == 0;
    const auto add_position = [&] {
        game.epds.push_back(chess::to_epd(position));
        game.own.emplace_back();
        if (!has_evals || random() % 5 == 0) return;
        game.own.back() = random_eval(random);
        game.text += "{ [%clk 0:01:00] [%eval " + text_of(*game.own.back()) + "] }\n";
        if (random() % 4 == 0) game.text += "{ [%eval 9.99] said later }\n";
    };
    add_position();
    for (std::size_t ply = random() % 12; ply > 0; --ply) {
        const chess::MoveList legal = chess::legal_moves(position);
        if (legal.size() == 0) break;
        const chess::Move move = *(legal.begin() + random() % legal.size());
        game.text += chess::to_san(position, move) + ' ';
        position.play(move);
        add_position();
        if (random() % 6 == 0) game.text += "(e4 { [%eval 5.55] } e5 { [%eval -5.55] })\n";
    }
    game.text += "*\n\n";
    return game;
}

using EvaluatedPositions = std::map<std::string, Eval>;

/// Records of some of the positions.
inline EvaluatedPositions random_records(Random& random, const std::vector<EvaluatedGame>& games) {
    EvaluatedPositions out;
    for (const EvaluatedGame& game : games) {
        for (const std::string& epd : game.epds) {
            if (random() % 4 != 0) out.try_emplace(epd, random_eval(random));
        }
    }
    return out;
}

inline std::string lines_of(const EvaluatedPositions& records) {
    std::string out;
    for (const auto& [epd, eval] : records) {
        const std::string score = eval.mate != 0 ? "\"mate\":" + std::to_string(eval.mate)
                                                 : "\"cp\":" + std::to_string(eval.centipawns);
        out += "{\"fen\":\"" + epd + "\",\"evals\":[{\"pvs\":[{" + score +
               ",\"line\":\"\"}],\"knodes\":1,\"depth\":20}]}\n";
    }
    return out;
}

}  // namespace fendex::test
