#include "ask/tree_document.hpp"

#include <utility>
#include <vector>

#include "ask/filter_fields.hpp"
#include "chess/san.hpp"
#include "query/tree_json.hpp"

namespace fendex::ask {

Fields tree_fields() {
    return joined(
        {position_fields(),
         {match_field(), number_field("min-games", "leave out moves that fewer games played", 1),
          number_field("limit", "at most this many moves"), dialect_field()}});
}

TreeQuestion tree_question(const Given& given) {
    TreeQuestion question;
    question.options.match = given.match();
    const Line line = line_of(given, question.options.match);
    question.position = line.end;
    question.variant = line.variant;
    question.options.min_games = given.number("min-games").value_or(1);
    question.most_moves = given.number("limit");
    question.dialect = given.dialect();
    question.filter = for_position(given.filter());
    return question;
}

void add_tree(Sources& sources, const TreeQuestion& question, const RowStyle& style,
              json::Object& object, const std::stop_token& stop) {
    query::Tree tree =
        query::opening_tree(sources.of_trees(), question.position, question.options, stop);
    if (question.most_moves && *question.most_moves < tree.moves.size()) {
        tree.moves.erase(tree.moves.begin() + static_cast<std::ptrdiff_t>(*question.most_moves),
                         tree.moves.end());
    }
    std::vector<query::TreeDatabase> named;
    for (const Source& source : sources) {
        named.push_back({source.reader, sources.several() ? std::string_view(source.name) : "",
                         style.refs ? std::optional(ref_prefix(source.index)) : std::nullopt});
    }
    query::AddReplies add_played;
    if (style.refs) {
        // For boards. With match=board a move can be one of the other side.
        add_played = [&](const query::TreeMove& move, json::Object& of_move) {
            of_move.add("played",
                        move.mover == question.position.side_to_move()
                            ? chess::to_uci(question.position, move.move, question.variant)
                            : move.uci);
        };
    }
    query::add_tree(tree, question.dialect, named, object, add_played);
}

}  // namespace fendex::ask
