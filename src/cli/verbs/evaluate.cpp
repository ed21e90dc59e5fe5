#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <unordered_set>
#include <utility>

#include "base/json.hpp"
#include "base/stop_check.hpp"
#include "cli/options/arguments.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/resources.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/stop_signal.hpp"
#include "cli/verbs/export_selection.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "uci/evaluation.hpp"

namespace fendex::cli {

namespace {

/// A position that waits takes at most so much memory.
constexpr std::size_t kBytesPerPosition = 128;
/// So many lines of a file are read before they are evaluated.
constexpr std::size_t kPositionsAtOnce = 10'000;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::uint64_t number_between(const Arguments& arguments, const std::string& option,
                             std::uint64_t least, std::uint64_t most, std::uint64_t otherwise) {
    const std::uint64_t number = arguments.number(option).value_or(otherwise);
    if (number >= least && number <= most) return number;
    throw UsageError("--" + option + " takes a number from " + std::to_string(least) + " to " +
                     std::to_string(most));
}

uci::SearchLimit limit_of(const Arguments& arguments) {
    using Kind = uci::SearchLimit::Kind;
    constexpr std::pair<const char*, Kind> kKinds[] = {
        {"nodes", Kind::kNodes}, {"depth", Kind::kDepth}, {"movetime", Kind::kMilliseconds}};
    uci::SearchLimit limit;
    std::string given;
    for (const auto& [name, kind] : kKinds) {
        if (!arguments.has(name)) continue;
        if (!given.empty()) {
            throw UsageError("--" + given + " and --" + name + ": give one of them");
        }
        given = name;
        const std::uint64_t most = kind == Kind::kDepth ? 1000 : codec::kMostNodes;
        limit = {kind, number_between(arguments, name, 1, most, limit.value)};
    }
    return limit;
}

uci::EngineChoice engine_of(const Arguments& arguments) {
    const auto program = arguments.find("engine");
    if (!program) throw UsageError("which engine? Give a UCI engine with --engine");
    uci::EngineChoice choice;
    choice.program = uci::find_program(*program);
    for (const std::string& option : arguments.all("option")) {
        const std::size_t equals = option.find('=');
        if (equals == 0 || option.find_first_of("\r\n") != std::string::npos) {
            throw UsageError("--option takes NAME=VALUE, not '" + option + "'");
        }
        std::string name = option.substr(0, equals);
        if (lower(name) == "multipv") {
            throw UsageError("--option MultiPV: give the number of variations with --multipv");
        }
        choice.options.emplace_back(std::move(name),
                                    equals == std::string::npos ? "" : option.substr(equals + 1));
    }
    choice.pvs = number_between(arguments, "multipv", 1, codec::kMostPvs, 1);
    choice.patience = std::chrono::seconds(number_between(arguments, "patience", 1, 86'400, 60));
    choice.stop = StopSignal::requested;
    return choice;
}

/// The options of positions that games have reached, besides those that choose the games.
std::vector<Option> reached_options() {
    return {valued("min-games", "N", "only positions that N games reached (default: 1)"),
            valued("max-ply", "N", "only positions up to this ply")};
}

/// Chooses the positions that need an evaluation.
class PositionsToEvaluate {
  public:
    PositionsToEvaluate(const Arguments& arguments, const uci::EvaluationJob& job,
                        ProgressLine& progress)
        : arguments_(arguments),
          job_(job),
          store_(store::file_store(arguments.only_database())),
          limit_(number_between(arguments, "limit", 1, kNoLimit, kNoLimit)),
          progress_(progress) {
        if (arguments.has("fens")) {
            for (const Option& option :
                 joined({reached_options(), selection_options(), filter_options()})) {
                if (!arguments.has(option.name) || option.name == "variant") continue;
                throw UsageError("--" + option.name +
                                 " is for positions of games, --fens for those of a file");
            }
            records_.emplace(std::vector<std::string>(), arguments.find("fens"));
        }
    }

    std::vector<uci::PackedPosition> next(const uci::Engine& engine) {
        // The reader's snapshot ends before the search, which may take days.
        const store::Reader reader = store_->reader();
        known_ = reader->local()->records();
        engine_ = &engine;
        return records_ ? next_of_file() : of_games(*reader);
    }

    /// The number of positions that were chosen so far.
    std::uint64_t chosen() const { return chosen_; }
    std::uint64_t evaluated_before() const { return evaluated_before_; }
    std::uint64_t of_unknown_rules() const { return of_unknown_rules_; }
    /// Returns whether there are positions of games for which there was no room. The counts of
    /// those that need no search are then not complete.
    bool has_more() const { return has_more_; }
    bool has_errors() const { return has_errors_; }
    /// Returns whether there was a position with legal moves.
    bool has_any() const { return chosen_ + evaluated_before_ + of_unknown_rules_ != 0; }

  private:
    bool is_wanted(const chess::AnyPosition& position) {
        const std::size_t moves = chess::count_legal_moves(position);
        if (moves == 0) return false;
        if (!engine_->knows_rules_of(position)) {
            ++of_unknown_rules_;
            return false;
        }
        codec::PositionRecord record;
        if (known_->find(position, record) &&
            job_.limit.is_met_by(record, std::min(job_.engine.pvs, moves))) {
            ++evaluated_before_;
            return false;
        }
        return true;
    }

    std::vector<uci::PackedPosition> of_games(store::StoreReader& reader) {
        if (std::exchange(have_games_, true)) return {};
        emit::ExportJob games{store_,
                              games_selected(filter_of(arguments_), position_asked(arguments_),
                                             query::GameOrder::kId, reader),
                              threads_of(arguments_)};
        games.progress = [&](std::uint64_t done) {
            if (StopSignal::requested()) throw base::Stopped();
            if (progress_.due()) progress_.show(grouped(done) + " games read");
        };
        const std::size_t memory = memory_of(arguments_);
        emit::PositionChoice choice;
        choice.min_games = arguments_.number("min-games").value_or(1);
        choice.max_ply = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            arguments_.number("max-ply").value_or(choice.max_ply), choice.max_ply));
        choice.memory_bytes = memory;
        choice.directory = spill_directory(store_->location());
        const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(
            limit_, std::max<std::size_t>(memory / kBytesPerPosition, kPositionsAtOnce)));
        uci::ReachedPositions reached = uci::reached_positions(
            games, choice, most,
            [this](const chess::AnyPosition& position) { return is_wanted(position); });
        chosen_ = reached.positions.size();
        has_more_ = reached.has_more;
        return std::move(reached.positions);
    }

