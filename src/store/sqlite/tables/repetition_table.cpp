#include "store/sqlite/tables/repetition_table.hpp"

#include <algorithm>
#include <optional>

namespace fendex::store {

namespace {

constexpr char kRepetitionColumns[] = "game_id, key, count, plies, third_ply, fifth_ply";
constexpr char kQuietRunColumns[] = "game_id, ply50, ply75, longest";

RowValue number_or_null(std::optional<std::uint32_t> number) {
    return number ? RowValue::of_number(*number) : RowValue();
}

}  // namespace

RepetitionTable::RepetitionTable(const Connection& connection, NewRowsSource& source)
    : source_(source),
      insert_repetitions_(NewRowsSource::insert_into(connection, "repetition", kRepetitionColumns)),
      insert_quiet_runs_(NewRowsSource::insert_into(connection, "quiet_run", kQuietRunColumns)),
      repetitions_(6),
      quiet_runs_(4) {}

void RepetitionTable::insert(GameId game, const RepeatedPosition& each) {
    const RowValue row[] = {RowValue::of_number(as_signed(game)),
                            RowValue::of_number(as_signed(each.key)),
                            RowValue::of_number(as_signed(each.plies.size())),
                            RowValue::of_text(repetitions_.keep(plies_text(each.plies))),
                            number_or_null(each.occurrence(3)),
                            number_or_null(each.occurrence(5))};
    std::ranges::copy(row, repetitions_.add().begin());
}

void RepetitionTable::insert(GameId game, const QuietPlies& each) {
    const RowValue row[] = {RowValue::of_number(as_signed(game)), RowValue::of_number(each.ply50),
                            number_or_null(each.ply75), RowValue::of_number(each.longest)};
    std::ranges::copy(row, quiet_runs_.add().begin());
}

void RepetitionTable::write() {
    source_.run(insert_repetitions_, repetitions_);
    source_.run(insert_quiet_runs_, quiet_runs_);
}

}  // namespace fendex::store
