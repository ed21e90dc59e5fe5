// A program of its own, which the benchmarks compile if they are given chess-library's header:
// replays a PGN file with chess-library's parser, SAN, moves and keys, on one thread.
// Prints the number of plies, the sum of the keys and the processor seconds of the replay.
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>

#include "chess.hpp"

namespace {

class Replay : public chess::pgn::Visitor {
  public:
    void startPgn() override {
        board_ = start_;
        broken_ = false;
    }
    void header(std::string_view name, std::string_view value) override {
        if (name == "FEN") board_.setFen(value);
    }
    void startMoves() override {}
    void move(std::string_view san, std::string_view) override {
        if (broken_) return;
        try {
            board_.makeMove(chess::uci::parseSan(board_, san, legal_));
        } catch (const std::exception&) {
            broken_ = true;
            return;
        }
        ++plies_;
        keys_ += board_.hash();
    }
    void endPgn() override {}

    void print(double seconds) const {
        std::cout << plies_ << ' ' << keys_ << ' ' << seconds << '\n';
    }

  private:
    const chess::Board start_;
    chess::Board board_;
    chess::Movelist legal_;
    bool broken_ = false;
    std::uint64_t plies_ = 0;
    std::uint64_t keys_ = 0;
};

}  // namespace

int main(int, char** argv) {
    std::stringstream text;
    text << std::ifstream(argv[1], std::ios::binary).rdbuf();
    Replay replay;
    const std::clock_t start = std::clock();
    chess::pgn::StreamParser parser(text);
    const bool failed = parser.readGames(replay).hasError();
    replay.print(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    return failed ? 1 : 0;
}
