// The questions about a repertoire: where games left it, its gaps, how far its positions are
// covered, its contradictions.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ask/question.hpp"
#include "chess/types.hpp"
#include "ingest/pgn_input.hpp"
#include "query/repertoire.hpp"

namespace fendex::ask {

struct RepertoireQuestion {
    enum class List { kGames, kGaps, kCoverage, kContradictions };

    List list = List::kGames;
    chess::Color color = chess::Color::kWhite;  // of the player
    std::uint64_t min_games = 1;                // of a gap
    std::string left_by =
        {};  // "player", "opponent", "nobody": games that left like this; or empty
    store::GameOrder order = store::GameOrder::kId;
    chess::FenDialect dialect = chess::FenDialect::kStandard;
    store::GameFilter filter = {};  // its player has this colour
};

/// The fields color, left-by and min-games.
[[nodiscard]] FieldText repertoire_color_field();
[[nodiscard]] FieldText left_by_field();
[[nodiscard]] FieldText gap_games_field();
/// Throws store::FilterError.
[[nodiscard]] RepertoireQuestion repertoire_question(const Given& given,
                                                     RepertoireQuestion::List list);

/// Lines have errors: an answer about what can be read of them would be wrong. what() says where.
class LinesError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reads the lines of PGN texts, whose names are used in messages; none for a single one without a
/// name. Throws LinesError if not everything can be read, and pgn::SourceError.
[[nodiscard]] std::shared_ptr<const query::Repertoire> read_repertoire(
    ingest::PgnInput& input, const std::vector<std::string>& names);

[[nodiscard]] std::unique_ptr<Rows> repertoire_rows(
    const Context& context, const RepertoireQuestion& question,
    std::shared_ptr<const query::Repertoire> repertoire);

}  // namespace fendex::ask
