// Samples and splits of an export: --sample, --split and the options that go with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/arguments.hpp"
#include "emit/game_batches.hpp"
#include "emit/sampled_plies.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

/// What --sample draws.
enum class SampleOf { kGames, kPlies, kPositions };

struct PartChoice {
    std::optional<std::uint64_t> sample;  // its size
    SampleOf sample_of = SampleOf::kGames;
    std::optional<double> training_share;
    std::string test_output;   // file of the test part, if there is a training share
    bool drops_known = false;  // from the test part: rows whose position is in the training part
    std::uint64_t seed = 1;
};

std::vector<Option> part_options();

/// Reads those options. `rows_of_plies`: the export writes rows of plies. Throws UsageError.
PartChoice part_choice_of(const Arguments& arguments, bool rows_of_plies);

/// Replaces the games of the job by a sample, if `choice` has one. Returns the sampled plies if
/// only these are to be written.
std::optional<emit::SampledPlies> take_sample(const PartChoice& choice, store::StoreReader& reader,
                                              emit::ExportJob& job);

}  // namespace fendex::cli
