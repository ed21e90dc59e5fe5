// The searches of a record in packed form. A PV becomes bits while its moves are checked, so each
// move is played only once; and records are compared without playing any. Do not change: on disk
// (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "chess/any_position.hpp"
#include "codec/bits.hpp"
#include "codec/position_record.hpp"

namespace fendex::codec {

struct PackedVariation {
    Score score;
    std::size_t moves = 0;
    // Where they are among the bits of all PVs. Unknown in searches that were read.
    std::size_t begin = 0;
    std::size_t bits = 0;
};

struct PackedSearch {
    std::uint32_t depth = 0;  // 0 if unknown
    std::uint64_t nodes = 0;  // 0 if unknown
    std::size_t first = 0;    // of its PVs
    std::size_t pvs = 0;
};

/// Forgets the en passant square unless a capture there is legal. The bits of a move depend on the
/// square, which is not stored if it is idle.
inline void drop_idle_en_passant(chess::Position& board) { board.drop_idle_en_passant(); }
inline void drop_idle_en_passant(chess::VariantPosition& /*board*/) {}

/// The searches of one record, to be reused for many. One thread at a time.
class PackedSearches {
  public:
    void clear();
    /// One for each number of PVs, ascending.
    const std::vector<PackedSearch>& all() const { return searches_; }
    const PackedVariation& pv(const PackedSearch& search, std::size_t number) const {
        return pvs_[search.first + number];
    }

    /// Begins a PV of the search that is added next. The reference is valid until the next call.
    PackedVariation& begin_variation();
    /// The bits of the moves go here, up to end_variation(): coded from the position of the record
    /// on, after drop_idle_en_passant().
    BitWriter& moves() { return moves_; }
    void end_variation() { pvs_.back().bits = moves_.bit_count() - pvs_.back().begin; }
    /// Returns the number of PVs of the search that is added next.
    std::size_t new_variations() const { return pvs_.size() - added_; }
    /// Adds a search with the new PVs, unless a better one with their number is there. `position`
    /// is that of the record.
    void add(const chess::AnyPosition& position, std::uint32_t depth, std::uint64_t nodes);
    void add(const chess::AnyPosition& position, const Evaluation& evaluation);

    /// Returns the deepest search; of equally deep ones that with more nodes. Null if there is
    /// none.
    const PackedSearch* best() const;

    /// Appends everything except the moves.
    void put_heads(BitWriter& out) const;
    /// Appends the moves: those of the best search first, so that its first move is found without
    /// reading others.
    void put_moves(BitWriter& out);
    /// Calls visit() with the searches in the order of their moves.
    template <typename Visit>
    void for_each_by_moves(Visit visit) const {
        const PackedSearch* const first = best();
        if (first != nullptr) visit(*first);
        for (const PackedSearch& each : searches_) {
            if (&each != first) visit(each);
        }
    }
    /// Reads what put_heads() has appended. Returns false if the bits are damaged.
    [[nodiscard]] bool get_heads(BitReader& bits);

  private:
    bool is_better(const chess::AnyPosition& position, const PackedSearch& a,
                   const PackedSearch& b) const;
    Evaluation unpacked(const chess::AnyPosition& position, const PackedSearch& search) const;

    std::vector<PackedSearch> searches_;
    std::vector<PackedVariation> pvs_;
    std::size_t added_ = 0;  // the PVs before are of searches that were added
    BitWriter moves_;
    std::string bytes_;
};

/// The best search of a record, with the score and the first move of its first PV.
struct BestSearch {
    Score score;
    std::uint32_t depth = 0;
    std::uint64_t nodes = 0;
    std::size_t pvs = 0;  // 0 if the record has no search
    std::optional<chess::Move> move;

    auto rank() const { return std::tuple(pvs != 0, depth, nodes, kMostPvs - pvs); }
};

/// The best search of several records of a position: the one that ranks highest.
class BestOfRecords {
  public:
    void add(const BestSearch& search) {
        if (search.pvs == 0) return;
        has_equals_ =
            search.rank() == best_.rank() || (has_equals_ && search.rank() < best_.rank());
        if (search.rank() > best_.rank()) best_ = search;
    }
    const BestSearch& best() const { return best_; }
    /// Returns whether another search ranks alike, so that the records must be merged to tell.
    bool has_equals() const { return has_equals_; }

  private:
    BestSearch best_;
    bool has_equals_ = false;
};

/// Reads the best search of a record, without moves beyond that. `searches` is only reused memory.
/// Returns false if the bits are damaged.
[[nodiscard]] bool get_best(BitReader& bits, const chess::AnyPosition& position,
                            PackedSearches& searches, BestSearch& out);
[[nodiscard]] BestSearch best_of(const PositionRecord& record);
/// Reads the moves of a PV. Returns false if the bits are damaged.
[[nodiscard]] bool get_moves(BitReader& bits, const chess::AnyPosition& position,
                             std::vector<chess::Move>& moves);

}  // namespace fendex::codec
