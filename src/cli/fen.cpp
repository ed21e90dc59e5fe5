#include "chess/fen.hpp"

#include "chess/diagram.hpp"
#include "chess/movegen.hpp"
#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/questions.hpp"
#include "cli/verbs.hpp"
#include "query/json.hpp"

namespace fendex::cli {

namespace {

const char* status_of(const chess::Position& position) {
    const bool can_move = chess::has_legal_move(position);
    if (position.in_check()) return can_move ? "check" : "checkmate";
    return can_move ? "ongoing" : "stalemate";
}

/// One position in all its spellings: name, text.
std::vector<std::pair<const char*, std::string>> spellings(const chess::FenResult& result) {
    const chess::Position& p = *result.position;
    return {{"fen", chess::to_fen(p)},
            {"epd", chess::to_epd(p)},
            {"key", query::hex_key(p.key())},
            {"variant", result.chess960 ? "chess960" : "standard"},
            {"legal", chess::to_fen(p, chess::FenDialect::kLegal)},
            {"xfen", chess::to_fen(p, chess::FenDialect::kXfen)},
            {"shredder", chess::to_fen(p, chess::FenDialect::kShredder)},
            {"status", status_of(p)}};
}

void print_json(const std::string& input, const chess::FenResult& result, std::string& out) {
    query::JsonObject object(out);
    object.text("input", input);
    object.boolean("valid", result.position.has_value());
    if (!result.position) {
        object.text("field", result.error.field);
        object.text("error", result.error.reason);
        object.end();
        out += '\n';
        return;
    }
    const auto texts = spellings(result);
    for (const auto& [name, text] : texts) {
        if (std::string_view(name) == "legal") {
            object.name("dialects");
            query::JsonObject dialects(out);
            for (const auto& [dialect, fen] : texts) {
                for (const std::string_view each : {"legal", "xfen", "shredder"}) {
                    if (each == dialect) dialects.text(dialect, fen);
                }
            }
            dialects.end();
        } else if (std::string_view(name) != "xfen" && std::string_view(name) != "shredder") {
            object.text(name, text);
        }
    }
    if (!result.dropped.empty()) {
        object.name("dropped");
        out += '[';
        for (const chess::FenError& error : result.dropped) {
            if (&error != &result.dropped.front()) out += ',';
            query::JsonObject dropped(out);
            dropped.text("field", error.field);
            dropped.text("error", error.reason);
            dropped.end();
        }
        out += ']';
    }
    object.end();
    out += '\n';
}

int run_fen(const Arguments& arguments) {
    const Format format = format_of(arguments);
    FenRecords records(arguments.words(), arguments.find("fens"));
    const chess::FenMode mode =
        arguments.has("lenient") ? chess::FenMode::kLenient : chess::FenMode::kStrict;
    Output output;
    std::string& out = output.buffer();
    bool any = false;
    bool failed = false;
    while (const std::optional<FenRecord> record = records.next()) {
        const chess::FenResult result = chess::parse_fen(record->text, mode);
        failed |= !result.position;
        if (format == Format::kJson) {
            print_json(record->text, result, out);
        } else {
            if (any) out += '\n';
            if (!result.position) {
                out += "not valid  " + printable(record->text) + '\n' +
                       std::string(result.error.field) + ": " + result.error.reason + '\n';
            } else {
                if (arguments.has("board")) out += chess::diagram(*result.position);
                for (const auto& [name, text] : spellings(result)) {
                    std::string label = name;
                    label.resize(11, ' ');
                    out += label + text + '\n';
                }
                for (const chess::FenError& error : result.dropped) {
                    out += "dropped    " + std::string(error.field) + ": " + error.reason + '\n';
                }
            }
        }
        any = true;
        output.maybe_flush();
    }
    output.flush();
    if (!any) throw UsageError("which position? Give a FEN, or --fens FILE");
    return failed ? kError : kFound;
}

}  // namespace

Verb fen_verb() {
    return {"fen",
            "FEN...",
            "Checks, canonicalises and converts positions.",
            "fendex fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1\"",
            {valued("fens", "FILE", "a file of FEN or EPD records, one a line; - for stdin"),
             flag("lenient", "leave out wrong castling rights and en passant squares, and say so"),
             flag("board", "a diagram too"), format_option({"table", "json"})},
            run_fen};
}

}  // namespace fendex::cli
