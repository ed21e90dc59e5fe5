#include "ingest/leave_out.hpp"

#include <utility>

#include "store/fingerprint.hpp"

namespace fendex::ingest {

namespace {

using store::GameId;

/// The games of a batch by the numbers that they came with, and those that they get: 0 if they are
/// left out.
class Renumbering {
  public:
    Renumbering(GameId first, std::vector<GameId> ids) : first_(first), ids_(std::move(ids)) {}

    GameId operator()(GameId came_with) const { return ids_[came_with - first_]; }
    GameId by_posting(std::uint32_t number) const {
        return ids_[(number - codec::Posting::game_number(first_)) &
                    (codec::Posting::kMaxGames - 1)];
    }

    /// Drops the records of games that are left out.
    template <typename Record>
    void apply(std::vector<Record>& records) const {
        std::erase_if(records, [&](const Record& each) { return (*this)(each.game) == 0; });
        for (Record& each : records) each.game = (*this)(each.game);
    }
    void apply(std::vector<store::ImportError>& errors) const {
        std::erase_if(errors,
                      [&](const auto& each) { return each.game && (*this)(*each.game) == 0; });
        for (store::ImportError& each : errors) {
            if (each.game) each.game = (*this)(*each.game);
        }
    }

  private:
    GameId first_;
    std::vector<GameId> ids_;
};

}  // namespace

void leave_out(const std::vector<bool>& known, GameId first, store::NewGames& batch,
               std::vector<codec::Posting>& postings) {
    std::vector<GameId> ids;
    for (GameId next = first; const bool each : known) ids.push_back(each ? 0 : next++);
    const Renumbering renumbering(batch.first, ids);
    std::size_t i = 0;
    std::erase_if(batch.games, [&](const auto&) { return ids[i++] == 0; });
    renumbering.apply(batch.repetitions);
    renumbering.apply(batch.quiet_runs);
    renumbering.apply(batch.errors);
    renumbering.apply(batch.ply_rows);
    std::erase_if(postings,
                  [&](const auto& each) { return renumbering.by_posting(each.game()) == 0; });
    batch.first = first;
    batch.plies = batch.fingerprint = 0;
    batch.positions = postings.size();
    for (codec::Posting& each : postings) {
        const GameId id = renumbering.by_posting(each.game());
        each = {each.key, each.next(), codec::Posting::game_number(id), each.ply()};
        batch.plies += each.ply() != 0 ? 1U : 0U;
        batch.fingerprint += store::GameFingerprint(id).term(each.ply(), each.key);
    }
}

}  // namespace fendex::ingest