    std::vector<uci::PackedPosition> next_of_file() {
        std::vector<uci::PackedPosition> positions;
        std::unordered_set<uci::PackedPosition> seen;
        while (positions.size() < kPositionsAtOnce && chosen_ < limit_) {
            if (StopSignal::requested()) throw base::Stopped();
            const std::optional<PositionRequest> asked =
                next_position(*records_, variant_asked(arguments_));
            if (!asked) break;
            if (!asked->error.empty()) {
                has_errors_ = true;
                say(asked->error);
                continue;
            }
            uci::PackedPosition bits = uci::pack_position(*asked->position);
            if (seen.contains(bits) || !is_wanted(*asked->position)) continue;
            seen.insert(bits);
            positions.push_back(std::move(bits));
            ++chosen_;
        }
        return positions;
    }

    const Arguments& arguments_;
    const uci::EvaluationJob& job_;
    std::shared_ptr<store::Store> store_;
    std::uint64_t limit_;
    ProgressLine& progress_;
    std::optional<FenRecords> records_;  // empty: the positions of games
    bool have_games_ = false;
    store::PositionRecords* known_ = nullptr;
    const uci::Engine* engine_ = nullptr;
    std::uint64_t chosen_ = 0;
    std::uint64_t evaluated_before_ = 0;
    std::uint64_t of_unknown_rules_ = 0;
    bool has_more_ = false;
    bool has_errors_ = false;
};

/// Says how far the search is, and once, as soon as it can be told, how long it will take.
class SearchProgress {
  public:
    explicit SearchProgress(const Arguments& arguments) : line_(arguments) {}

    void show(const uci::EvaluationProgress& progress, std::uint64_t total, unsigned engines) {
        const double rate = static_cast<double>(progress.done) / progress.seconds;
        const double left = static_cast<double>(total - progress.done) / rate;
        const bool can_tell = progress.done >= 2 * std::uint64_t{engines} && progress.seconds > 2;
        if (can_tell && !std::exchange(told_, true)) {
            line_.say(fmt::format("{} left, about {} with {}, {:.1f} positions a second",
                                  counted(total - progress.done, "position"), clock_text(left),
                                  counted(engines, "engine"), rate));
        }
        if (!line_.due()) return;
        const double share = static_cast<double>(progress.done) / static_cast<double>(total);
        line_.show(fmt::format("{:.0f} %, {}{} of {} positions, {:.1f}/s", 100 * share,
                               can_tell ? clock_text(left) + " left, " : "", grouped(progress.done),
                               grouped(total), rate));
    }
    ProgressLine& line() { return line_; }

  private:
    ProgressLine line_;
    bool told_ = false;
};

