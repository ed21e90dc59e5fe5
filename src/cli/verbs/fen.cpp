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

void add_fen_error(json::Object& object, const chess::FenError& error) {
    object.add("field", error.field);
    object.add("error", error.reason);
}

chess::Variant variant_of(const ask::PositionText& read) {
    return read.fen.chess960 ? chess::Variant::kChess960 : read.position->variant();
}

void print_json(const std::string& input, const ask::PositionText& read, chess::FenDialect dialect,
                std::string& out) {
    json::append_line(out, [&](json::Object& object) {
        object.add("input", input);
        object.add("valid", read.position.has_value());
        if (!read.position) return add_fen_error(object, read.fen.error);
        query::add_position(*read.position, variant_of(read), dialect, object);
        if (!read.fen.dropped.empty()) {
            object.add_objects("dropped", read.fen.dropped, add_fen_error);
        }
    });
}

void append_line(std::string_view name, std::string_view text, std::string& out) {
    constexpr std::size_t kWidth = 11;
    out += name;
    out.append(kWidth - std::min(kWidth - 1, name.size()), ' ');
    out.append(text).append("\n");
}

void print_table(const std::string& input, const ask::PositionText& read, chess::FenDialect dialect,
                 bool board, std::string& out) {
    if (!read.position) {
        const chess::FenError& error = read.fen.error;
        out += "not valid  " + printable(input) + '\n' + std::string(error.field) + ": " +
               error.reason + '\n';
        return;
    }
    const chess::AnyPosition& position = *read.position;
    if (board) out += chess::diagram(position);
    append_line("fen", chess::to_fen(position, dialect), out);
    append_line("epd", chess::to_epd(position), out);
    append_line("key", base::hex_key(position.key()), out);
    append_line("variant", chess::name_of(variant_of(read)), out);
    for (const auto& [other, name] : chess::kFenDialects) {
        if (other != chess::FenDialect::kStandard) {
            append_line(name, chess::to_fen(position, other), out);
        }
    }
    const chess::PositionStatus status =
        position.visit([](const auto& each) { return chess::status_of(each); });
    append_line("status", status.name, out);
    append_line("side", chess::name_of(position.side_to_move()), out);
    append_line("moves", std::to_string(status.legal_moves), out);
    append_line("result", status.result, out);
    if (status.seventy_five_moves) {
        append_line("draw", "seventy-five moves without capture and pawn move", out);
    } else if (status.fifty_moves) {
        append_line("draw", "may be claimed: fifty moves without capture and pawn move", out);
    }
    if (status.insufficient_material) append_line("draw", "nobody can mate with this", out);
    for (const chess::FenError& error : read.fen.dropped) {
        append_line("dropped", std::string(error.field) + ": " + error.reason, out);
    }
}

int run_fen(const Arguments& arguments) {
    const chess::FenDialect dialect = dialect_of(arguments);
    const bool board = arguments.has("board");
    const Format format = board ? format_of(arguments, {Format::kTable}) : format_of(arguments);
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
        if (!read.problem.empty()) {
            read.fen.error = {"fen", read.problem};
        } else if (!read.position && ask::are_moves(record->text)) {
            read.fen.error = {"fen", "these are moves: find and tree take them with --moves"};
        }
        failed |= !read.position;
        if (format == Format::kJson) {
            print_json(record->text, read, dialect, out);
        } else {
            if (any) out += '\n';
            print_table(record->text, read, dialect, board, out);
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
