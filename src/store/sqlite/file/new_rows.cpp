#include "store/sqlite/file/new_rows.hpp"

#include <algorithm>
#include <string>

#include "store/sqlite/file/virtual_table.hpp"

namespace fendex::store {

namespace {

class NewRowsTable {
  public:
    static constexpr const char* kDeclaration =
        "CREATE TABLE new_row(c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, "
        "c16, c17, c18, c19, c20)";

    explicit NewRowsTable(const NewRowsSource& source) : source_(source) {}
    static int best_index(sqlite3_index_info& info) {
        info.estimatedCost = 1e6;
        return SQLITE_OK;
    }

    class Cursor {
      public:
        explicit Cursor(const NewRowsTable& table) : source_(table.source_) {}
        void filter(int, std::span<sqlite3_value*>) {
            columns_ = source_.rows().columns();
            rest_ = source_.rows().values();
        }
        void next() { rest_ = rest_.subspan(columns_); }
        bool eof() const { return rest_.empty(); }
        void column(sqlite3_context* context, int number) const;
        std::int64_t rowid() const { return -static_cast<std::int64_t>(rest_.size()); }

      private:
        const NewRowsSource& source_;
        std::size_t columns_ = 0;
        std::span<const RowValue> rest_;  // the current row first
    };

  private:
    const NewRowsSource& source_;
};

void NewRowsTable::Cursor::column(sqlite3_context* context, int number) const {
    const RowValue& value = rest_[static_cast<std::size_t>(number)];
    // Not a null pointer, which would be NULL instead of an empty text.
    const char* const bytes = value.bytes.data() != nullptr ? value.bytes.data() : "";
    switch (value.type) {
        case ValueType::kNull: return;
        case ValueType::kInteger: return sqlite3_result_int64(context, value.integer);
        case ValueType::kReal: return sqlite3_result_double(context, value.real);
        // SQLITE_STATIC: they outlive the statement, so SQLite does not have to copy them.
        case ValueType::kText:
            return sqlite3_result_text64(context, bytes, value.bytes.size(), SQLITE_STATIC,
                                         SQLITE_UTF8);
        case ValueType::kBlob:
            return sqlite3_result_blob64(context, bytes, value.bytes.size(), SQLITE_STATIC);
    }
}

/// The module has no xCreate, so the table exists without CREATE VIRTUAL TABLE and in no schema.
const sqlite3_module kModule = VirtualTable<NewRowsTable, NewRowsSource>::module_made_by(nullptr);

}  // namespace

NewRowsSource::NewRowsSource(Connection& connection) {
    if (sqlite3_create_module(connection.handle(), "new_row", &kModule, this) != SQLITE_OK) {
        connection.fail("cannot prepare rows");
    }
}

Statement NewRowsSource::insert_into(const Connection& connection, std::string_view table,
                                     std::string_view columns) {
    // Without "OR FAIL", SQLite would keep every page as it was before the statement, to undo the
    // statement alone; writers undo the whole transaction.
    std::string sql = "INSERT OR FAIL INTO ";
    ((((sql += table) += '(') += columns) += ") SELECT ");
    const auto count = 1 + std::ranges::count(columns, ',');
    for (std::ptrdiff_t i = 1; i <= count; ++i) {
        if (i != 1) sql += ", ";
        (sql += 'c') += std::to_string(i);
    }
    return {connection, sql + " FROM new_row"};
}

void NewRowsSource::run(Statement& insert, NewRows& rows) {
    struct Dropping {
        NewRows& rows;
        const NewRows*& current;
        ~Dropping() {
            rows.clear();
            current = nullptr;
        }
    } const dropping{rows, rows_ = &rows};
    if (!rows.values().empty()) insert.run();
}

}  // namespace fendex::store
