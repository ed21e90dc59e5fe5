#include "upkeep/database_check.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "codec/swing.hpp"
#include "replay/tag_facts.hpp"
#include "store/game_range.hpp"
#include "store/posting_sorter.hpp"
#include "store/sqlite/file/interrupter.hpp"
#include "store/sqlite/file/memory_shares.hpp"
#include "store/sqlite/index/stored_postings.hpp"
#include "store/sqlite/records/record_check.hpp"
#include "store/sqlite/repair/raw_rows.hpp"
#include "store/sqlite/sums/integrity.hpp"
#include "store/sqlite/tables/name_alias_table.hpp"
#include "upkeep/game_check.hpp"
#include "upkeep/ledger_check.hpp"
#include "upkeep/player_list_check.hpp"
#include "upkeep/sample_check.hpp"
#include "upkeep/segment_check.hpp"

namespace fendex::upkeep {

namespace {

constexpr std::size_t kGamesAtOnce = 256;
constexpr std::size_t kKeysAtOnce = 1024;
constexpr unsigned kFileMessages = 100;

class DatabaseCheck {
  public:
    DatabaseCheck(const std::string& path, const CheckOptions& options)
        : path_(path), options_(options) {}

    CheckReport run() {
        open();
        try {
            const store::Interrupter interrupter(handles(), options_.stop);
            check();
        } catch (const store::Interrupted&) {
            report_.stopped = true;
        }
        return std::move(report_);
    }

  private:
    using Phase = CheckProgress::Phase;

    void check() {
        guarded([&] { check_segment_rows(raw_rows(), report_.findings); });
        guarded([&] { begin(); });
        if (options_.sample) {
            guarded([&] { check_sample(*options_.sample); });
        } else {
            guarded([&] { check_file(); });
            guarded([&] { check_all(); });
        }
        guarded([&] { check_import_errors(raw_rows(), deleted_, report_.findings); });
        guarded([&] { check_chunks(raw_rows(), deleted_, last_game_, report_.findings); });
        guarded([&] { report_.has_tag_facts = raw_rows().has_tag_facts_of(replay::kTagFactRule); });
        guarded([&] {
            report_.has_swings = raw_rows().has_swings_of(codec::kSwingRule) ||
                                 raw_rows().meta("annotated_games").value_or(0) == 0;
        });
        if (!options_.sample) {
            guarded([&] { check_records(); });
            guarded(
                [&] { check_player_lists(raw_rows(), deleted_, last_game_, report_.findings); });
        }
        guarded([&] { check_joined_names(); });
        guarded([&] { report_.has_row_sums = check_row_sums(raw_rows(), report_.findings); });
    }

    std::vector<sqlite3*> handles() const {
        std::vector<sqlite3*> handles;
        for (const auto& each : raw_rows_) handles.push_back(each->connection().handle());
        return handles;
    }

    /// Opens the raw rows for each thread, and once more for the calling thread, all of the same
    /// snapshot.
    void open() {
        do {
            raw_rows_.clear();
            for (unsigned i = 0; i <= options_.threads; ++i) {
                raw_rows_.push_back(std::make_unique<store::RawRows>(path_));
            }
        } while (raw_rows_.front()->state() != raw_rows_.back()->state());
    }
    store::RawRows& raw_rows() { return *raw_rows_.back(); }

    /// Calls work(thread, item) for what next() returns, and take() with the results, in order.
    template <typename Next, typename Work, typename Take>
    void on_all_threads(Next next, Work work, Take take) {
        base::run_ordered(options_.threads, options_.threads + 2, next, work, take);
    }

    /// Runs a step of the check. If something cannot be read, the step ends and the error becomes a
    /// finding.
    template <typename Step>
    void guarded(Step step) {
        try {
            step();
        } catch (const store::DamageError& error) {
            report_.findings.add({.kind = "file", .message = error.what()});
        }
    }

    void check_records() {
        store::check_records(raw_rows().connection(), [&](const store::RecordDamage& damage) {
            report_.findings.add(
                {.kind = "record",
                 .row = damage.row,
                 .message = "table " + std::string(damage.table) + ": " + damage.message});
        });
    }

    void check_joined_names() {
        store::check_aliases(raw_rows().connection(), [&](const store::AliasDamage& damage) {
            report_.findings.add(
                {.kind = "name_alias", .row = damage.row, .message = damage.message});
        });
    }

    void check_file() {
        report(Phase::kFile, 0, 1);
        for (std::string& message :
             store::integrity_problems(raw_rows().connection(), kFileMessages)) {
            report_.findings.add({.kind = "file", .message = std::move(message)});
        }
    }

    void begin() {
        const std::int64_t last =
            raw_rows().meta("last_game").value_or(raw_rows().meta("games").value_or(0));
        last_game_ = static_cast<store::GameId>(std::max<std::int64_t>(0, last));
        for (const auto& each : raw_rows_) checks_.emplace_back(*each, each->has_ply_table());
        deleted_ = deleted_games(raw_rows(), last_game_, report_.findings);
        segments_ = usable_segments(raw_rows(), store::SegmentKind::kMainLine, last_game_,
                                    report_.findings);
        variations_ = usable_segments(raw_rows(), store::SegmentKind::kVariations, last_game_,
                                      report_.findings);
    }

