#include "ask/fields.hpp"

#include <algorithm>
#include <utility>

#include "ask/filter_fields.hpp"
#include "chess/fen.hpp"

namespace fendex::ask {

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

FieldText player_color_field(std::string help) {
    return {.name = "color",
            .value = "COLOR",
            .help = std::move(help),
            .choices = {"white", "black"},
            .required = true};
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

}  // namespace fendex::ask
