#include "cli/options/filters.hpp"

#include "ask/filter_fields.hpp"
#include "cli/options/say.hpp"

namespace fendex::cli {

std::vector<Option> filter_options() {
    std::vector<Option> options;
    for (const auto& field : ask::filter_fields()) {
        options.push_back(option_of(field.text));
        options.back().group = "Filters";
    }
    return options;
}

void say_what_filters_ask(const Arguments& arguments) {
    if (!arguments.has("eco") || arguments.has("quiet")) return;
    static_cast<void>(filter_of(arguments));  // throws if a filter is wrong
    say("--eco compares the tag ECO of the games, not the moves: --opening-eco compares the moves");
}

query::GameFilter filter_of(const Arguments& arguments) { return arguments.fields().filter(); }

query::GameFilter filter_for_position(const Arguments& arguments) {
    return ask::for_position(filter_of(arguments));
}

query::GameOrder order_of(const Arguments& arguments) { return arguments.fields().order(); }

}  // namespace fendex::cli
