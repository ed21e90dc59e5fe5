#include "cli/verbs/verbs.hpp"

#include <utility>

namespace fendex::cli {

namespace {

bool is_left_out(const Verb& verb) { return verb.run == nullptr; }

/// Makes the verbs of all builds, one each.
constexpr Verb (*kMakers[])() = {
    import_verb,     find_verb,       tree_verb,     repeats_verb, games_verb,       openings_verb,
    events_verb,     evals_verb,      evaluate_verb, players_verb, prepare_verb,     novelty_verb,
    repertoire_verb, show_verb,       export_verb,   push_verb,    serve_verb,       fen_verb,
    names_verb,      duplicates_verb, delete_verb,   errors_verb,  materialize_verb, compact_verb,
    sql_verb,        info_verb,       check_verb,    repair_verb,  backup_verb,      upgrade_verb};

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
        std::vector<Verb> all;
        for (const auto make : kMakers) {
            if (Verb verb = make(); !is_left_out(verb)) all.push_back(std::move(verb));
        }
        return all;
    }();
    return built;
}

std::optional<Verb> verb_named(const std::string& name) {
    for (const auto make : kMakers) {
        Verb verb = make();
        if (verb.name != name) continue;
        if (is_left_out(verb)) throw UsageError(verb.purpose);
        return verb;
    }
    return std::nullopt;
}

}  // namespace fendex::cli
