#include "ingest/batch_reader.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "chess/fen.hpp"
#include "codec/annotation.hpp"
#include "ingest/annotated_replay.hpp"
#include "ingest/game_positions.hpp"
#include "ingest/line_counter.hpp"
#include "ingest/printable_text.hpp"
#include "ingest/variation_words.hpp"
#include "pgn/hole.hpp"
#include "pgn/reader.hpp"
#include "replay/contradictions.hpp"
#include "store/broken_game.hpp"

namespace fendex::ingest {

namespace {

/// The longest text of an unreadable game that is kept for repair by hand.
constexpr std::size_t kMaxKeptText = std::size_t{1} << 20;

class BatchReader {
  public:
    BatchReader(const BatchTask& task, GameReplay& replay)
        : task_(task), replay_(replay), lines_(task.batch.text) {}

    store::NewGames read() {
        // Room for the plies of a usual batch without comments, so that they are not copied.
        constexpr std::size_t kUsualBytes = std::size_t{1} << 20;
        constexpr std::size_t kBytesPerPly = 7;
        out_.positions.reserve(std::min(task_.batch.text.size(), kUsualBytes) / kBytesPerPly);
        for (const pgn::Extent& extent : task_.batch.extents) {
            lines_.begin_item(extent.offset);
            const std::string_view text =
                std::string_view(task_.batch.text).substr(extent.offset, extent.size);
            if (extent.kind == pgn::Extent::Kind::kJunk) {
                add_error(text.data(), std::nullopt, std::nullopt, "text that is not a game", text);
            } else {
                const std::optional<pgn::Hole> hole = pgn::find_hole(text);
                read_game(hole ? text.substr(0, hole->begin) : text,
                          extent.truncated || hole.has_value());
                after_hole_ = hole.has_value();
            }
        }
        return std::move(out_);
    }

  private:
    void read_game(std::string_view text, bool truncated) {
        const std::size_t number = out_.games.size();
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
        for (const GameReplay::Problem& problem : replay_.problems()) add_problem(problem, number);
        if (choice && choice->ambiguity) add_problem(*choice->ambiguity, number);
        add_contradictions(text, truncated, number, first_tag);
        if (const unsigned first = first_number(text); first > 1 && !replay_.starts_elsewhere()) {
            add_warning(replay_.first_move(), number, 0,
                        "the moves begin with number " + std::to_string(first) +
                            ", but are played from the initial position: what comes before may be "
                            "missing",
                        {});
        }
        if (lacks_beginning(text)) {
            add_error(text.data(), number, 0,
                      "zeros before this game: its beginning may be missing", {});
        }
        if (truncated) {
            add_error(text.data() + text.size(), number, replay_.facts().plies,
                      "game cut off: the text is damaged or too long from here", {});
        }
        const auto lost =
            std::find_if(out_.errors.begin() + static_cast<std::ptrdiff_t>(first_error),
                         out_.errors.end(), [](const auto& each) { return !each.error.warning; });
        if (lost != out_.errors.end()) {
            lost->error.pgn = store::pack_broken_game(text.substr(0, kMaxKeptText));
        }
        add_game(first_tag);
    }

    void add_game(std::size_t first_tag) {
        store::NewGame& game = out_.games.emplace_back();
        game.facts = replay_.facts();
        game.signature = replay_.record().signature();
        game.swings = replay_.swings();
        game.tags = {first_tag, out_.tags.size() - first_tag};
        game.moves.begin = out_.moves.size();
        replay_.record().packed_moves().append_to(out_.moves);
        game.moves.size = out_.moves.size() - game.moves.begin;
        if (!annotation_.empty()) {
            game.annotation.begin = out_.annotations.size();
            annotation_.append_to(out_.annotations);
            game.annotation.size = out_.annotations.size() - game.annotation.begin;
        }
        if (replay_.starts_elsewhere()) {
            game.start = out_.owned.emplace_back(chess::to_fen(replay_.start_position()));
        }
        if (replay_.replayed()) {
            add_opening(replay_.record(), out_.games.back());
            add_positions(replay_.record(), replay_.start_position(), task_.ply_rows, out_);
        }
    }

