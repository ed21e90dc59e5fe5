// Matches sequences of steps in the simple way, on boards and moves written as text, for comparison
// with the scan. Shares no code with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/pattern_twin.hpp"

namespace fendex::test {

/// A position of a game, and the move that is played from it.
struct Frame {
    std::string squares;
    bool white = true;
    std::string san;  // empty at the end
    std::string uci;  // castling: the king takes its rook
};
using Frames = std::vector<Frame>;

/// A move as pieces and squares. Squares are indices of Frame::squares.
struct PlayedMove {
    enum Kind { kNone, kPlain, kShort, kLong, kDrop };
    Kind kind = kNone;
    char mover = ' ';   // "PNBRQK"
    char victim = ' ';  // a blank: none
    char becomes = ' ';
    std::size_t from = 64;
    std::size_t to = 64;
};

inline std::size_t square_at(const std::string& uci, std::size_t at) {
    return static_cast<std::size_t>(('8' - uci[at + 1]) * 8 + uci[at] - 'a');
}
inline std::string name_of_square(std::size_t square) {
    return {static_cast<char>('a' + square % 8), static_cast<char>('8' - square / 8)};
}
inline char upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

inline PlayedMove move_of(const Frame& frame) {
    PlayedMove move;
    if (frame.san.empty()) return move;
    move.to = square_at(frame.uci, 2);
    if (frame.uci[1] == '@') {
        move.kind = PlayedMove::kDrop;
        move.mover = frame.uci[0];
        return move;
    }
    move.from = square_at(frame.uci, 0);
    move.mover = upper(frame.squares[move.from]);
    if (frame.san.starts_with("O-O")) {
        move.kind = frame.san.starts_with("O-O-O") ? PlayedMove::kLong : PlayedMove::kShort;
        return move;
    }
    move.kind = PlayedMove::kPlain;
    if (frame.squares[move.to] != '.') move.victim = upper(frame.squares[move.to]);
    if (move.mover == 'P' && move.victim == ' ' && move.from % 8 != move.to % 8) move.victim = 'P';
    if (frame.uci.size() == 5) move.becomes = upper(frame.uci[4]);
    return move;
}

/// A condition on a move. Blanks and empty texts allow everything.
struct WantedMove {
    PlayedMove::Kind kind = PlayedMove::kPlain;
    std::string movers = "PNBRQK";
    std::string from = "  ";  // file and rank
    std::string to = "  ";
    char captures = ' ';  // x: only captures
    std::string victims = "PNBRQK";
    char becomes = ' ';
    std::vector<std::size_t> route = {};  // the squares after the first two

    std::string text() const;
    bool fits(const PlayedMove& move) const;
};

inline bool square_fits(const std::string& wanted, std::size_t square) {
    const std::string name = name_of_square(square);
    return (wanted[0] == ' ' || wanted[0] == name[0]) && (wanted[1] == ' ' || wanted[1] == name[1]);
}

inline bool WantedMove::fits(const PlayedMove& move) const {
    if (kind != move.kind) return false;
    if (kind == PlayedMove::kShort || kind == PlayedMove::kLong) return true;
    if (movers.find(move.mover) == std::string::npos || !square_fits(to, move.to)) return false;
    if (kind == PlayedMove::kDrop) return true;
    if (!square_fits(from, move.from)) return false;
    if (captures == 'x' && victims.find(move.victim) == std::string::npos) return false;
    return becomes == ' ' || becomes == move.becomes;
}

inline std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

inline std::string in_brackets(const std::string& letters) {
    return letters.size() == 1 ? letters : letters.size() == 6 ? "!" : '[' + letters + ']';
}

inline std::string WantedMove::text() const {
    if (kind == PlayedMove::kShort) return "O-O";
    if (kind == PlayedMove::kLong) return "O-O-O";
    if (kind == PlayedMove::kDrop) return in_brackets(movers) + '@' + without_blanks(to);
    const std::string origin = without_blanks(from);
    std::string out = in_brackets(movers);
    if (!route.empty()) {
        out += origin + '-' + to;
        for (const std::size_t square : route) out += '-' + name_of_square(square);
        return out;
    }
    // A pawn's letter may be left out, and a capture by any piece needs no letter.
    if (captures == 'x' && movers.size() == 6 && origin.empty()) out.clear();
    if (movers == "P" && !(captures == 'x' && origin.empty())) out.clear();
    out += origin;
    if (captures == 'x') out += 'x' + (victims.size() == 6 ? "" : in_brackets(victims));
    out += without_blanks(to);
    if (becomes != ' ') out += std::string("=") + becomes;
    return out;
}

/// A step: conditions that hold together. Empty texts allow everything.
struct WantedStep {
    std::string board;
    std::string material;
    std::string side;  // "white", "black"
    bool quiet = false;
    std::optional<WantedMove> move = {};
    std::uint32_t within = UINT32_MAX;  // plies after the end of the step before

