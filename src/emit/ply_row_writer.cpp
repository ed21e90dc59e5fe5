#include "emit/ply_row_writer.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "chess/san.hpp"
#include "chess/variant_names.hpp"
#include "codec/swing.hpp"
#include "emit/san_walk.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

namespace {

constexpr chess::PieceType kByValue[] = {chess::PieceType::kKing,   chess::PieceType::kQueen,
                                         chess::PieceType::kRook,   chess::PieceType::kBishop,
                                         chess::PieceType::kKnight, chess::PieceType::kPawn};
constexpr int kPawns[] = {1, 3, 3, 5, 9, 0};  // the value of each PieceType

// By their codes.
constexpr std::string_view kTimeClasses[8] = {{},          "bullet",         "blitz",      "rapid",
                                              "classical", "correspondence", "ultrabullet"};
constexpr std::string_view kModes[4] = {{}, "rated", "casual"};

Cell name_cell(std::string_view name) { return cell(json::known(name)); }

Cell tag_cell(const PlyRowWriter::Tags& tags, std::string_view name) {
    const auto found =
        std::ranges::find_if(tags, [&](const auto& tag) { return tag.first == name; });
    if (found == tags.end()) return Null{};
    return std::string_view(found->second);
}

/// Returns the value of a column of the game.
Cell game_cell(PlyColumn column, const store::GameHeader& game, const codec::GameFacts& facts,
               const PlyRowWriter::Tags& tags) {
    using enum PlyColumn;
    switch (column) {
        case kGameId: return static_cast<std::int64_t>(game.id);
        case kWhite: return cell(game.white);
        case kBlack: return cell(game.black);
        case kResult: return codec::result_text(facts.result);
        case kDate: return cell(game.date);
        case kEvent: return cell(game.event);
        case kSite: return cell(game.site);
        case kRound: return cell(game.round);
        case kWhiteElo: return cell(game.white_elo);
        case kBlackElo: return cell(game.black_elo);
        case kEco: return cell(game.eco);
        case kPlies: return std::int64_t{facts.plies};
        case kTimeClass: return name_cell(kTimeClasses[static_cast<unsigned>(facts.time_class)]);
        case kMode: return name_cell(kModes[static_cast<unsigned>(facts.mode)]);
        case kVariant: return chess::name_of(facts.variant);
        case kTimeControl: return tag_cell(tags, "TimeControl");
        case kTermination: return tag_cell(tags, "Termination");
        default: return Null{};
    }
}

/// Appends the pieces of a side: "KRP".
template <typename Position>
void append_pieces(const Position& position, chess::Color side, std::string& out) {
    for (const chess::PieceType type : kByValue) {
        out.append(chess::count(position.pieces(side, type)), "PNBRQK"[chess::index(type)]);
    }
}

}  // namespace

PlyRowWriter::PlyRowWriter(PlyRowStyle style) : style_(std::move(style)) {
    const bool json = style_.format == RowFormat::kJson;
    for (const PlyColumn column : style_.columns) {
        std::string& name = names_.emplace_back(names_.empty() ? (json ? "{" : "") : ",");
        if (json) name.append("\"").append(name_of(column)).append("\":");
        columns_ |= std::uint64_t{1} << static_cast<unsigned>(column);
        if (!is_of_game(column)) changing_.push_back(column);
    }
    between_.resize(changing_.size() + 1);
}

bool PlyRowWriter::has_any(PlyColumn first, PlyColumn last) const {
    const auto up_to = [](PlyColumn column) {
        return (std::uint64_t{2} << static_cast<unsigned>(column)) - 1;
    };
    return (columns_ & up_to(last) & ~(up_to(first) >> 1)) != 0;
}

bool PlyRowWriter::needs_tags() const {
    return has_any(PlyColumn::kTimeControl, PlyColumn::kTermination);
}

void PlyRowWriter::append_value(const Cell& cell, std::string& out) const {
    if (style_.format == RowFormat::kJson) {
        emit::append_value(cell, out);
    } else {
        append_csv_field(cell, out);
    }
}