std::string summary_text(const uci::EvaluationSummary& summary,
                         const PositionsToEvaluate& positions, double seconds) {
    std::string text = counted(summary.evaluated, "position") + " evaluated";
    if (!summary.engine.empty()) text += " by " + summary.engine;
    text += fmt::format(" in {:.2f} s", seconds);
    if (positions.has_more()) return text + "; others are left for another run";
    if (positions.evaluated_before() != 0) {
        text += ", " + grouped(positions.evaluated_before()) + " evaluated before";
    }
    if (positions.of_unknown_rules() != 0) {
        text += ", " + grouped(positions.of_unknown_rules()) +
                " left out: the engine does not know their rules";
    }
    if (summary.unmet != 0) {
        text += ", " + grouped(summary.unmet) +
                " would be searched again: the engine ended before the limit, or a deeper search "
                "is kept";
    }
    return text;
}

void print_summary(const uci::EvaluationSummary& summary, const PositionsToEvaluate& positions,
                   double seconds, Output output) {
    json::append_line(output.buffer(), [&](json::Object& object) {
        const auto add_complete = [&](const char* name, std::uint64_t count) {
            if (positions.has_more()) return object.add_null(name);
            object.add(name, count);
        };
        object.add("engine", summary.engine);
        object.add("evaluated", summary.evaluated);
        add_complete("evaluated_before", positions.evaluated_before());
        add_complete("unknown_rules", positions.of_unknown_rules());
        object.add("unmet", summary.unmet);
        object.add("more", positions.has_more());
        object.add("seconds", json::Fixed{seconds, 3});
        object.add("interrupted", summary.stopped);
    });
    output.flush();
}

int run_evaluate(const Arguments& arguments) {
    const Format format = format_of(arguments);
    const std::string& database = arguments.only_database();
    uci::EvaluationJob job;
    job.limit = limit_of(arguments);
    job.engine = engine_of(arguments);
    job.engines = threads_of(arguments);
    job.as_given = arguments.given();
    // Refuses a file that is not a database; a writer would create one.
    const std::shared_ptr<store::Store> store = store::file_store(database);
    store->require_readable();

    const StopSignal signal;
    ProgressLine counting(arguments);
    PositionsToEvaluate positions(arguments, job, counting);
    std::optional<SearchProgress> searching;
    job.next_positions = [&](const uci::Engine& engine) {
        std::vector<uci::PackedPosition> chosen = positions.next(engine);
        counting.clear();
        if (!searching && !chosen.empty()) {
            searching.emplace(arguments);
            searching->line().say(counted(chosen.size(), "position") + " to evaluate with " +
                                  engine.name());
        }
        return chosen;
    };
    job.progress = [&](const uci::EvaluationProgress& progress) {
        searching->show(progress, positions.chosen(), job.engines);
    };
    const uci::EvaluationSummary summary = uci::evaluate_positions(*store, job);
    ProgressLine& line = searching ? searching->line() : counting;
    const double seconds = line.seconds();
    line.say(summary_text(summary, positions, seconds));
    if (format == Format::kJson) print_summary(summary, positions, seconds, Output(arguments));
    if (summary.failure) std::rethrow_exception(summary.failure);
    if (summary.stopped) {
        say("interrupted: these evaluations are stored; the same command continues from here");
        return StopSignal::exit_status();
    }
    if (positions.has_errors()) return kError;
    return positions.has_any() ? kFound : kNothingFound;
}

}  // namespace

Verb evaluate_verb() {
    return {
        "evaluate",
        "DB",
        "Has a chess engine evaluate positions, and stores the result.\n"
        "The engine is a program of yours that speaks UCI, such as Stockfish. It is asked about\n"
        "the positions of the games that fit, those that the most games reached first, or about\n"
        "those of a file; each is searched by itself. Positions with a search that was as long\n"
        "are left out, so the same command continues after an interruption. Of the searches\n"
        "with the same number of variations the deepest is kept.\n"
        "--format json prints an object: engine, evaluated, evaluated_before, unknown_rules,\n"
        "unmet, more, seconds, interrupted.",
        "fendex evaluate my.db --engine stockfish --nodes 100000 --min-games 3",
        joined(
            {{valued("engine", "PROGRAM", "a UCI engine: its path, or its name in $PATH"),
              valued("nodes", "N", "search so many nodes for each position (default: 1000000)"),
              valued("depth", "N", "search to this depth"),
              valued("movetime", "MS", "search for so many milliseconds"),
              valued("multipv", "N", "the number of variations (default: 1)"),
              repeatable("option", "NAME=VALUE", "set an option of the engine, such as Hash=256"),
              valued("patience", "SECONDS",
                     "how long the engine may say nothing, besides the time that it is given "
                     "(default: 60)"),
              fens_option(), valued("limit", "N", "at most so many positions"),
              format_option({"table", "json"}), progress_option()},
             reached_options(),
             selection_options(),
             filter_options(),
             resource_options()}),
        run_evaluate};
}

}  // namespace fendex::cli