    std::string text() const {
        std::string out;
        const auto add = [&](const std::string& word) { out += out.empty() ? word : ' ' + word; };
        if (!side.empty()) add(side);
        if (quiet) add("quiet");
        if (move) add(move->text());
        if (!board.empty()) add(board);
        if (!material.empty()) add(material);
        if (out.empty()) add("any");
        return out;
    }
};

/// The game as the other side sees it.
inline Frames exchanged(Frames frames) {
    for (Frame& frame : frames) {
        frame.squares = reversed(frame.squares);
        frame.white = !frame.white;
        for (const std::size_t rank : {std::size_t{1}, std::size_t{3}}) {
            if (frame.uci.empty() || frame.uci[rank] == '@') continue;
            frame.uci[rank] = static_cast<char>('1' + '8' - frame.uci[rank]);
        }
    }
    return frames;
}

/// Follows the piece that moves at `ply`; returns the plies of its next moves as far as they are
/// the route, and nothing if it leaves the route.
inline std::optional<std::vector<std::uint32_t>> route_of(const Frames& game, std::uint32_t ply,
                                                          const std::vector<std::size_t>& route) {
    std::vector<std::uint32_t> plies;
    std::size_t square = move_of(game[ply]).to;
    const char piece = game[ply + 1].squares[square];
    while (plies.size() < route.size()) {
        if (++ply + 1 >= game.size()) return std::nullopt;
        const PlayedMove move = move_of(game[ply]);
        const bool castles = move.kind == PlayedMove::kShort || move.kind == PlayedMove::kLong;
        if (castles && (move.from == square || move.to == square)) return std::nullopt;
        if (!castles && move.kind == PlayedMove::kPlain && move.from == square) {
            if (move.to != route[plies.size()]) return std::nullopt;
            square = move.to;
            plies.push_back(ply);
        } else if (move.to == square || game[ply + 1].squares[square] != piece) {
            return std::nullopt;
        }
    }
    return plies;
}

/// Returns the plies of a step that begins at `ply`; none if it does not match there.
inline std::vector<std::uint32_t> step_at(const Frames& game, const WantedStep& step,
                                          const std::vector<std::string>& tokens,
                                          std::uint32_t ply) {
    const Frame& frame = game[ply];
    const PlayedMove move = move_of(frame);
    if (!step.side.empty() && (step.side == "white") != frame.white) return {};
    if (!step.board.empty() && !board_fits(tokens, frame.squares)) return {};
    if (!step.material.empty() && !material_fits(step.material, frame.squares)) return {};
    if (step.quiet && (move.kind == PlayedMove::kNone || move.victim != ' ')) return {};
    std::vector<std::uint32_t> plies{ply};
    if (step.move) {
        if (!step.move->fits(move)) return {};
        const auto rest = route_of(game, ply, step.move->route);
        if (!rest) return {};
        plies.insert(plies.end(), rest->begin(), rest->end());
    }
    return plies;
}

/// A game, with the plies of each step that begins at each ply.
class StepsInGame {
  public:
    StepsInGame(const Frames& game, const std::vector<WantedStep>& steps) : steps_(steps) {
        for (const WantedStep& step : steps) {
            const auto tokens =
                step.board.empty() ? std::vector<std::string>() : tokens_of(step.board);
            auto& all = at_.emplace_back();
            for (std::uint32_t ply = 0; ply < game.size(); ++ply) {
                all.push_back(step_at(game, step, tokens, ply));
            }
        }
        hopeless_.resize(steps.size(), std::vector<bool>(game.size() + 1));
    }

