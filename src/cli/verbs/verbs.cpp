#include "cli/verbs/verbs.hpp"

#include <utility>

namespace fendex::cli {

namespace {

bool is_left_out(const Verb& verb) { return verb.run == nullptr; }

std::vector<Verb> verbs_of_all_builds() {
    std::vector<Verb> verbs{import_verb(), find_verb(), tree_verb(), repeats_verb()};
    for (Verb& verb : list_verbs()) verbs.push_back(std::move(verb));
    for (const auto verb :
         {evals_verb,       evaluate_verb, players_verb,    prepare_verb, novelty_verb,
          repertoire_verb,  show_verb,     export_verb,     push_verb,    serve_verb,
          fen_verb,         names_verb,    duplicates_verb, delete_verb,  errors_verb,
          materialize_verb, compact_verb,  sql_verb,        info_verb,    check_verb,
          repair_verb,      backup_verb,   upgrade_verb}) {
        verbs.push_back(verb());
    }
    return verbs;
}

}  // namespace

Verb left_out(const std::string& name, const std::string& option) {
    Verb verb;
    verb.name = name;
    verb.purpose = "this build of fendex does not have '" + name + "': it was configured with " +
                   option + "=OFF";
    verb.run = nullptr;
    return verb;
}

const std::vector<Verb>& verbs() {
    static const std::vector<Verb> built = [] {
        std::vector<Verb> all = verbs_of_all_builds();
        std::erase_if(all, is_left_out);
        return all;
    }();
    return built;
}

void refuse_if_left_out(const std::string& name) {
    for (const Verb& verb : verbs_of_all_builds()) {
        if (is_left_out(verb) && verb.name == name) throw UsageError(verb.purpose);
    }
}

}  // namespace fendex::cli
