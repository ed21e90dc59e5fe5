// Exports rows of plies: all plies of the games of a job, those of a sample, or those whose
// positions are not in other rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emit/game_batches.hpp"
#include "emit/key_marks.hpp"
#include "emit/ply_columns.hpp"
#include "emit/rows.hpp"
#include "emit/sampled_plies.hpp"

namespace fendex::emit {

struct PlyRowChoice {
    std::vector<PlyColumn> columns = default_ply_columns();
    RowFormat format = RowFormat::kCsv;
    const SampledPlies* sample = nullptr;  // only these plies; null: all
    // Positions of written rows are marked in `mark`; rows whose position is marked in `drop` are
    // left out.
    const KeyMarks* mark = nullptr;
    const KeyMarks* drop = nullptr;
};

/// Writes a row per ply, including the start, and returns their number. Games that cannot be
/// replayed have no rows.
std::uint64_t export_ply_rows(const ExportJob& job, const PlyRowChoice& choice, ByteSink& sink);

/// Returns the keys of the positions of these rows, sorted and without duplicates. Throws
/// std::runtime_error if they need more memory.
std::vector<std::uint64_t> keys_of_ply_rows(const ExportJob& job, const SampledPlies* sample,
                                            std::size_t memory_bytes);

}  // namespace fendex::emit
