// Questions with filters, in process and with warm caches: on the database of the archive of
// record, or on a larger one (--database). "First" is a condition that was not asked before,
// "again" one whose games are known. "Command" is a process of its own, whose files are in memory.
#include <fmt/core.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>

#include "ask/filter_fields.hpp"
#include "bench.hpp"
#include "codec/calendar.hpp"
#include "query/opening_sums.hpp"
#include "query/opening_tree.hpp"
#include "query/player_list.hpp"
#include "query/position_search.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"

namespace fendex::bench {

namespace {

constexpr std::size_t kPage = 20;

class FilterBench {
  public:
    explicit FilterBench(Bench& bench)
        : bench_(bench),
          path_(bench.options.database.empty() ? human_database(bench) : bench.options.database),
          reader_(store::file_store(path_)->reader()) {
        const std::uint64_t games = reader_->last_game();
        input_ = fmt::format("{} games", games);
        if (!bench_.options.database.empty()) day_ = day_of(reader_->last_game() / 2 + 1);
        // What a long-lived reader has asked before.
        tree({});
        tree({{"since", "1989"}});
        list({{"player", player(99)}, {"event", event()}}, query::GameOrder::kElo);
    }

    /// The first two letters of the player of some game, another one for each run.
    std::string player(std::size_t run) {
        return words_of(1 + 37 * run, &store::GameHeader::white);
    }
    /// The first two letters of the event of some game.
    std::string event() { return words_of(1, &store::GameHeader::event); }

    /// A date that games have, another one for each run, so that no run finds the games of an
    /// earlier one: years of the archive of record, days of a larger database, which may have only
    /// a month.
    std::string since(std::size_t run) {
        return day_ ? text_of(*day_ - days_of(run)) : std::to_string(1990 + run);
    }
    /// A later date.
    std::string until(std::size_t run) {
        return day_ ? text_of(*day_ + days_of(run)) : std::to_string(2020 + run);
    }

    using Conditions = std::vector<std::pair<std::string, std::string>>;

    void tree(const Conditions& conditions) {
        query::GameMatcher matcher(*reader_, filter_of(conditions));
        query::PositionSearch search(*reader_, matcher);
        const query::TreeOptions options{.transpositions = false};
        games_ = query::opening_tree(*reader_, search, chess::Position(), options).total.games;
    }
    void list(const Conditions& conditions, query::GameOrder order) {
        query::GameMatcher matcher(*reader_, filter_of(conditions));
        games_ = query::select_games(*reader_, matcher, order, kPage).size();
    }
    void find(const Conditions& conditions) {
        query::GameMatcher matcher(*reader_, filter_of(conditions));
        query::PositionSearch search(*reader_, matcher);
        std::uint64_t found = 0;
        search.find(query::Question::of(chess::Position()),
                    [&](const query::Hit&) { return ++found < kPage; });
        games_ = found;
    }

    void players() {
        games_ = reader_->engine().players({}, {})->first(store::AllPlayers(), kPage, {}).size();
    }
    void openings() {
        query::GameMatcher matcher(*reader_);
        games_ = query::opening_sums(*reader_, matcher, query::OpeningOrder::kGames).size();
    }

    /// Reports the median of ask(run).
    void report(const std::string& name, double target_ms,
                const std::function<void(std::size_t)>& ask) {
        std::vector<double> figures;
        for (std::size_t run = 0; run < bench_.options.runs; ++run) {
            const Stopwatch watch;
            ask(run);
            figures.push_back(watch.seconds() * 1e3);
            if (games_ == 0) throw std::runtime_error(name + ": no games");
        }
        bench_.report.add({name, input_, summarize(figures), "ms", at_most(target_ms)});
    }

    /// Reports the median of `fendex VERB DATABASE WORD...`.
    void report_command(const std::string& name, double target_ms,
                        const std::function<std::vector<std::string>(std::size_t)>& words_of_run) {
        std::vector<double> figures;
        for (std::size_t run = 0; run < bench_.options.runs; ++run) {
            std::vector<std::string> words = words_of_run(run);
            words.insert(words.begin() + 1, path_);
            words.insert(words.begin(), bench_.options.fendex);
            const Stopwatch watch;
            const int status = test::run_process(words).status;
            figures.push_back(watch.seconds() * 1e3);
            if (status != 0) throw std::runtime_error(name + " failed");
        }
        bench_.report.add({name, input_, summarize(figures), "ms", at_most(target_ms)});
    }

