#include "chess/fen.hpp"

#include "ask/fields.hpp"
#include "ask/position_reason.hpp"
#include "base/hex.hpp"
#include "base/json.hpp"
#include "chess/diagram.hpp"
#include "chess/position_status.hpp"
#include "chess/variant_names.hpp"
#include "cli/options/arguments.hpp"
#include "cli/options/dialect.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/position_json.hpp"

namespace fendex::cli {

namespace {

/// What is printed for a position of any variant.
struct Description {
    chess::AnyPosition position;
    chess::Variant variant;
    std::string fen;  // in the dialect of --dialect
    std::string epd;
    std::string key;
    std::vector<std::pair<std::string_view, std::string>> dialects;  // except the standard one
    chess::PositionStatus status;
    std::string board;  // empty if not wanted
};

/// The options for printing.
struct Wish {
    chess::FenDialect dialect;
    bool board;
};

template <typename Board>
Description describe(const Board& p, chess::Variant variant, const Wish& wish) {
    Description out{p,
                    variant,
                    chess::to_fen(p, wish.dialect),
                    chess::to_epd(p),
                    base::hex_key(p.key()),
                    {},
                    chess::status_of(p),
                    wish.board ? chess::diagram(p) : std::string()};
    for (const auto& [other, name] : chess::kFenDialects) {
        if (other != chess::FenDialect::kStandard) {
            out.dialects.emplace_back(name, chess::to_fen(p, other));
        }
    }
    return out;
}

/// Returns the description; empty if the text is not a position.
std::optional<Description> describe(const chess::FenResult& result, const Wish& wish) {
    if (result.position) {
        return describe(*result.position,
                        result.chess960 ? chess::Variant::kChess960 : chess::Variant::kStandard,
                        wish);
    }
    if (!result.variant_position) return std::nullopt;
    const chess::VariantPosition& position = *result.variant_position;
    return describe(position, position.variant(), wish);
}

void add_fen_error(json::Object& object, const chess::FenError& error) {
    object.add("field", error.field);
    object.add("error", error.reason);
}

void print_json(const std::string& input, const chess::FenResult& result,
                const std::optional<Description>& position, chess::FenDialect dialect,
                std::string& out) {
    json::append_line(out, [&](json::Object& object) {
        object.add("input", input);
        object.add("valid", position.has_value());
        if (!position) {
            add_fen_error(object, result.error);
            return;
        }
        query::add_position(position->position, position->variant, dialect, object);
        if (!result.dropped.empty()) {
            object.add_objects("dropped", result.dropped, add_fen_error);
        }
    });
}

void append_line(std::string_view name, std::string_view text, std::string& out) {
    constexpr std::size_t kWidth = 11;
    out += name;
    out.append(kWidth - std::min(kWidth - 1, name.size()), ' ');
    out.append(text).append("\n");
}

void print_table(const std::string& input, const chess::FenResult& result,
                 const std::optional<Description>& position, std::string& out) {
    if (!position) {
        out += "not valid  " + printable(input) + '\n' + std::string(result.error.field) + ": " +
               result.error.reason + '\n';
        return;
    }
    out += position->board;
    append_line("fen", position->fen, out);
    append_line("epd", position->epd, out);
    append_line("key", position->key, out);
    append_line("variant", chess::name_of(position->variant), out);
    for (const auto& [name, fen] : position->dialects) append_line(name, fen, out);
    const chess::PositionStatus& status = position->status;
    append_line("status", status.name, out);
    append_line("side", chess::name_of(position->position.side_to_move()), out);
    append_line("moves", std::to_string(status.legal_moves), out);
    append_line("result", status.result, out);
    if (status.seventy_five_moves) {
        append_line("draw", "seventy-five moves without capture and pawn move", out);
    } else if (status.fifty_moves) {
        append_line("draw", "may be claimed: fifty moves without capture and pawn move", out);
    }
    if (status.insufficient_material) append_line("draw", "nobody can mate with this", out);
    for (const chess::FenError& error : result.dropped) {
        append_line("dropped", std::string(error.field) + ": " + error.reason, out);
    }
}

int run_fen(const Arguments& arguments) {
    const Wish wish{dialect_of(arguments), arguments.has("board")};
    const Format format =
        wish.board ? format_of(arguments, {Format::kTable}) : format_of(arguments);
    FenRecords records(arguments.words(), arguments.find("fens"));
    const chess::FenMode mode =
        arguments.has("lenient") ? chess::FenMode::kLenient : chess::FenMode::kStrict;
    const std::optional<chess::Variant> variant = variant_asked(arguments);
    Output output(arguments);
    std::string& out = output.buffer();
    bool any = false;
    bool failed = false;
    while (const std::optional<FenRecord> record = records.next()) {
        ask::PositionText read =
            ask::read_position(record->text, variant, query::Match::kExact, {}, mode);
        chess::FenResult& result = read.fen;
        if (!read.problem.empty()) {
            result.error = {"fen", read.problem};
        } else if (!read.position && ask::are_moves(record->text)) {
            result.error = {"fen", "these are moves: find and tree take them with --moves"};
        }
        const std::optional<Description> position = describe(result, wish);
        failed |= !position;
        if (format == Format::kJson) {
            print_json(record->text, result, position, wish.dialect, out);
        } else {
            if (any) out += '\n';
            print_table(record->text, result, position, out);
        }
        any = true;
        output.maybe_flush();
    }
    output.flush();
    if (!any) {
        throw UsageError(records.given() ? kNoneInFile
                                         : "which position? Give a FEN, or --fens FILE");
    }
    return failed ? kError : kFound;
}

}  // namespace

Verb fen_verb() {
    return {
        "fen",
        "FEN|FILE...",
        "Checks and converts positions, and says whether they are mate.\n"
        "Each position is legal, or the answer says why not. It may be check, mate,\n"
        "stalemate, a draw by the clock or by material, or the end by a rule of the\n"
        "variant. Pockets, promoted pieces (Q~) and checks given tell the variant.",
        "fendex fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1\"",
        {valued("fens", "FILE",
                "a file with a FEN or EPD record on each line; - for standard input"),
         valued("variant", "NAME", "the variant of positions that do not tell it themselves"),
         flag("lenient", "leave out wrong castling rights and en passant squares, and say which"),
         flag("board", "print a diagram too, in a table"), option_of(ask::dialect_field()),
         format_option({"table", "json"})},
        run_fen};
}

}  // namespace fendex::cli
