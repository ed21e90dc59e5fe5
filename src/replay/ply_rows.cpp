#include "replay/ply_rows.hpp"

#include "chess/fen.hpp"
#include "chess/san.hpp"

namespace fendex::replay {

namespace {

template <typename Position>
void append_rows(const Position& start, const std::vector<chess::Move>& moves,
                 const store::Occurrences& occurrences, chess::Variant variant,
                 store::PlyRowList& out) {
    char buffer[chess::kMaxFenLength];
    Position position = start;
    for (std::uint32_t ply = 0; ply <= moves.size(); ++ply) {
        store::PlyRow& row = out.rows.emplace_back();
        row.ply = ply;
        row.occurrence = occurrences.at(ply);
        row.text = out.text.size();
        std::size_t mark = row.text;
        const auto size = [&] {
            const std::size_t n = out.text.size() - mark;
            mark += n;
            return static_cast<std::uint8_t>(n);
        };
        if (ply > 0) {
            chess::append_san(position, moves[ply - 1], out.text);
            row.san_size = size();
            chess::append_uci(position, moves[ply - 1], variant, out.text);
            row.uci_size = size();
            position.play(moves[ply - 1]);
        }
        row.key = position.key();
        out.text.append(buffer, chess::write_fen(position, chess::FenDialect::kStandard, buffer));
        row.fen_size = size();
        out.text.append(buffer, chess::write_epd(position, buffer));
        row.epd_size = size();
    }
}

}  // namespace

void append_ply_rows(const chess::AnyPosition& start, const std::vector<chess::Move>& moves,
                     const store::Occurrences& occurrences, chess::Variant variant,
                     store::PlyRowList& out) {
    start.visit(
        [&](const auto& position) { append_rows(position, moves, occurrences, variant, out); });
}

}  // namespace fendex::replay
