#include "ingest/batch_reader.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "codec/annotation.hpp"
#include "ingest/annotated_replay.hpp"
#include "ingest/line_counter.hpp"
#include "ingest/variation_words.hpp"
#include "pgn/reader.hpp"
#include "store/fingerprint.hpp"
#include "store/packed_text.hpp"

namespace fendex::ingest {

namespace {

/// Of a game that could not be read, for repair by hand.
constexpr std::size_t kMaxKeptText = std::size_t{1} << 20;

/// Error texts go to terminals and tables: no line ends, no stray bytes.
std::string printable(std::string_view text) {
    std::string out = pgn::clean_value(base::utf8_prefix(text, kMaxErrorText));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return pgn::is_newline(c) || c == '\t'; }, ' ');
    return out;
}

/// `add_posting` is called for every ply.
template <typename AddPosting>
class BatchReader {
  public:
    BatchReader(const BatchTask& task, GameReplay& replay, AddPosting add_posting)
        : task_(task), replay_(replay), add_posting_(add_posting), lines_(task.batch.text) {}

    store::NewGames read() {
        out_.first = task_.first_game;
        for (const pgn::Extent& extent : task_.batch.extents) {
            lines_.begin_item(extent.offset);
            const std::string_view text =
                std::string_view(task_.batch.text).substr(extent.offset, extent.size);
            if (extent.kind == pgn::Extent::Kind::kJunk) {
                add_error(text.data(), std::nullopt, std::nullopt, "text that is no game", text);
            } else {
                read_game(text, extent.truncated);
            }
        }
        return std::move(out_);
    }

  private:
    void read_game(std::string_view text, bool truncated) {
        const store::GameId id = task_.first_game + out_.games.size();
        const std::size_t first_tag = out_.tags.size();
        const std::size_t first_error = out_.errors.size();
        replay_.start(out_.tags, out_.owned, task_.variant);
        bool other_words = false;
        if (task_.annotations) {
            AnnotatedReplay annotated(replay_, annotation_);
            pgn::read_game(text, truncated, annotated);
            other_words = annotated.has_other_words();
        } else {
            pgn::read_game(text, truncated, replay_);
        }
        std::optional<LanguageChoice> choice =
            choose_language(text, truncated, replay_, task_.language.get(), words_);
        if (!choice && other_words) {
            choice = choose_as_read(text, truncated, replay_, task_.language.get(), words_);
        }
        if (choice) read_as_chosen(text, truncated, *choice, first_tag);
        replay_.finish();
        for (const GameReplay::Problem& problem : replay_.problems()) {
            add_error(problem.where, id, problem.ply, problem.reason, problem.text);
        }
        if (choice && choice->ambiguity) {
            const GameReplay::Problem& problem = *choice->ambiguity;
            add_error(problem.where, id, problem.ply, problem.reason, problem.text);
            out_.errors.back().warning = true;
        }
        if (truncated) {
            add_error(text.data() + text.size(), id, replay_.facts().plies,
                      "game cut off: the text is damaged or too long from here", {});
        }
        if (out_.errors.size() != first_error && !out_.errors[first_error].warning) {
            out_.errors[first_error].pgn = store::pack_text(text.substr(0, kMaxKeptText));
        }

        store::NewGame& game = out_.games.emplace_back();
        game.facts = replay_.facts();
        game.signature = replay_.signature();
        game.tags = {first_tag, out_.tags.size() - first_tag};
        game.moves.begin = out_.moves.size();
        replay_.packed_moves().append_to(out_.moves);
        game.moves.size = out_.moves.size() - game.moves.begin;
        if (!annotation_.empty()) {
            game.annotation.begin = out_.annotations.size();
            annotation_.append_to(out_.annotations);
            game.annotation.size = out_.annotations.size() - game.annotation.begin;
        }
        if (replay_.starts_elsewhere()) {
            game.start = out_.owned.emplace_back(chess::to_fen(replay_.start_position()));
        }
        if (!replay_.replayed()) return;
        add_postings(id);
        for (const store::Repetition& repetition : replay_.repetitions()) {
            out_.repetitions.push_back(repetition);
            out_.repetitions.back().game = id;
        }
        for (const store::QuietRun& run : replay_.quiet_runs()) {
            out_.quiet_runs.push_back(run);
            out_.quiet_runs.back().game = id;
        }
        if (task_.ply_rows) {
            append_ply_rows(id, replay_.start_position(), replay_.moves(), replay_.repetitions(),
                            game.facts.variant, out_);
        }
    }

