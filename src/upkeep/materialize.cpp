#include "upkeep/materialize.hpp"

#include "replay/ply_rows.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/reader/reader.hpp"
#include "store/sqlite/writer/writer.hpp"

namespace fendex::upkeep {

namespace {

/// Rows handed to the writer at once.
constexpr std::size_t kRowsAtOnce = 65'536;
/// Games from which the size of all rows is estimated.
constexpr store::GameId kSampleGames = 1000;
/// The bytes that SQLite stores of a row besides its texts, and how full its pages get. Measured on
/// human.pgn, engine.pgn and chess960.pgn (24.4 to 25.8 bytes).
constexpr double kRowBytesBesideText = 25.5;
constexpr double kPageFill = 0.88;

/// Appends the rows of a game; none if its rules are unknown.
class RowMaker {
  public:
    explicit RowMaker(store::StoreReader& reader) : reader_(reader) {}

    void append(store::GameId id, const store::StoredMoves& stored, store::PlyRowList& out) {
        replay::with_walk(id, stored, [&](auto& walk) {
            const auto start = walk.position();
            moves_.clear();
            for (; !walk.at_end(); walk.advance()) moves_.push_back(walk.next_move());
            replay::require_intact(id, walk);
            replay::append_ply_rows(start, moves_, store::Occurrences(reader_.repetitions(id)),
                                    stored.facts.variant, out);
        });
    }

  private:
    store::StoreReader& reader_;
    std::vector<chess::Move> moves_;
};

}  // namespace

std::uint64_t ply_rows_bytes(store::StoreReader& reader) {
    const store::StoreInfo info = reader.info();
    RowMaker maker(reader);
    store::PlyRowList sample;
    store::StoredMoves moves;
    const store::GameId step = 1 + info.last_game / kSampleGames;
    for (store::GameId id = 1; id <= reader.last_game(); id += step) {
        if (reader.moves(id, moves)) maker.append(id, moves, sample);
    }
    if (sample.rows.empty()) return 0;
    const double text_bytes =
        static_cast<double>(sample.text.size()) / static_cast<double>(sample.rows.size());
    return static_cast<std::uint64_t>(static_cast<double>(info.positions) *
                                      (text_bytes + kRowBytesBesideText) / kPageFill);
}

std::uint64_t materialize(const std::string& database,
                          const std::function<void(std::uint64_t rows)>& progress) {
    const auto writer = store::open_sqlite_writer(database, "materialize");
    if (writer->ply_rows() == store::PlyRows::kYes) {
        writer->close();
        return 0;
    }
    std::unique_ptr<store::StoreReader> reader = store::open_sqlite_reader(database);
    writer->choose_ply_rows(store::PlyRows::kYes);
    std::uint64_t rows = 0;
    store::PlyRowList list;
    std::vector<store::GamePlyRows> games;
    RowMaker maker(*reader);
    const auto flush = [&] {
        rows += list.rows.size();
        writer->add_ply_rows(games, list);
        list.clear();
        games.clear();
        if (progress) progress(rows);
    };
    reader->for_each_moves(1, [&](store::GameId id, const store::StoredMoves& stored) {
        const std::size_t begin = list.rows.size();
        maker.append(id, stored, list);
        games.push_back({id, {begin, list.rows.size() - begin}});
        if (list.rows.size() >= kRowsAtOnce) flush();
        return true;
    });
    flush();
    reader.reset();
    writer->commit();
    writer->close();
    return rows;
}

bool drop_ply_rows(const std::string& database) {
    const auto writer = store::open_sqlite_writer(database, "materialize");
    const bool stored = writer->ply_rows() == store::PlyRows::kYes;
    store::Maintenance request;
    request.drop_ply_rows = true;
    if (stored) static_cast<void>(writer->maintain(request));  // nothing stops it
    writer->commit();
    writer->close();
    return stored;
}

}  // namespace fendex::upkeep
