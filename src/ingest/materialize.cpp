#include "ingest/materialize.hpp"

#include "ingest/batch_reader.hpp"
#include "store/store_reader.hpp"
#include "store/stored_walk.hpp"

namespace fendex::ingest {

namespace {

/// Rows handed to the writer at once.
constexpr std::size_t kRowsAtOnce = 65'536;

}  // namespace

std::uint64_t materialize(const std::string& database) {
    const std::unique_ptr<store::StoreWriter> writer = store::open_writer(database);
    if (writer->ply_rows() == store::PlyRows::kYes) {
        writer->close();
        return 0;
    }
    std::unique_ptr<store::StoreReader> reader = store::open_reader(database);
    writer->choose_ply_rows(store::PlyRows::kYes);
    std::uint64_t rows = 0;
    store::NewGames batch;
    std::vector<chess::Move> moves;
    const auto flush = [&] {
        rows += batch.ply_rows.size();
        writer->add(batch);
        batch.ply_rows.clear();
        batch.ply_text.clear();
    };
    reader->for_each_moves(1, [&](store::GameId id, const store::StoredMoves& stored) {
        if (stored.facts.variant == chess::Variant::kOther) return true;
        codec::GameWalk walk = store::walk(id, stored);
        const chess::Position start = walk.position();
        moves.clear();
        for (; !walk.at_end(); walk.advance()) moves.push_back(walk.next_move());
        store::require_intact(id, walk);
        append_ply_rows(id, start, moves, reader->repetitions(id), stored.facts.variant, batch);
        if (batch.ply_rows.size() >= kRowsAtOnce) flush();
        return true;
    });
    flush();
    reader.reset();
    writer->commit();
    writer->close();
    return rows;
}

bool drop_ply_rows(const std::string& database) {
    const std::unique_ptr<store::StoreWriter> writer = store::open_writer(database);
    const bool stored = writer->ply_rows() == store::PlyRows::kYes;
    if (stored) writer->drop_ply_rows();
    writer->commit();
    writer->close();
    return stored;
}

}  // namespace fendex::ingest