/// Makes the texts between the values that change within the game.
void PlyRowWriter::begin_game(store::StoreReader& reader, store::GameId id,
                              const store::StoredMoves& moves, const Tags& tags) {
    store::GameHeader header;
    codec::GameFacts facts = moves.facts;
    if (has_any(PlyColumn::kTimeClass, PlyColumn::kMode)) facts = reader.facts(id);
    const bool needs_header =
        has_any(PlyColumn::kWhite, PlyColumn::kBlack) || has_any(PlyColumn::kDate, PlyColumn::kEco);
    if (needs_header && !reader.header(id, header)) {
        store::throw_no_game(id);
    }
    header.id = id;
    std::size_t next = 0;
    for (std::string& text : between_) text.clear();
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const PlyColumn column = style_.columns[i];
        between_[next] += names_[i];
        if (is_of_game(column)) {
            append_value(game_cell(column, header, facts, tags), between_[next]);
        } else {
            ++next;
        }
    }
    between_.back() += style_.format == RowFormat::kJson ? "}\n" : "\r\n";
}

/// Reads what the comments of a game say, and opens the records if a column needs them.
void PlyRowWriter::begin_evaluations(store::StoreReader& reader, store::GameId id) {
    comments_.clear();
    if (has_any(PlyColumn::kClock, PlyColumn::kSwing)) comments_.read(reader, id);
    records_.reset();
    if (has_any(PlyColumn::kEval, PlyColumn::kBest)) {
        store::StoreReader* const readers[] = {&reader};
        records_.emplace(readers);
    }
    swings_of_records_ = !comments_.has_loss();
    now_ = before_ = {};
}

/// Finds what engines said of a position; `own` is what the game's comments say of it.
template <typename Position>
void PlyRowWriter::evaluate(const Position& position, const query::PlyNumbers& own) {
    now_.evaluation = own.evaluation;
    now_.score = swings_of_records_ ? std::nullopt : own.score;
    now_.best.clear();
    const bool needs_record = has(PlyColumn::kBest) || swings_of_records_ || !own.score;
    if (!records_ || records_->empty() || !needs_record) return;
    const auto verdict = records_->verdict(chess::AnyPosition(position));
    if (!verdict) return;
    if (!own.evaluation.is_known()) now_.evaluation = query::ply_evaluation(*verdict);
    if (swings_of_records_) now_.score = verdict->score;
    if (verdict->best) now_.best = chess::to_san(position, *verdict->best);
}

std::uint64_t PlyRowWriter::append_rows(store::StoreReader& reader, store::GameId id,
                                        const store::StoredMoves& moves, const Tags& tags,
                                        const WantedPlies& wanted, std::string& out) {
    if (!replay::has_positions(moves)) return 0;
    begin_game(reader, id, moves, tags);
    begin_evaluations(reader, id);
    if (records_) records_->expect_game(id, moves);
    opening_.reset();
    std::vector<store::Repetition> repetitions;
    if (has(PlyColumn::kOccurrence)) repetitions = reader.repetitions(id);
    const store::Occurrences occurrences(repetitions);
    std::uint64_t rows = 0;
    replay::with_walk(id, moves, [&](auto& walk) {
        rows = append_walk(walk, occurrences, moves.facts.variant, wanted, out);
    });
    return rows;
}

template <typename Walk>
std::uint64_t PlyRowWriter::append_walk(Walk& walk, const store::Occurrences& occurrences,
                                        chess::Variant variant, const WantedPlies& wanted,
                                        std::string& out) {
    std::uint64_t rows = 0;
    std::span<const std::uint32_t> left = wanted.only.value_or(std::span<const std::uint32_t>());
    san_.clear();
    uci_.clear();
    while (!wanted.only || !left.empty()) {
        const std::uint32_t ply = walk.ply();
        const std::uint64_t key = walk.position().key();
        if (has_any(PlyColumn::kOpening, PlyColumn::kOpeningEco)) {
            if (const auto opening = replay::opening_of(key)) opening_ = opening;
        }
        const bool is_wanted = !wanted.only || left.front() == ply;
        if (wanted.only && is_wanted) left = left.subspan(1);
        const bool next_wanted = !wanted.only || (!left.empty() && left.front() == ply + 1);
        const bool is_row = is_wanted && !wanted.is_dropped(key);
        if (is_row) describe(walk.position());
        const query::PlyNumbers& comment = comments_.at(ply);
        if (records_ && (is_row || next_wanted)) evaluate(walk.position(), comment);
        const chess::Color mover = ~walk.position().side_to_move();
        const bool last = walk.at_end();
        if (!last) play(walk, variant, is_row || next_wanted);
        if (is_row) {
            if (last) {
                next_san_.clear();
                next_uci_.clear();
            }
            append_row(ply, occurrences.at(ply), mover, comment, out);
            if (wanted.mark != nullptr) wanted.mark->mark(key);
            ++rows;
        }
        if (last) break;
        san_.swap(next_san_);
        uci_.swap(next_uci_);
        std::swap(before_, now_);
    }
    return rows;
}

