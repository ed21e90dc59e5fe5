#include "ask/questions.hpp"

#include <algorithm>
#include <utility>

#include "ask/filter_fields.hpp"
#include "base/hex.hpp"
#include "codec/posting.hpp"
#include "query/pattern_text.hpp"

namespace fendex::ask {

namespace {

query::PositionPattern pattern_of(const Given& given, chess::Variant variant) {
    query::PatternText text;
    if (const std::string* const board = given.find("pattern")) text.board = *board;
    if (const std::string* const material = given.find("material")) text.material = *material;
    text.either_side = given.flag("either-side");
    text.variant = variant;
    query::PatternResult result = query::parse_pattern(text);
    if (!result.pattern) {
        throw QuestionError("bad_pattern", std::string(result.field), result.error);
    }
    return *std::move(result.pattern);
}

query::Question question_of_key(const std::string& text) {
    if (const auto key = base::key_of_hex(text)) return query::Question::of_key(*key);
    throw QuestionError("bad_key", "key", "key takes 16 hex digits, not '" + text + "'");
}

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

Fields position_fields() {
    return {
        {"fen", "FEN",
         "a FEN or EPD in any dialect, or the address of an analysis board; without it the "
         "start of the variant"},
        {"play", "MOVES", "moves from there in UCI, separated by commas: e2e4,c7c5; drops as P@e4"},
        {"moves", "MOVES", "moves after those in SAN or UCI: 1.e4 c5 2.Nf3"},
        {"variant", "NAME",
         "the variant of the position, unless the FEN shows it: standard, chess960, "
         "crazyhouse, 3check, kingofthehill, atomic, antichess, suicide, losers, horde, "
         "racingkings"}};
}

FieldText match_field() {
    return choice_field(
        "match", {"exact", "board", "mirrored"},
        "what counts as the position. board: the same pieces, with any side to move and any "
        "castling and en passant rights; mirrored: also with colours exchanged");
}

FieldText dialect_field() {
    std::vector<std::string> names;
    for (const chess::FenDialectName& each : chess::kFenDialects) names.emplace_back(each.name);
    return choice_field(
        "dialect", std::move(names),
        "spelling of FENs. legal: en passant square only if the capture is "
        "legal; xfen: only if a pawn stands ready to capture; shredder: castling as "
        "files of rooks");
}

FieldText sort_field() {
    return choice_field("sort", {"id", "date", "elo", "plies"},
                        "order of the games; the latest, highest rated or longest first");
}

FieldText verify_field() {
    return flag_field("verify", "replay and compare every game, instead of relying on equal keys");
}

FieldText flag_field(std::string name, std::string help) {
    return {std::move(name), {}, std::move(help), FieldType::kFlag};
}

FieldText number_field(std::string name, std::string help, std::uint64_t low) {
    FieldText field{std::move(name), "N", std::move(help), FieldType::kNumber};
    field.low = low;
    return field;
}

FieldText choice_field(std::string name, std::vector<std::string> choices, std::string help) {
    return {.name = std::move(name),
            .value = "WHICH",
            .help = std::move(help),
            .choices = std::move(choices),
            .first_by_default = true};
}

Fields fields_of_filter() {
    Fields fields;
    for (const auto& field : filter_fields()) fields.push_back(field.text);
    return fields;
}

Fields joined(std::initializer_list<Fields> lists) {
    Fields all;
    for (const Fields& list : lists) {
        for (const FieldText& field : list) {
            const auto same = [&](const FieldText& each) { return each.name == field.name; };
            if (std::none_of(all.begin(), all.end(), same)) all.push_back(field);
        }
    }
    return all;
}

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
           "q=0\" (capitals are White's). Patterns and material are of standard chess and "
           "Chess960, "
           "or of the variant that is given"},
          flag_field("either-side", "find the pattern or material with colours exchanged, too"),
          flag_field("variations",
                     "look in variations, too, if they were imported: a row for each place"),
          match_field()}});
}

bool has_pattern(const Given& given) {
    return given.find("pattern") != nullptr || given.find("material") != nullptr;
}

HitsQuestion hits_question(const Given& given) {
    HitsQuestion question;
    question.filter = given.filter();
    question.order = given.order();
    question.variations = given.flag("variations");
    const bool pattern = has_pattern(given);
    const std::string* const key = given.find("key");
    if ((pattern ? 1 : 0) + (key != nullptr ? 1 : 0) + (has_position(given) ? 1 : 0) > 1) {
        throw QuestionError(
            "bad_question", pattern ? "pattern" : "key",
            "give a position, a key, or pattern and material, but only one of these");
    }
    if (question.variations && (pattern || question.order != store::GameOrder::kId)) {
        throw QuestionError(
            "bad_question", "variations",
            "variations goes with positions in the order of games, without sort, pattern and "
            "material");
    }
    if (pattern) {
        if (!question.filter.variant) question.filter.variant = chess::Variant::kStandard;
        question.pattern = pattern_of(given, *question.filter.variant);
        return question;
    }
    if (given.flag("either-side")) {
        throw QuestionError("bad_question", "either-side",
                            "either-side goes with pattern or material");
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

}  // namespace fendex::ask
