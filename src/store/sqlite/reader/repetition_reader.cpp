#include "store/sqlite/reader/repetition_reader.hpp"

#include <charconv>
#include <string>

namespace fendex::store {

namespace {

constexpr char kScanRepetitions[] =
    "SELECT game_id, key, count, plies FROM main.repetition WHERE game_id >= ?1 AND count >= ?2"
    " ORDER BY game_id, key";
constexpr char kSelectKey[] =
    "SELECT game_id, key, count, plies FROM main.repetition WHERE game_id = ?1 AND key = ?2";
constexpr char kSelectRepetitionsOfGame[] =
    "SELECT game_id, key, count, plies FROM main.repetition WHERE game_id = ?1 ORDER BY key";
constexpr char kScanRuns[] =
    "SELECT game_id, ply50, ply75, longest FROM main.quiet_run WHERE game_id >= ?1"
    " ORDER BY game_id, ply50";
constexpr char kSelectRuns[] =
    "SELECT game_id, ply50, ply75, longest FROM main.quiet_run WHERE game_id = ?1 ORDER BY ply50";

/// Reads "[12,16,20]". Returns false if the text is not such an array of ascending numbers.
bool parse_plies(std::string_view text, std::vector<std::uint32_t>& out) {
    out.clear();
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
    const char* at = text.data() + 1;
    const char* const end = text.data() + text.size() - 1;
    while (true) {
        std::uint32_t ply = 0;
        const auto [next, error] = std::from_chars(at, end, ply);
        if (error != std::errc{} || (!out.empty() && ply <= out.back())) return false;
        out.push_back(ply);
        if (next == end) return true;
        if (*next != ',') return false;
        at = next + 1;
    }
}

QuietRun run_of(const Statement& row) {
    QuietRun run;
    run.game = static_cast<GameId>(row.integer(0));
    run.ply50 = static_cast<std::uint32_t>(row.integer(1));
    if (!row.is_null(2)) run.ply75 = static_cast<std::uint32_t>(row.integer(2));
    run.longest = static_cast<std::uint32_t>(row.integer(3));
    return run;
}

}  // namespace

RepetitionReader::RepetitionReader(const Connection& connection)
    : connection_(&connection),
      scan_(connection, kScanRepetitions),
      select_key_(connection, kSelectKey),
      select_game_(connection, kSelectRepetitionsOfGame),
      scan_runs_(connection, kScanRuns),
      select_runs_(connection, kSelectRuns) {}

void RepetitionReader::read(const Statement& row, Repetition& out) const {
    out.game = static_cast<GameId>(row.integer(0));
    out.key = static_cast<std::uint64_t>(row.integer(1));
    if (!parse_plies(row.text(3), out.plies) ||
        static_cast<std::int64_t>(out.plies.size()) != row.integer(2)) {
        throw DamageError(connection_->path() + ": damaged: repetitions of game " +
                          std::to_string(out.game));
    }
}

void RepetitionReader::for_each(GameId first, std::uint32_t min_count,
                                const std::function<bool(const Repetition&)>& visit) {
    const ResetAtEnd end(scan_, static_cast<std::int64_t>(first), min_count);
    Repetition each;
    while (scan_.step()) {
        read(scan_, each);
        if (!visit(each)) break;
    }
}

std::optional<Repetition> RepetitionReader::find(GameId game, std::uint64_t key) {
    const ResetAtEnd end(select_key_, static_cast<std::int64_t>(game),
                         static_cast<std::int64_t>(key));
    std::optional<Repetition> out;
    if (select_key_.step()) read(select_key_, out.emplace());
    return out;
}

std::vector<Repetition> RepetitionReader::of_game(GameId game) {
    const ResetAtEnd end(select_game_, static_cast<std::int64_t>(game));
    std::vector<Repetition> out;
    while (select_game_.step()) read(select_game_, out.emplace_back());
    return out;
}

void RepetitionReader::for_each_run(GameId first,
                                    const std::function<bool(const QuietRun&)>& visit) {
    const ResetAtEnd end(scan_runs_, static_cast<std::int64_t>(first));
    while (scan_runs_.step()) {
        if (!visit(run_of(scan_runs_))) break;
    }
}

std::vector<QuietRun> RepetitionReader::runs_of_game(GameId game) {
    const ResetAtEnd end(select_runs_, static_cast<std::int64_t>(game));
    std::vector<QuietRun> out;
    while (select_runs_.step()) out.push_back(run_of(select_runs_));
    return out;
}

}  // namespace fendex::store
