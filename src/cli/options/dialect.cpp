#include "cli/options/dialect.hpp"

namespace fendex::cli {

Option dialect_option() {
    std::vector<std::string> names;
    for (const chess::FenDialectName& each : chess::kFenDialects) names.emplace_back(each.name);
    return choice(
        "dialect", std::move(names),
        "spelling of FENs. legal: en passant square only if the capture is legal; xfen: only if a "
        "pawn stands ready to capture; shredder: castling as files of rooks. One of");
}

chess::FenDialect dialect_of(const Arguments& arguments) {
    const std::string& name = arguments.get("dialect");
    for (const chess::FenDialectName& each : chess::kFenDialects) {
        if (each.name == name) return each.dialect;
    }
    throw UsageError("no dialect '" + name + "'");
}

void refuse_dialect_unless(bool shows_fens, const Arguments& arguments, const char* where) {
    if (!shows_fens && dialect_of(arguments) != chess::FenDialect::kStandard) {
        throw UsageError(std::string("--dialect is for FENs: ") + where);
    }
}

}  // namespace fendex::cli