  private:
    std::string words_of(store::GameId game,
                         std::optional<std::string_view> store::GameHeader::*name) {
        store::GameHeader header;
        game = 1 + (game - 1) % reader_->last_game();
        if (!reader_->header(game, header) || !(header.*name)) throw std::runtime_error("no name");
        return std::string((header.*name)->substr(0, 2));
    }
    std::chrono::sys_days day_of(store::GameId game) {
        return codec::calendar_day(reader_->local()->facts(game).date.first_day());
    }
    static std::chrono::days days_of(std::size_t run) {
        return std::chrono::days(static_cast<int>(run));
    }
    static std::string text_of(std::chrono::sys_days date) {
        const std::chrono::year_month_day day(date);
        return fmt::format("{:04}.{:02}.{:02}", static_cast<int>(day.year()),
                           static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
    }
    static query::GameFilter filter_of(const Conditions& conditions) {
        query::GameFilter filter;
        for (const auto& [field, value] : conditions) ask::set_field(filter, field, value);
        return filter;
    }

    Bench& bench_;
    std::string path_;
    store::Reader reader_;
    std::optional<std::chrono::sys_days> day_;  // of the game in the middle; empty: years
    std::string input_;
    std::uint64_t games_ = 0;
};

}  // namespace

void bench_filters(Bench& bench) {
    FilterBench filters(bench);
    const bool large = !bench.options.database.empty();
    const double tree_first = large ? 100 : 1;
    const double tree_again = large ? 20 : 1;
    constexpr double kList = 30;
    filters.report("filter-tree-none", 0.03, [&](std::size_t) { filters.tree({}); });
    using enum query::GameOrder;
    filters.report("filter-tree-date-first", tree_first, [&](std::size_t run) {
        filters.tree({{"since", filters.since(run)}});
    });
    filters.report("filter-tree-date-again", tree_again, [&](std::size_t) {
        filters.tree({{"since", filters.since(0)}});
    });
    filters.report("filter-tree-many-first", tree_first, [&](std::size_t run) {
        filters.tree({{"until", filters.until(run)},
                      {"min-elo", std::to_string(1500 + run)},
                      {"result", "1-0"}});
    });
    filters.report("filter-tree-player-again", tree_again, [&](std::size_t) {
        filters.tree({{"player", filters.player(99)}});
    });
    filters.report("filter-games-player-first", kList, [&](std::size_t run) {
        filters.list({{"player", filters.player(run)}}, kId);
    });
    filters.report("filter-games-date-elo", kList, [&](std::size_t run) {
        filters.list({{"since", filters.since(run)}}, kElo);
    });
    filters.report("filter-games-event-date", kList, [&](std::size_t) {
        filters.list({{"event", filters.event()}}, kDate);
    });
    filters.report("filter-games-all-elo", kList, [&](std::size_t) { filters.list({}, kElo); });
    filters.report("filter-games-rating-plies", kList, [&](std::size_t run) {
        filters.list({{"min-elo", std::to_string(2000 + run)}}, kPlies);
    });
    filters.report("players-list", kList, [&](std::size_t) { filters.players(); });
    filters.report("openings-list", 100, [&](std::size_t) { filters.openings(); });
    filters.report("filter-find-player", 5, [&](std::size_t) {
        filters.find({{"player", filters.player(99)}});
    });
    using Words = std::vector<std::string>;
    filters.report_command("filter-command-tree-none", 15,
                           [&](std::size_t) { return Words{"tree"}; });
    filters.report_command("filter-command-tree-date", 100, [&](std::size_t run) {
        return Words{"tree", "--since", filters.since(run)};
    });
    filters.report_command("filter-command-tree-rating", 100, [&](std::size_t run) {
        return Words{"tree", "--min-elo", std::to_string(2000 + run)};
    });
    filters.report_command("filter-command-tree-player", 100, [&](std::size_t run) {
        return Words{"tree", "--player", filters.player(run)};
    });
    filters.report_command("filter-command-games-player", 100, [&](std::size_t run) {
        return Words{"games", "--player", filters.player(run)};
    });
}

}  // namespace fendex::bench