    /// The matches, each with the plies of all its steps: the first way to complete it.
    std::vector<std::vector<std::uint32_t>> sequences() {
        std::vector<std::vector<std::uint32_t>> out;
        for (const auto& first : at_.front()) {
            if (first.empty()) continue;
            std::vector<std::uint32_t> plies = first;
            if (complete(plies)) out.push_back(plies);
        }
        return out;
    }

  private:
    bool complete(std::vector<std::uint32_t>& plies, std::size_t number = 1) {
        if (number == steps_.size()) return true;
        const std::uint32_t end = plies.back();
        if (hopeless_[number][end]) return false;
        for (std::uint32_t ply = end + 1; ply < at_[number].size(); ++ply) {
            if (ply - end > steps_[number].within) break;
            const auto& step = at_[number][ply];
            if (step.empty()) continue;
            const std::size_t before = plies.size();
            plies.insert(plies.end(), step.begin(), step.end());
            if (complete(plies, number + 1)) return true;
            plies.resize(before);
        }
        hopeless_[number][end] = true;
        return false;
    }

    const std::vector<WantedStep>& steps_;
    std::vector<std::vector<std::vector<std::uint32_t>>> at_;  // of each step and ply
    std::vector<std::vector<bool>> hopeless_;  // of each step and the end of the one before
};

/// Makes a condition that a move meets, more or less exactly.
template <typename Random>
WantedMove random_move(const PlayedMove& move, Random& random) {
    WantedMove out;
    out.kind = move.kind;
    if (move.kind == PlayedMove::kShort || move.kind == PlayedMove::kLong) return out;
    const auto maybe = [&] { return random() % 2 == 0; };
    const auto letters_with = [&](char letter) {
        std::string letters(1, letter);
        if (random() % 4 == 0) {
            const char other = "PNBRQK"[random() % 6];
            if (other != letter) letters += other;
        }
        return letters;
    };
    if (random() % 4 != 0) out.movers = letters_with(move.mover);
    const std::string to = name_of_square(move.to);
    if (maybe()) out.to[0] = to[0];
    if (maybe()) out.to[1] = to[1];
    if (move.kind == PlayedMove::kDrop) return out;
    if (move.victim != ' ' && maybe()) {
        out.captures = 'x';
        if (maybe()) out.victims = letters_with(move.victim);
    }
    const std::string from = name_of_square(move.from);
    // Without an x, a place of origin needs a place to go to, which tells them apart.
    if (out.captures == 'x' || (out.to[0] != ' ')) {
        if (random() % 3 == 0) out.from[0] = from[0];
        if (random() % 3 == 0 && (out.captures == 'x' || out.to[0] != ' ')) out.from[1] = from[1];
    }
    if (move.becomes != ' ' && maybe()) out.becomes = move.becomes;
    // A piece alone may castle as well.
    if (out.captures == ' ' && out.to == "  " && out.becomes == ' ') out.to = to;
    return out;
}

/// Makes a route that the piece which moves at `ply` goes; nothing if it moves only once.
template <typename Random>
std::optional<WantedMove> random_route(const Frames& game, std::uint32_t ply, Random& random) {
    const PlayedMove first = move_of(game[ply]);
    if (first.kind != PlayedMove::kPlain || first.becomes != ' ') return std::nullopt;
    WantedMove out{.movers = std::string(1, first.mover),
                   .from = name_of_square(first.from),
                   .to = name_of_square(first.to)};
    for (const std::size_t wanted = 1 + random() % 2; out.route.size() < wanted;) {
        bool longer = false;
        for (std::size_t square = 0; square < 64 && !longer; ++square) {
            out.route.push_back(square);
            longer = route_of(game, ply, out.route).has_value();
            if (!longer) out.route.pop_back();
        }
        if (!longer) break;
    }
    return out.route.empty() ? std::nullopt : std::optional(out);
}

}  // namespace fendex::test
