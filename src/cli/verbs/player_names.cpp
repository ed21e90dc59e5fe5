#include "cli/verbs/player_names.hpp"

#include "ask/sum_rows.hpp"
#include "cli/options/say.hpp"
#include "cli/output/lister.hpp"

namespace fendex::cli {

bool means_one_player(const query::PlayerChoice& choice, const Arguments& arguments,
                      Format format) {
    if (choice.named.size() == 1 || arguments.has("together")) return true;
    Lister lister(arguments, format, List::kPlayers);
    lister.print(*ask::player_rows(choice.named), "player");
    lister.flush();
    if (!arguments.has("quiet")) {
        say("these names fit: give one of them exactly, or --together to count them as one player");
    }
    return false;
}

}  // namespace fendex::cli
