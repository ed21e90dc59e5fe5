#include "serve/api/requests.hpp"

#include <algorithm>
#include <charconv>

#include "chess/variant_names.hpp"
#include "ingest/typed_line.hpp"
#include "query/filter_fields.hpp"
#include "query/pasted_position.hpp"

namespace fendex::serve::api {

namespace {

constexpr const char* kNumberFields[] = {"min-elo", "max-elo", "min-plies", "max-plies"};

/// Reads a FEN, or what people paste instead of one.
void read_fen(const std::string& text, query::Match match, LineRequest& line) {
    const query::PasteWords words{"moves", "match=board"};
    const auto refuse = [](const std::string& why) { throw Refusal{400, "bad_fen", why, "fen"}; };
    const query::PastedPosition pasted = query::pasted_position(text, match, words);
    if (!pasted.problem.empty()) refuse(pasted.problem);
    const bool any = line.variant == chess::Variant::kStandard;
    const chess::FenResult result =
        chess::parse_any_fen(pasted.fen, any ? pasted.variant : std::optional(line.variant));
    const auto position = chess::any_position(result);
    if (!position) refuse(query::reason_of(text, result.error, words));
    line.start = *position;
    if (position->of_variant() != nullptr) {
        line.variant = position->variant();
    } else if (result.chess960 || pasted.variant == chess::Variant::kChess960) {
        line.variant = chess::Variant::kChess960;
    }
}

/// Plays moves of UCI, separated by commas or blanks.
void play_uci(std::string_view moves, LineRequest& line) {
    while (true) {
        moves.remove_prefix(std::min(moves.find_first_not_of(", "), moves.size()));
        if (moves.empty()) return;
        const std::string_view word = moves.substr(0, moves.find_first_of(", "));
        moves.remove_prefix(word.size());
        chess::Move move;
        const chess::SanError error = chess::read_uci(line.end, word, move);
        if (error != chess::SanError::kNone) {
            throw Refusal{400, "bad_move",
                          "after ply " + std::to_string(line.moves.size()) + ": '" +
                              std::string(word) + "': " + std::string(chess::describe(error)) +
                              "; play takes UCI as in e2e4,e7e5, moves takes SAN",
                          "play"};
        }
        line.moves.push_back(move);
        line.end.play(move);
    }
}

void play_typed(const std::string& moves, LineRequest& line) {
    try {
        const ingest::TypedLine typed = ingest::play_typed_line(line.end, moves);
        line.moves.insert(line.moves.end(), typed.moves.begin(), typed.moves.end());
        line.end = typed.end;
    } catch (const ingest::TypedLineError& error) {
        throw Refusal{400, "bad_move", std::string("moves") + error.what(), "moves"};
    }
}

}  // namespace

Parameters joined(std::initializer_list<Parameters> groups) {
    Parameters all;
    for (const Parameters& group : groups) {
        for (const ParameterSpec& spec : group) {
            const auto same = [&](const ParameterSpec& each) { return each.name == spec.name; };
            if (std::none_of(all.begin(), all.end(), same)) all.push_back(spec);
        }
    }
    return all;
}

Parameters position_parameters() {
    return {{"fen",
             "a FEN or EPD in any dialect, or the address of an analysis board; without it the "
             "start of the variant"},
            {"play", "moves from there in UCI, separated by commas: e2e4,c7c5; drops as P@e4"},
            {"moves", "moves after those in SAN or UCI: 1.e4 c5 2.Nf3"},
            {"variant",
             "the variant of the position, unless the FEN tells it: standard, chess960, "
             "crazyhouse, 3check, kingofthehill, atomic, antichess, suicide, losers, horde, "
             "racingkings"}};
}

Parameters filter_parameters() {
    Parameters parameters;
    for (const query::FilterField& field : query::filter_fields()) {
        ParameterSpec& spec = parameters.emplace_back();
        spec.name = field.name;
        spec.help = field.help;
        spec.choices = field.choices;
        spec.repeatable = field.repeatable;
        if (std::find(std::begin(kNumberFields), std::end(kNumberFields), field.name) !=
            std::end(kNumberFields)) {
            spec.type = "integer";
        }
    }
    return parameters;
}

ParameterSpec match_parameter() {
    return choice_parameter(
        "match", {"exact", "board", "mirrored"},
        "what counts as the position. board: the same pieces, with any side to move and any "
        "castling and en passant rights; mirrored: also with colours exchanged");
}

ParameterSpec dialect_parameter() {
    std::vector<std::string> names;
    for (const chess::FenDialectName& each : chess::kFenDialects) names.emplace_back(each.name);
    return choice_parameter("dialect", std::move(names), "spelling of FENs in the answer");
}

ParameterSpec flag_parameter(std::string name, std::string help) {
    return {std::move(name), std::move(help), "boolean"};
}

ParameterSpec number_parameter(std::string name, std::string help, std::uint64_t low) {
    ParameterSpec spec{std::move(name), std::move(help), "integer"};
    spec.low = low;
    return spec;
}

ParameterSpec choice_parameter(std::string name, std::vector<std::string> choices,
                               std::string help) {
    return {std::move(name), std::move(help), "string", std::move(choices)};
}

std::string text_of(const Call& call, std::string_view name) {
    const std::string* const text = call.find(name);
    return text == nullptr ? std::string() : *text;
}

std::optional<std::uint64_t> number_of(const Call& call, std::string_view name) {
    const std::string* const text = call.find(name);
    if (text == nullptr) return std::nullopt;
    std::uint64_t number = 0;
    std::from_chars(text->data(), text->data() + text->size(), number);
    return number;
}

bool flag_of(const Call& call, std::string_view name) { return text_of(call, name) == "true"; }

chess::FenDialect dialect_of(const Call& call) {
    const std::string asked = text_of(call, "dialect");
    for (const chess::FenDialectName& each : chess::kFenDialects) {
        if (each.name == asked) return each.dialect;
    }
    return chess::FenDialect::kStandard;
}

query::Match match_of(const Call& call) {
    const std::string* const match = call.find("match");
    return match == nullptr ? query::Match::kExact : query::match_of(*match);
}

query::GameFilter filter_of(const Call& call) {
    query::GameFilter filter;
    for (const query::FilterField& field : query::filter_fields()) {
        for (const Parameter& given : call.request->parameters) {
            if (given.name == field.name) filter.set(field.name, given.value);
        }
    }
    return filter;
}

std::optional<chess::Variant> variant_of(const Call& call) {
    const std::string* const name = call.find("variant");
    if (name == nullptr) return std::nullopt;
    const chess::Variant variant = chess::variant_of(*name);
    if (variant == chess::Variant::kOther) {
        throw Refusal{400, "bad_variant", "no rules are known here of '" + *name + "'", "variant"};
    }
    return variant;
}

bool asks_position(const Call& call) {
    return call.find("fen") != nullptr || call.find("play") != nullptr ||
           call.find("moves") != nullptr;
}

LineRequest line_of(const Call& call, query::Match match) {
    LineRequest line;
    line.variant = variant_of(call).value_or(chess::Variant::kStandard);
    line.start = chess::AnyPosition::start_of(line.variant);
    const std::string* const fen = call.find("fen");
    if (fen != nullptr && !fen->empty()) read_fen(*fen, match, line);
    line.end = line.start;
    if (const std::string* const play = call.find("play")) play_uci(*play, line);
    const std::string* const moves = call.find("moves");
    if (moves != nullptr && !moves->empty()) play_typed(*moves, line);
    const std::string against = query::reason_against(match, line.end.variant());
    if (!against.empty()) throw Refusal{400, "bad_match", against, "match"};
    return line;
}

}  // namespace fendex::serve::api
