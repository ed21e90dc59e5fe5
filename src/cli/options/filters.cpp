#include "cli/options/filters.hpp"

#include "cli/options/say.hpp"

namespace fendex::cli {

std::vector<Option> filter_options() {
    Option time_control = valued("time-control", "CLASS", "the class, by the tag TimeControl");
    time_control.choices = {"ultrabullet", "bullet",    "blitz",
                            "rapid",       "classical", "correspondence"};
    Option mode = valued("mode", "MODE", "the tag Event begins with this word, as on Lichess");
    mode.choices = {"rated", "casual"};
    Option result = valued("result", "RESULT", "the result of the game");
    result.choices = {"1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"};
    std::vector<Option> options{
        valued("white", "NAME",
               "White's name has these words, in any order, each as the beginning of a word; case "
               "and accents do not matter"),
        valued("black", "NAME", "the same for Black's name"),
        valued("player", "NAME", "the same for either player's name"),
        valued("event", "WORDS", "the event has these words, in any order"),
        valued("site", "WORDS", "the site has these words, in any order"),
        valued("eco", "CODES",
               "the tag ECO has one of these codes: B90, B90-B99, B9. Games without the tag are "
               "not found, even if their moves fit"),
        valued("opening", "WORDS",
               "the moves reach a position of this opening, and none of another opening after it; "
               "its name has these words, in any order: 'najdorf', 'english attack'"),
        valued("opening-eco", "CODES", "the same by the opening's ECO code: B90, C60-C99"),
        result,
        valued("since", "DATE",
               "played on this date or later: 2004, 2004-11, 2004.11.05 (tag Date, else UTCDate)"),
        valued("until", "DATE", "played on this date or earlier"),
        valued("min-elo", "N", "both players are rated N or more"),
        valued("max-elo", "N", "both players are rated N or less"),
        valued("white-elo", "RANGE", "White's rating is in this range: 2500-2600, 2500-, 2500"),
        valued("black-elo", "RANGE", "Black's rating is in this range"),
        time_control,
        mode,
        valued("variant", "NAME",
               "played by these rules, and FENs are read by them: standard (with Chess960), "
               "chess960, crazyhouse, 3check, kingofthehill, atomic, antichess, suicide, losers, "
               "horde, racingkings; other: rules that fendex does not know"),
        valued("termination", "WORDS", "the tag Termination begins with these words"),
        valued("min-plies", "N", "N plies long or longer"),
        valued("max-plies", "N", "N plies long or shorter"),
        valued("source", "FILE",
               "imported from this file: its path, its name or its number in info --sources"),
        repeatable("tag", "NAME=VALUE", "the tag has exactly this value")};
    for (Option& option : options) option.group = "Filters";
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

query::GameFilter filter_beside_position(const Arguments& arguments) {
    query::GameFilter filter = filter_of(arguments);
    if (filter.variant != chess::Variant::kChess960) filter.variant.reset();
    return filter;
}

query::GameOrder order_of(const Arguments& arguments) {
    return query::game_order_of(arguments.get("sort"));
}

}  // namespace fendex::cli
