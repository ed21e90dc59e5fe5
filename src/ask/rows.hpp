// The rows of an answer, read some at a time. For one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "ask/sources.hpp"
#include "emit/rows.hpp"
#include "query/tree_json.hpp"

namespace fendex::ask {

using emit::Cell;
using emit::Null;

inline constexpr std::uint64_t kAllRows = std::numeric_limits<std::uint64_t>::max();

class Rows {
  public:
    using Visit = std::function<void(const std::vector<Cell>&)>;

    virtual ~Rows() = default;

    /// Returns the names of the columns, in the order of the cells.
    [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
    /// Reads the next rows, at most `most`, and calls visit() for each. Cells are valid until
    /// visit() returns. Returns false if there are no more rows.
    virtual bool read(std::uint64_t most, const Visit& visit) = 0;
    /// Skips the next rows, at most `most`, and returns how many these are.
    virtual std::uint64_t skip(std::uint64_t most);
    /// A position in the list, from which reading can continue: after the last row that was read or
    /// skipped.
    struct Place {
        std::uint64_t group = 0;
        std::uint64_t after = 0;
    };
    [[nodiscard]] virtual Place place() const = 0;
    /// Returns the number of all rows, if that is known without reading them.
    virtual std::optional<std::uint64_t> total() { return std::nullopt; }

  protected:
    std::vector<std::string> columns_;
};

/// Which rows are wanted, as far as that is known: it decides how many are read ahead.
struct Page {
    Rows::Place from = {};
    std::uint64_t limit = kAllRows;
};

/// How rows show games and positions.
struct RowStyle {
    bool refs = false;  // a column `ref` after `game_id`: how the server's addresses name a game
    bool numbered = false;  // moves are written as "12...Nf6"
};

/// The databases and settings with which a question is answered. The sources have its filter.
struct Context {
    std::shared_ptr<Sources> sources;
    std::stop_token stop = {};
    RowStyle style = {};
    Page page = {};
};

/// Returns what precedes a game's number in references: "" for the first database, "2:" for the
/// second.
std::string ref_prefix(std::size_t database);

/// Returns the databases as the JSON of trees names them; with refs also the games' references.
std::vector<query::TreeDatabase> named_for_trees(Sources& sources, bool refs = false);

/// The first columns of a row about a game: `database` if several are searched, `game_id`, `ref`.
class GameColumns {
  public:
    GameColumns(bool several, const RowStyle& style) : several_(several), refs_(style.refs) {}

    void append_names(std::vector<std::string>& columns) const;
    /// The cells are valid until the next call.
    void append_cells(const Source& source, store::GameId game, std::vector<Cell>& cells);

  private:
    bool several_;
    bool refs_;
    std::string ref_;
};

}  // namespace fendex::ask
