#include "query/filter_fields.hpp"

namespace fendex::query {

std::span<const FilterField> filter_fields() {
    static const std::vector<FilterField> fields{
        {"white", "NAME",
         "White's name has these words, in any order, each as the beginning of a word; case and "
         "accents do not matter"},
        {"black", "NAME", "the same for Black's name"},
        {.name = "player",
         .value = "NAME",
         .help = "the same for either player's name; given twice: these two against one another",
         .repeatable = true},
        {"event", "WORDS", "the event has these words, in any order"},
        {"site", "WORDS", "the site has these words, in any order"},
        {"eco", "CODES",
         "the tag ECO has one of these codes: B90, B90-B99, B9. Games without the tag are not "
         "found, even if their moves fit"},
        {"opening", "WORDS",
         "the moves reach a position of this opening, and none of another opening after it; its "
         "name has these words, in any order: 'najdorf', 'english attack'"},
        {"opening-eco", "CODES", "the same by the opening's ECO code: B90, C60-C99"},
        {"result",
         "RESULT",
         "the result of the game",
         {"1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"}},
        {"since", "DATE",
         "played on this date or later: 2004, 2004-11, 2004.11.05 (tag Date, else UTCDate)"},
        {"until", "DATE", "played on this date or earlier"},
        {"min-elo", "N", "both players are rated N or more"},
        {"max-elo", "N", "both players are rated N or less"},
        {"white-elo", "RANGE", "White's rating is in this range: 2500-2600, 2500-, 2500"},
        {"black-elo", "RANGE", "Black's rating is in this range"},
        {"time-control",
         "CLASS",
         "the class, by the tag TimeControl",
         {"ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"}},
        {"mode", "MODE", "the tag Event begins with this word, as on Lichess", {"rated", "casual"}},
        {"variant", "NAME",
         "played by these rules, and FENs are read by them: standard (with Chess960), chess960, "
         "crazyhouse, 3check, kingofthehill, atomic, antichess, suicide, losers, horde, "
         "racingkings; other: rules that fendex does not know"},
        {"termination", "WORDS", "the tag Termination begins with these words"},
        {"min-plies", "N", "N plies long or longer"},
        {"max-plies", "N", "N plies long or shorter"},
        {"source", "FILE",
         "imported from this file: its path, its name or its number in info --sources"},
        {.name = "tag",
         .value = "NAME=VALUE",
         .help = "the tag has exactly this value",
         .repeatable = true}};
    return fields;
}

}  // namespace fendex::query
