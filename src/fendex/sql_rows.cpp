#include "fendex/sql_rows.hpp"

#include <stdexcept>
#include <utility>

#include "sqlite_ext/extension.hpp"
#include "store/sqlite/file/database.hpp"

namespace fendex {

namespace {

std::string hex_of(std::string_view bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15U];
    }
    return out;
}

}  // namespace

SqlScript::SqlScript(const std::string& database, std::string script)
    : connection_(store::open_database(database, store::Connection::Mode::kReadOnly)),
      script_(std::move(script)),
      rest_(script_) {
    if (script_.find('\0') != std::string::npos) {
        throw std::invalid_argument("SQL cannot contain NUL bytes");
    }
    // query_only would refuse temporary tables, too. OnlyReading refuses writes to the database.
    connection_.run("PRAGMA query_only = OFF");
    sqlite_ext::register_extension(connection_.handle());
    only_reading_ = std::make_unique<store::OnlyReading>(connection_);
}

bool SqlScript::next_query() {
    try {
        while ((statement_ = store::Statement::first_of(connection_, rest_))) {
            if (statement_->column_count() != 0) return asked_ = true;
            statement_->run();
        }
    } catch (const store::StoreError&) {
        rethrow();
    }
    return false;
}

std::vector<std::string> SqlScript::columns() const {
    std::vector<std::string> names;
    for (int i = 0; i < statement_->column_count(); ++i) {
        names.emplace_back(statement_->column_name(i));
    }
    return names;
}

bool SqlScript::next_row(std::vector<ask::Cell>& cells) {
    if (!statement_) return false;
    try {
        if (!statement_->step()) return false;
        const auto columns = static_cast<std::size_t>(statement_->column_count());
        cells.resize(columns);
        blobs_.resize(columns);
        for (std::size_t i = 0; i < columns; ++i) {
            const int column = static_cast<int>(i);
            switch (statement_->type(column)) {
                case store::ValueType::kNull: cells[i] = ask::Null{}; break;
                case store::ValueType::kInteger: cells[i] = statement_->integer(column); break;
                case store::ValueType::kReal: cells[i] = statement_->real(column); break;
                case store::ValueType::kText: cells[i] = statement_->text(column); break;
                case store::ValueType::kBlob:
                    blobs_[i] = hex_of(statement_->blob(column));
                    cells[i] = std::string_view(blobs_[i]);
                    break;
            }
        }
        return true;
    } catch (const store::StoreError&) {
        rethrow();
    }
}

void SqlScript::rethrow() {
    const std::string refusal = only_reading_->refusal();
    throw std::runtime_error(refusal.empty() ? connection_.last_error() : refusal);
}

}  // namespace fendex