    /// Again, unless it is read so already.
    void read_as_chosen(std::string_view text, bool truncated, const LanguageChoice& choice,
                        std::size_t first_tag) {
        if (task_.annotations) {
            variations_.read(text, truncated, replay_.start_position(), choice.reading,
                             choice.alphabets);
        }
        if (choice.as_read && !(task_.annotations && variations_.changed())) return;
        out_.tags.resize(first_tag);
        replay_.start(out_.tags, out_.owned, task_.variant);
        if (task_.annotations) {
            AnnotatedReplay annotated(replay_, annotation_, &variations_.words());
            read_again(text, truncated, choice, annotated);
        } else {
            read_again(text, truncated, choice, replay_);
        }
    }

    template <typename Visitor>
    void read_again(std::string_view text, bool truncated, const LanguageChoice& choice,
                    Visitor& visitor) {
        if (choice.as_read) return pgn::read_game(text, truncated, visitor);
        AsChosen chosen(visitor, replay_, choice.reading);
        pgn::read_game(text, truncated, chosen);
    }

    void add_postings(store::GameId id) {
        const std::vector<std::uint64_t>& keys = replay_.keys();
        const std::vector<chess::Move>& moves = replay_.moves();
        const std::uint32_t number = codec::Posting::game_number(id);
        const store::GameFingerprint fingerprint(id);
        for (std::uint32_t ply = 0; ply < keys.size(); ++ply) {
            const chess::Move next = ply < moves.size() ? moves[ply] : codec::kGameEndsHere;
            add_posting_(codec::Posting(keys[ply], next, number, ply));
            out_.fingerprint += fingerprint.term(ply, keys[ply]);
        }
        out_.plies += moves.size();
        out_.positions += keys.size();
    }

    void add_error(const char* where, std::optional<store::GameId> game,
                   std::optional<std::uint32_t> ply, std::string_view reason,
                   std::string_view text) {
        const std::string_view batch = task_.batch.text;
        const auto offset = static_cast<std::size_t>(where - batch.data());
        store::ImportError error;
        error.game = game;
        error.byte = task_.batch.stream_offset + offset;
        error.line = task_.batch.first_line + lines_.lines_before(offset);
        error.ply = ply;
        error.reason = reason;
        error.text = printable(text);
        out_.errors.push_back(std::move(error));
    }

    const BatchTask& task_;
    GameReplay& replay_;
    AddPosting add_posting_;
    codec::AnnotationStreamWriter annotation_;
    GameWords words_;
    VariationWords variations_;
    store::NewGames out_;
    LineCounter lines_;
};

template <typename Position>
void append_rows(store::GameId game, const Position& start, const std::vector<chess::Move>& moves,
                 const std::vector<store::Repetition>& repetitions, chess::Variant variant,
                 store::NewGames& out) {
    const store::Occurrences occurrences(repetitions);
    char buffer[chess::kMaxFenLength];
    Position position = start;
    for (std::uint32_t ply = 0; ply <= moves.size(); ++ply) {
        store::PlyRow& row = out.ply_rows.emplace_back();
        row.game = game;
        row.ply = ply;
        row.occurrence = occurrences.at(ply);
        row.text = out.ply_text.size();
        std::size_t mark = row.text;
        const auto size = [&] {
            const std::size_t n = out.ply_text.size() - mark;
            mark += n;
            return static_cast<std::uint8_t>(n);
        };
        if (ply > 0) {
            chess::append_san(position, moves[ply - 1], out.ply_text);
            row.san_size = size();
            chess::append_uci(position, moves[ply - 1], variant, out.ply_text);
            row.uci_size = size();
            position.play(moves[ply - 1]);
        }
        row.key = position.key();
        out.ply_text.append(buffer,
                            chess::write_fen(position, chess::FenDialect::kStandard, buffer));
        row.fen_size = size();
        out.ply_text.append(buffer, chess::write_epd(position, buffer));
        row.epd_size = size();
    }
}

}  // namespace

store::NewGames read_batch(const BatchTask& task, GameReplay& replay,
                           store::PostingSorter::Feeder& postings) {
    const auto add = [&](const codec::Posting& posting) { postings.add(posting); };
    return BatchReader(task, replay, add).read();
}

store::NewGames read_batch(const BatchTask& task, GameReplay& replay,
                           std::vector<codec::Posting>& postings) {
    const auto add = [&](const codec::Posting& posting) { postings.push_back(posting); };
    return BatchReader(task, replay, add).read();
}

void append_ply_rows(store::GameId game, const chess::AnyPosition& start,
                     const std::vector<chess::Move>& moves,
                     const std::vector<store::Repetition>& repetitions, chess::Variant variant,
                     store::NewGames& out) {
    start.visit([&](const auto& position) {
        append_rows(game, position, moves, repetitions, variant, out);
    });
}

}  // namespace fendex::ingest
