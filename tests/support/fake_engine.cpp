// A UCI engine for tests: it plays no chess, but what it says of a position depends on nothing but
// the position, the limit and the number of PVs. $FAKE_ENGINE has words that say how it goes wrong;
// "hang@3" does so in the third search. $FAKE_ENGINE_MS is how long it thinks. Before each best
// move it adds a byte to the file $FAKE_ENGINE_LOG.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "chess/any_position.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/variant_movegen.hpp"
#include "chess/variant_names.hpp"

namespace {

using namespace fendex::chess;

class FakeEngine {
  public:
    FakeEngine() {
        const char* const words = std::getenv("FAKE_ENGINE");
        std::istringstream text(words == nullptr ? "" : words);
        for (std::string word; text >> word;) words_.push_back(word);
        const char* const ms = std::getenv("FAKE_ENGINE_MS");
        if (ms != nullptr) think_ = std::chrono::milliseconds(std::atoi(ms));
    }

    void run() {
        if (is("ignores-end")) static_cast<void>(std::signal(SIGTERM, SIG_IGN));
        std::string line;
        while (std::getline(std::cin, line)) {
            std::istringstream words(line);
            std::string command;
            words >> command;
            if (command == "uci") introduce();
            if (command == "isready") say("readyok");
            if (command == "setoption") set(words);
            if (command == "position") place(line);
            if (command == "go") search(words);
            if (command == "quit" && !is("ignores-end")) return;
        }
        if (is("ignores-end")) hang();
    }

