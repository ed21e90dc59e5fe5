#include "uci/search_lines.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/cut.hpp"
#include "base/number_of.hpp"

namespace fendex::uci {

namespace {

constexpr std::int32_t kMostScore = std::numeric_limits<std::int32_t>::max();

constexpr auto next_word = base::cut_word<' ', '\t'>;

template <typename Number>
Number number_in(std::string_view word, Number least, Number most, const char* what) {
    const std::optional<Number> number = base::number_of<Number>(word);
    if (number && *number >= least && *number <= most) return *number;
    throw Nonsense(std::string(what) + " '" + std::string(word) + "'");
}

}  // namespace

/// The parts of a line that are used.
struct SearchLines::Info {
    std::optional<std::uint32_t> depth;
    std::uint64_t nodes = 0;
    std::size_t number = 1;  // of the PV
    std::optional<codec::Score> score;
    bool is_bound = false;  // the score is at least or at most this
    std::string_view pv;
};

/// Reads what follows "info". Words that are not known are skipped, as UCI wants.
SearchLines::Info SearchLines::read(std::string_view words) {
    Info info;
    while (true) {
        const std::string_view word = next_word(words);
        if (word.empty() || word == "string") return info;
        if (word == "pv") {
            info.pv = words;
            return info;
        }
        if (word == "depth") {
            info.depth = number_in(next_word(words), 0U, codec::kMostDepth, "depth");
        } else if (word == "nodes") {
            info.nodes = number_in(next_word(words), std::uint64_t{0}, codec::kMostNodes, "nodes");
        } else if (word == "multipv") {
            info.number =
                number_in(next_word(words), std::size_t{1}, std::size_t{10'000}, "multipv");
        } else if (word == "cp") {
            info.score = {false, number_in(next_word(words), -kMostScore, kMostScore, "score cp")};
        } else if (word == "mate") {
            info.score = {true, number_in(next_word(words), -kMostScore, kMostScore, "score mate")};
        } else if (word == "lowerbound" || word == "upperbound") {
            info.is_bound = true;
        }
    }
}

/// What follows a move that is not legal is left out, as of the PVs of a file.
std::vector<chess::Move> SearchLines::read_pv(std::string_view words) const {
    std::vector<chess::Move> moves;
    chess::AnyPosition position = position_;
    while (moves.size() < codec::kMostPvMoves) {
        const std::string_view word = next_word(words);
        if (word.empty()) break;
        chess::Move move;
        if (chess::read_uci(position, word, move) != chess::SanError::kNone ||
            move == chess::Move::null()) {
            if (moves.empty()) {
                throw Nonsense("a PV with the move '" + std::string(word) +
                               "', which is not legal");
            }
            break;
        }
        moves.push_back(move);
        position.play(move);
    }
    return moves;
}

/// Returns the score from White's view; that of the engine is from the side to move.
codec::Score SearchLines::score_of(const Info& info) const {
    codec::Score score = *info.score;
    if (score.is_mate && score.value == 0) {
        throw Nonsense("a mate in 0 moves, but there are legal moves");
    }
    if (position_.side_to_move() == chess::Color::kBlack) score.value = -score.value;
    return score;
}

/// An engine shows the PVs of a moment one after the other, from the first on. They are taken if
/// all are of one depth and none is a bound.
void SearchLines::add_variation(const Info& info) {
    if (info.number == 1) shown_ = {.depth = *info.depth, .nodes = 0, .pvs = {}};
    codec::Variation variation{score_of(info), read_pv(info.pv)};
    const auto has_its_move = [&](const codec::Variation& other) {
        return other.moves.front() == variation.moves.front();
    };
    if (info.is_bound || *info.depth != shown_.depth || info.number != shown_.pvs.size() + 1 ||
        variation.moves.empty() || std::ranges::any_of(shown_.pvs, has_its_move)) {
        shown_.pvs.clear();
        return;
    }
    shown_.pvs.push_back(std::move(variation));
    if (shown_.pvs.size() == pvs_ && shown_.depth >= complete_.depth) complete_ = shown_;
}

bool SearchLines::add_info(std::string_view line) {
    next_word(line);
    const Info info = read(line);
    if (info.depth && info.score && !info.pv.empty()) add_variation(info);
    const bool goes_on = info.depth.value_or(0) > depth_ || info.nodes > nodes_;
    depth_ = std::max(depth_, info.depth.value_or(0));
    nodes_ = std::max(nodes_, info.nodes);
    return goes_on;
}

void SearchLines::end(std::string_view line) const {
    next_word(line);
    const std::string_view word = next_word(line);
    chess::Move move;
    if (chess::read_uci(position_, word, move) != chess::SanError::kNone ||
        move == chess::Move::null()) {
        throw Nonsense("the best move '" + std::string(word) + "', which is not legal");
    }
}

std::optional<codec::Evaluation> SearchLines::result() const {
    if (complete_.pvs.empty()) return std::nullopt;
    codec::Evaluation evaluation = complete_;
    evaluation.nodes = nodes_;
    return evaluation;
}

}  // namespace fendex::uci
