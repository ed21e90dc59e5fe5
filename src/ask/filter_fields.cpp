#include "ask/filter_fields.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ask/filter_values.hpp"
#include "base/text_fold.hpp"

namespace fendex::ask {

namespace {

using store::GameFilter;
using store::NumberRange;

constexpr std::string_view kWholeName = "=";

/// Makes a setter of a member that holds words in the form in which names are compared.
template <std::string GameFilter::*kMember>
void set_words(GameFilter& filter, const std::string& value) {
    filter.*kMember = base::fold(value);
    if ((filter.*kMember).empty()) {
        throw std::invalid_argument("'" + value + "' has no letters or digits");
    }
}

void set_player(GameFilter& filter, const std::string& value) {
    if (!filter.opponent.empty()) throw std::invalid_argument("a game has two players");
    filter.player.empty() ? set_words<&GameFilter::player>(filter, value)
                          : set_words<&GameFilter::opponent>(filter, value);
}

/// Reads words of the name of an event or, after a sign, the whole name.
void set_event(GameFilter& filter, const std::string& value) {
    if (!value.starts_with(kWholeName)) return set_words<&GameFilter::event>(filter, value);
    filter.event_named = value.substr(kWholeName.size());
    if (filter.event_named.empty()) {
        throw std::invalid_argument("no name after =; =? finds games whose event is unknown");
    }
}

void narrow(NumberRange& range, const NumberRange& to) {
    range = {std::max(range.low, to.low), std::min(range.high, to.high)};
}

void add_time_class(GameFilter& filter, const std::string& value) {
    using enum codec::TimeClass;
    if (!filter.time_classes) filter.time_classes.emplace();
    filter.time_classes->push_back(time_class_value(value));
    if (filter.time_classes->back() == kBullet) filter.time_classes->push_back(kUltraBullet);
}

void set_tag(GameFilter& filter, const std::string& value) {
    const std::size_t sign = value.find('=');
    if (sign == 0 || sign == std::string::npos) {
        throw std::invalid_argument("'" + value + "' is not NAME=VALUE");
    }
    filter.tags.emplace_back(value.substr(0, sign), value.substr(sign + 1));
}

using Text = const std::string&;
using enum FieldType;

/// The fields about players, event, opening and result.
std::vector<FilterField> name_fields() {
    return {
        {{{"white", "NAME",
           "White's name has these words, in any order, each as the beginning of a word; case and "
           "accents do not matter"},
          set_words<&GameFilter::white>},
         &Filter::white},
        {{{"black", "NAME", "the same for Black's name"}, set_words<&GameFilter::black>},
         &Filter::black},
        {{{.name = "player",
           .value = "NAME",
           .help = "the same for either player's name; given twice: these two against one another",
           .repeatable = true},
          set_player},
         &Filter::player},
        {{{"event", "WORDS",
           "the event has these words, in any order; or =NAME: it has exactly this name. =? means "
           "that it is unknown"},
          set_event},
         &Filter::event},
        {{{"site", "WORDS", "the site has these words, in any order"},
          set_words<&GameFilter::site>},
         &Filter::site},
        {{{"eco", "CODES",
           "the tag ECO has one of these codes: B90, B90-B99, B9. Games without the tag are not "
           "found, even if their moves fit"},
          [](GameFilter& filter, Text value) { filter.eco = eco_range(value); }},
         &Filter::eco},
        {{{"opening", "WORDS",
           "the moves reach a position of this opening, and none of another opening after it; its "
           "name has these words, in any order: 'najdorf', 'english attack'"},
          set_words<&GameFilter::opening>},
         &Filter::opening},
        {{{"opening-eco", "CODES", "the same by the opening's ECO code: B90, C60-C99"},
          [](GameFilter& filter, Text value) { filter.opening_eco = eco_range(value); }},
         &Filter::opening_eco},
    };
}

/// When, by whom rated how, how, and from which source.
std::vector<FilterField> value_fields() {
    return {
        {{{.name = "result",
           .value = "RESULT",
           .help = "the result of the game",
           .choices = {"1-0", "0-1", "1/2-1/2", "*", "white", "black", "draw"}},
          [](GameFilter& filter, Text value) { filter.result = result_value(value); }},
         &Filter::result},
        {{{"since", "DATE",
           "played on this date or later: 2004, 2004-11, 2004.11.05 (tag Date, else UTCDate)"},
          [](GameFilter& filter, Text value) { filter.date.low = first_date(value); }},
         &Filter::since},
        {{{"until", "DATE", "played on this date or earlier"},
          [](GameFilter& filter, Text value) { filter.date.high = last_date(value); }},
         &Filter::until},
        {{{"min-elo", "N", "both players are rated N or more", kNumber},
          [](GameFilter& filter, Text value) {
              const NumberRange range{.low = filter_number(value)};
              narrow(filter.white_elo, range);
              narrow(filter.black_elo, range);
          }},
         &Filter::min_elo},
        {{{"max-elo", "N", "both players are rated N or less", kNumber},
          [](GameFilter& filter, Text value) {
              const NumberRange range{.high = filter_number(value)};
              narrow(filter.white_elo, range);
              narrow(filter.black_elo, range);
          }},
         &Filter::max_elo},
        {{{"white-elo", "RANGE", "White's rating is in this range: 2500-2600, 2500-, 2500"},
          [](GameFilter& filter, Text value) { narrow(filter.white_elo, number_range(value)); }},
         &Filter::white_elo},
        {{{"black-elo", "RANGE", "Black's rating is in this range"},
          [](GameFilter& filter, Text value) { narrow(filter.black_elo, number_range(value)); }},
         &Filter::black_elo},
        {{{.name = "time-control",
           .value = "CLASS",
           .help = "the class, by the tag TimeControl; given several times: one of these. bullet "
                   "includes ultrabullet",
           .choices = {"ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"},
           .repeatable = true},
          add_time_class},
         &Filter::time_control},
        {{{.name = "mode",
           .value = "MODE",
           .help = "the tag Event begins with this word, as on Lichess",
           .choices = {"rated", "casual"}},
          [](GameFilter& filter, Text value) { filter.mode = mode_value(value); }},
         &Filter::mode},
        {{{"variant", "NAME",
           "played by these rules, and FENs are read by them: standard (with Chess960), chess960, "
           "crazyhouse, 3check, kingofthehill, atomic, antichess, suicide, losers, horde, "
           "racingkings; other: rules that fendex does not know"},
          [](GameFilter& filter, Text value) { filter.variant = variant_value(value); }},
         &Filter::variant},
        {{{"termination", "WORDS", "the tag Termination begins with these words"},
          set_words<&GameFilter::termination>},
         &Filter::termination},
        {{{"min-plies", "N", "N plies long or longer", kNumber},
          [](GameFilter& filter, Text value) { filter.plies.low = filter_number(value); }},
         &Filter::min_plies},
        {{{"max-plies", "N", "N plies long or shorter", kNumber},
          [](GameFilter& filter, Text value) { filter.plies.high = filter_number(value); }},
         &Filter::max_plies},
        {{{"swing", "N",
           "a move lost N centipawns or more, by the game's own evaluations ([%eval]), else by the "
           "evaluations that were imported; with --player a move of this player. Mates and all "
           "that is above count as 1000",
           kNumber},
          [](GameFilter& filter, Text value) { filter.swing = swing_value(value); }},
         &Filter::swing},
        {{{"white-swing", "N", "the same for a move of White", kNumber},
          [](GameFilter& filter, Text value) { filter.white_swing = swing_value(value); }},
         &Filter::white_swing},
        {{{"black-swing", "N", "the same for a move of Black", kNumber},
          [](GameFilter& filter, Text value) { filter.black_swing = swing_value(value); }},
         &Filter::black_swing},
        {{{"source", "FILE",
           "imported from this file: its path, its name or its number in info --sources"},
          [](GameFilter& filter, Text value) { filter.source = value; }},
         &Filter::source},
        {{{.name = "tag",
           .value = "NAME=VALUE",
           .help = "the tag has exactly this value",
           .repeatable = true},
          set_tag},
         {}},
    };
}

}  // namespace

std::span<const FilterField> filter_fields() {
    static const std::vector<FilterField> fields = [] {
        std::vector<FilterField> all = name_fields();
        for (const FilterField& field : value_fields()) all.push_back(field);
        return all;
    }();
    return fields;
}

void set_field(GameFilter& filter, std::string_view name, const std::string& value) {
    try {
        for (const FilterField& field : filter_fields()) {
            if (field.text.name == name) return field.set(filter, value);
        }
        throw std::invalid_argument("there is no such condition");
    } catch (const std::invalid_argument& error) {
        throw store::FilterError(name, error.what());
    }
}

GameFilter for_position(GameFilter filter) {
    if (filter.variant != chess::Variant::kChess960) filter.variant.reset();
    return filter;
}

}  // namespace fendex::ask
