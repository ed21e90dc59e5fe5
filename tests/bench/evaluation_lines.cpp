#include "evaluation_lines.hpp"

#include <memory>
#include <random>
#include <vector>

#include "chess/movegen.hpp"
#include "emit/byte_sink.hpp"
#include "emit/position_records.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::bench {

namespace {

constexpr std::size_t kPlies = 10;
constexpr std::uint32_t kFirstPly = 6;
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

class LineMaker {
  public:
    explicit LineMaker(std::uint64_t seed) : random_(seed) {}

    /// Appends a line for a position from which these moves were played.
    void append(const chess::Position& position, std::span<const chess::Move> played,
                std::string& out) {
        codec::PositionRecord record;
        add_search(position, played, 1, record);
        if (random_() % 10 >= 7) add_search(position, played, random_() % 2 == 0 ? 3 : 5, record);
        emit::append_json_line(position, record, out);
    }

  private:
    void add_search(const chess::Position& position, std::span<const chess::Move> played,
                    std::size_t pvs, codec::PositionRecord& record) {
        codec::Evaluation search;
        search.depth = static_cast<std::uint32_t>(18 + random_() % 40);
        search.nodes = (random_() >> (34 + random_() % 12)) / 1000 * 1000;
        auto score = static_cast<std::int32_t>(random_() % 400) - 200;
        const chess::MoveList legal = chess::legal_moves(position);
        for (std::size_t i = 0; i < pvs && i < legal.size(); ++i) {
            codec::Variation& pv = search.pvs.emplace_back();
            pv.score = {random_() % 50 == 0, score};
            score -= static_cast<std::int32_t>(random_() % 60);
            chess::Position board = position;
            if (i == 0) {
                for (const chess::Move move : played) add(move, board, pv);
            } else {
                add(*(legal.begin() + i), board, pv);
            }
            while (pv.moves.size() < kPlies) {
                const chess::MoveList next = chess::legal_moves(board);
                if (next.empty()) break;
                add(*(next.begin() + random_() % next.size()), board, pv);
            }
        }
        codec::add_evaluation(std::move(search), record);
    }

    static void add(chess::Move move, chess::Position& board, codec::Variation& pv) {
        if (pv.moves.size() == kPlies) return;
        pv.moves.push_back(move);
        board.play(move);
    }

    std::mt19937_64 random_;
};

}  // namespace

std::uint64_t write_evaluation_lines(store::StoreReader& reader, std::uint64_t lines,
                                     std::uint64_t seed, const std::string& path) {
    const std::unique_ptr<emit::ByteSink> sink = emit::open_file_sink(path);
    LineMaker maker(seed);
    std::string buffer;
    std::uint64_t written = 0;
    std::vector<chess::Position> positions;
    std::vector<chess::Move> moves;
    reader.for_each_moves(1, [&](store::GameId game, const store::StoredMoves& stored) {
        if (!chess::has_standard_rules(stored.facts.variant)) return true;
        positions.clear();
        moves.clear();
        for (codec::GameWalk walk = replay::walk(game, stored); !walk.at_end(); walk.advance()) {
            if (walk.next_move() == chess::Move::null()) break;
            positions.push_back(walk.position());
            moves.push_back(walk.next_move());
        }
        for (std::size_t ply = kFirstPly; ply < positions.size() && written < lines; ++ply) {
            maker.append(positions[ply], std::span(moves).subspan(ply), buffer);
            ++written;
            if (buffer.size() < kBufferBytes) continue;
            sink->write(buffer);
            buffer.clear();
        }
        return written < lines;
    });
    sink->write(buffer);
    sink->finish();
    return written;
}

}  // namespace fendex::bench
