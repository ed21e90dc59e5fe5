#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

const std::vector<Verb>& verbs() {
    static const std::vector<Verb> all{
        import_verb(),   find_verb(),    tree_verb(),        repeats_verb(), games_verb(),
        openings_verb(), players_verb(), prepare_verb(),     novelty_verb(), show_verb(),
        export_verb(),   push_verb(),    serve_verb(),       fen_verb(),     duplicates_verb(),
        delete_verb(),   errors_verb(),  materialize_verb(), compact_verb(), sql_verb(),
        info_verb(),     check_verb(),   repair_verb(),      backup_verb(),  upgrade_verb(),
    };
    return all;
}

}  // namespace fendex::cli
