#include "store/sqlite/tables/ply_rows_source.hpp"

#include "store/sqlite/file/virtual_table.hpp"

namespace fendex::store {

namespace {

enum class PlyColumn { kGame, kPly, kSan, kUci, kKey, kFen, kEpd, kOccurrence };

class NewPlies {
  public:
    static constexpr const char* kDeclaration =
        "CREATE TABLE new_ply(game_id, ply, san, uci, key, fen, epd, occurrence)";

    explicit NewPlies(const PlyRowsSource& source) : source_(source) {}
    static int best_index(sqlite3_index_info& info) {
        info.estimatedCost = 1e6;
        return SQLITE_OK;
    }

    class Cursor {
      public:
        explicit Cursor(const NewPlies& table) : source_(table.source_) {}
        void filter(int, std::span<sqlite3_value*>) {
            games_ = source_.games();
            list_ = source_.list();
            row_ = 0;
            skip_ended_games();
        }
        void next() {
            ++row_;
            skip_ended_games();
        }
        bool eof() const { return games_.empty(); }
        void column(sqlite3_context* context, int number) const;
        std::int64_t rowid() const { return static_cast<std::int64_t>(row_in_list()); }

      private:
        void skip_ended_games() {
            while (!games_.empty() && row_ == games_.front().rows.size) {
                games_ = games_.subspan(1);
                row_ = 0;
            }
        }
        std::size_t row_in_list() const { return games_.front().rows.begin + row_; }

        const PlyRowsSource& source_;
        std::span<const GamePlyRows> games_;  // the current one first
        const PlyRowList* list_ = nullptr;
        std::size_t row_ = 0;  // of the current game
    };

  private:
    const PlyRowsSource& source_;
};

void NewPlies::Cursor::column(sqlite3_context* context, int number) const {
    const PlyRow& row = list_->rows[row_in_list()];
    const auto text = [&](std::size_t offset, int size) {
        // SQLITE_STATIC: the text outlives the statement, so SQLite does not have to copy it.
        sqlite3_result_text(context, list_->text.data() + row.text + offset, size, SQLITE_STATIC);
    };
    const std::size_t moves = std::size_t{row.san_size} + row.uci_size;
    switch (static_cast<PlyColumn>(number)) {
        using enum PlyColumn;
        case kGame:
            sqlite3_result_int64(context, static_cast<sqlite3_int64>(games_.front().game));
            break;
        case kPly: sqlite3_result_int64(context, row.ply); break;
        case kSan:
            if (row.san_size != 0) text(0, row.san_size);
            break;
        case kUci:
            if (row.san_size != 0) text(row.san_size, row.uci_size);
            break;
        case kKey: sqlite3_result_int64(context, static_cast<sqlite3_int64>(row.key)); break;
        case kFen: text(moves, row.fen_size); break;
        case kEpd: text(moves + row.fen_size, row.epd_size); break;
        case kOccurrence: sqlite3_result_int64(context, row.occurrence); break;
        default: break;
    }
}

/// The module has no xCreate, so the table exists without CREATE VIRTUAL TABLE and in no schema.
const sqlite3_module kModule = VirtualTable<NewPlies, PlyRowsSource>::module_made_by(nullptr);

}  // namespace

PlyRowsSource::PlyRowsSource(Connection& connection) {
    if (sqlite3_create_module(connection.handle(), "new_ply", &kModule, this) != SQLITE_OK) {
        connection.fail("cannot prepare ply rows");
    }
}

}  // namespace fendex::store
