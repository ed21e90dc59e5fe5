#include <memory>
#include <utility>

#include "ask/repertoire_question.hpp"
#include "ask/sources.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/say.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/lister.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "pgn/inputs.hpp"

namespace fendex::cli {

namespace {

using RepertoireList = ask::RepertoireQuestion::List;

RepertoireList repertoire_list(const Arguments& arguments) {
    const std::vector<std::pair<const char*, RepertoireList>> lists{
        {"gaps", RepertoireList::kGaps},
        {"coverage", RepertoireList::kCoverage},
        {"contradictions", RepertoireList::kContradictions}};
    RepertoireList list = RepertoireList::kGames;
    for (const auto& [option, of_option] : lists) {
        if (!arguments.has(option)) continue;
        if (list != RepertoireList::kGames) {
            throw UsageError("--gaps, --coverage and --contradictions cannot be combined");
        }
        list = of_option;
    }
    if (arguments.has("min-games") && list != RepertoireList::kGaps) {
        throw UsageError("--min-games is for --gaps");
    }
    if (arguments.has("left-by") && list != RepertoireList::kGames) {
        throw UsageError("--left-by is for games, not for --gaps, --coverage and --contradictions");
    }
    if (arguments.get("sort") != "id" && list != RepertoireList::kGames) {
        throw UsageError("--sort is for games, not for --gaps, --coverage and --contradictions");
    }
    return list;
}

List columns_list(RepertoireList list) {
    return list == RepertoireList::kGames ? List::kDepartures : List::kRepertoire;
}

/// What a row is, for "... and 3 more gaps".
const char* one_row_of(RepertoireList list) {
    switch (list) {
        case RepertoireList::kGames: return "game";
        case RepertoireList::kGaps: return "gap";
        case RepertoireList::kCoverage:
        case RepertoireList::kContradictions: break;
    }
    return "position";
}

std::shared_ptr<const query::Repertoire> repertoire_lines(const Arguments& arguments) {
    const std::vector<std::string> files = pgn::expand_inputs(databases_of(arguments).words);
    if (files.empty()) throw UsageError("which lines? Give PGN files, or -");
    ingest::PgnInput input(
        files, {.annotations = true,
                .variant = variant_asked(arguments).value_or(chess::Variant::kStandard)});
    return ask::read_repertoire(input, files);
}

int run_repertoire(const Arguments& arguments) {
    if (!arguments.has("color")) {
        throw UsageError("--color white or black: whose moves are the lines?");
    }
    const RepertoireList list = repertoire_list(arguments);
    const Format format = format_of(arguments);
    refuse_dialect_unless(format != Format::kTable, arguments, "--format json or csv");
    const ask::RepertoireQuestion question = ask::repertoire_question(arguments.fields(), list);
    Lister lister(arguments, format, columns_list(list));
    const auto sources = std::make_shared<ask::Sources>(open_databases(arguments), question.filter);
    const std::shared_ptr<const query::Repertoire> repertoire = repertoire_lines(arguments);

    ask::Context context = lister.context(sources);
    context.style.numbered = format == Format::kTable;
    const auto rows = ask::repertoire_rows(context, question, repertoire);
    const Lister::Printed printed = lister.print(*rows, one_row_of(list));
    lister.flush();
    const std::size_t unclear = query::contradictions_in(*repertoire, question.color).size();
    if (list != RepertoireList::kContradictions && unclear != 0 && !arguments.has("quiet")) {
        say("the lines have several moves of the player at " + counted(unclear, "position") +
            ": --contradictions lists them");
    }
    if (!printed.any && list != RepertoireList::kContradictions) {
        Unanswered unanswered;
        unanswered.add({});
        unanswered.explain(arguments, sources->readers(), question.filter);
    }
    return printed.rows == 0 ? kNothingFound : kFound;
}

}  // namespace

Verb repertoire_verb() {
    return {
        "repertoire",
        "DB... FILE...",
        "Compares games with the lines of a repertoire.\n"
        "FILE has the lines as PGN: games with their variations. Each game of the database\n"
        "gets a row: who left the lines, with which move, what the lines have there, and the\n"
        "player's points. What counts is the last position that the lines have: a game that\n"
        "returns to them by other moves has not left them. With --player only games in which\n"
        "this player has the colour count. A row without `left_by` followed the lines to\n"
        "their end or its own.\n"
        "--gaps lists replies that the lines do not have, weighted with how likely it is that\n"
        "the opponent gets there. --coverage lists the positions of the lines: how likely they\n"
        "are, and how many of the opponents' moves there are covered. --contradictions lists\n"
        "positions at which the lines give the player several moves.\n"
        "FILE is as for import: .pgn, .pgn.zst, .pgn.gz, .pgn.bz2, .zip, .7z, a directory,\n"
        "or -. If any of it cannot be read, nothing is answered.",
        "fendex repertoire my.db samples/repertoire.txt --color white --player carlsen\n"
        "fendex repertoire my.db samples/repertoire.txt --color white --gaps",
        joined({{option_of(ask::repertoire_color_field()), option_of(ask::left_by_field()),
                 flag("gaps", "list the replies that the lines do not have"),
                 option_of(ask::gap_games_field()),
                 flag("coverage", "list the positions of the lines, and how far they are covered"),
                 flag("contradictions", "list positions with several moves of the player"),
                 option_of(ask::sort_field()), option_of(ask::dialect_field()),
                 format_option({"table", "json", "csv"}), password_file_option()},
                paging_options(),
                filter_options()}),
        run_repertoire,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
