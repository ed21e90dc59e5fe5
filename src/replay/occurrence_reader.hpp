// The occurrences of a position in the games of its candidates. Candidates without a ply are
// replayed.
#pragma once

#include <span>
#include <vector>

#include "base/stop_check.hpp"
#include "store/engine.hpp"
#include "store/local_reader.hpp"

namespace fendex::replay {

/// One occurrence of the position in a game, and the move that was played from there
/// (codec::kGameEndsHere if none).
struct Occurrence {
    store::GameId game = 0;
    chess::Move next;
    bool mirrored = false;  // colours are exchanged in the position and in the move
};

/// Belongs to the reader's thread.
class OccurrenceReader {
  public:
    explicit OccurrenceReader(store::LocalReader& reader) : reader_(reader) {}

    /// Appends the occurrences among these candidates of a target that are in games for which
    /// fits(game) is true, in their order. Throws base::Stopped.
    template <typename Fits>
    void append(const store::Engine::Target& target, std::span<const store::Candidate> candidates,
                Fits fits, std::vector<Occurrence>& out, base::StopCheck& stop) {
        for (const store::Candidate& candidate : candidates) {
            stop();
            if (!fits(candidate.game)) continue;
            if (candidate.ply) {
                out.push_back({candidate.game, candidate.next, target.mirrored});
            } else if (const auto next = move_from(target.key, candidate.game)) {
                out.push_back({candidate.game, *next, target.mirrored});
            }
        }
    }

    /// Replays a game. Returns the move that was played when it first had the key; empty if it
    /// never had it.
    [[nodiscard]] std::optional<chess::Move> move_from(std::uint64_t key, store::GameId game);

  private:
    store::LocalReader& reader_;
    store::StoredMoves moves_;
};

}  // namespace fendex::replay
