// Samples and splits: uniform (chi-square with fixed seeds), of the right size, and the same
// whatever the number of threads.
#include "emit/sample.hpp"

#include <cmath>
#include <map>
#include <set>

#include "base/seeded.hpp"
#include "emit/emit_fixtures.hpp"
#include "emit/position_sample.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using test::Imported;
using test::job_of;

using Place = emit::SampledPlies::Place;

/// Returns whether samples of `count` out of `counts.size()` things look uniform, given how often
/// each was drawn in `samples` samples. The limit is five standard deviations.
bool is_uniform(const std::vector<std::uint64_t>& counts, double count, double samples) {
    const auto things = static_cast<double>(counts.size());
    const double share = count / things;
    const double expected = samples * share;
    double chi_square = 0;
    for (const std::uint64_t each : counts) {
        const double difference = static_cast<double>(each) - expected;
        chi_square += difference * difference / (expected * (1 - share));
    }
    chi_square *= (things - 1) / things;
    const double degrees = things - 1;
    INFO("chi-square " << chi_square << " with " << degrees << " degrees of freedom");
    CHECK(chi_square > degrees - 5 * std::sqrt(2 * degrees));
    return chi_square < degrees + 5 * std::sqrt(2 * degrees);
}

/// No other game has the positions that it repeats.
const char* const kRepeating =
    "[Event \"x\"]\n\n1. a4 a5 2. Ra3 Ra6 3. Ra1 Ra8 4. Ra3 Ra6 5. Ra1 Ra8 *\n\n";

/// Random games, short ones that share most positions, and one that repeats them.
const Imported& games() {
    static const test::TemporaryDirectory directory;
    static const Imported imported = [] {
        std::string text = test::random_archive(21, 12).text();
        for (const char* const end : {"3. a3", "3. a4", "3. h4"}) {
            text += std::string("[Event \"x\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 ") + end + " *\n\n";
        }
        text += kRepeating;
        text += "[Variant \"Xiangqi\"]\n\n1. h2e2 *\n\n";
        text += "[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n";
        return Imported({directory.write("games.pgn", text)});
    }();
    return imported;
}

/// Returns all plies of the games, in their order, by position.
struct Plies {
    std::vector<Place> all;
    std::map<std::uint64_t, Place> first;  // by key

    Plies(store::StoreReader& reader, const emit::GameList& list) {
        for (std::uint64_t i = 0; i < list.size(); ++i) {
            store::StoredMoves moves;
            REQUIRE(reader.moves(list[i], moves));
            replay::with_walk(list[i], moves, [&](auto& walk) {
                for (;; walk.advance()) {
                    const Place place{list[i], walk.ply()};
                    all.push_back(place);
                    first.emplace(walk.position().key(), place);
                    if (walk.at_end()) break;
                }
            });
        }
    }
};

std::vector<Place> places_of(const emit::SampledPlies& sample, const emit::GameList& list) {
    std::vector<Place> places;
    for (std::uint64_t i = 0; i < list.size(); ++i) {
        for (const std::uint32_t ply : sample.of(list[i])) places.push_back({list[i], ply});
    }
    return places;
}

/// Checks samples of six positions from a list; `sample(job, size)` takes them.
template <typename Sample>
void check_position_samples(emit::ExportJob job, int samples, Sample sample) {
    const auto reader = job.database->reader();
    const Plies plies(*reader, job.games);
    std::map<Place, std::uint64_t> drawn;
    for (const auto& [key, place] : plies.first) drawn[place] = 0;
    CHECK(drawn.size() < plies.all.size());
    constexpr std::uint64_t kCount = 6;
    for (int seed = 0; seed < samples; ++seed) {
        job.threads = static_cast<unsigned>(seed % 3 + 1);
        const emit::SampleSize size{kCount, static_cast<unsigned>(seed)};
        const auto places = places_of(sample(job, size), job.games);
        REQUIRE(places.size() == kCount);
        for (const Place& place : places) ++drawn.at(place);
        if (seed % 50 != 0) continue;
        for (job.threads = 1; job.threads <= 3; ++job.threads) {
            CHECK((places_of(sample(job, size), job.games) == places));
        }
    }
    std::vector<std::uint64_t> counts;
    for (const auto& [place, count] : drawn) counts.push_back(count);
    CHECK(is_uniform(counts, kCount, samples));
    CHECK(sample(job, {0, 1}).size() == 0);
}

