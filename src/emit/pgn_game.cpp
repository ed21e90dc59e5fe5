#include "emit/pgn_game.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "codec/annotation.hpp"
#include "emit/san_walk.hpp"
#include "emit/tag_changes.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

namespace {

using Tag = std::pair<std::string, std::string>;

constexpr std::size_t kRoster = 7;
constexpr std::array<std::string_view, kRoster> kRosterNames = {"Event", "Site",  "Date",  "Round",
                                                                "White", "Black", "Result"};
constexpr std::size_t kResult = kRoster - 1;
constexpr std::array<std::string_view, kRoster> kUnknown = {"?", "?", "????.\?\?.\?\?", "?", "?",
                                                            "?", "*"};

/// Index of the tag in the roster; kRoster if it is not in it.
std::size_t place_in_roster(std::string_view name) {
    if (name.size() < 4 || name.size() > 6) return kRoster;
    const auto* found = std::ranges::find(kRosterNames, name);
    return static_cast<std::size_t>(found - kRosterNames.begin());
}

/// Writes the moves of a game with its annotation and the result.
template <typename Walk>
class MovetextWriter {
  public:
    MovetextWriter(store::GameId id, codec::Result result, Walk& walk, std::string_view annotation,
                   const chess::SanSpelling& spelling, pgn::GameWriter& writer)
        : id_(id),
          spelling_(spelling),
          result_(codec::result_text(result)),
          walk_(walk),
          writer_(writer) {
        if (!annotation.empty()) write_annotated(annotation);
        while (!walk_.at_end()) write_move(nullptr);
        replay::require_intact(id_, walk_);
        write_result();
        writer_.end();
    }

  private:
    /// Longer marks than "!" and "??" are written as separate words; this limits the buffer.
    static constexpr std::size_t kMaxMark = 8;

    void write_annotated(std::string_view stream) {
        using Token = codec::AnnotationToken;
        codec::AnnotationStreamReader annotation(stream);
        bool more = annotation.next();
        while (more) {
            if (annotation.token() == Token::kMove) {
                if (walk_.at_end()) replay::throw_damaged_annotation(id_);
                more = write_move(&annotation);
                continue;
            }
            switch (annotation.token()) {
                case Token::kMove: break;
                case Token::kComment: writer_.comment(annotation.text()); break;
                case Token::kGlyph: writer_.glyph(annotation.text()); break;
                case Token::kOpen: writer_.open_variation(); break;
                case Token::kWord:
                    writer_.word(spelling_.spell(annotation.text(), spelled_));
                    break;
                case Token::kClose: writer_.close_variation(); break;
                case Token::kResult:
                    if (walk_.at_end()) write_result();
                    break;
            }
            more = annotation.next();
        }
        if (annotation.corrupt()) replay::throw_damaged_annotation(id_);
    }

    /// Writes the next move, with its mark if one follows. Returns true if the annotation has more.
    bool write_move(codec::AnnotationStreamReader* annotation) {
        const unsigned number = walk_.position().fullmove_number();
        const bool white = walk_.position().side_to_move() == chess::Color::kWhite;
        const bool null = walk_.next_move().kind() == chess::MoveKind::kNull;
        char word[chess::kMaxSanLength + kMaxMark];
        char* end = write_san_and_advance(walk_, word);
        bool more = annotation != nullptr && annotation->next();
        if (more && annotation->token() == codec::AnnotationToken::kGlyph && !null) {
            const std::string_view mark = annotation->text();
            if (mark.size() <= kMaxMark && mark.find_first_not_of("!?") == mark.npos) {
                end = std::ranges::copy(mark, end).out;
                more = annotation->next();
            }
        }
        writer_.move(number, white, spelling_.spell({word, end}, spelled_));
        return more;
    }

    /// The result marker is the game's result, even if the Result tag is spelled otherwise.
    void write_result() {
        if (!result_written_) writer_.result(result_);
        result_written_ = true;
    }

    store::GameId id_;
    const chess::SanSpelling& spelling_;
    std::string spelled_;
    std::string_view result_;
    Walk& walk_;
    pgn::GameWriter& writer_;
    bool result_written_ = false;
};

}  // namespace

