// PGN text: split and replayed. The sizes of reads and batches, which are derived from the text,
// must not change the games.
#include <deque>
#include <functional>
#include <vector>

#include "chess/position.hpp"
#include "codec/game_walk.hpp"
#include "fuzz.hpp"
#include "ingest/game_replay.hpp"
#include "memory_source.hpp"
#include "pgn/reader.hpp"
#include "pgn/splitter.hpp"

namespace {

using namespace fendex;

struct Item {
    std::uint64_t offset;
    std::string text;
    bool game;
    bool truncated;
    bool operator==(const Item&) const = default;
};

std::vector<Item> split(std::string_view text, std::size_t read_bytes, std::size_t batch_bytes) {
    fuzz::MemorySource source(text);
    const pgn::SplitterOptions options{
        .batch_bytes = batch_bytes, .read_bytes = read_bytes, .max_game_bytes = 3000};
    pgn::Splitter splitter(source, options);
    std::vector<Item> items;
    pgn::Batch batch;
    while (splitter.next(batch)) {
        for (const pgn::Extent& extent : batch.extents) {
            items.push_back({batch.stream_offset + extent.offset,
                             batch.text.substr(extent.offset, extent.size),
                             extent.kind == pgn::Extent::Kind::kGame, extent.truncated});
        }
    }
    return items;
}

void replay_item(const Item& item) {
    std::vector<store::TagPair> tags;
    std::deque<std::string> owned;
    ingest::GameReplay replay;
    replay.start(tags, owned);
    pgn::read_game(item.text, item.truncated, replay);
    replay.finish();
    if (!replay.replayed()) return;
    // The packed moves must give the same positions.
    std::string packed;
    replay.record().packed_moves().append_to(packed);
    replay.start_position().visit([&](const auto& start) {
        codec::BasicGameWalk walk(start, packed, static_cast<std::uint32_t>(replay.moves().size()));
        while (true) {
            fuzz::require(walk.position().key() == replay.keys()[walk.ply()]);
            if (walk.at_end()) break;
            fuzz::require(walk.next_move() == replay.moves()[walk.ply()]);
            walk.advance();
        }
        fuzz::require(!walk.corrupt() && walk.ply() == replay.moves().size());
        const std::string fen = chess::to_fen(walk.position());
        const chess::AnyPosition end = walk.position();
        const auto again = chess::any_position(chess::parse_any_fen(fen, end.variant()));
        fuzz::require(again && again->same_as(end) && again->key() == end.key());
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const std::vector<Item> whole = split(text, text.size() + 1, text.size() + 1);
    const std::size_t mixed = std::hash<std::string_view>{}(text);
    fuzz::require(split(text, 1 + mixed % 64, 1 + mixed / 64 % 256) == whole);
    for (const Item& item : whole) {
        fuzz::require(!item.text.empty() &&
                      text.substr(item.offset, item.text.size()) == item.text);
        if (item.game) replay_item(item);
    }
    return 0;
}
