#include "cli/options/filters.hpp"

#include "cli/options/say.hpp"
#include "query/filter_fields.hpp"

namespace fendex::cli {

std::vector<Option> filter_options() {
    std::vector<Option> options;
    for (const query::FilterField& field : query::filter_fields()) {
        Option& option = options.emplace_back();
        option.name = field.name;
        option.value = field.value;
        option.help = field.help;
        option.choices = field.choices;
        option.repeatable = field.repeatable;
        option.group = "Filters";
    }
    return options;
}

void say_what_filters_ask(const Arguments& arguments) {
    if (!arguments.has("eco") || arguments.has("quiet")) return;
    static_cast<void>(filter_of(arguments));  // throws if a filter is wrong
    say("--eco compares the tag ECO of the games, not the moves: --opening-eco goes by those");
}

Option sort_option() {
    return choice("sort", {"id", "date", "elo", "plies"},
                  "order of the games; the latest, highest rated or longest first");
}

query::GameFilter filter_of(const Arguments& arguments) {
    query::GameFilter filter;
    for (const Option& option : filter_options()) {
        for (const std::string& value : arguments.all(option.name)) filter.set(option.name, value);
    }
    return filter;
}

query::GameFilter filter_for_position(const Arguments& arguments) {
    return filter_of(arguments).for_position();
}

query::GameOrder order_of(const Arguments& arguments) {
    return query::game_order_of(arguments.get("sort"));
}

}  // namespace fendex::cli
