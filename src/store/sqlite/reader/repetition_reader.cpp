#include "store/sqlite/reader/repetition_reader.hpp"

#include <charconv>
#include <limits>
#include <string>

namespace fendex::store {

namespace {

constexpr char kSelectRepetitions[] =
    "SELECT game_id, key, count, plies FROM main.repetition"
    " WHERE game_id BETWEEN ?1 AND ?2 AND count >= ?3 ORDER BY game_id, key";
constexpr char kSelectRuns[] =
    "SELECT game_id, ply50, ply75, longest FROM main.quiet_run"
    " WHERE game_id BETWEEN ?1 AND ?2 ORDER BY game_id, ply50";
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kAnyCount = std::numeric_limits<std::int64_t>::min();

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

/// Calls visit() with the repetitions that the statement's bound values select, until it returns
/// false.
template <typename Visit>
void visit_repetitions(const Connection& connection, Statement& row, Visit visit) {
    Repetition each;
    while (row.step()) {
        each.game = static_cast<GameId>(row.integer(0));
        each.key = static_cast<std::uint64_t>(row.integer(1));
        if (!parse_plies(row.text(3), each.plies) ||
            static_cast<std::int64_t>(each.plies.size()) != row.integer(2)) {
            connection.throw_damaged("repetitions of game " + std::to_string(each.game));
        }
        if (!visit(each)) return;
    }
}

/// Like visit_repetitions().
template <typename Visit>
void visit_runs(Statement& row, Visit visit) {
    while (row.step()) {
        QuietRun run;
        run.game = static_cast<GameId>(row.integer(0));
        run.ply50 = static_cast<std::uint32_t>(row.integer(1));
        if (!row.is_null(2)) run.ply75 = static_cast<std::uint32_t>(row.integer(2));
        run.longest = static_cast<std::uint32_t>(row.integer(3));
        if (!visit(run)) return;
    }
}

/// Appends everything that it is called with to `out`.
template <typename Value>
auto append_to(std::vector<Value>& out) {
    return [&out](const Value& each) {
        out.push_back(each);
        return true;
    };
}

}  // namespace

RepetitionReader::RepetitionReader(const Connection& connection)
    : connection_(&connection),
      of_game_(connection, kSelectRepetitions),
      runs_of_game_(connection, kSelectRuns) {}

void RepetitionReader::for_each(GameId first, std::uint32_t min_count,
                                const std::function<bool(const Repetition&)>& visit) {
    Statement select(*connection_, kSelectRepetitions);
    select.bind_all(as_signed(first), kLast, min_count);
    visit_repetitions(*connection_, select, visit);
}

std::vector<Repetition> RepetitionReader::of_game(GameId game) {
    const ResetAtEnd end(of_game_, as_signed(game), as_signed(game), kAnyCount);
    std::vector<Repetition> out;
    visit_repetitions(*connection_, of_game_, append_to(out));
    return out;
}

void RepetitionReader::for_each_run(GameId first,
                                    const std::function<bool(const QuietRun&)>& visit) {
    Statement select(*connection_, kSelectRuns);
    select.bind_all(as_signed(first), kLast);
    visit_runs(select, visit);
}

std::vector<QuietRun> RepetitionReader::runs_of_game(GameId game) {
    const ResetAtEnd end(runs_of_game_, as_signed(game), as_signed(game));
    std::vector<QuietRun> out;
    visit_runs(runs_of_game_, append_to(out));
    return out;
}

}  // namespace fendex::store
