// Annotations: damaged stored bytes, and PGN text with annotations. The text is imported and
// written as PGN again; that must give the same moves and, from then on, the same text. In every
// language it is read in, keeping annotations must not change the game.
#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "chess/fen.hpp"
#include "chess/variant_names.hpp"
#include "codec/annotation.hpp"
#include "codec/text_packer.hpp"
#include "emit/pgn_game.hpp"
#include "fuzz.hpp"
#include "ingest/annotated_replay.hpp"
#include "ingest/batch_reader.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/reader.hpp"
#include "replay/variation_walk.hpp"
#include "store/store_error.hpp"

namespace {

using namespace fendex;

/// Tokens that are read before damage is detected can be stored and read again.
void decode(std::string_view bytes) {
    using Token = codec::AnnotationToken;
    codec::AnnotationStreamReader reader(bytes);
    codec::AnnotationStreamWriter writer;
    std::vector<std::pair<Token, std::string>> tokens;
    std::size_t known = 0;  // tokens up to the last one that is not a move
    while (reader.next()) {
        tokens.emplace_back(reader.token(), reader.text());
        switch (reader.token()) {
            case Token::kMove: writer.move(); continue;
            case Token::kComment: writer.comment(reader.text()); break;
            case Token::kGlyph: writer.glyph(reader.text()); break;
            case Token::kOpen: writer.open(); break;
            case Token::kClose: writer.close(); break;
            case Token::kWord: writer.word(reader.text()); break;
            case Token::kResult: tokens.pop_back(); continue;
        }
        known = tokens.size();
    }
    if (!reader.corrupt()) {
        std::string again;
        writer.append_to(again);
        codec::AnnotationStreamReader copy(again);
        for (std::size_t i = 0; i < known; ++i) {
            fuzz::require(copy.next() && copy.token() == tokens[i].first &&
                          copy.text() == tokens[i].second);
        }
        fuzz::require(!copy.next() && !copy.corrupt());
    }
    store::StoredGame game;
    std::string out;
    try {
        emit::append_pgn(1, game, bytes, out);
    } catch (const store::StoreError&) {
    }
}

struct Read {
    store::StoredGame game;
    std::string annotation;
};

Read read(std::string_view text) {
    std::vector<store::TagPair> tags;
    std::deque<std::string> owned;
    ingest::GameReplay plain;
    plain.start(tags, owned);
    pgn::read_game(text, false, plain);
    plain.finish();

    codec::AnnotationStreamWriter annotation;
    ingest::GameReplay replay;
    tags.clear();
    replay.start(tags, owned);
    ingest::AnnotatedReplay annotated(replay, annotation);
    pgn::read_game(text, false, annotated);
    replay.finish();
    fuzz::require(replay.moves() == plain.moves() && replay.keys() == plain.keys() &&
                  replay.problems().size() == plain.problems().size());

    Read out;
    out.game.moves.facts = replay.facts();
    if (replay.starts_elsewhere()) out.game.moves.start = chess::to_fen(replay.start_position());
    replay.record().packed_moves().append_to(out.game.moves.moves);
    if (!annotation.empty()) annotation.append_to(out.annotation);
    return out;
}

std::string written(const Read& read) {
    std::string out;
    emit::append_pgn(1, read.game, read.annotation, out);
    return out;
}

struct Nodes : replay::VariationVisitor {
    void node(const replay::VariationNode& node) override { fuzz::require(node.number != 0); }
};

bool same_positions(const store::NewGames& a, const store::NewGames& b) {
    return std::equal(
        a.positions.begin(), a.positions.end(), b.positions.begin(), b.positions.end(),
        [](const auto& x, const auto& y) { return x.key == y.key && x.next == y.next; });
}

void read_in_any_language(std::string_view text) {
    ingest::BatchTask task;
    task.batch.text = text;
    task.batch.extents.push_back({.offset = 0, .size = text.size()});
    ingest::GameReplay replay;
    const store::NewGames plain = ingest::read_batch(task, replay);
    task.annotations = true;
    const store::NewGames kept = ingest::read_batch(task, replay);
    fuzz::require(kept.moves == plain.moves && same_positions(kept, plain) &&
                  kept.errors.size() == plain.errors.size());
    const store::NewGame& game = kept.games.at(0);
    if (game.facts.variant == chess::Variant::kOther || kept.annotations.empty()) return;
    Nodes nodes;
    replay::walk_variations(1, {game.facts, std::string(game.start), kept.moves}, kept.annotations,
                            true, nodes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::text_of(data, size);
    decode(bytes);
    static codec::TextUnpacker unpacker({});
    std::string unpacked;
    if (unpacker.unpack(bytes, 1 << 20, unpacked)) decode(unpacked);

    read_in_any_language(bytes);
    const Read first = read(bytes);
    // This test keeps neither the tag Variant nor the tag FEN.
    if (!chess::has_standard_rules(first.game.moves.facts.variant)) return 0;
    if (!first.game.moves.start.empty()) return 0;
    const std::string text = written(first);
    const Read second = read(text);
    fuzz::require(second.game.moves.moves == first.game.moves.moves);
    fuzz::require(written(second) == text);
    return 0;
}
