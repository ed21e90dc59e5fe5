// Rows of plies: all of the games of a job, or those of a sample, or those whose positions other
// rows do not have.
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
    // The keys of positions: those of written rows are marked, rows with marked ones left out.
    const KeyMarks* mark = nullptr;
    const KeyMarks* drop = nullptr;
};

/// Writes a row per ply, including the start, and returns their number. Games that cannot be
/// replayed have no rows.
std::uint64_t export_ply_rows(const ExportJob& job, const PlyRowChoice& choice, ByteSink& sink);

/// Returns the keys of the positions of these rows, sorted, each once. Throws std::runtime_error if
/// they need more memory.
std::vector<std::uint64_t> keys_of_ply_rows(const ExportJob& job, const SampledPlies* sample,
                                            std::size_t memory_bytes);

}  // namespace fendex::emit