    void check_all() {
        store::GameId next = 1;
        for (const store::RawSegment& segment : segments_) {
            const auto first = static_cast<store::GameId>(segment.first_game);
            if (next < first) check_games(next, first - 1, nullptr, 1);
            next = static_cast<store::GameId>(segment.last_game) + 1;
            check_segment(segment);
        }
        check_games(next, static_cast<store::GameId>(INT64_MAX), nullptr, next);
        for (const store::RawSegment& segment : variations_) {
            guarded([&] { check_variations(segment); });
        }
        guarded([&] {
            check_sources(raw_rows(), deleted_, last_game_, Depth::kGames, report_.findings);
        });
        guarded([&] { check_orphans(raw_rows(), report_.findings); });
        guarded([&] { check_names(raw_rows(), report_.findings); });
        // If some games cannot be replayed, the sums cannot match; reporting that would add
        // nothing.
        if (damaged_.empty()) check_counters(raw_rows(), sums_, report_.findings);
    }

    /// Checks random games, the same ones for the same seed. Numbers of deleted games are skipped.
    void check_sample(std::uint64_t size) {
        check_sources(raw_rows(), deleted_, last_game_, Depth::kLedger, report_.findings);
        const store::GameId indexed =
            segments_.empty() ? 0 : static_cast<store::GameId>(segments_.back().last_game);
        std::mt19937_64 random(options_.seed);
        const std::uint64_t total = std::min(size, last_game_);
        for (std::uint64_t done = 0; done < total;) {
            std::vector<WantedPosting> wanted;
            for (std::uint64_t i = 0; i < kGamesAtOnce && done < total; ++i, ++done) {
                const store::GameId game = 1 + random() % last_game_;
                if (deleted_.contains(game)) continue;
                ++report_.games;
                if (checks_.back().check(game, report_.findings, sums_) && game <= indexed) {
                    append_wanted(game, checks_.back().trace(), wanted);
                }
            }
            find_wanted(wanted);
            report(Phase::kGames, done, total);
        }
        report_.positions = sums_.positions;
        report_.segments = segments_.size();
    }

    void find_wanted(std::vector<WantedPosting>& wanted) {
        std::ranges::sort(wanted);
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        report_.postings += wanted.size();
        std::size_t next = 0;
        on_all_threads(
            [&]() -> std::optional<std::span<const WantedPosting>> {
                if (next == wanted.size()) return std::nullopt;
                const std::size_t begin = next;
                next = std::min(next + kKeysAtOnce, wanted.size());
                while (next < wanted.size() && wanted[next].key == wanted[next - 1].key) ++next;
                return std::span(wanted).subspan(begin, next - begin);
            },
            [&](unsigned thread, std::span<const WantedPosting> some) {
                Findings findings;
                find_postings(*raw_rows_[thread], some, findings);
                return findings;
            },
            [&](const Findings& findings) { report_.findings.merge(findings); });
    }

    void check_segment(const store::RawSegment& segment) {
        const auto first = static_cast<store::GameId>(segment.first_game);
        store::PostingSorter sorter = new_sorter();
        check_games(first, static_cast<store::GameId>(segment.last_game), &sorter, first);
        sorter.close();
        check_blocks(segment, sorter);
    }

    /// Throws if the variations of a game cannot be replayed.
    void check_variations(const store::RawSegment& segment) {
        store::GameRange rest{static_cast<store::GameId>(segment.first_game),
                              static_cast<store::GameId>(segment.last_game)};
        store::PostingSorter sorter = new_sorter();
        on_all_threads([&] { return store::take_front(rest, kGamesAtOnce); },
                       [&](unsigned thread, const store::GameRange& games) {
                           return store::feed_variations(raw_rows_[thread]->reader(), games,
                                                         sorter.feeder(thread));
                       },
                       [](std::uint64_t) {});
        sorter.close(codec::Posting::game_number(static_cast<store::GameId>(segment.first_game)));
        check_blocks(segment, sorter);
    }

    store::PostingSorter new_sorter() const {
        return {store::sorter_memory(options_.memory_bytes), options_.threads,
                store::temporary_directory(path_)};
    }

