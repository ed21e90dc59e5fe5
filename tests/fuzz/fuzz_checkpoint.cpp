// Reading on from a checkpoint must give the same games as reading the text in one go. Stored
// checkpoints may be damaged: then any games may be read, but only within bounds.
//
// The first byte chooses the sizes of reads and batches, the next four a damaged checkpoint.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz.hpp"
#include "memory_source.hpp"
#include "pgn/splitter.hpp"

namespace {

using namespace fendex;

constexpr std::size_t kHeader = 5;

struct Piece {
    std::uint64_t offset = 0;
    pgn::Extent::Kind kind{};
    bool truncated = false;
    std::string text;
    bool operator==(const Piece&) const = default;
};

pgn::TextBefore before(std::string_view text, const pgn::Checkpoint& checkpoint) {
    const std::string_view skipped = text.substr(0, checkpoint.byte);
    pgn::TextBefore out{checkpoint, {}, {}};
    out.digest.add(skipped);
    out.last_bytes =
        skipped.substr(skipped.size() - std::min(skipped.size(), pgn::Splitter::kLookbehind));
    return out;
}

/// Appends checkpoints to `checkpoints` unless it is null.
std::vector<Piece> pieces_from(std::string_view text, const pgn::Checkpoint& checkpoint,
                               const pgn::SplitterOptions& options,
                               std::vector<pgn::Checkpoint>* checkpoints = nullptr) {
    fuzz::MemorySource source(text.substr(checkpoint.byte));
    pgn::Splitter splitter(source, options, before(text, checkpoint));
    std::vector<Piece> pieces;
    for (pgn::Batch batch; splitter.next(batch);) {
        for (const pgn::Extent& extent : batch.extents) {
            pieces.push_back({batch.stream_offset + extent.offset, extent.kind, extent.truncated,
                              batch.text.substr(extent.offset, extent.size)});
        }
        if (checkpoints != nullptr) checkpoints->push_back(batch.checkpoint);
    }
    if (checkpoints != nullptr) checkpoints->push_back(splitter.checkpoint());
    fuzz::require(splitter.text_bytes() == text.size());
    return pieces;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < kHeader) return 0;
    const std::string_view text = fuzz::text_of(data + kHeader, size - kHeader);
    const pgn::SplitterOptions options{.batch_bytes = 1 + data[0] % 8 * 37U,
                                       .read_bytes = 1 + data[0] / 8 % 8 * 53U,
                                       .max_game_bytes = data[0] < 128 ? 100U : 100'000U};
    std::vector<pgn::Checkpoint> checkpoints;
    const std::vector<Piece> whole = pieces_from(text, {}, options, &checkpoints);
    // Only as many as there is time for.
    const std::size_t step = 1 + checkpoints.size() / 16;
    for (std::size_t i = 0; i < checkpoints.size(); i += step) {
        const pgn::Checkpoint& checkpoint = checkpoints[i];
        fuzz::require(checkpoint.byte <= text.size());
        const auto rest = std::find_if(whole.begin(), whole.end(), [&](const Piece& piece) {
            return piece.offset >= checkpoint.byte;
        });
        fuzz::require(pieces_from(text, checkpoint, options) ==
                      std::vector<Piece>(rest, whole.end()));
    }
    pgn::Checkpoint damaged;
    damaged.byte = (data[1] + std::size_t{256} * data[2]) % (text.size() + 1);
    damaged.line = data[3] | std::uint64_t{data[4]} << 56U;
    for (const Piece& piece : pieces_from(text, damaged, options)) {
        fuzz::require(piece.offset >= damaged.byte &&
                      text.substr(piece.offset, piece.text.size()) == piece.text);
    }
    return 0;
}
