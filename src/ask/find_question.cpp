#include "ask/find_question.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "ask/alike.hpp"
#include "ask/filter_fields.hpp"
#include "ask/filter_values.hpp"
#include "ask/questions.hpp"
#include "base/hex.hpp"
#include "codec/posting.hpp"
#include "query/sequence_text.hpp"

namespace fendex::ask {

namespace {

/// Returns whether the field has a value, and is not a flag that is false.
bool is_set(const Given& given, const char* name) {
    const std::string* const value = given.find(name);
    return value != nullptr && *value != "false";
}

/// Returns the greatest gap between steps that have none of their own.
std::uint32_t gap_of(const Given& given) {
    const std::optional<std::uint64_t> within = given.number("within");
    if (within && (*within == 0 || *within > codec::Posting::kMaxPly)) {
        throw QuestionError("bad_question", "within", "within takes a number of plies, from 1 on");
    }
    if (!given.flag("streak")) {
        return within ? static_cast<std::uint32_t>(*within) : query::PatternStep::kAnyTime;
    }
    if (within) throw QuestionError("bad_question", "within", "give within or streak, not both");
    return 1;
}

query::PatternSequence pattern_of(const Given& given, chess::Variant variant) {
    query::SequenceText text;
    if (const std::string* const board = given.find("pattern")) text.pattern.board = *board;
    if (const std::string* const material = given.find("material")) {
        text.pattern.material = *material;
    }
    if (const std::string* const move = given.find("move")) text.move = *move;
    text.pattern.either_side = given.flag("either-side");
    text.pattern.variant = variant;
    text.then = given.all("then");
    for (const char* const name : {"within", "streak"}) {
        if (!is_set(given, name) || !text.then.empty()) continue;
        throw QuestionError("bad_question", name, std::string(name) + " goes with then");
    }
    text.within = gap_of(given);
    query::SequenceResult result = query::parse_sequence(text);
    if (!result.sequence) {
        throw QuestionError("bad_pattern", std::string(result.field), result.error);
    }
    return *std::move(result.sequence);
}

query::Question question_of_key(const std::string& text) {
    if (const auto key = base::key_of_hex(text)) return query::Question::of_key(*key);
    throw QuestionError("bad_key", "key", "key takes 16 hex digits, not '" + text + "'");
}

/// Each of these begins a pattern.
constexpr std::array kPatternFields = {"pattern", "material", "move"};

Cost cost_of(const HitsQuestion& question) {
    return question.pattern || question.variations || question.evaluation ? Cost::kScan
                                                                          : Cost::kSums;
}

}  // namespace

Fields hits_fields() {
    return joined(
        {position_fields(),
         {{"key", "HEX", "the position with this Zobrist key"},
          {"pattern", "BOARD",
           "positions that look like this, ranks 8 to 1 as in a FEN: ? any square, ! any piece, A "
           "or a any white or black piece, [Qq] one of these, [^Pp] none of these, * the other "
           "squares of the rank"},
          {"material", "PIECES",
           "positions with exactly these pieces, KRPvKR, or with these numbers of some, \"Q=1 R>=1 "
           "q=0\" (capitals are White's), or with a difference: R-r=1, White has a rook more; "
           "opposite at the end: one bishop each, on squares of different colours. Patterns and "
           "material are of standard chess and Chess960, or of the variant that is given"},
          {"move", "MOVE",
           "the move that is played: Nf3, Rac1, xf7 (any capture there), [NB]xQ, e8=Q, O-O, N (any "
           "move of a knight), !f7 (any piece), or a route, Nf3-g1-e2. Without x captures count, "
           "too. Before it may stand white, black and quiet (no capture)"},
          {.name = "then",
           .value = "STEP",
           .help = "and later in the game this: a board, material, a move, or several of them with "
                   "blanks between, which hold together; any is any position, and within N is the "
                   "gap of this step",
           .repeatable = true},
          number_field("within", "each step comes at most so many plies after the one before it",
                       1),
          flag_field("streak", "each step comes one ply after the one before it"),
          flag_field("either-side",
                     "find the pattern, material, moves and steps with colours exchanged, too"),
          flag_field("variations",
                     "look in variations, too, if they were imported: a row for each place"),
          match_field(),
          {"eval", "RANGE",
           "the position has an evaluation in this range, in centipawns from White's view: "
           "-50..50, "
           "150.., ..-150, #5..#1 (White mates in five moves or fewer). It is that of the game's "
           "comment there ([%eval]), else the one that was imported"}}});
}

bool has_pattern(const Given& given) {
    return std::ranges::any_of(kPatternFields,
                               [&](const char* name) { return given.find(name) != nullptr; });
}

const char* field_of_patterns(const Given& given) {
    for (const char* const name : {"either-side", "then", "within", "streak"}) {
        if (is_set(given, name)) return name;
    }
    return nullptr;
}

std::optional<query::ScoreRange> evaluation_of(const Given& given) {
    const std::string* const range = given.find("eval");
    if (range == nullptr) return std::nullopt;
    try {
        return score_range(*range);
    } catch (const std::invalid_argument& error) {
        throw QuestionError("bad_eval", "eval", error.what());
    }
}

HitsQuestion hits_question(const Given& given) {
    HitsQuestion question;
    question.filter = given.filter();
    question.order = given.order();
    question.variations = given.flag("variations");
    question.evaluation = evaluation_of(given);
    const bool pattern = has_pattern(given);
    const std::string* const key = given.find("key");
    if ((pattern ? 1 : 0) + (key != nullptr ? 1 : 0) + (has_position(given) ? 1 : 0) > 1) {
        throw QuestionError(
            "bad_question", pattern ? "pattern" : "key",
            "give a position, a key, or pattern, material and move, but only one of these");
    }
    if (question.variations && (pattern || question.order != store::GameOrder::kId)) {
        throw QuestionError(
            "bad_question", "variations",
            "variations goes with positions in the order of games, without sort, pattern, "
            "material and move");
    }
    if (pattern) {
        if (!question.filter.variant) question.filter.variant = chess::Variant::kStandard;
        question.pattern = pattern_of(given, *question.filter.variant);
        if (question.evaluation && question.pattern->has_steps()) {
            throw QuestionError("bad_question", "eval",
                                "eval goes with one position, not with steps or a route");
        }
        return question;
    }
    if (const char* const name = field_of_patterns(given)) {
        throw QuestionError("bad_question", name,
                            std::string(name) + " goes with pattern, material or move");
    }
    const Match match = given.match();
    if (key != nullptr) {
        if (match != Match::kExact) {
            throw QuestionError("bad_match", "match",
                                "match works with a position, not with a key");
        }
        question.positions = question_of_key(*key);
    } else {
        question.positions = query::Question::of(line_of(given, match).end, match);
        question.filter = for_position(std::move(question.filter));
    }
    return question;
}

QuestionKind find_kind() {
    return {
        .name = "find",
        .summary =
            "the games that reached a position, a pattern or material, or have a sequence of steps",
        .answer = "Hit",
        .schemas = {{"Hit", all_members({game_ref_members(),
                                         {{"ply", "integer"}, {"plies", "[integer]"}},
                                         game_column_members(),
                                         {{"san", "string?", "the next move"},
                                          {"uci", "string?"},
                                          {"variation?", "boolean", "the hit is in a variation"},
                                          {"line?", "string?", "the moves of the variation"},
                                          {"steps?", "[integer]",
                                           "the plies of the steps, and of each move of a route, "
                                           "in the match that begins first"}}})}},
        .count = "count",
        .fields = joined({hits_fields(), {sort_field()}}),
        .plan = [](const Given& given) {
            HitsQuestion question = hits_question(given);
            Plan plan{question.filter, cost_of(question)};
            plan.rows = [question = std::move(question)](const Context& context) {
                return hit_rows(context, question);
            };
            return plan;
        }};
}

QuestionKind count_kind() {
    return {
        .name = "count",
        .summary = "how many games reached a position, a pattern or material, and how often",
        .answer = "HitCount",
        .schemas = {{"HitCount", all_members({{{"games", "integer"}, {"occurrences", "integer"}},
                                              alike_member()})}},
        .is_list = false,
        .fields = joined({hits_fields(), {verify_field()}}),
        .plan = [](const Given& given) {
            HitsQuestion question = hits_question(given);
            Plan plan{question.filter, cost_of(question)};
            plan.document = [question = std::move(question), verify = given.flag("verify")](
                                const Context& context, json::Object& object) {
                const query::Count found =
                    count_hits(*context.sources, question, verify, context.stop);
                object.add("games", found.games);
                object.add("occurrences", found.occurrences);
                add_alike(alike_names(*context.sources, context.stop), object);
            };
            return plan;
        }};
}

}  // namespace fendex::ask
