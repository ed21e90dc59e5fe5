#include "emit/game_rows.hpp"

#include "base/hex.hpp"
#include "chess/san.hpp"
#include "emit/san_walk.hpp"
#include "emit/tag_changes.hpp"
#include "query/ply_evaluations.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

namespace {

using Columns = std::vector<std::string>;

void append_row(RowFormat format, const Columns& columns, const std::vector<Cell>& cells,
                std::string& out) {
    if (format == RowFormat::kJson) {
        append_json_row(columns, cells, out);
    } else {
        append_csv_row(cells, out);
    }
}

/// Reused buffers for the texts of a position.
struct PositionText {
    std::string key;
    char fen[chess::kMaxFenLength];
    char epd[chess::kMaxFenLength];

    template <typename Position>
    void append(const Position& position, chess::FenDialect dialect, std::vector<Cell>& cells) {
        key = base::hex_key(position.key());
        cells.emplace_back(std::string_view(key));
        cells.emplace_back(std::string_view(fen, chess::write_fen(position, dialect, fen)));
        cells.emplace_back(
            std::string_view(epd, chess::write_epd(position, chess::FenDialect::kStandard, epd)));
    }
};

/// Returns the game's own evaluation of a position or, if it has none, that of a record.
template <typename Position>
query::PlyEvaluation known_evaluation(const query::PlyNumbers& own, query::Evaluations& records,
                                      const Position& position) {
    if (!own.evaluation.is_known() && !records.empty()) {
        const auto verdict = records.verdict(chess::AnyPosition(position));
        if (verdict) return query::ply_evaluation(*verdict);
    }
    return own.evaluation;
}

}  // namespace

void write_column_names(const ExportJob& job, RowFormat format,
                        const std::vector<std::string>& columns, ByteSink& sink) {
    if (format != RowFormat::kCsv || !job.header) return;
    std::string header;
    append_csv_header(columns, header);
    sink.write(header);
}

std::span<const GameColumn> game_columns() {
    using Header = const store::GameHeader&;
    static constexpr GameColumn kColumns[] = {
        {"white", "string?", {}, [](Header game) { return cell(game.white); }},
        {"black", "string?", {}, [](Header game) { return cell(game.black); }},
        {"result",
         "'1-0'|'0-1'|'1/2-1/2'|'*'",
         {},
         [](Header game) { return Cell(codec::result_text(game.result)); }},
        {"date", "string?", "as the game has it: 1999.05.??",
         [](Header game) { return cell(game.date); }},
        {"event", "string?", {}, [](Header game) { return cell(game.event); }},
        {"site", "string?", {}, [](Header game) { return cell(game.site); }},
        {"round", "string?", {}, [](Header game) { return cell(game.round); }},
        {"white_elo", "integer?", {}, [](Header game) { return cell(game.white_elo); }},
        {"black_elo", "integer?", {}, [](Header game) { return cell(game.black_elo); }},
        {"eco", "string?", "the tag ECO", [](Header game) { return cell(game.eco); }},
    };
    return kColumns;
}

void append_game_names(std::vector<std::string>& names) {
    for (const GameColumn& column : game_columns()) names.emplace_back(column.name);
}

void append_game_cells(const store::GameHeader& game, std::vector<Cell>& cells) {
    for (const GameColumn& column : game_columns()) cells.push_back(column.cell(game));
}

void add_game_columns(const store::GameHeader& game, json::Object& object) {
    for (const GameColumn& column : game_columns()) object.add(column.name, column.cell(game));
}

void for_each_ply_row(store::StoreReader& reader, store::GameId id, const store::StoredMoves& moves,
                      chess::FenDialect dialect, const chess::SanSpelling& spelling,
                      const std::vector<Cell>& first,
                      const std::function<void(const std::vector<Cell>& cells)>& visit) {
    const store::Occurrences occurrences(reader.repetitions(id));
    query::CommentNumbers comments;
    comments.read(reader, id);
    store::StoreReader* const readers[] = {&reader};
    query::Evaluations records(readers);
    records.expect_game(id, moves);
    replay::with_walk(id, moves, [&](auto& walk) {
        std::vector<Cell> cells;
        PositionText text;
        char san[chess::kMaxSanLength];
        std::string_view spelled;
        std::string buffer;
        std::string uci;
        while (true) {
            cells = first;
            cells.emplace_back(std::int64_t{walk.ply()});
            if (walk.ply() == 0) {
                cells.insert(cells.end(), {Null{}, Null{}});
            } else {
                cells.insert(cells.end(), {spelled, std::string_view(uci)});
            }
            text.append(walk.position(), dialect, cells);
            cells.emplace_back(std::int64_t{occurrences.at(walk.ply())});
            const query::PlyEvaluation evaluation =
                known_evaluation(comments.at(walk.ply()), records, walk.position());
            cells.insert(cells.end(),
                         {cell(evaluation.pawns), cell(evaluation.mate), cell(evaluation.depth)});
            visit(cells);
            if (walk.at_end()) break;
            uci.clear();
            chess::append_uci(walk.position(), walk.next_move(), moves.facts.variant, uci);
            spelled = spelling.spell({san, write_san_and_advance(walk, san)}, buffer);
        }
    });
}

std::vector<std::string> columns_of_games() {
    std::vector<std::string> columns{"game_id"};
    append_game_names(columns);
    columns.emplace_back("plies");
    return columns;
}

void set_cells(const store::GameHeader& game, std::vector<Cell>& cells) {
    cells.assign(1, static_cast<std::int64_t>(game.id));
    append_game_cells(game, cells);
    cells.emplace_back(std::int64_t{game.plies});
}

void export_games(const ExportJob& job, RowFormat format, ByteSink& sink) {
    const Columns columns = columns_of_games();
    write_column_names(job, format, columns, sink);
    write_batches(
        job,
        [&](unsigned, store::StoreReader& reader, GameBatch batch, std::string& out) {
            std::vector<Cell> cells;
            reader.headers(ids_of(job.games, batch), [&](const store::GameHeader& stored) {
                store::GameHeader header = stored;
                if (job.tags) job.tags->apply(header);
                set_cells(header, cells);
                append_row(format, columns, cells, out);
            });
        },
        sink);
}

std::uint64_t export_position_rows(const ExportJob& job, const PositionChoice& choice,
                                   RowFormat format, ByteSink& sink) {
    const Columns columns{"key", "fen", "epd", "games", "occurrences", "white", "draws", "black"};
    write_column_names(job, format, columns, sink);
    const auto append = [&](const chess::AnyPosition& position, const PositionTally& tally,
                            std::string& out) {
        std::vector<Cell> cells;
        PositionText text;
        text.append(position, job.dialect, cells);
        for (const std::uint64_t number :
             {tally.games, tally.occurrences, tally.white, tally.draws, tally.black}) {
            cells.emplace_back(static_cast<std::int64_t>(number));
        }
        append_row(format, columns, cells, out);
    };
    return export_positions(job, choice, append, sink);
}

}  // namespace fendex::emit