    void check_blocks(const store::RawSegment& segment, store::PostingSorter& sorter) {
        const CheckedSegment checked{segment.id, static_cast<store::GameId>(segment.first_game),
                                     raw_rows().shape_of(segment), deleted_, damaged_};
        unsigned next = 0;
        unsigned done = 0;
        std::uint64_t postings = 0;
        std::uint64_t positions = 0;
        std::uint64_t unsure = 0;
        on_all_threads(
            [&]() -> std::optional<unsigned> {
                return next < store::PostingSorter::kPartitions ? std::optional(next++)
                                                                : std::nullopt;
            },
            [&](unsigned thread, unsigned partition) {
                return check_partition(checked, *raw_rows_[thread], partition,
                                       sorter.take(partition));
            },
            [&](const PartitionTotals& totals) {
                postings += totals.postings;
                positions += totals.positions;
                unsure += totals.unsure;
                report_.findings.merge(totals.findings);
                report(Phase::kIndex, ++done, store::PostingSorter::kPartitions);
            });
        const auto complain = [&](const char* what, std::int64_t said, std::uint64_t found) {
            report_.findings.add({.kind = "segment",
                                  .segment = segment.id,
                                  .message = "says it has " + std::to_string(said) + what +
                                             ", its blocks have " + std::to_string(found)});
        };
        if (static_cast<std::uint64_t>(segment.postings) != postings) {
            complain(" postings", segment.postings, postings);
        }
        const auto said = static_cast<std::uint64_t>(segment.positions);
        if (said > positions || said + unsure < positions) {
            complain(" positions", segment.positions, positions);
        }
        ++report_.segments;
        report_.postings += postings;
    }

    /// Findings of a thread in a few games.
    struct CheckedGames {
        std::vector<store::GameId> games;
        std::vector<store::GameId> damaged;
        Findings findings;
        store::GameSums sums;
    };

    /// Checks the existing games from `first` to `last`. Their postings go to the sorter, with game
    /// numbers relative to `base`.
    void check_games(store::GameId first, store::GameId last, store::PostingSorter* sorter,
                     store::GameId base) {
        if (first > last) return;
        store::GameId handed_out = first - 1;
        store::GameId expected = first;
        on_all_threads(
            [&]() -> std::optional<std::vector<store::GameId>> {
                std::vector<store::GameId> games = raw_rows().games(handed_out, last, kGamesAtOnce);
                if (games.empty()) return std::nullopt;
                handed_out = games.back();
                return games;
            },
            [&](unsigned thread, std::vector<store::GameId> games) {
                CheckedGames checked;
                GameCheck& check = checks_[thread];
                for (const store::GameId game : games) {
                    if (check.check(game, checked.findings, checked.sums)) {
                        if (sorter != nullptr && !deleted_.contains(game)) {
                            add_postings(check.trace(), static_cast<std::uint32_t>(game - base),
                                         sorter->feeder(thread));
                        }
                    } else {
                        checked.damaged.push_back(game);
                    }
                }
                checked.games = std::move(games);
                return checked;
            },
            [&](const CheckedGames& checked) {
                for (const store::GameId game : checked.games) {
                    note_missing(expected, game - 1);
                    note_present(game);
                    expected = game + 1;
                }
                for (const store::GameId game : checked.damaged) damaged_.insert(game);
                report_.findings.merge(checked.findings);
                sums_ += checked.sums;
                report_.games += checked.games.size();
                report_.positions += checked.sums.positions;
                report(Phase::kGames, expected - 1, last_game_);
            });
        note_missing(expected, std::min(last, last_game_));
    }

    static void add_postings(const replay::GameRecord& trace, std::uint32_t game,
                             store::PostingSorter::Feeder& postings) {
        const std::vector<std::uint64_t>& keys = trace.keys();
        const std::vector<chess::Move>& moves = trace.moves();
        for (std::uint32_t ply = 0; ply < keys.size(); ++ply) {
            postings.add(
                {keys[ply], ply < moves.size() ? moves[ply] : codec::kGameEndsHere, game, ply});
        }
    }

    void note_present(store::GameId game) {
        if (deleted_.contains(game)) {
            damaged_.insert(game);
            report_.findings.add({.kind = "deleted",
                                  .game = game,
                                  .message = "marked as deleted, but the game exists"});
        } else if (game > last_game_) {
            report_.findings.add(
                {.kind = "game", .game = game, .message = "comes after the last game"});
        }
    }

    /// Reports which of the missing games from `first` to `last` were not deleted.
    void note_missing(store::GameId first, store::GameId last) {
        if (first > last) return;
        const auto missing = [&](store::GameId from, store::GameId to) {
            if (from > to) return;
            report_.findings.add({.kind = "game",
                                  .game = from,
                                  .message = from == to ? "the game is missing"
                                                        : "this game and all up to game " +
                                                              std::to_string(to) + " are missing"});
            damaged_.insert_range(from, to);
        };
        deleted_.for_each(first, last, [&](store::GameId game) {
            missing(first, game - 1);
            first = game + 1;
        });
        missing(first, last);
    }

    void report(Phase phase, std::uint64_t done, std::uint64_t total) {
        if (options_.stop && options_.stop()) throw store::Interrupted();
        if (options_.progress) options_.progress({phase, done, total});
    }

    const std::string& path_;
    const CheckOptions& options_;
    std::vector<std::unique_ptr<store::RawRows>> raw_rows_;
    std::vector<GameCheck> checks_;
    store::GameId last_game_ = 0;
    std::vector<store::RawSegment> segments_;
    std::vector<store::RawSegment> variations_;
    MarkedGames deleted_;
    MarkedGames damaged_;  // missing, or impossible to replay
    store::GameSums sums_;
    CheckReport report_;
};

}  // namespace

CheckReport check_database(const std::string& path, const CheckOptions& options) {
    return DatabaseCheck(path, options).run();
}

}  // namespace fendex::upkeep
