#include "emit/pgn_game.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "emit/san_walk.hpp"
#include "pgn/writer.hpp"
#include "store/stored_walk.hpp"

namespace fendex::emit {

namespace {

using Tag = std::pair<std::string, std::string>;

constexpr std::size_t kRoster = 7;
constexpr std::array<std::string_view, kRoster> kRosterNames = {"Event", "Site",  "Date",  "Round",
                                                                "White", "Black", "Result"};
constexpr std::size_t kResult = kRoster - 1;
constexpr std::array<std::string_view, kRoster> kUnknown = {"?", "?", "????.\?\?.\?\?", "?", "?",
                                                            "?", "*"};

/// The place of a tag in the roster; kRoster where it is none of it.
std::size_t place_in_roster(std::string_view name) {
    if (name.size() < 4 || name.size() > 6) return kRoster;
    const auto* found = std::find(kRosterNames.begin(), kRosterNames.end(), name);
    return static_cast<std::size_t>(found - kRosterNames.begin());
}

void write_tags(const store::StoredGame& game, pgn::GameWriter& writer) {
    std::array<const Tag*, kRoster> roster{};
    std::vector<const Tag*> others;
    others.reserve(game.tags.size());
    bool setup = game.moves.start.empty();
    for (const Tag& tag : game.tags) {
        const std::size_t place = place_in_roster(tag.first);
        if (place < kRoster && roster[place] == nullptr) {
            roster[place] = &tag;
        } else {
            others.push_back(&tag);
            setup |= tag.first == "SetUp";
        }
    }
    for (std::size_t place = 0; place < kRoster; ++place) {
        if (roster[place] != nullptr) {
            writer.tag(kRosterNames[place], roster[place]->second);
        } else {
            writer.tag(kRosterNames[place], place == kResult
                                                ? codec::result_text(game.moves.facts.result)
                                                : kUnknown[place]);
        }
    }
    const Tag setup_tag("SetUp", "1");
    if (!setup) others.push_back(&setup_tag);
    // Stable: a name may be there twice, and which pair is last can matter.
    std::stable_sort(others.begin(), others.end(),
                     [](const Tag* a, const Tag* b) { return a->first < b->first; });
    for (const Tag* tag : others) writer.tag(tag->first, tag->second);
}

void write_moves(store::GameId id, const store::StoredMoves& moves, pgn::GameWriter& writer) {
    codec::GameWalk walk = store::walk(id, moves);
    while (!walk.at_end()) {
        const unsigned number = walk.position().fullmove_number();
        const bool white = walk.position().side_to_move() == chess::Color::kWhite;
        char san[chess::kMaxSanLength];
        writer.move(number, white, {san, write_san_and_advance(walk, san)});
    }
    store::require_intact(id, walk);
}

}  // namespace

void append_pgn(store::GameId id, const store::StoredGame& game, std::string& out) {
    pgn::GameWriter writer(out);
    write_tags(game, writer);
    if (game.moves.facts.variant != chess::Variant::kOther) write_moves(id, game.moves, writer);
    // The marker is the game's result, which a tag may spell otherwise.
    writer.result(codec::result_text(game.moves.facts.result));
    out += '\n';
}

void export_pgn(const ExportJob& job, ByteSink& sink) {
    write_batches(
        job,
        [&](unsigned, store::StoreReader& reader, GameBatch batch, std::string& out) {
            for_each_game(reader, job.games, batch,
                          [&](std::uint64_t, store::GameId id, const store::StoredGame& game) {
                              append_pgn(id, game, out);
                          });
        },
        sink);
}

}  // namespace fendex::emit
