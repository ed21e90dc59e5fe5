#include "cli/verbs/player_names.hpp"

#include "cli/options/say.hpp"
#include "cli/output/row_printer.hpp"
#include "emit/sum_rows.hpp"

namespace fendex::cli {

using query::PlayerCount;

Option together_option() { return flag("together", "count all names that fit as one player"); }

void print_players(std::span<const PlayerCount> players, std::size_t all,
                   const Arguments& arguments, Format format, Output& output) {
    const Paging paging = paging_of(arguments, format);
    const std::size_t first = std::min<std::size_t>(paging.offset, players.size());
    const std::size_t shown = std::min<std::size_t>(paging.limit, players.size() - first);
    RowPrinter printer(output, format,
                       {{.name = "name", .max_width = 60},
                        {"games"},
                        {"white"},
                        {"black"},
                        {.name = "first_year", .title = "first", .spare = 2},
                        {.name = "last_year", .title = "last", .spare = 1}});
    for (const PlayerCount& each : players.subspan(first, shown)) {
        printer.row(emit::player_cells(each));
    }
    printer.finish();
    if (format == Format::kTable && first + shown < all) {
        output.buffer() += more_line(all - first - shown, "player");
    }
}

bool means_one_player(const query::PlayerChoice& choice, const Arguments& arguments, Format format,
                      Output& output) {
    if (choice.named.size() == 1 || arguments.has("together")) return true;
    print_players(choice.named, choice.named.size(), arguments, format, output);
    output.flush();
    if (!arguments.has("quiet")) {
        say("these names fit: give one of them exactly, or --together to count them as one player");
    }
    return false;
}

}  // namespace fendex::cli
