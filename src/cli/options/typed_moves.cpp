#include "cli/options/typed_moves.hpp"

#include "cli/options/arguments.hpp"
#include "cli/options/say.hpp"
#include "ingest/typed_line.hpp"

namespace fendex::cli {

chess::AnyPosition position_after(const chess::AnyPosition& start, const std::string& option,
                                  const std::string& moves) {
    try {
        const ingest::TypedLine line = ingest::play_typed_line(start, moves);
        if (!line.other_reading.empty()) {
            say(option + ": " + line.other_reading);
        }
        return line.end;
    } catch (const ingest::TypedLineError& error) {
        throw UsageError(option + error.what());
    }
}

}  // namespace fendex::cli
