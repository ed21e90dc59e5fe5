#include "cli/output/columns.hpp"

#include <optional>

namespace fendex::cli {

namespace {

struct Entry {
    ColumnSpec column;
    std::optional<List> only_in = {};
};

/// The columns that need more than a name. An entry for one list takes precedence over one for all.
const std::vector<Entry>& entries() {
    using enum List;
    static const std::vector<Entry> all{
        {{.name = "database", .cut = Cut::kStart}},
        {{.name = "game_id", .title = "game"}},

        // Games. If a terminal is too narrow, the opening is left out first, then the ratings, then
        // the event.
        {{.name = "plies", .spare = 4}, kGames},
        {{.name = "event", .spare = 1}},
        {{.name = "site", .in_table = false}},
        {{.name = "round", .in_table = false}},
        {{.name = "white_elo", .title = "welo", .spare = 2}},
        {{.name = "black_elo", .title = "belo", .spare = 2}},
        {{.name = "eco", .spare = 3}},

        // Hits. The move shows the ply, too.
        {{.name = "ply", .spare = 4}, kHits},
        {{.name = "plies", .in_table = false}, kHits},
        {{.name = "san", .title = "move", .cut = Cut::kNever}, kHits},
        {{.name = "uci", .in_table = false}, kHits},
        {{.name = "variation", .in_table = false}, kHits},

        // Repetitions. A terminal shows a position and the move that led to it; other tables show
        // plies. The players leave little room for other columns.
        {{.name = "key", .in_table = false}, kRepetitions},
        {{.name = "fen",
          .off_terminal = false,
          .max_width = kWholeFen,
          .cut = Cut::kNever,
          .below = true},
         kRepetitions},
        {{.name = "move", .cut = Cut::kNever}, kRepetitions},
        {{.name = "plies", .on_terminal = false}, kRepetitions},
        {{.name = "third_ply", .on_terminal = false}, kRepetitions},
        {{.name = "fifth_ply", .on_terminal = false}, kRepetitions},
        {{.name = "ply", .on_terminal = false}, kRepetitions},
        {{.name = "ply50", .in_table = false}, kRepetitions},
        {{.name = "ply75", .on_terminal = false}, kRepetitions},
        {{.name = "played_on", .title = "more", .spare = 3}, kRepetitions},
        {{.name = "claimant", .title = "claim", .cut = Cut::kNever, .spare = 1}, kRepetitions},
        {{.name = "ended", .in_table = false}, kRepetitions},
        {{.name = "announcer", .title = "announced", .cut = Cut::kNever}, kRepetitions},
        {{.name = "announced_ply", .title = "at", .spare = 4}, kRepetitions},
        {{.name = "announced_move", .title = "with", .cut = Cut::kNever}, kRepetitions},
        {{.name = "announced_plies", .in_table = false}, kRepetitions},
        {{.name = "depth", .on_terminal = false}, kRepetitions},
        {{.name = "date", .spare = 2}, kRepetitions},
        {{.name = "event", .in_table = false}, kRepetitions},
        {{.name = "white_elo", .in_table = false}, kRepetitions},
        {{.name = "black_elo", .in_table = false}, kRepetitions},
        {{.name = "eco", .in_table = false}, kRepetitions},

        // Plies. On a narrow terminal the move and the FEN matter most.
        {{.name = "san", .cut = Cut::kNever}, kPlies},
        {{.name = "uci", .cut = Cut::kNever, .spare = 1}, kPlies},
        {{.name = "key", .cut = Cut::kNever, .spare = 2}, kPlies},
        {{.name = "fen", .max_width = kWholeFen, .cut = Cut::kNever}, kPlies},
        {{.name = "epd", .in_table = false}, kPlies},
        {{.name = "occurrence", .spare = 3}, kPlies},
        {{.name = "depth", .on_terminal = false}, kPlies},

        // Games that left a repertoire, and positions of it. The line to a position shows it.
        {{.name = "left_by", .title = "left by"}, kDepartures},
        {{.name = "ply", .in_table = false}, kDepartures},
        {{.name = "played", .cut = Cut::kNever}, kDepartures},
        {{.name = "expected", .max_width = 40}, kDepartures},
        {{.name = "fen", .in_table = false}, kDepartures},
        {{.name = "date", .spare = 1}, kDepartures},
        {{.name = "event", .in_table = false}, kDepartures},
        {{.name = "white_elo", .in_table = false}, kDepartures},
        {{.name = "black_elo", .in_table = false}, kDepartures},
        {{.name = "eco", .spare = 2}, kDepartures},
        {{.name = "fen", .in_table = false}, kRepertoire},
        {{.name = "san", .title = "move", .cut = Cut::kNever}, kRepertoire},
        {{.name = "share", .percent = true}, kRepertoire},
        {{.name = "covered", .percent = true}, kRepertoire},
        {{.name = "number", .in_table = false}, kRepertoire},
        {{.name = "before", .in_table = false}, kRepertoire},

        // Openings, players, events and names.
        {{.name = "eco", .cut = Cut::kNever}, kOpenings},
        {{.name = "opening", .max_width = 60, .blank = "(no name)", .least = 30}, kOpenings},
        {{.name = "opening", .max_width = 60}},
        {{.name = "name", .max_width = 60}},
        {{.name = "event", .max_width = 60}, kEvents},
        {{.name = "sites", .spare = 3}, kEvents},
        {{.name = "score"}, kNames},
        {{.name = "reason", .spare = 1}, kNames},
        {{.name = "against", .spare = 2}, kNames},
        {{.name = "common_opponents", .title = "common", .spare = 3}, kNames},
        {{.name = "games", .spare = 4}, kNames},
        {{.name = "canonical_games", .in_table = false}, kNames},
        {{.name = "first_year", .spare = 6}, kNames},
        {{.name = "last_year", .spare = 6}, kNames},
        {{.name = "canonical_first_year", .in_table = false}, kNames},
        {{.name = "canonical_last_year", .in_table = false}, kNames},
        {{.name = "rating", .spare = 5}, kNames},
        {{.name = "canonical_rating", .in_table = false}, kNames},
        {{.name = "name"}, kNames},
        {{.name = "joined", .spare = 2}, kNames},
        {{.name = "origin", .spare = 1}, kNames},
        {{.name = "score", .percent = true}},
        {{.name = "average_rating", .title = "rating", .spare = 1}},
        {{.name = "first_year", .title = "first", .spare = 3}},
        {{.name = "last_year", .title = "last", .spare = 2}}};
    return all;
}

ColumnSpec column_of(List list, const std::string& name) {
    const ColumnSpec* found = nullptr;
    for (const Entry& entry : entries()) {
        if (entry.column.name != name || entry.only_in.value_or(list) != list) continue;
        if (found == nullptr || entry.only_in) found = &entry.column;
    }
    return found == nullptr ? ColumnSpec{.name = name} : *found;
}

}  // namespace

std::vector<ColumnSpec> columns_of(List list, const std::vector<std::string>& names) {
    std::vector<ColumnSpec> columns;
    columns.reserve(names.size());
    for (const std::string& name : names) columns.push_back(column_of(list, name));
    return columns;
}

}  // namespace fendex::cli
