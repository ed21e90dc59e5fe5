#include "cli/verbs/hit_row.hpp"

#include "chess/san.hpp"
#include "cli/output/game_columns.hpp"
#include "cli/output/numbered_move.hpp"

namespace fendex::cli {

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

const std::vector<Cell>& HitRow::cells(const QuestionLabel& label, const query::Hit& hit,
                                       const store::GameHeader& header, const Style& style) {
    cells_.clear();
    label.append_cells(cells_);
    if (style.database != nullptr) cells_.push_back(std::string_view(*style.database));
    cells_.push_back(static_cast<std::int64_t>(hit.game));
    cells_.push_back(std::int64_t{hit.plies.front()});
    cells_.push_back(&hit.plies);
    append_game_cells(header, cells_);
    san_.clear();
    uci_.clear();
    if (hit.next) {
        chess::append_san(hit.position, *hit.next, san_);
        chess::append_uci(hit.position, *hit.next, hit.variant, uci_);
    }
    if (style.numbered) san_ = numbered(hit.position, hit.next ? san_ : "(end)");
    for (const std::string* const move : {&san_, &uci_}) {
        cells_.push_back(move->empty() ? Cell{Null{}} : Cell{std::string_view(*move)});
    }
    if (style.variations) {
        cells_.push_back(!hit.line.empty());
        cells_.push_back(hit.line.empty() ? Cell(Null{}) : Cell(std::string_view(hit.line)));
    }
    return cells_;
}

}  // namespace fendex::cli
