#include "ask/tree_pgn_question.hpp"

#include <string>

#include "ask/filter_fields.hpp"

namespace fendex::ask {

FieldText tree_depth_field() {
    FieldText field = number_field(
        "depth",
        "plies of the tree; a line that comes back to a position ends there (default: " +
            std::to_string(kUsualTreeDepth) + ")",
        1);
    field.high = query::kMostTreeDepth;
    return field;
}

FieldText tree_games_field() {
    return number_field("min-games",
                        "leave out moves that fewer games played (default: a thousandth of the "
                        "games that reached the position, but at least 2)",
                        1);
}

TreePgnQuestion tree_pgn_question(const Given& given) {
    TreePgnQuestion question;
    question.line = line_of(given);
    question.depth = static_cast<unsigned>(given.number("depth").value_or(kUsualTreeDepth));
    question.min_games = given.number("min-games");
    question.filter = for_position(given.filter());
    return question;
}

std::unique_ptr<emit::TreePgn> tree_pgn(Sources& sources, const TreePgnQuestion& question,
                                        const chess::SanSpelling& spelling,
                                        const std::stop_token& stop) {
    query::TreeOptions options;
    options.transpositions = false;
    options.lists = query::GameLists::kNone;
    if (question.min_games) {
        options.min_games = *question.min_games;
    } else {
        const query::Question root = query::Question::of(question.line.end);
        std::uint64_t games = 0;
        for (Source& each : sources) games += each.positions.count(root, false, stop).games;
        options.min_games = query::min_games_of_deep_tree(games);
    }
    return std::make_unique<emit::TreePgn>(
        query::TreeDescent(sources.of_trees(), options, question.depth, stop),
        emit::TreePlace{question.line.variant, question.line.start, question.line.moves}, spelling);
}

}  // namespace fendex::ask
