#include "cli/options/dialect.hpp"

namespace fendex::cli {

chess::FenDialect dialect_of(const Arguments& arguments) { return arguments.fields().dialect(); }

void refuse_dialect_unless(bool shows_fens, const Arguments& arguments, const char* where) {
    if (!shows_fens && dialect_of(arguments) != chess::FenDialect::kStandard) {
        throw UsageError(std::string("--dialect is for FENs: ") + where);
    }
}

}  // namespace fendex::cli