  private:
    /// Returns whether it goes wrong in this way now.
    bool is(const std::string& word) const {
        return std::ranges::any_of(words_, [&](const std::string& each) {
            const std::size_t at = each.find('@');
            if (each.substr(0, at) != word) return false;
            return at == std::string::npos || std::stoul(each.substr(at + 1)) == searches_;
        });
    }
    void say(const std::string& line) const {
        std::cout << line << (is("crlf") ? "\r\n" : "\n") << std::flush;
    }
    [[noreturn]] static void hang() {
        while (true) ::pause();
    }
    [[noreturn]] void chatter(const std::string& line) const {
        while (std::cout) {
            say(line);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        std::exit(0);
    }

    void introduce() const {
        if (is("no-start")) hang();
        if (is("start-ends")) {
            std::cerr << "cannot load the network\n";
            std::exit(3);
        }
        if (is("start-chatter")) chatter("error: unknown command");
        if (is("loud")) std::cerr << std::string(1 << 20, '!') << '\n';
        say("Fake engine, not by a chess player");
        say(is("odd-name") ? "id name Fa\x1b[31mke " + std::string(5000, 'x') : "id name Fake 1");
        say("option name Hash type spin default 16 min 1 max 1024");
        say("option name Clear Hash type button");
        if (is("absurd")) {
            for (int i = 0; i < 3000; ++i) {
                say("option name Nonsense" + std::to_string(i) + " type spin min 9 max 1");
            }
            say("option name " + std::string(100'000, 'N') + " type check");
            say("option type name");
            say("option");
        }
        if (!is("one-pv")) say("option name MultiPV type spin default 1 min 1 max 500");
        if (!is("standard-only")) {
            say("option name UCI_Chess960 type check default false");
            say("option name UCI_Variant type combo default chess var chess var crazyhouse "
                "var 3check var antichess");
        }
        say("uciok");
    }

    void set(std::istringstream& words) {
        std::string word;
        std::string name;
        std::string value;
        words >> word;
        while (words >> word && word != "value") name += (name.empty() ? "" : " ") + word;
        words >> value;
        if (name == "MultiPV") pvs_ = std::stoul(value);
        if (name == "UCI_Variant") variant_ = variant_of(value);
        if (name == "UCI_Chess960") chess960_ = value == "true";
    }

    void place(const std::string& line) {
        const auto read = any_position(parse_any_fen(line.substr(13), variant_));
        if (!read) std::exit(4);
        position_ = *read;
    }

    std::vector<Move> moves_of(const AnyPosition& position) const {
        std::vector<Move> moves;
        position.visit([&](const auto& board) {
            for (const Move move : legal_moves(board)) moves.push_back(move);
        });
        std::ranges::sort(moves, {}, [&](Move move) { return text_of(position, move); });
        std::rotate(moves.begin(),
                    moves.begin() + static_cast<std::ptrdiff_t>(
                                        moves.empty() ? 0 : position.key() % moves.size()),
                    moves.end());
        return moves;
    }
    std::string text_of(const AnyPosition& position, Move move) const {
        return to_uci(position, move, chess960_ ? Variant::kChess960 : position.variant());
    }
    /// Returns three moves that begin with this one.
    std::string line_from(Move move) const {
        AnyPosition position = position_;
        std::string text = text_of(position, move);
        for (int i = 0; i < 2; ++i) {
            position.play(move);
            const std::vector<Move> moves = moves_of(position);
            if (moves.empty()) break;
            move = moves.front();
            text += ' ' + text_of(position, move);
        }
        return text;
    }
    /// Says the PVs of a depth.
    void show(unsigned depth, std::uint64_t nodes, const std::vector<Move>& moves,
              const std::string& bound = "") const {
        for (std::size_t i = 0; i < std::min(pvs_, moves.size()); ++i) {
            const int centipawns =
                static_cast<int>(position_.key() % 400) - 200 - static_cast<int>(10 * i + depth);
            const std::string score = position_.key() % 10 == 0
                                          ? "mate " + std::to_string(5 + i)
                                          : "cp " + std::to_string(centipawns);
            say("info depth " + std::to_string(depth) + " seldepth 9 multipv " +
                std::to_string(i + 1) + " score " + score + bound + " nodes " +
                std::to_string(nodes) + " nps 1000 hashfull 0 tbhits 0 time 1 pv " +
                line_from(moves[i]));
        }
    }

    void search(std::istringstream& words) {
        ++searches_;
        std::string kind;
        std::uint64_t value = 0;
        words >> kind >> value;
        const unsigned depth = kind == "depth" ? static_cast<unsigned>(value) : 7;
        const std::uint64_t nodes = kind == "nodes" ? value : 4000;
        const std::vector<Move> moves = moves_of(position_);
        std::this_thread::sleep_for(think_);
        if (is("hang")) hang();
        if (is("ends")) std::exit(5);
        if (is("crashes")) std::abort();
        if (is("chatter")) chatter("info string still thinking");
        if (is("same")) chatter("info depth 1 score cp 3 nodes 5 pv " + line_from(moves[0]));
        if (is("endless")) {
            for (unsigned d = 1;; ++d) {
                show(std::min(d, 200U), d * std::uint64_t{1'000'000}, moves);
                if (!std::cout) std::exit(0);
            }
        }
        if (is("long-line")) say("info string " + std::string(10 << 20, 'x'));
        if (is("garbage-too")) {
            say(std::string("\0\xff\x01garbage", 10));
            say("info");
            say("info pv");
            say("infodepth 3");
            say("");
        }
        const std::string first = moves.empty() ? "0000" : text_of(position_, moves[0]);
        for (unsigned d = 1; d <= depth; ++d) {
            if (is("no-score")) continue;
            const std::string begin = "info depth " + std::to_string(d);
            if (is("illegal-pv")) say(begin + " score cp 1 nodes 1 pv a1h8");
            if (is("illegal-tail")) say(begin + " score cp 1 nodes 1 pv " + first + " a1h8 e2e4");
            if (is("mate-0")) say(begin + " score mate 0 nodes 1 pv " + first);
            if (is("no-depth")) say("info score cp 1 nodes 1 pv " + first);
            if (is("huge-depth")) say("info depth 99999999999 score cp 1 nodes 1 pv " + first);
            if (is("word-score")) say(begin + " score cp good nodes 1 pv " + first);
            if (is("bounds")) show(d, nodes, moves, " lowerbound");
            if (is("illegal-tail") || is("bounds") || is("no-depth")) continue;
            show(d, d == depth && !is("counts-less") ? nodes : d, moves);
        }
        if (is("cut-short")) {  // only some of the PVs of the next depth
            std::vector<Move> others = moves;
            std::ranges::reverse(others);
            say("info depth " + std::to_string(depth + 1) + " multipv 1 score cp 999 nodes 1 pv " +
                line_from(others[0]));
            say("info depth " + std::to_string(depth) + " multipv 2 score cp 998 nodes 1 pv " +
                line_from(others[1]));
        }
        if (is("no-best")) return say("bestmove (none)");
        if (is("illegal-best")) return say("bestmove e1e8");
        if (const char* const log = std::getenv("FAKE_ENGINE_LOG"); log != nullptr) {
            std::ofstream(log, std::ios::app) << '.';
        }
        say("bestmove " + first + " ponder a1a1");
    }

    std::vector<std::string> words_;
    std::chrono::milliseconds think_{0};
    AnyPosition position_;
    Variant variant_ = Variant::kStandard;
    bool chess960_ = false;
    std::size_t pvs_ = 1;
    std::size_t searches_ = 0;
};

}  // namespace

int main() {
    FakeEngine().run();
    return 0;
}
