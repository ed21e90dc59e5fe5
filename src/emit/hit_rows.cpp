#include "emit/hit_rows.hpp"

#include "chess/san.hpp"
#include "emit/game_rows.hpp"
#include "emit/numbered_move.hpp"

namespace fendex::emit {

void for_each_header(
    std::span<const query::Hit> hits, store::StoreReader& reader,
    const std::function<void(const query::Hit&, const store::GameHeader&)>& visit) {
    // A game may have several hits, in variations.
    std::vector<store::GameId> games;
    for (const query::Hit& hit : hits) {
        if (games.empty() || games.back() != hit.game) games.push_back(hit.game);
    }
    auto next = hits.begin();
    reader.headers(games, [&](const store::GameHeader& header) {
        while (next != hits.end() && next->game != header.id) ++next;
        for (; next != hits.end() && next->game == header.id; ++next) visit(*next, header);
    });
}

std::vector<std::string> hit_columns(const HitColumns& wanted) {
    std::vector<std::string> columns{"ply", "plies"};
    append_game_names(columns);
    columns.insert(columns.end(), {"san", "uci"});
    if (wanted.variations) columns.insert(columns.end(), {"variation", "line"});
    if (wanted.steps) columns.emplace_back("steps");
    return columns;
}

void HitRow::append_cells(const query::Hit& hit, const store::GameHeader& header,
                          const Style& style, std::vector<Cell>& cells) {
    cells.push_back(std::int64_t{hit.plies.front()});
    cells.push_back(&hit.plies);
    append_game_cells(header, cells);
    san_.clear();
    uci_.clear();
    if (hit.next) {
        chess::append_san(hit.position, *hit.next, san_);
        chess::append_uci(hit.position, *hit.next, hit.variant, uci_);
    }
    if (style.numbered) san_ = numbered(hit.position, hit.next ? san_ : "(end)");
    for (const std::string* const move : {&san_, &uci_}) {
        cells.push_back(move->empty() ? Cell{Null{}} : Cell{std::string_view(*move)});
    }
    if (style.columns.variations) {
        cells.push_back(!hit.line.empty());
        cells.push_back(hit.line.empty() ? Cell(Null{}) : Cell(std::string_view(hit.line)));
    }
    if (style.columns.steps) cells.push_back(&hit.steps);
}

}  // namespace fendex::emit
