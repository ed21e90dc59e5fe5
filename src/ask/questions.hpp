// The questions that every surface answers.
#pragma once

#include <span>
#include <string_view>

#include "ask/question.hpp"

namespace fendex::ask {

// Each is defined beside its answer.
QuestionKind find_kind();
QuestionKind count_kind();
QuestionKind tree_kind();
QuestionKind repeats_kind();
QuestionKind games_kind();
QuestionKind count_games_kind();
QuestionKind evals_kind();
QuestionKind plies_kind();
QuestionKind positions_kind();
QuestionKind players_kind();
QuestionKind alike_kind();
QuestionKind names_kind();
QuestionKind joined_names_kind();
QuestionKind player_kind();
QuestionKind prepare_kind();  // of several databases, the field `database` says which
QuestionKind openings_kind();
QuestionKind events_kind();
// The field `pgn` of these has games.
QuestionKind novelty_kind();
QuestionKind repertoire_kind();
QuestionKind repertoire_gaps_kind();
QuestionKind repertoire_coverage_kind();
QuestionKind repertoire_contradictions_kind();

inline constexpr QuestionKind (*kKinds[])() = {find_kind,
                                               count_kind,
                                               tree_kind,
                                               repeats_kind,
                                               games_kind,
                                               count_games_kind,
                                               evals_kind,
                                               plies_kind,
                                               positions_kind,
                                               players_kind,
                                               alike_kind,
                                               names_kind,
                                               joined_names_kind,
                                               player_kind,
                                               prepare_kind,
                                               openings_kind,
                                               events_kind,
                                               novelty_kind,
                                               repertoire_kind,
                                               repertoire_gaps_kind,
                                               repertoire_coverage_kind,
                                               repertoire_contradictions_kind};

[[nodiscard]] std::span<const QuestionKind> questions();
/// Returns the question of this name, which must exist.
[[nodiscard]] const QuestionKind& question_named(std::string_view name);
/// Returns the fields of a question, with those of the filter if it takes one.
[[nodiscard]] Fields all_fields(const QuestionKind& kind);

}  // namespace fendex::ask
