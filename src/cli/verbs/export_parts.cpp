#include "cli/verbs/export_parts.hpp"

#include "base/number_of.hpp"
#include "emit/position_sample.hpp"
#include "emit/sample.hpp"

namespace fendex::cli {

namespace {

/// Reads a share of the games: more than 0, less than 1.
double share_of(const std::string& text) {
    const auto share = base::number_of<double>(text);
    if (share && *share > 0 && *share < 1) return *share;
    throw UsageError("--split takes a share between 0 and 1, like 0.9, not '" + text + "'");
}

SampleOf sample_of(const std::string& text) {
    if (text == "plies") return SampleOf::kPlies;
    if (text == "positions") return SampleOf::kPositions;
    return SampleOf::kGames;
}

void refuse_without(const Arguments& arguments, const char* option, const char* needed) {
    if (arguments.has(option) && !arguments.has(needed)) {
        throw UsageError("--" + std::string(option) + " goes with --" + needed);
    }
}

}  // namespace

std::vector<Option> part_options() {
    Option of = valued("sample-of", "WHAT",
                       "what the sample is drawn from (default: plies for --rows plies, else "
                       "games). positions: each distinct position is equally likely, and has the "
                       "row of the ply that reached it first");
    of.choices = {"games", "plies", "positions"};
    Option test = valued("test", "FILE", "with --split: where the test part goes");
    test.noted = false;
    return {
        valued("sample", "N",
               "only N games, plies or positions, drawn at random; they keep their order"),
        of,
        valued("split", "SHARE",
               "split the games at random: this share of them goes to the output, for training, "
               "the others to the file of --test"),
        test,
        flag("split-distinct",
             "leave out rows of the test part whose position is in a row of the training part"),
        valued("seed", "S", "another number, another sample and split (default: 1)")};
}

PartChoice part_choice_of(const Arguments& arguments, bool rows_of_plies) {
    refuse_without(arguments, "sample-of", "sample");
    refuse_without(arguments, "split", "test");
    refuse_without(arguments, "test", "split");
    refuse_without(arguments, "split-distinct", "split");
    if (arguments.has("seed") && !arguments.has("sample") && !arguments.has("split")) {
        throw UsageError("--seed goes with --sample or --split");
    }
    PartChoice choice;
    choice.sample = arguments.number("sample");
    if (rows_of_plies) choice.sample_of = SampleOf::kPlies;
    if (const auto of = arguments.find("sample-of")) choice.sample_of = sample_of(*of);
    if (const auto share = arguments.find("split")) choice.training_share = share_of(*share);
    choice.test_output = arguments.find("test").value_or("");
    choice.drops_known = arguments.has("split-distinct");
    choice.seed = arguments.number("seed").value_or(choice.seed);
    if (!rows_of_plies && choice.sample_of != SampleOf::kGames) {
        throw UsageError("--sample-of " + *arguments.find("sample-of") + " is for --rows plies");
    }
    if (!rows_of_plies && choice.drops_known) {
        throw UsageError("--split-distinct is for --rows plies");
    }
    return choice;
}

std::optional<emit::SampledPlies> take_sample(const PartChoice& choice, store::StoreReader& reader,
                                              emit::ExportJob& job) {
    if (!choice.sample) return std::nullopt;
    const emit::SampleSize size{*choice.sample, choice.seed};
    if (choice.sample_of == SampleOf::kGames) {
        job.games = emit::sample_games(job.games, size);
        return std::nullopt;
    }
    emit::SampledPlies plies = choice.sample_of == SampleOf::kPlies
                                   ? emit::sample_plies(reader, job.games, size)
                                   : emit::sample_positions(job, size);
    job.games = emit::games_of(job.games, plies);
    return plies;
}

}  // namespace fendex::cli
