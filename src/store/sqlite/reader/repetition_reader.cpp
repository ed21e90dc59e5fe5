#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <vector>

#include "store/sqlite/reader/sqlite_reader.hpp"

namespace fendex::store {

namespace {

constexpr GameId kNoEnd = std::numeric_limits<std::int64_t>::max();
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

/// Calls visit() with the repetitions that the statement's bound values select, up to those of the
/// game `last`, until it returns false.
template <typename Visit>
void visit_repetitions(const Connection& connection, Statement& row, GameId last, Visit visit) {
    Repetition each;
    while (row.step()) {
        each.game = static_cast<GameId>(row.integer(0));
        if (each.game > last) return;
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
void visit_runs(Statement& row, GameId last, Visit visit) {
    while (row.step()) {
        QuietRun run;
        run.game = static_cast<GameId>(row.integer(0));
        if (run.game > last) return;
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

void SqliteReader::for_each_repetition(GameId first, std::uint32_t min_count,
                                       const std::function<bool(const Repetition&)>& visit) {
    Statement select(connection_, kSelectRepetitions);
    select.bind_all(as_signed(first), min_count);
    visit_repetitions(connection_, select, kNoEnd, visit);
}

std::vector<Repetition> SqliteReader::repetitions(GameId game) {
    const ResetAtEnd end(repetitions_of_game_, as_signed(game), kAnyCount);
    std::vector<Repetition> out;
    visit_repetitions(connection_, repetitions_of_game_, game, append_to(out));
    return out;
}

/// Looks only at games with several postings of the position: those that repeated it.
void SqliteReader::for_each_repetition_of(std::uint64_t key, std::uint32_t min_count,
                                          const std::function<bool(const Repetition&)>& visit) {
    const std::unique_ptr<CandidateCursor> cursor = candidates(key);
    Candidate candidate;
    GameId game = 0;
    std::uint32_t postings = 0;
    const auto visit_game = [&] {
        if (postings < std::max(min_count, 2U)) return true;
        const std::vector<Repetition> all = repetitions(game);
        const auto found =
            std::ranges::find_if(all, [&](const Repetition& each) { return each.key == key; });
        return found == all.end() || found->plies.size() < min_count || visit(*found);
    };
    while (cursor->next(candidate)) {
        if (candidate.game != game) {
            if (!visit_game()) return;
            game = candidate.game;
            postings = 0;
        }
        ++postings;
    }
    visit_game();
}

void SqliteReader::for_each_quiet_run(GameId first,
                                      const std::function<bool(const QuietRun&)>& visit) {
    Statement select(connection_, kSelectRuns);
    select.bind_all(as_signed(first));
    visit_runs(select, kNoEnd, visit);
}

std::vector<QuietRun> SqliteReader::quiet_runs(GameId game) {
    const ResetAtEnd end(runs_of_game_, as_signed(game));
    std::vector<QuietRun> out;
    visit_runs(runs_of_game_, game, append_to(out));
    return out;
}

}  // namespace fendex::store
