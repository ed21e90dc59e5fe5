// What engines said of a position.
#include "ask/questions.hpp"
#include "chess/fen.hpp"
#include "query/evaluations.hpp"

namespace fendex::ask {

namespace {

Schemas schemas_of_evaluations() {
    const Members search{{"depth", "integer?"}, {"knodes", "integer?"}, {"pvs", "[EvaluatedLine]"}};
    return {{"Evaluations",
             all_members({{{"fen", "string"}},
                          search,
                          {{"others", "[Search]", "with another number of PVs, best first"}}})},
            {"Search", search},
            {"EvaluatedLine",
             {{"cp?", "integer", "centipawns, White's view"},
              {"mate?", "integer", "moves to mate; negative: Black mates"},
              {"uci", "string", "castling as king takes rook"},
              {"san", "string"}}}};
}

}  // namespace

QuestionKind evals_kind() {
    return {.name = "evals",
            .summary = "what engines said of a position: score, depth and variations",
            .answer = "Evaluations",
            .schemas = schemas_of_evaluations(),
            .is_list = false,
            .has_filter = false,
            .fields = joined({position_fields(), {dialect_field()}}),
            .plan = [](const Given& given) {
                Plan plan{{}, Cost::kLookUp};
                plan.document = [end = line_of(given).end, dialect = given.dialect()](
                                    const Context& context, json::Object& object) {
                    const auto readers = context.sources->readers();
                    query::Evaluations evaluations(readers);
                    object.add("fen", chess::to_fen(end, dialect));
                    query::add_evaluations(end, evaluations.record(end), object);
                };
                return plan;
            }};
}

}  // namespace fendex::ask
