#include "emit/tree_pgn.hpp"

#include <string>
#include <utility>

#include "base/counted.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/variant_names.hpp"
#include "emit/pgn_game.hpp"

namespace fendex::emit {

namespace {

bool is_usual_start(const TreePlace& place) {
    return place.variant != chess::Variant::kChess960 &&
           chess::to_fen(place.start) == chess::to_fen(chess::AnyPosition::start_of(place.variant));
}

/// Returns "[%eval 0.31,40]".
std::string eval_command(const query::Verdict& verdict) {
    std::string score = query::score_text(verdict.score);
    if (score.front() == '+') score.erase(0, 1);
    if (verdict.depth != 0) score += ',' + std::to_string(verdict.depth);
    return "[%eval " + score + ']';
}

std::string comment_on(const query::TreeMove& move) {
    std::string out;
    if (move.verdict) out = eval_command(*move.verdict) + ' ';
    const codec::ResultCounts& results = move.tally.results;
    return out + base::counted(move.tally.games, "game") + ", +" + std::to_string(results.white()) +
           " =" + std::to_string(results.draws()) + " -" + std::to_string(results.black());
}

}  // namespace

TreePgn::TreePgn(query::TreeDescent descent, TreePlace place, chess::SanSpelling spelling)
    : descent_(std::move(descent)), place_(std::move(place)), spelling_(std::move(spelling)) {}

bool TreePgn::append_piece(std::string& out) {
    constexpr std::size_t kPieceBytes = 64 * 1024;
    if (games_ == 0 && !begin()) return false;
    if (line_.empty()) return false;
    while (!line_.empty() && text_.size() < kPieceBytes) write_next();
    if (line_.empty()) {
        writer_.result("*");
        writer_.end();
        text_ += '\n';
    }
    out += text_;
    text_.clear();
    return true;
}

bool TreePgn::begin() {
    chess::AnyPosition position = place_.start;
    for (const chess::Move move : place_.moves) position.play(move);
    query::Tree tree = descent_.enter(position);
    games_ = tree.total.games;
    if (games_ == 0) return false;
    write_tags();
    position = place_.start;
    for (const chess::Move move : place_.moves) {
        writer_.move(position.fullmove_number(), position.side_to_move() == chess::Color::kWhite,
                     spelling_.spell(chess::to_san(position, move), spelled_));
        position.play(move);
    }
    line_.push_back({std::move(tree)});
    return true;
}

void TreePgn::write_tags() {
    store::StoredGame tags;
    tags.tags.emplace_back("Event", "Tree of " + base::counted(games_, "game"));
    if (place_.variant != chess::Variant::kStandard) {
        tags.tags.emplace_back("Variant", chess::name_of(place_.variant));
    }
    if (!is_usual_start(place_)) {
        tags.moves.start = chess::to_fen(place_.start);
        tags.tags.emplace_back("FEN", tags.moves.start);
    }
    emit::write_tags(tags, writer_);
}

void TreePgn::write_next() {
    Node& node = line_.back();
    const std::vector<query::TreeMove>& moves = node.tree.moves;
    const std::size_t next = node.next++;
    if (next < moves.size()) {
        const bool is_variation = next != 0;
        if (is_variation) writer_.open_variation();
        write_move(node.tree, moves[next]);
        if (is_variation) go_on_after(moves[next], true);
    } else if (next == moves.size() && !moves.empty()) {
        go_on_after(moves.front(), false);
    } else {
        if (node.is_variation) writer_.close_variation();
        line_.pop_back();
        descent_.leave();
    }
}

void TreePgn::write_move(const query::Tree& tree, const query::TreeMove& move) {
    writer_.move(tree.position.fullmove_number(), move.mover == chess::Color::kWhite,
                 spelling_.spell(move.san, spelled_));
    writer_.comment(comment_on(move));
}

void TreePgn::go_on_after(const query::TreeMove& move, bool is_variation) {
    if (descent_.goes_on_after(move)) {
        line_.push_back({descent_.enter(move.after), 0, is_variation});
    } else if (is_variation) {
        writer_.close_variation();
    }
}

}  // namespace fendex::emit
