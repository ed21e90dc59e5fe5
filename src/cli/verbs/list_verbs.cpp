// The verbs that only list the rows of a question: `games`, `openings`.
#include <algorithm>
#include <memory>
#include <span>

#include "ask/questions.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/lister.hpp"
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
    bool of_games = false;  // also prints them as PGN, and takes clusters
};

constexpr ListVerb kGames{"games",
                          List::kGames,
                          "game",
                          "Lists games by player, event, date, rating, result and more.",
                          "fendex games my.db --player fischer --since 1970 --sort date",
                          true};

constexpr ListVerb kOpenings{
    "openings", List::kOpenings, "opening",
    "Lists the openings of games, with their results.\n"
    "The opening of a game is that of the last position it reached that has a name,\n"
    "by whatever order of moves; the tag ECO does not matter. Games without such a\n"
    "position are in the row without a name. The score is White's, a draw counts half;\n"
    "games without a result do not count for it.",
    "fendex openings my.db --player kasparov --limit 10"};

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
    std::vector<ask::OpenDatabase> database = open_only_database(arguments);
    const ask::Plan plan = kind.plan(arguments.fields());
    const auto databases = std::make_shared<ask::Sources>(std::move(database), plan.filter);
    ask::Source& source = (*databases)[0];
    const Lister::Printed printed =
        lister.format() == Format::kPgn
            ? print_pgn(source, order_of(arguments), lister)
            : lister.print(*plan.rows(lister.context(databases)), kVerb.one);
    lister.flush();
    if (!printed.any) explain_nothing(arguments, *source.reader, plan.filter);
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
    if (kVerb.of_games) options.push_back(password_file_option());
    return {kVerb.question,
            "DB",
            kVerb.purpose,
            kVerb.example,
            joined({options, paging_options(), filter_options()}),
            run<kVerb>,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace

std::vector<Verb> list_verbs() { return {verb_of<kGames>(), verb_of<kOpenings>()}; }

}  // namespace fendex::cli
