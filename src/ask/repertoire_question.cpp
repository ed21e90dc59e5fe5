#include "ask/repertoire_question.hpp"

#include <utility>

#include "ask/filter_fields.hpp"
#include "ask/questions.hpp"
#include "base/counted.hpp"
#include "pgn/lexer.hpp"
#include "pgn/text_source.hpp"

namespace fendex::ask {

namespace {

using Kind = RepertoireQuestion::List;

/// The first error of the lines, and how many there are.
class LineErrors {
  public:
    void add(std::string error) {
        if (count_++ == 0) first_ = std::move(error);
    }
    /// Throws LinesError if there are errors.
    void require_none() const {
        if (count_ == 0) return;
        const std::string more =
            count_ == 1 ? "" : "; and " + base::counted(count_ - 1, "more error");
        throw LinesError(first_ + more);
    }

  private:
    std::string first_;
    std::size_t count_ = 0;
};

/// Returns the line in which a game of the batch begins.
std::uint64_t first_line_of(const pgn::Batch& batch, std::size_t game) {
    std::size_t i = 0;
    for (const pgn::Extent& extent : batch.extents) {
        if (extent.kind == pgn::Extent::Kind::kJunk || i++ != game) continue;
        return batch.first_line + pgn::count_lines(batch.text, extent.offset);
    }
    return batch.first_line;
}

void read_batch(const ingest::PgnInputBatch& batch, const std::string& name,
                ingest::GameReplay& replay, query::Repertoire& repertoire, LineErrors& errors) {
    const store::NewGames read = ingest::read_batch(batch.task, replay);
    const std::string prefix = name.empty() ? name : name + ": ";
    const auto place_of = [&](std::size_t game) {
        return prefix + "game " + std::to_string(batch.first_game + game) + ", ";
    };
    for (const store::NewError& each : read.errors) {
        const store::ImportError& error = each.error;
        if (error.warning) continue;
        errors.add((each.game ? place_of(*each.game) : prefix) + "line " +
                   std::to_string(error.line) + ": " + error.reason +
                   (error.text.empty() ? "" : " (" + error.text + ")"));
    }
    for (std::size_t i = 0; i < read.games.size(); ++i) {
        const store::NewGame& game = read.games[i];
        query::add_lines(
            ingest::stored_game(read, game).moves, game.annotation.of(read.annotations), repertoire,
            [&](const query::UnreadMove& unread) {
                errors.add(place_of(i) + "which begins in line " +
                           std::to_string(first_line_of(batch.task.batch, i)) +
                           ", in a variation after ply " + std::to_string(unread.ply) + ": " +
                           std::string(unread.reason) + " (" + std::string(unread.word) + ')');
            });
    }
}

void set_name(const char* field, const std::string& name, std::string& of_color) {
    if (name.empty()) return;
    if (!of_color.empty()) {
        throw store::FilterError(field,
                                 "the player has the colour of the lines, the opponent the "
                                 "other one: leave one of the names out");
    }
    of_color = name;
}

/// Gives the filter's player this colour. Throws FilterError if someone else has it.
void set_color(chess::Color color, store::GameFilter& filter) {
    const bool white = color == chess::Color::kWhite;
    set_name("white", white ? filter.player : filter.opponent, filter.white);
    set_name("black", white ? filter.opponent : filter.player, filter.black);
}

std::shared_ptr<const query::Repertoire> repertoire_of(const Given& given) {
    ingest::PgnInputOptions options;
    options.annotations = true;
    options.variant = given.variant().value_or(chess::Variant::kStandard);
    try {
        ingest::PgnInput input(pgn::make_text_source(given.text("pgn")), "the PGN", options);
        return read_repertoire(input, {});
    } catch (const pgn::SourceError& error) {
        throw QuestionError("bad_pgn", "pgn", error.what());
    } catch (const LinesError& error) {
        throw QuestionError("bad_lines", "pgn", error.what());
    }
}

template <Kind kKind>
Plan plan_of(const Given& given) {
    RepertoireQuestion question = repertoire_question(given, kKind);
    Plan plan{question.filter, Cost::kScan};
    plan.rows = [question = std::move(question), given](const Context& context) {
        return repertoire_rows(context, question, repertoire_of(given));
    };
    return plan;
}

Fields fields_with(Fields more) {
    FieldText lines{"pgn", "PGN", "the lines as PGN: games with their variations"};
    lines.required = true;
    return joined({{lines, repertoire_color_field()}, std::move(more), {dialect_field()}});
}

}  // namespace

FieldText repertoire_color_field() {
    return player_color_field("the player's colour, whose moves the lines are");
}

FieldText left_by_field() {
    return {.name = "left-by",
            .value = "WHO",
            .help =
                "only games in which this side left the lines; nobody: games that followed them "
                "to their end or its own",
            .choices = {"player", "opponent", "nobody"}};
}

FieldText gap_games_field() {
    return number_field("min-games", "leave out gaps that fewer games played", 1);
}

RepertoireQuestion repertoire_question(const Given& given, Kind list) {
    RepertoireQuestion question{.list = list, .dialect = given.dialect()};
    if (given.text("color") == "black") question.color = chess::Color::kBlack;
    question.min_games = given.number("min-games").value_or(1);
    if (list == Kind::kGames) question.order = given.order();
    question.left_by = given.text("left-by");
    question.filter = for_position(given.filter());
    set_color(question.color, question.filter);
    return question;
}

std::shared_ptr<const query::Repertoire> read_repertoire(ingest::PgnInput& input,
                                                         const std::vector<std::string>& names) {
    const auto repertoire = std::make_shared<query::Repertoire>();
    ingest::GameReplay replay;
    LineErrors errors;
    while (const auto batch = input.next()) {
        read_batch(*batch, names.empty() ? std::string() : names[batch->input], replay, *repertoire,
                   errors);
    }
    errors.require_none();
    if (!repertoire->has_moves()) throw LinesError("the lines have no moves");
    return repertoire;
}

QuestionKind repertoire_kind() {
    return {
        .name = "repertoire",
        .summary = "where games left the lines of a repertoire, and who left them",
        .answer = "RepertoireGame",
        .schemas = {{"RepertoireGame",
                     all_members({game_ref_members(),
                                  {{"left_by", "'player'|'opponent'?",
                                    "null: the game ended within the lines, or they end there"},
                                   {"ply", "integer", "of its last position that the lines have"},
                                   {"played", "string?", "the game's next move"},
                                   {"expected", "[string]", "the moves of the lines there"},
                                   {"fen", "string"},
                                   {"points", "number?", "of the player: 1, 0.5 or 0"}},
                                  game_column_members()})}},
        .fields = fields_with({left_by_field(), sort_field()}),
        .plan = plan_of<Kind::kGames>};
}

QuestionKind repertoire_gaps_kind() {
    return {.name = "repertoire_gaps",
            .summary =
                "replies of opponents that the lines of a repertoire do not have, the most "
                "likely first",
            .answer = "RepertoireGap",
            .schemas = {{"RepertoireGap",
                         {{"fen", "string"},
                          {"san", "string", "the reply"},
                          {"games", "integer", "that played it there"},
                          {"share", "number", "how likely it is, in percent"},
                          {"line", "string", "the moves to the position"}}}},
            .fields = fields_with({gap_games_field()}),
            .plan = plan_of<Kind::kGaps>};
}

QuestionKind repertoire_coverage_kind() {
    return {
        .name = "repertoire_coverage",
        .summary =
            "the positions of a repertoire, with how likely they are and how many of the "
            "opponents' moves there the lines have",
        .answer = "RepertoirePosition",
        .schemas = {{"RepertoirePosition",
                     {{"number", "integer", "from 1, in the order of the lines"},
                      {"before", "integer?", "the position from which the lines reach it first"},
                      {"san", "string?", "the move from there"},
                      {"fen", "string"},
                      {"games", "integer", "that reached it"},
                      {"share", "number", "how likely it is, in percent"},
                      {"covered", "number?",
                       "percent of the opponents' moves there; null where the player moves, and "
                       "if the lines end there or no game went on"},
                      {"line", "string", "the moves to it"}}}},
        .fields = fields_with({}),
        .plan = plan_of<Kind::kCoverage>};
}

QuestionKind repertoire_contradictions_kind() {
    return {.name = "repertoire_contradictions",
            .summary = "positions at which the lines of a repertoire give the player several moves",
            .answer = "RepertoireContradiction",
            .schemas = {{"RepertoireContradiction",
                         {{"fen", "string"},
                          {"moves", "[string]"},
                          {"line", "string", "the moves to the position"}}}},
            .has_filter = false,
            .fields = fields_with({}),
            .plan = plan_of<Kind::kContradictions>};
}

}  // namespace fendex::ask
