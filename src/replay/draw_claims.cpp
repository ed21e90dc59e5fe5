#include "replay/draw_claims.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/variant_movegen.hpp"
#include "replay/clock_rules.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::replay {

namespace {

template <typename Position>
Position after(const Position& position, chess::Move move) {
    Position next = position;
    next.play(move);
    return next;
}

template <typename Position>
class RepetitionObserver {
  public:
    RepetitionObserver(std::span<const store::RepeatedPosition* const> repetitions, bool announced)
        : repetitions_(repetitions),
          announced_(announced),
          studies_(repetitions.size()),
          positions_(repetitions.size()) {}

    /// Must be called at every ply, in order; returns false when the rest cannot matter.
    bool note(std::uint32_t ply, const Position& position) {
        bool goes_on = false;
        can_return_.clear();
        for (std::size_t i = 0; i < repetitions_.size(); ++i) {
            const std::vector<std::uint32_t>& plies = repetitions_[i]->plies;
            if (ply == plies.front()) positions_[i] = position;
            if (ply > plies.front() && ply <= plies.back()) note_check(position, studies_[i]);
            const bool is_past = ply > plies.back();
            const bool is_open = !is_past || reversible_plies(position) >= ply - plies.back();
            goes_on = goes_on || !is_past || (announced_ && is_open);
            if (announced_ && is_open && ply > plies[1] &&
                position.side_to_move() != positions_[i]->side_to_move()) {
                can_return_.push_back(i);
            }
        }
        if (!can_return_.empty()) note_announced(ply, position);
        return goes_on;
    }

    std::vector<RepetitionStudy> take() { return std::move(studies_); }

  private:
    static void note_check(const Position& position, RepetitionStudy& study) {
        if (position.in_check()) return;
        const bool white_moved = position.side_to_move() == chess::Color::kBlack;
        (white_moved ? study.white_checks : study.black_checks) = false;
    }

    void note_announced(std::uint32_t ply, const Position& position) {
        for (const chess::Move move : chess::legal_moves(position)) {
            const Position next = after(position, move);
            for (const std::size_t i : can_return_) {
                if (next.key() != repetitions_[i]->key || !next.same_as(*positions_[i])) continue;
                RepetitionStudy& study = studies_[i];
                if (study.announced_plies.empty()) {
                    study.announced_move = chess::to_san(position, move);
                } else if (study.announced_plies.back() == ply) {
                    continue;  // another move to the same position
                }
                study.announced_plies.push_back(ply);
            }
        }
    }

    std::span<const store::RepeatedPosition* const> repetitions_;
    bool announced_;
    std::vector<RepetitionStudy> studies_;
    std::vector<std::optional<Position>> positions_;
    std::vector<std::size_t> can_return_;  // repetitions to which a move may lead, at this ply
};

/// Returns a move that makes the clock reach 100 and does not end the game; `played` if it is one.
template <typename Position>
std::optional<chess::Move> fiftieth_move(const Position& position, chess::Move played) {
    const auto counts = [&](chess::Move move) {
        const Position next = after(position, move);
        return next.halfmove_clock() >= kFiftyMoves && chess::has_legal_move(next);
    };
    const auto legal = chess::legal_moves(position);
    if (std::ranges::find(legal, played) != legal.end() && counts(played)) {
        return played;
    }
    const auto found = std::ranges::find_if(legal, counts);
    return found == legal.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::vector<RepetitionStudy> study_repetitions(
    store::GameId game, const store::StoredMoves& moves,
    std::span<const store::RepeatedPosition* const> repetitions, bool announced) {
    std::vector<RepetitionStudy> studies;
    with_walk(game, moves, [&](auto& walk) {
        RepetitionObserver<std::decay_t<decltype(walk.position())>> observer(repetitions,
                                                                             announced);
        while (observer.note(walk.ply(), walk.position()) && !walk.at_end()) walk.advance();
        studies = observer.take();
    });
    return studies;
}

std::vector<AnnouncedFiftieth> announced_fiftieth_moves(store::GameId game,
                                                        const store::StoredMoves& moves) {
    std::vector<AnnouncedFiftieth> found;
    with_walk(game, moves, [&](auto& walk) {
        if (!counts_to_fifty(walk.position())) return;
        bool in_run = false;
        for (;; walk.advance()) {
            const std::uint32_t clock = walk.position().halfmove_clock();
            in_run = in_run && clock > found.back().longest;
            if (in_run) found.back().longest = clock;
            // Most games end here early, because too few plies are left.
            if (!in_run && clock + (moves.facts.plies - walk.ply()) < kFiftyMoves - 1) return;
            if (clock == kFiftyMoves - 1) {
                const auto move = fiftieth_move(walk.position(), walk.next_move());
                if (move) {
                    found.push_back({walk.ply(), walk.position().side_to_move(),
                                     chess::to_san(walk.position(), *move), clock});
                    in_run = true;
                }
            }
            if (walk.at_end()) return;
        }
    });
    return found;
}

}  // namespace fendex::replay
