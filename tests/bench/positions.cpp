#include "positions.hpp"

#include <algorithm>
#include <stdexcept>

#include "chess/variant_names.hpp"
#include "random.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::bench {

std::vector<SampledPosition> sample_positions(const Bench& bench, const Archive& archive,
                                              std::size_t wanted, std::uint32_t after) {
    const auto for_each_later = [&](const auto& take) {
        const std::unique_ptr<pgn::ByteSource> source = pgn::open_source(archive.path);
        replay_games(*source,
                     [&](const chess::Position& position, std::uint64_t game, std::uint32_t ply) {
                         if (ply > after) take(position, game);
                     });
    };
    std::uint64_t left = 0;
    for_each_later([&](const chess::Position&, std::uint64_t) { ++left; });
    // Selection sampling: each position is taken with the probability still wanted / still left, so
    // that all samples are equally likely.
    Random random(bench.options.seed);
    std::vector<SampledPosition> sample;
    for_each_later([&](const chess::Position& position, std::uint64_t game) {
        if (random.below(left--) < wanted - sample.size()) sample.push_back({position, game});
    });
    if (sample.size() < wanted) throw std::runtime_error(archive.name + ": too few positions");
    for (std::size_t i = sample.size(); i-- > 1;) {
        std::swap(sample[i], sample[random.below(i + 1)]);
    }
    return sample;
}

std::vector<SampledPosition> sample_positions(const Bench& bench, store::StoreReader& reader,
                                              std::size_t wanted, std::uint32_t after) {
    Random random(bench.options.seed);
    std::vector<SampledPosition> sample;
    store::StoredMoves moves;
    for (std::size_t tries = 0; sample.size() < wanted; ++tries) {
        if (tries == 100 * wanted) throw std::runtime_error("the database has too few positions");
        const store::GameId game = random.below(reader.last_game()) + 1;
        if (!reader.moves(game, moves) || !chess::has_standard_rules(moves.facts.variant)) continue;
        if (moves.facts.plies <= after) continue;
        const std::uint64_t ply = after + 1 + random.below(moves.facts.plies - after);
        codec::GameWalk walk = replay::walk(game, moves);
        while (walk.ply() != ply && !walk.at_end()) walk.advance();
        sample.push_back({walk.position(), game});
    }
    return sample;
}

void Percentiles::add_run(const std::vector<double>& microseconds) {
    p50_.push_back(percentile(microseconds, 0.5));
    p99_.push_back(percentile(microseconds, 0.99));
}

void Percentiles::report(Report& report, const std::string& name, const std::string& input,
                         PercentileTargets targets) const {
    const auto target = [](double value) {
        return value == 0 ? std::nullopt : std::optional(at_most(value));
    };
    report.add({name + "-p50", input, summarize(p50_), "us", target(targets.p50)});
    report.add({name + "-p99", input, summarize(p99_), "us", target(targets.p99)});
}

}  // namespace fendex::bench
