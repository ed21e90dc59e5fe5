#include "ask/repeats_question.hpp"

#include <algorithm>
#include <utility>

#include "ask/questions.hpp"

namespace fendex::ask {

namespace {

/// Throws if two of these fields are given.
void refuse_together(const Given& given, std::string_view field,
                     std::initializer_list<std::string_view> others) {
    if (given.find(field) == nullptr) return;
    for (const std::string_view other : others) {
        if (given.find(other) == nullptr) continue;
        throw QuestionError(
            "bad_question", std::string(field),
            std::string(field) + " and " + std::string(other) + " cannot be combined");
    }
}

}  // namespace

Fields repeats_fields() {
    return {
        number_field("min", "positions that a game reached N times or more (default: 3)", 2),
        number_field("game", "look only at this game", 1),
        flag_field("missed", "only if the player who could have claimed a draw went on and lost"),
        flag_field("perpetual", "only if one side gave check with every move of the repetition"),
        flag_field("fivefold",
                   "positions reached five times: the game should have ended (FIDE 9.6.1)"),
        flag_field("rule50",
                   "fifty moves without capture and pawn move: a draw could be claimed (FIDE "
                   "9.3)"),
        flag_field("rule75", "seventy-five such moves: the game should have ended (FIDE 9.6.2)"),
        flag_field("claims",
                   "also claims by announcing a move, played or not (FIDE 9.2.1, 9.3.1)")};
}

RepeatsQuestion repeats_question(const Given& given) {
    refuse_together(given, "rule50",
                    {"min", "fen", "play", "moves", "fivefold", "perpetual", "rule75"});
    refuse_together(given, "rule75", {"min", "fen", "play", "moves", "fivefold", "perpetual"});
    RepeatsQuestion question;
    question.filter = given.filter();
    question.order = given.order();
    const std::optional<store::GameId> game = given.number("game");
    if (given.flag("rule50") || given.flag("rule75")) {
        using Rule = query::ClockQuery::Rule;
        question.what =
            query::ClockQuery{given.flag("rule50") ? Rule::kFiftyMoves : Rule::kSeventyFiveMoves,
                              game, given.flag("missed"), given.flag("claims")};
        return question;
    }
    query::RepetitionQuery query;
    const std::uint64_t least = given.flag("fivefold") ? 5 : 2;
    query.min_count = static_cast<std::uint32_t>(
        std::max(given.number("min").value_or(std::max<std::uint64_t>(3, least)), least));
    query.game = game;
    query.missed = given.flag("missed");
    query.announced = given.flag("claims");
    query.perpetual = given.flag("perpetual");
    if (has_position(given)) query.position = line_of(given).end;
    question.what = query;
    return question;
}

QuestionKind repeats_kind() {
    return {
        .name = "repeats",
        .summary =
            "the positions that games repeated, or long runs without capture and pawn move, "
            "and missed claims",
        .answer = "Repetition",
        .schemas = {{"Repetition", all_members({game_ref_members(),
                                                {{"key", "string"},
                                                 {"fen", "string"},
                                                 {"count", "integer"},
                                                 {"plies", "[integer]"},
                                                 {"third_ply", "integer?"},
                                                 {"fifth_ply", "integer?"},
                                                 {"played_on", "integer?"}},
                                                game_column_members(),
                                                {{"claimant", "'white'|'black'?"},
                                                 {"ended", "boolean?"},
                                                 {"checks", "'white'|'black'|'both'?"},
                                                 {"announcer?", "'white'|'black'?"},
                                                 {"announced_ply?", "integer?"},
                                                 {"announced_move?", "string?"},
                                                 {"announced_plies?", "[integer]?"},
                                                 {"cp?", "integer?",
                                                  "with missed: what a record says of the "
                                                  "position, from White's view"},
                                                 {"mate?", "integer?"},
                                                 {"depth?", "integer?"}}})}},
        .fields = joined({position_fields(), repeats_fields(), {dialect_field(), sort_field()}}),
        .plan = [](const Given& given) {
            RepeatsQuestion question = repeats_question(given);
            Plan plan{question.filter, Cost::kScan};
            plan.rows = [question = std::move(question),
                         dialect = given.dialect()](const Context& context) {
                return repetition_rows(context, question, {.dialect = dialect});
            };
            return plan;
        }};
}

}  // namespace fendex::ask