void write_tags(const store::StoredGame& game, pgn::GameWriter& writer) {
    std::array<const Tag*, kRoster> roster{};
    std::vector<const Tag*> others;
    others.reserve(game.tags.size());
    bool setup = game.moves.start.empty();
    for (const Tag& tag : game.tags) {
        const std::size_t place = place_in_roster(tag.first);
        if (place < kRoster && roster[place] == nullptr) {
            roster[place] = &tag;
        } else {
            others.push_back(&tag);
            setup |= tag.first == "SetUp";
        }
    }
    for (std::size_t place = 0; place < kRoster; ++place) {
        if (roster[place] != nullptr) {
            writer.tag(kRosterNames[place], roster[place]->second);
        } else {
            writer.tag(kRosterNames[place], place == kResult
                                                ? codec::result_text(game.moves.facts.result)
                                                : kUnknown[place]);
        }
    }
    const Tag setup_tag("SetUp", "1");
    if (!setup) others.push_back(&setup_tag);
    // Stable, because a name may occur twice, and then the order of the pairs can matter.
    std::ranges::stable_sort(others,
                             [](const Tag* a, const Tag* b) { return a->first < b->first; });
    for (const Tag* tag : others) writer.tag(tag->first, tag->second);
}

void append_pgn(store::GameId id, const store::StoredGame& game, std::string_view annotation,
                std::string& out, const chess::SanSpelling& spelling) {
    pgn::GameWriter writer(out);
    write_tags(game, writer);
    const auto write_moves = [&](auto& walk) {
        MovetextWriter(id, game.moves.facts.result, walk, annotation, spelling, writer);
    };
    if (replay::has_positions(game.moves)) {
        replay::with_walk(id, game.moves, write_moves);
    } else {
        codec::GameWalk none(chess::Position(), {}, 0);
        write_moves(none);
    }
    out += '\n';
}

namespace {

/// Appends the imported text and a blank line. False if it was not kept.
bool append_kept(store::StoreReader& reader, KeptTexts& kept, store::GameId id, std::string& out) {
    const std::optional<std::string> text = kept.of(reader, id);
    if (!text) return false;
    const std::size_t end = text->find_last_not_of(" \t\r\n");
    out.append(*text, 0, end == text->npos ? 0 : end + 1);
    out += "\n\n";
    return true;
}

}  // namespace

void append_pgn(store::StoreReader& reader, KeptTexts& kept, store::GameId id,
                const store::StoredGame& game, std::string& out,
                const chess::SanSpelling& spelling) {
    if (!replay::has_positions(game.moves) && append_kept(reader, kept, id, out)) return;
    std::string annotation;
    reader.annotation(id, annotation);
    append_pgn(id, game, annotation, out, spelling);
}

bool append_pgn(store::StoreReader& reader, KeptTexts& kept, store::GameId id, std::string& out,
                const chess::SanSpelling& spelling) {
    store::StoredGame game;
    if (!reader.game(id, game)) return false;
    append_pgn(reader, kept, id, game, out, spelling);
    return true;
}

bool append_pgn(store::StoreReader& reader, store::GameId id, std::string& out,
                const chess::SanSpelling& spelling) {
    KeptTexts kept;
    return append_pgn(reader, kept, id, out, spelling);
}

void export_pgn(const ExportJob& job, ByteSink& sink) {
    KeptTexts kept;
    write_batches(
        job,
        [&](unsigned, store::StoreReader& reader, GameBatch batch, std::string& out) {
            for_each_game(reader, job.games, batch,
                          [&](std::uint64_t, store::GameId id, const store::StoredGame& game) {
                              if (!job.tags) {
                                  append_pgn(reader, kept, id, game, out, job.spelling);
                                  return;
                              }
                              store::StoredGame changed = game;
                              job.tags->apply(reader, id, changed);
                              append_pgn(reader, kept, id, changed, out, job.spelling);
                          });
        },
        sink);
}

}  // namespace fendex::emit
