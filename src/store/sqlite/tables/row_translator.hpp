// Translates rows of table `game` of another database: the ids of names in them become those of the
// database that is written. Belongs to the writer's connection and thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/game_codes.hpp"
#include "store/game_column.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file/new_rows.hpp"
#include "store/sqlite/tables/name_table.hpp"

namespace fendex::store {

class RowTranslator {
  public:
    struct Tables {
        NameTable& players;
        NameTable& events;
        NameTable& sites;
        NameTable& values;
        NameTable& shapes;
    };
    explicit RowTranslator(const Tables& tables);

    /// Changes the values of a row whose names are in the database of `names`. `packed` keeps its
    /// packed tags, and `codes` the code of its termination.
    void translate(const std::shared_ptr<LocalReader>& names, std::span<RowValue> row,
                   NewRows& packed, codec::NameCodes& codes);
    /// Returns the approximate memory of the ids that are kept, in bytes.
    [[nodiscard]] std::size_t cached_bytes() const { return ids_ * kEntryBytes; }
    /// Frees that memory.
    void forget();

  private:
    /// Two pointers, two ids, malloc's overhead.
    static constexpr std::size_t kEntryBytes = 56;

    /// The names of a table there, by their ids.
    struct Names {
        NameKind kind;
        NameTable& here;
        std::unordered_map<std::int64_t, std::int64_t> ids;  // there -> here
    };
    struct Shape {
        std::int64_t id = 0;               // here
        std::vector<bool> is_termination;  // of each packed tag
    };

    std::string text(NameKind kind, std::int64_t there) const;
    std::int64_t here(Names& names, std::int64_t there);
    void translate(Names& names, RowValue& value);
    const Shape& shape(std::int64_t there);

    NameTable& shape_names_;
    Names players_;
    Names events_;
    Names sites_;
    Names values_;
    std::unordered_map<std::int64_t, Shape> shapes_;
    std::string packed_;
    std::size_t ids_ = 0;                    // in all tables
    std::weak_ptr<LocalReader> ids_are_of_;  // the other database is closed as soon as it can be
    LocalReader* names_ = nullptr;           // during translate()
};

}  // namespace fendex::store
