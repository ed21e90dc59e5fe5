#include <utility>
#include <vector>

#include "ask/alike.hpp"
#include "ask/filter_fields.hpp"
#include "ask/questions.hpp"
#include "chess/san.hpp"
#include "query/opening_tree.hpp"
#include "query/tree_json.hpp"

namespace fendex::ask {

namespace {

struct TreeQuestion {
    chess::AnyPosition position;
    chess::Variant variant = chess::Variant::kStandard;  // of the position; may be Chess960
    query::TreeOptions options;
    std::optional<std::uint64_t> most_moves;
    chess::FenDialect dialect = chess::FenDialect::kStandard;
    store::GameFilter filter;
};

TreeQuestion tree_question(const Given& given) {
    TreeQuestion question;
    question.options.match = given.match();
    question.options.variations = given.flag("variations");
    if (question.options.variations && question.options.match != Match::kExact) {
        throw QuestionError("bad_question", "variations",
                            "variations goes with the exact position, not with match");
    }
    const Line line = line_of(given, question.options.match);
    question.position = line.end;
    question.variant = line.variant;
    question.options.min_games = given.number("min-games").value_or(1);
    question.options.order =
        given.text("sort") == "eval" ? query::MoveOrder::kEval : query::MoveOrder::kGames;
    question.most_moves = given.number("limit");
    question.dialect = given.dialect();
    question.filter = for_position(given.filter());
    return question;
}

/// Adds the members of the tree.
void add_tree(const Context& context, const TreeQuestion& question, json::Object& object) {
    Sources& sources = *context.sources;
    query::Tree tree =
        query::opening_tree(sources.of_trees(), question.position, question.options, context.stop);
    if (question.most_moves && *question.most_moves < tree.moves.size()) {
        tree.moves.erase(tree.moves.begin() + static_cast<std::ptrdiff_t>(*question.most_moves),
                         tree.moves.end());
    }
    const auto named = named_for_trees(sources, context.style.refs);
    query::AddReplies add_played;
    if (context.style.refs) {
        // For boards. With match=board a move can be one of the other side.
        add_played = [&](const query::TreeMove& move, json::Object& of_move) {
            of_move.add("played",
                        move.mover == question.position.side_to_move()
                            ? chess::to_uci(question.position, move.move, question.variant)
                            : move.uci);
        };
    }
    query::add_tree(tree, question.dialect, named, object, add_played);
    add_alike(alike_names(sources, context.stop), object);
}

Schemas schemas_of_tree() {
    const Members named_game = all_members({{{"database?", "string"},
                                             {"game_id", "integer"},
                                             {"ref", "string"},
                                             {"winner", "'white'|'black'?"}},
                                            result_members(),
                                            {{"white", "RatedPlayer"},
                                             {"black", "RatedPlayer"},
                                             {"year", "integer?"},
                                             {"date", "string?"},
                                             {"event", "string?"}}});
    return {
        {"Tree", all_members({{{"fen", "string"}},
                              results_members(),
                              {{"occurrences", "integer"},
                               {"moves", "[TreeMove]"},
                               {"ended", "Results", "games that ended here"},
                               {"topGames", "[GameFromHere]"},
                               {"recentGames", "[GameFromHere]"},
                               {"opening", "Opening?"}},
                              alike_member()})},
        {"Results", results_members()},
        {"TreeMove",
         all_members({{{"uci", "string", "castling as king takes rook"}, {"san", "string"}},
                      results_members(),
                      {{"averageRating", "integer?"},
                       {"performance", "integer?"},
                       {"last_year", "integer?"},
                       {"reached", "integer", "games that got to the position by any moves"},
                       {"opening", "Opening?"},
                       {"eval", "Verdict?", "of the position after the move"},
                       {"topGames", "[NamedGame]"},
                       {"played", "string", "UCI as in a position's legal moves"}}})},
        {"Verdict",
         {{"cp?", "integer", "centipawns, White's view"},
          {"mate?", "integer", "moves to mate; negative: Black mates"},
          {"depth", "integer"}}},
        {"NamedGame", named_game},
        {"GameFromHere",
         all_members(
             {{{"uci", "string?", "what was played here; null: the game ended"}}, named_game})},
        {"RatedPlayer", {{"name", "string?"}, {"rating", "integer?"}}},
    };
}

}  // namespace

QuestionKind tree_kind() {
    return {
        .name = "tree",
        .summary = "what was played from a position, with results",
        .answer = "Tree",
        .schemas = schemas_of_tree(),
        .is_list = false,
        .fields = joined(
            {position_fields(),
             {match_field(),
              flag_field("variations",
                         "count moves of variations, too, if they were imported with --variations: "
                         "a game counts once for each move"),
              number_field("min-games", "leave out moves that fewer games played", 1),
              number_field("limit", "at most this many moves"),
              choice_field("sort", {"games", "eval"},
                           "order of the moves: most played first, or best for the side to move "
                           "first, by the evaluations that were imported"),
              dialect_field()}}),
        .plan = [](const Given& given) {
            TreeQuestion question = tree_question(given);
            const bool is_look_up =
                question.filter == store::GameFilter{} && question.options.match == Match::kExact;
            Plan plan{question.filter, question.options.variations ? Cost::kScan
                                       : is_look_up                ? Cost::kLookUp
                                                                   : Cost::kSums};
            plan.document = [question = std::move(question)](const Context& context,
                                                             json::Object& object) {
                add_tree(context, question, object);
            };
            return plan;
        }};
}

}  // namespace fendex::ask
