// The verbs that only list the rows of a question: `games`, `openings`, `events`.
#include <algorithm>
#include <memory>
#include <span>

#include "ask/questions.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/lister.hpp"
#include "cli/verbs/left_out.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/pgn_game.hpp"

namespace fendex::cli {

namespace {

struct ListVerb {
    const char* question;
    List list;
    const char* one;  // one of the rows, "game"
    const char* purpose;
    const char* example;
    bool of_games = false;  // also prints them as PGN
    bool clusters = false;  // takes clusters
    bool several = false;   // takes several databases
};

constexpr ListVerb kGames{.question = "games",
                          .list = List::kGames,
                          .one = "game",
                          .purpose = "Lists games by player, event, date, rating, result and more.",
                          .example = "fendex games my.db --player fischer --since 1970 --sort date",
                          .of_games = true,
                          .clusters = true};

constexpr ListVerb kOpenings{
    .question = "openings",
    .list = List::kOpenings,
    .one = "opening",
    .purpose =
        "Lists the openings of games, with their results.\n"
        "The opening of a game is that of the last position it reached that has a name,\n"
        "by whatever order of moves; the tag ECO does not matter. Games without such a\n"
        "position are in the row without a name. The score is White's, a draw counts half;\n"
        "games without a result do not count for it.",
    .example = "fendex openings my.db --player kasparov --limit 10",
    .clusters = true};

constexpr ListVerb kEvents{
    .question = "events",
    .list = List::kEvents,
    .one = "event",
    .purpose =
        "Lists the events of games, with their players and years.\n"
        "--event finds events by words of their names, or one event by its whole name\n"
        "after =. Players and sites are counted once in each event; sites that are web\n"
        "addresses do not count. The row ? has the games whose event is unknown.",
    .example =
        "fendex events my.db --event linares --sort date\n"
        "fendex games my.db --event \"=Linares 14th\"",
    .several = true};

/// Prints the page of the games as PGN.
Lister::Printed print_pgn(ask::Source& database, store::GameOrder order, Lister& lister) {
    const std::vector<store::GameId> games =
        query::select_games(*database.reader, database.matcher, order, lister.page().limit);
    const std::size_t first = std::min<std::size_t>(lister.paging().offset, games.size());
    emit::KeptTexts kept;
    Output& output = lister.output();
    database.reader->games(
        std::span(games).subspan(first), [&](store::GameId id, const store::StoredGame& game) {
            output.append_data(
                [&](std::string& out) { emit::append_pgn(*database.reader, kept, id, game, out); });
            output.maybe_flush();
        });
    return {games.size() - first, !games.empty()};
}

template <const ListVerb& kVerb>
int run(const Arguments& arguments) {
    Lister lister(arguments, format_of(arguments), kVerb.list);
    const ask::QuestionKind& kind = ask::question_named(kVerb.question);
    if (!kVerb.several) static_cast<void>(arguments.only_database());
    if (const NamedDatabases named = databases_of(arguments); !named.words.empty()) {
        throw UsageError("unexpected argument '" + named.words.front() + "'");
    }
    const ask::Plan plan = kind.plan(arguments.fields());
    const auto databases = std::make_shared<ask::Sources>(open_databases(arguments), plan.filter);
    const Lister::Printed printed =
        lister.format() == Format::kPgn
            ? print_pgn((*databases)[0], order_of(arguments), lister)
            : lister.print(*plan.rows(lister.context(databases)), kVerb.one);
    lister.flush();
    if (!printed.any) {
        Unanswered only;
        only.add({});
        only.explain(arguments, databases->readers(), plan.filter);
    }
    say_left_out(arguments, databases->readers(), plan.filter);
    return printed.rows == 0 ? kNothingFound : kFound;
}

template <const ListVerb& kVerb>
Verb verb_of() {
    std::vector<std::string> formats{"table", "json", "csv"};
    if (kVerb.of_games) formats.push_back("pgn");
    std::vector<Option> options{format_option(std::move(formats))};
    for (const ask::FieldText& field : ask::question_named(kVerb.question).fields) {
        options.push_back(option_of(field));
    }
    if (kVerb.clusters) options.push_back(password_file_option());
    return {kVerb.question,
            kVerb.several ? "DB..." : "DB",
            kVerb.purpose,
            kVerb.example,
            joined({options, paging_options(), filter_options()}),
            run<kVerb>,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace

Verb games_verb() { return verb_of<kGames>(); }
Verb openings_verb() { return verb_of<kOpenings>(); }
Verb events_verb() { return verb_of<kEvents>(); }

}  // namespace fendex::cli