/// Games that share positions, in several segments, some of them deleted.
class SegmentedGames {
  public:
    SegmentedGames() {
        const test::PgnArchive archive = test::random_archive(22, 24);
        const auto text = [&](std::size_t first, std::size_t last) {
            std::string out = archive.text(first, last);
            for (int i = 0; i < 4; ++i) {
                out += "[Event \"x\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. " +
                       std::string(i % 2 == 0 ? "a3" : "h4 h5") + " *\n\n";
            }
            return out + kRepeating;
        };
        const ingest::ImportOptions options{.ply_rows = ingest::PlyRowChoice::kNo,
                                            .segment_postings = 200};
        games_.again({directory_.write("a.pgn", text(0, 12))}, options);
        games_.again({directory_.write("b.pgn", text(12, 24))}, options);
        CHECK(test::delete_games(games_.path(), {1, 5, 13, 14, 20}) == 5);
        CHECK(games_.info().index_pieces > 1);
    }
    const Imported& games() const { return games_; }

  private:
    test::TemporaryDirectory directory_;
    Imported games_;
};

emit::SampledPlies by_index(const emit::ExportJob& job, const emit::SampleSize& size) {
    const auto sample = emit::sample_positions_by_index(job, size);
    REQUIRE(sample);
    return *sample;
}

}  // namespace

TEST_CASE("Seeded numbers stay what they are: users repeat samples by their seed") {
    CHECK(base::mixed(0) == 0xE220A8397B1DCDAFU);  // SplitMix64's first number for seed 0
    CHECK(emit::sample_numbers(1000, {5, 1}) ==
          std::vector<std::uint64_t>({206, 318, 357, 418, 943}));
}

TEST_CASE("Sampled numbers are distinct and ascending, and all numbers if there are too few") {
    for (const std::uint64_t end : {0U, 1U, 2U, 10U, 1000U, 100'000U}) {
        for (const std::uint64_t count : {0U, 1U, 9U, 10U, 500U, 200'000U}) {
            const auto numbers = emit::sample_numbers(end, {count, 7});
            CHECK(numbers.size() == std::min(count, end));
            CHECK(std::set(numbers.begin(), numbers.end()).size() == numbers.size());
            CHECK(std::is_sorted(numbers.begin(), numbers.end()));
            CHECK((numbers.empty() || numbers.back() < end));
            CHECK(numbers == emit::sample_numbers(end, {count, 7}));
        }
    }
    CHECK(emit::sample_numbers(100'000, {10, 1}) != emit::sample_numbers(100'000, {10, 2}));
}

TEST_CASE("Sampled numbers are uniform, and so are pairs of them") {
    constexpr std::uint64_t kEnd = 13;
    constexpr std::uint64_t kCount = 4;
    constexpr int kSamples = 20'000;
    std::vector<std::uint64_t> counts(kEnd);
    std::vector<std::uint64_t> pairs(kEnd * (kEnd - 1) / 2);
    for (int seed = 0; seed < kSamples; ++seed) {
        const auto numbers = emit::sample_numbers(kEnd, {kCount, static_cast<unsigned>(seed)});
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            ++counts[numbers[i]];
            for (std::size_t j = 0; j < i; ++j) {
                ++pairs[numbers[i] * (numbers[i] - 1) / 2 + numbers[j]];
            }
        }
    }
    CHECK(is_uniform(counts, kCount, kSamples));
    CHECK(is_uniform(pairs, kCount * (kCount - 1) / 2.0, kSamples));
    // From many, as a hash set holds them.
    std::vector<std::uint64_t> parts(50);
    for (const std::uint64_t each : emit::sample_numbers(50'000'000, {5000, 3})) {
        ++parts[each / 1'000'000];
    }
    CHECK(is_uniform(parts, 1, 5000));
}

TEST_CASE("A sample of games keeps their order") {
    const emit::GameList list({9, 3, 8, 1, 7});
    const emit::GameList sample = emit::sample_games(list, {3, 4});
    REQUIRE(sample.size() == 3);
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < sample.size(); ++i) {
        while (next < list.size() && list[next] != sample[i]) ++next;
        CHECK(next < list.size());
    }
    CHECK(emit::sample_games(emit::GameList::up_to(6), {10, 1}).size() == 6);
}