/// Computes the values of the columns that describe a position.
template <typename Position>
void PlyRowWriter::describe(const Position& position) {
    using enum PlyColumn;
    if (has(kKey)) base::write_hex_key(position.key(), key_);
    if (has(kFen)) {
        fen_size_ = static_cast<std::size_t>(write_fen(position, style_.dialect, fen_) - fen_);
    }
    if (has(kEpd)) {
        epd_size_ = static_cast<std::size_t>(
            write_epd(position, chess::FenDialect::kStandard, epd_) - epd_);
    }
    if (has(kMaterial)) {
        material_.clear();
        append_pieces(position, chess::Color::kWhite, material_);
        material_ += 'v';
        append_pieces(position, chess::Color::kBlack, material_);
    }
    if (has(kBalance)) {
        balance_ = 0;
        for (const chess::PieceType type : kByValue) {
            const auto number = [&](chess::Color side) {
                return static_cast<int>(chess::count(position.pieces(side, type)));
            };
            balance_ += kPawns[chess::index(type)] *
                        (number(chess::Color::kWhite) - number(chess::Color::kBlack));
        }
    }
}

/// Plays the next move, and writes it for the columns if a row needs it.
template <typename Walk>
void PlyRowWriter::play(Walk& walk, chess::Variant variant, bool writes_moves) {
    if (!writes_moves) {
        walk.advance();
        return;
    }
    if (has(PlyColumn::kUci) || has(PlyColumn::kNextUci)) {
        next_uci_.clear();
        chess::append_uci(walk.position(), walk.next_move(), variant, next_uci_);
    }
    if (has(PlyColumn::kSan) || has(PlyColumn::kNextSan)) {
        char san[chess::kMaxSanLength];
        next_san_.assign(san, write_san_and_advance(walk, san));
    } else {
        walk.advance();
    }
}

/// Appends a text that needs no escapes.
void PlyRowWriter::append_plain(std::string_view text, std::string& out) const {
    if (style_.format == RowFormat::kJson) {
        out += '"';
        out += text;
        out += '"';
    } else {
        out += text;
    }
}

void PlyRowWriter::append_move(std::string_view san, std::string& out) {
    if (san.empty()) return append_value(Null{}, out);
    if (style_.spelling.is_english()) return append_plain(san, out);
    append_value(style_.spelling.spell(san, spelled_), out);
}

void PlyRowWriter::append_row(std::uint32_t ply, std::uint32_t occurrence, chess::Color mover,
                              const query::PlyNumbers& comment, std::string& out) {
    const auto plain_or_null = [&](std::string_view text) {
        if (text.empty()) {
            append_value(Null{}, out);
        } else {
            append_plain(text, out);
        }
    };
    for (std::size_t i = 0; i < changing_.size(); ++i) {
        out += between_[i];
        switch (changing_[i]) {
            using enum PlyColumn;
            case kPly: json::append_value(ply, out); break;
            case kSan: append_move(san_, out); break;
            case kUci: plain_or_null(uci_); break;
            case kNextSan: append_move(next_san_, out); break;
            case kNextUci: plain_or_null(next_uci_); break;
            case kKey: append_plain({key_, sizeof key_}, out); break;
            case kFen: append_plain({fen_, fen_size_}, out); break;
            case kEpd: append_plain({epd_, epd_size_}, out); break;
            case kOccurrence: json::append_value(occurrence, out); break;
            case kMaterial: append_plain(material_, out); break;
            case kBalance: json::append_value(balance_, out); break;
            case kOpening: append_value(opening_ ? Cell(opening_->name) : Cell(Null{}), out); break;
            case kOpeningEco: plain_or_null(opening_ ? opening_->eco : std::string_view()); break;
            case kClock: append_value(cell(comment.clock), out); break;
            case kEmt: append_value(cell(comment.emt), out); break;
            case kEval: append_value(cell(now_.evaluation.pawns), out); break;
            case kMate: append_value(cell(now_.evaluation.mate), out); break;
            case kDepth: append_value(cell(now_.evaluation.depth), out); break;
            case kSwing:
                append_value(cell(codec::move_loss(before_.score, now_.score, mover)), out);
                break;
            case kBest: append_move(before_.best, out); break;
            default: break;
        }
    }
    out += between_.back();
}

}  // namespace fendex::emit
