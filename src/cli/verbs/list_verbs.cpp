// The verbs that only list the rows of a question: `openings`.
#include "ask/questions.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/filters.hpp"
#include "cli/output/lister.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

namespace {

struct ListVerb {
    const char* question;
    List list;
    const char* one;  // one of the rows, "game"
    const char* purpose;
    const char* example;
};

constexpr ListVerb kOpenings{
    "openings", List::kOpenings, "opening",
    "Lists the openings of games, with their results.\n"
    "The opening of a game is that of the last position it reached that has a name,\n"
    "by whatever order of moves; the tag ECO does not matter. Games without such a\n"
    "position are in the row without a name. The score is White's, a draw counts half;\n"
    "games without a result do not count for it.",
    "fendex openings my.db --player kasparov --limit 10"};

ask::Given given_of(const Arguments& arguments, const ask::Fields& fields) {
    ask::Given given;
    for (const ask::FieldText& field : fields) {
        const bool is_flag = field.type == ask::FieldType::kFlag;
        if (is_flag && arguments.has(field.name)) given.add(field.name, "true");
        for (const std::string& value : arguments.all(field.name)) given.add(field.name, value);
    }
    return given;
}

template <const ListVerb& kVerb>
int run(const Arguments& arguments) {
    Lister lister(arguments, format_of(arguments), kVerb.list);
    const ask::QuestionKind& kind = ask::question_named(kVerb.question);
    std::vector<ask::OpenDatabase> database = open_only_database(arguments);
    const ask::Plan plan = kind.plan(given_of(arguments, ask::all_fields(kind)));
    const auto databases = std::make_shared<ask::Sources>(std::move(database), plan.filter);
    const Lister::Printed printed =
        lister.print(*plan.rows(databases, lister.page(), {}, {}), kVerb.one);
    lister.flush();
    if (!printed.any) explain_nothing(arguments, *(*databases)[0].reader, plan.filter);
    return printed.rows == 0 ? kNothingFound : kFound;
}

template <const ListVerb& kVerb>
Verb verb_of() {
    std::vector<Option> options{format_option({"table", "json", "csv"})};
    for (const ask::FieldText& field : ask::question_named(kVerb.question).fields) {
        options.push_back(option_of(field));
    }
    return {kVerb.question,
            "DB",
            kVerb.purpose,
            kVerb.example,
            joined({options, paging_options(), filter_options()}),
            run<kVerb>,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace

std::vector<Verb> list_verbs() { return {verb_of<kOpenings>()}; }

}  // namespace fendex::cli
