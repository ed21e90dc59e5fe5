// Looks positions up in the indexes of main lines and variations, and in games that are in no
// segment yet. Uses the connection of a reader, in its thread and snapshot. Damage is thrown as
// StoreError.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "store/sqlite/segments/segment_reader.hpp"
#include "store/sqlite/tables/annotation_table.hpp"
#include "store/sqlite/tables/game_reader.hpp"

namespace fendex::store {

class PositionReader {
  public:
    /// The others belong to the same reader, and must outlive this object.
    PositionReader(const Connection& connection, const DeletedGames& deleted, GameReader& games,
                   AnnotationReader& annotations)
        : games_(&games),
          annotations_(&annotations),
          segments_(connection, SegmentKind::kMainLine, deleted),
          variations_(connection, SegmentKind::kVariations, deleted) {}

    /// Switches to another snapshot, with its last game and the first game whose variations are not
    /// indexed (0 if there is none).
    void load(GameId last_game, GameId variations_from);
    const SegmentReader& segments() const { return segments_; }

    // Like the functions of StoreReader.
    std::unique_ptr<CandidateCursor> candidates(std::uint64_t key);
    void for_each_candidate_group(std::uint64_t key,
                                  const std::function<void(std::span<const Candidate>)>& visit);
    PositionOverview overview(std::uint64_t key);
    /// Includes all annotated games of an import that was killed before it indexed their
    /// variations.
    std::vector<GameId> games_with_variations(std::uint64_t key);
    std::vector<GameRange> games_with_indexed_variations() const;

  private:
    void scan_unindexed(std::uint64_t key, std::vector<Candidate>& out);
    KeyPostings find_all(std::uint64_t key);

    GameReader* games_;
    AnnotationReader* annotations_;
    SegmentReader segments_;
    SegmentReader variations_;
    GameId last_game_ = 0;
    GameId variations_from_ = 0;
};

}  // namespace fendex::store
