#include "cli/filters.hpp"

#include "cli/output.hpp"

namespace fendex::cli {

std::vector<Option> filter_options() {
    Option time_control = valued("time-control", "CLASS", "by the tag TimeControl");
    time_control.choices = {"bullet", "blitz", "rapid", "classical", "correspondence"};
    Option result = valued("result", "RESULT", "how it ended");
    result.choices = {"1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"};
    std::vector<Option> options{
        valued("white", "NAME",
               "White's name has these words, each as a beginning, in any order; case and accents "
               "do not matter"),
        valued("black", "NAME", "Black's name"),
        valued("player", "NAME", "either player's name"),
        valued("event", "WORDS", "words of the event, in any order"),
        valued("site", "WORDS", "words of the site"),
        valued("eco", "CODES",
               "the tag ECO has one of these codes: B90, B90-B99, B9. Only the tag is asked: games "
               "without it are not found, whatever was played"),
        result,
        valued("since", "DATE",
               "from this date on: 2004, 2004-11, 2004.11.05 (tag Date, else UTCDate)"),
        valued("until", "DATE", "up to this date, itself included"),
        valued("min-elo", "N", "both players are rated, N or better"),
        valued("max-elo", "N", "both players are rated, N or less"),
        valued("white-elo", "RANGE", "White's rating: 2500-2600, 2500-, 2500"),
        valued("black-elo", "RANGE", "Black's rating"),
        time_control,
        valued("variant", "NAME",
               "played by these rules, by which FENs are read, too: standard (Chess960 included), "
               "chess960, crazyhouse, 3check, kingofthehill, atomic, antichess, suicide, losers, "
               "horde, racingkings; other: those not known here"),
        valued("termination", "WORDS", "how the tag Termination begins"),
        valued("min-plies", "N", "games of N plies or more"),
        valued("max-plies", "N", "games of N plies or fewer"),
        valued("source", "FILE", "imported from this file: its path, name or number"),
        repeatable("tag", "NAME=VALUE", "a tag has exactly this value")};
    for (Option& option : options) option.group = "Only games where";
    return options;
}

void say_what_filters_ask(const Arguments& arguments) {
    if (!arguments.has("eco") || arguments.has("quiet")) return;
    say("--eco asks the tag ECO of the games, not what was played: find --moves asks that");
}

Option sort_option() {
    return choice("sort", {"id", "date", "elo", "plies"},
                  "in this order (dates, ratings and lengths from the highest down)");
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
