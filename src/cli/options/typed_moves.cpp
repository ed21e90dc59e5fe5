#include "cli/options/typed_moves.hpp"

#include <iostream>

#include "base/printable.hpp"
#include "cli/options/arguments.hpp"
#include "ingest/typed_line.hpp"

namespace fendex::cli {

chess::AnyPosition position_after(const chess::AnyPosition& start, const std::string& option,
                                  const std::string& moves) {
    try {
        const ingest::TypedLine line = ingest::play_typed_line(start, moves);
        if (!line.other_reading.empty()) {
            std::cerr << "fendex: " << option << ": " << base::printable(line.other_reading)
                      << '\n';
        }
        return line.end;
    } catch (const ingest::TypedLineError& error) {
        throw UsageError(option + error.what());
    }
}

}  // namespace fendex::cli
