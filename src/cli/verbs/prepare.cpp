#include <fmt/core.h>

#include "ask/filter_fields.hpp"
#include "ask/player_document.hpp"
#include "base/json.hpp"
#include "chess/fen.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/say.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/left_out.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/player_names.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/byte_sink.hpp"
#include "emit/numbered_move.hpp"
#include "emit/preparation_page.hpp"
#include "query/player_json.hpp"
#include "query/preparation_json.hpp"

namespace fendex::cli {

namespace {

using query::OtherMove;
using query::PreparedMove;
using query::WeakSpot;

std::string eval_text(const std::optional<query::Verdict>& verdict) {
    return verdict ? query::score_text(verdict->score) : std::string();
}

std::string year_text(codec::Date date) {
    return date.year() == 0 ? std::string() : std::to_string(date.year());
}

void print_weak_spot(const WeakSpot& spot, Output& output) {
    constexpr std::size_t kIndent = 6;
    constexpr std::size_t kMove = 10;
    const std::string blanks(kIndent, ' ');
    std::string& out = output.buffer();
    const query::PlayerScore& score = spot.score.score;
    out += "\nweak: " + output.in_lines(spot.line, kIndent) + '\n' + blanks +
           output.in_lines(
               fmt::format("{}, +{} ={} -{}, weighted score {}, last {}{}",
                           counted(score.games, "game"), score.wins, score.draws, score.losses,
                           score_text(spot.score.percent()), year_text(spot.score.last_date),
                           spot.verdict ? ", evaluation " + eval_text(spot.verdict) : ""),
               kIndent) +
           '\n';
    for (const OtherMove& move : spot.moves) {
        const codec::ResultCounts& all = move.tally.results;
        out += fmt::format("{}{:<{}} ", blanks, emit::numbered(spot.position, move.san), kMove) +
               output.in_lines(
                   fmt::format("{} times in these games (+{} ={} -{}), {} in all games "
                               "({}-{}-{}){}",
                               move.against.games, move.against.wins, move.against.draws,
                               move.against.losses, grouped(move.tally.games), all.white(),
                               all.draws(), all.black(),
                               move.verdict ? ", evaluation " + eval_text(move.verdict) : ""),
                   kIndent + kMove + 1) +
               '\n';
    }
}

void print_text(const emit::PreparationTitle& title, const query::Preparation& found,
                Output& output) {
    std::string& out = output.buffer();
    for (const std::string& name : title.names) out += printable(name) + '\n';
    out += fmt::format(
        "this player has {}: {}, +{} ={} -{}, score {}\n"
        "weighted score, recent games counting more: {}\n\n",
        title.color == chess::Color::kWhite ? "White" : "Black",
        counted(found.total.score.games, "game"), found.total.score.wins, found.total.score.draws,
        found.total.score.losses, score_text(found.total.score.percent()),
        score_text(found.total.percent()));
    const int eval_width = found.has_verdicts ? 8 : 0;
    out += fmt::format("{:<32} {:>6} {:>7} {:>8} {:>5}{:>{}}  {}\n", "move", "share", "games",
                       "weighted", "last", found.has_verdicts ? "eval" : "", eval_width, "opening");
    for (const PreparedMove& move : found.repertoire) {
        out += output.fitting(fmt::format(
                   "{:<32} {:>4.0f} % {:>7} {:>8} {:>5}{:>{}}  {}",
                   std::string(2 * move.depth, ' ') + emit::numbered(move.before, move.san),
                   100 * move.share, grouped(move.score.score.games),
                   score_text(move.score.percent()), year_text(move.score.last_date),
                   eval_text(move.verdict), eval_width, move.opening ? move.opening->name : "")) +
               '\n';
    }
    for (const WeakSpot& spot : found.weak_spots) print_weak_spot(spot, output);
}

int run_prepare(const Arguments& arguments) {
    const std::string& database = arguments.database();
    if (arguments.words().size() != 2) {
        throw UsageError(arguments.words().size() < 2
                             ? "against whom? Give the player's name after the database"
                             : "unexpected argument '" + arguments.words()[2] +
                                   "': put a name in quotation marks");
    }
    const std::optional<std::string> color = arguments.find("color");
    if (!color) throw UsageError("--color white or black: which colour will this player have?");
    const std::optional<std::string> page = arguments.find("output");
    if (page && !page->ends_with(".html")) {
        throw UsageError("-o writes a page: give it a name that ends with .html");
    }
    if (page) refuse_database_as_output(database, *page);
    const Format format = format_of(arguments);
    const std::string& name = arguments.words()[1];
    const store::Reader reader = store_at(arguments, database)->reader();
    const query::GameFilter filter = filter_of(arguments);
    query::GameMatcher matcher(*reader, filter);
    const auto players = reader->engine().players(filter, {});
    const query::PlayerChoice choice = query::choose_players({&players, 1}, name);
    if (choice.named.empty()) {
        query::GameFilter named = filter;
        if (named.player.empty()) ask::set_field(named, "player", name);
        explain_nothing(arguments, *reader, named);
        return kNothingFound;
    }
    Output output(arguments);
    if (!means_one_player(choice, arguments, format)) return kError;
    const emit::PreparationTitle title{ask::names_of(choice.named), *color == "white"
                                                                        ? chess::Color::kWhite
                                                                        : chess::Color::kBlack};
    const query::Preparation found = query::prepare(*reader, matcher, title.names, title.color);
    if (found.total.score.games == 0) {
        say("there are no games in which this player has " + *color);
        return kNothingFound;
    }
    if (page) {
        const auto sink = emit::open_file_sink(*page);
        sink->write(emit::preparation_page(title, found, *reader));
        sink->finish();
    } else if (format == Format::kJson) {
        json::append_line(output.buffer(), [&](json::Object& object) {
            query::add_preparation(title.names, title.color, found, object);
            query::add_alike(choice.alike, object);
        });
    } else {
        print_text(title, found, output);
    }
    output.flush();
    say_left_out(arguments, choice);
    return kFound;
}

}  // namespace

Verb prepare_verb() {
    Option page = valued("output", "FILE.html",
                         "write a page with diagrams, to read in a browser or to print");
    page.letter = 'o';
    return {"prepare",
            "DB NAME",
            "Prepares for a game against a player.\n"
            "It shows what the player plays with this colour and what is played against it, and\n"
            "the positions in which the player's results are worst, with the moves that were\n"
            "played there by all. Results are the player's; those of all games are White's wins,\n"
            "draws, and Black's wins. Recent games weigh more: one of three years before the\n"
            "latest counts half.\n"
            "If several names fit, it lists them. Games of standard chess and Chess960 count.",
            "fendex prepare my.db \"Carlsen,M\" --color white -o carlsen.html",
            joined({{option_of(ask::color_field()), page, format_option({"table", "json"}),
                     option_of(ask::together_field()), password_file_option()},
                    paging_options(),
                    filter_options()}),
            run_prepare,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