    /// Returns the move number before the first move; 0 if there is none.
    unsigned first_number(std::string_view text) const {
        if (replay_.first_move() == nullptr || !replay_.replayed()) return 0;
        std::string_view before =
            text.substr(0, static_cast<std::size_t>(replay_.first_move() - text.data()));
        while (!before.empty() && (pgn::is_space(before.back()) || before.back() == '.')) {
            before.remove_suffix(1);
        }
        std::size_t digits = 0;
        while (digits < std::min<std::size_t>(before.size(), 4) &&
               pgn::is_digit(before[before.size() - 1 - digits])) {
            ++digits;
        }
        unsigned number = 0;
        for (const char digit : before.substr(before.size() - digits)) {
            number = 10 * number + static_cast<unsigned>(digit - '0');
        }
        return number;
    }

    void add_contradictions(std::string_view text, bool truncated, std::size_t game,
                            std::size_t first_tag) {
        replay::GameEnd end = replay_.end();
        if (truncated) end.plies.reset();
        contradictions_.clear();
        replay::find_contradictions(std::span(out_.tags).subspan(first_tag), end, contradictions_);
        for (const replay::Contradiction& each : contradictions_) {
            const std::string_view value = each.tag != nullptr ? each.tag->value : text;
            // A value that was converted is no longer in the text.
            const std::less<> before;
            const bool in_text = !before(value.data(), text.data()) &&
                                 before(value.data(), text.data() + text.size());
            const bool of_tag = each.tag != nullptr;
            add_warning(in_text ? value.data() : text.data(), game,
                        of_tag ? 0 : replay_.facts().plies, each.reason,
                        of_tag ? std::string(each.tag->name) + ' ' + std::string(value) : "");
        }
    }

    /// Returns whether the game comes after a hole and does not begin as games usually do. If a
    /// long hole comes before it, the batch has at least the last bytes of the hole.
    bool lacks_beginning(std::string_view game) const {
        if (pgn::at_game_start(game.data(), game.data() + game.size())) return false;
        if (after_hole_) return true;
        const std::string_view batch = task_.batch.text;
        const std::string_view before =
            batch.substr(0, static_cast<std::size_t>(game.data() - batch.data()));
        std::size_t zeros = 0;
        for (auto c = before.rbegin(); c != before.rend() && pgn::is_space(*c); ++c) {
            zeros += *c == '\0' ? 1U : 0U;
        }
        return zeros != 0 && zeros >= std::min(before.size(), pgn::kMinHole);
    }

    /// Reads the game again, unless it has been read with this choice.
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

    void add_problem(const GameReplay::Problem& problem, std::size_t game) {
        add_error(problem.where, game, problem.ply, problem.reason, problem.text);
        out_.errors.back().error.warning = problem.warning;
    }

    /// Adds a warning, which is an error that loses no data.
    void add_warning(const char* where, std::size_t game, std::uint32_t ply,
                     std::string_view reason, std::string_view text) {
        add_error(where, game, ply, reason, text);
        out_.errors.back().error.warning = true;
    }

    void add_error(const char* where, std::optional<std::size_t> game,
                   std::optional<std::uint32_t> ply, std::string_view reason,
                   std::string_view text) {
        const std::string_view batch = task_.batch.text;
        const auto offset = static_cast<std::size_t>(where - batch.data());
        store::ImportError error;
        error.byte = task_.batch.stream_offset + offset;
        error.line = task_.batch.first_line + lines_.lines_before(offset);
        error.ply = ply;
        error.reason = reason;
        error.text = printable_text(text);
        out_.errors.push_back({std::move(error), game});
    }

    const BatchTask& task_;
    GameReplay& replay_;
    codec::AnnotationStreamWriter annotation_;
    GameWords words_;
    std::vector<replay::Contradiction> contradictions_;
    VariationWords variations_;
    store::NewGames out_;
    LineCounter lines_;
    bool after_hole_ = false;  // the game before was cut off at a hole
};

}  // namespace

store::NewGames read_batch(const BatchTask& task, GameReplay& replay) {
    return BatchReader(task, replay).read();
}

}  // namespace fendex::ingest
