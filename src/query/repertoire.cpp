#include "query/repertoire.hpp"

#include <algorithm>

#include "query/evaluations.hpp"
#include "replay/stored_walk.hpp"
#include "replay/variation_walk.hpp"

namespace fendex::query {

namespace {

/// Adds the moves of variations.
class LineCollector final : public replay::VariationVisitor {
  public:
    LineCollector(Repertoire& repertoire, const std::function<void(const UnreadMove&)>& unread)
        : repertoire_(repertoire), unread_(unread) {}

    void node(const replay::VariationNode& node) override {
        repertoire_.add_move(node.before, node.move, node.position);
    }
    void unread(std::uint32_t ply, std::string_view word, std::string_view reason) override {
        unread_({ply, word, reason});
    }

  private:
    Repertoire& repertoire_;
    const std::function<void(const UnreadMove&)>& unread_;
};

}  // namespace

std::optional<std::size_t> Repertoire::find(const chess::AnyPosition& position) const {
    const auto [first, last] = indexes_.equal_range(position.key());
    const auto found = std::find_if(first, last, [&](const auto& each) {
        return positions_[each.second].position.same_as(position);
    });
    return found == last ? std::nullopt : std::optional(found->second);
}

std::size_t Repertoire::add(const chess::AnyPosition& position) {
    if (const auto known = find(position)) return *known;
    indexes_.emplace(position.key(), positions_.size());
    positions_.emplace_back().position = position;
    return positions_.size() - 1;
}

void Repertoire::add_start(const chess::AnyPosition& position) {
    positions_[add(position)].is_start = true;
}

void Repertoire::add_move(const chess::AnyPosition& before, chess::Move move,
                          const chess::AnyPosition& after) {
    const std::size_t from = add(before);
    const std::size_t known = positions_.size();
    const std::size_t to = add(after);
    if (to == known) {
        positions_[to].before = from;
        positions_[to].by = move;
    }
    std::vector<RepertoirePosition::Reply>& replies = positions_[from].replies;
    if (std::ranges::find(replies, move, &RepertoirePosition::Reply::move) == replies.end()) {
        replies.push_back({move, to});
    }
}

bool Repertoire::has_moves() const {
    return std::ranges::any_of(positions_, [](const auto& each) { return !each.replies.empty(); });
}

std::string Repertoire::line_to(std::size_t position) const {
    std::vector<chess::Move> moves;
    while (positions_[position].before) {
        moves.push_back(positions_[position].by);
        position = *positions_[position].before;
    }
    std::ranges::reverse(moves);
    return san_line(positions_[position].position, moves);
}

std::vector<std::string> Repertoire::replies_at(std::size_t position) const {
    std::vector<std::string> out;
    const RepertoirePosition& at = positions_[position];
    for (const auto& reply : at.replies) out.push_back(chess::to_san(at.position, reply.move));
    return out;
}

void add_lines(const store::StoredMoves& moves, std::string_view annotation, Repertoire& repertoire,
               const std::function<void(const UnreadMove&)>& unread) {
    constexpr store::GameId kNotStored = 0;
    replay::with_walk(kNotStored, moves, [&](auto walk) {
        repertoire.add_start(walk.position());
        while (!walk.at_end()) {
            const chess::AnyPosition before = walk.position();
            const chess::Move move = walk.next_move();
            walk.advance();
            repertoire.add_move(before, move, walk.position());
        }
    });
    if (annotation.empty()) return;
    LineCollector collector(repertoire, unread);
    replay::walk_variations(kNotStored, moves, annotation, false, collector);
}

std::optional<Departure> departure_from(const Repertoire& repertoire, store::GameId game,
                                        const store::StoredMoves& moves) {
    std::optional<Departure> out;
    replay::for_each_position(game, moves, [&](const auto& walk) {
        if (!repertoire.has_key(walk.position().key())) return;
        const auto found = repertoire.find(walk.position());
        if (!found) return;
        Departure& departure = out.emplace();
        departure.last = *found;
        departure.ply = walk.ply();
        if (!walk.at_end()) departure.next = walk.next_move();
    });
    if (!out) return out;
    const RepertoirePosition& last = repertoire.positions()[out->last];
    if (out->next && !last.replies.empty()) out->left_by = last.position.side_to_move();
    return out;
}

std::vector<std::size_t> contradictions_in(const Repertoire& repertoire, chess::Color side) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < repertoire.positions().size(); ++i) {
        const RepertoirePosition& each = repertoire.positions()[i];
        if (each.position.side_to_move() == side && each.replies.size() > 1) out.push_back(i);
    }
    return out;
}

}  // namespace fendex::query