TEST_CASE("A sample of plies is uniform over the plies of the chosen games") {
    const auto reader = store::file_store(games().path())->reader();
    const emit::GameList lists[] = {emit::GameList::up_to(games().info().games),
                                    emit::GameList({13, 14, 15, 16, 17, 18}),
                                    emit::GameList({18, 2, 16, 13})};
    for (const emit::GameList& list : lists) {
        const Plies plies(*reader, list);
        std::map<Place, std::uint64_t> drawn;
        for (const Place& place : plies.all) drawn[place] = 0;
        constexpr std::uint64_t kCount = 6;
        constexpr int kSamples = test::fewer(4000, 4);
        for (int seed = 0; seed < kSamples; ++seed) {
            const auto sample =
                emit::sample_plies(*reader, list, {kCount, static_cast<unsigned>(seed)});
            REQUIRE(sample.size() == kCount);
            for (const Place& place : places_of(sample, list)) ++drawn.at(place);
        }
        std::vector<std::uint64_t> counts;
        for (const auto& [place, count] : drawn) counts.push_back(count);
        CHECK(is_uniform(counts, kCount, kSamples));
        CHECK((places_of(emit::sample_plies(*reader, list, {100'000, 1}), list) == plies.all));
    }
}

TEST_CASE("A sample of positions is uniform over distinct positions, each at its first ply",
          "[full]") {
    emit::ExportJob job = job_of(games());
    const emit::GameList lists[] = {job.games, emit::GameList({13, 14, 15, 16, 17, 18}),
                                    emit::GameList({18, 2, 16, 13})};
    for (const emit::GameList& list : lists) {
        job.games = list;
        check_position_samples(job, test::at_size(200, 2000), emit::sample_positions_by_replay);
        const auto reader = job.database->reader();
        const Plies plies(*reader, list);
        std::vector<Place> expected;
        for (const auto& [key, place] : plies.first) expected.push_back(place);
        std::sort(expected.begin(), expected.end());
        std::vector<Place> all = places_of(emit::sample_positions(job, {100'000, 1}), list);
        std::sort(all.begin(), all.end());
        CHECK((all == expected));
    }
}

TEST_CASE("A sample of positions by the index is uniform, too: in segments, without deleted games",
          "[full]") {
    check_position_samples(job_of(games()), test::at_size(200, 2000), by_index);
    const SegmentedGames segmented;
    emit::ExportJob job = job_of(segmented.games());
    std::vector<store::GameId> left;
    const auto reader = job.database->reader();
    for (store::GameId id = 1; id <= reader->last_game(); ++id) {
        if (reader->has_game(id)) left.push_back(id);
    }
    CHECK(left.size() == 29);
    job.games = emit::GameList(left);
    CHECK(emit::is_whole_database(*reader, job.games));
    check_position_samples(job, test::at_size(200, 2000), by_index);
    check_position_samples(job, test::at_size(200, 2000), emit::sample_positions_by_replay);

    std::swap(left[3], left[4]);
    CHECK_FALSE(emit::is_whole_database(*reader, emit::GameList(left)));
    left.pop_back();
    CHECK_FALSE(emit::is_whole_database(*reader, emit::GameList(left)));
}

TEST_CASE("Sampling positions ends even if the games repeat few positions", "[full]") {
    const test::TemporaryDirectory directory;
    std::string text;
    const unsigned all = test::at_size(1000U, 3000U);
    for (unsigned i = 0; i < all; ++i) text += "[Event \"x\"]\n\n1. e4 e5 *\n\n";
    const Imported same({directory.write("same.pgn", text)});
    const emit::ExportJob job = job_of(same);
    CHECK_FALSE(emit::sample_positions_by_index(job, {4, 1}));
    const std::vector<Place> places = places_of(emit::sample_positions(job, {4, 1}), job.games);
    CHECK((places == std::vector<Place>{{1, 0}, {1, 1}, {1, 2}}));
}

TEST_CASE("A split puts every game into one part, by its number and the seed") {
    constexpr std::uint64_t kGames = 100'000;
    const emit::GameSplit split = emit::split_games(emit::GameList::up_to(kGames), 0.9, 1);
    std::vector<bool> in_training(kGames + 1);
    std::uint64_t next_training = 0;
    std::uint64_t next_test = 0;
    for (store::GameId game = 1; game <= kGames; ++game) {
        if (next_training < split.training.size() && split.training[next_training] == game) {
            in_training[game] = true;
            ++next_training;
        } else {
            REQUIRE(next_test < split.test.size());
            REQUIRE(split.test[next_test++] == game);
        }
    }
    CHECK(split.training.size() + split.test.size() == kGames);
    // Four standard deviations of a binomial distribution.
    CHECK(std::abs(static_cast<double>(split.training.size()) - 90'000) < 4 * std::sqrt(9000));

    // The parts do not depend on the other games, and grow with the share.
    const emit::GameSplit few = emit::split_games(emit::GameList({70, 5, 900, 12}), 0.9, 1);
    for (std::uint64_t i = 0; i < few.training.size(); ++i) CHECK(in_training[few.training[i]]);
    for (std::uint64_t i = 0; i < few.test.size(); ++i) CHECK_FALSE(in_training[few.test[i]]);
    const emit::GameSplit half = emit::split_games(emit::GameList::up_to(kGames), 0.5, 1);
    for (std::uint64_t i = 0; i < half.training.size(); ++i) {
        REQUIRE(in_training[half.training[i]]);
    }
    // Another seed is another split: of the test games, again a tenth.
    const emit::GameSplit other = emit::split_games(split.test, 0.9, 2);
    CHECK(std::abs(static_cast<double>(other.test.size()) - 1000) < 150);
}
