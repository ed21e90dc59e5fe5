#include "ingest/pgn_check.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "chess/fen.hpp"
#include "ingest/batch_reader.hpp"
#include "ingest/prefixed_source.hpp"
#include "ingest/record_lines.hpp"
#include "pgn/reader.hpp"
#include "pgn/splitter.hpp"

namespace fendex::ingest {

namespace {

using namespace std::string_view_literals;

/// Prose may contain a move or two; this many playable plies make it a game.
constexpr std::uint32_t kPliesAmongProse = 4;

/// A kind of file, its first bytes, and advice.
struct Foreign {
    std::string_view magic;
    std::string_view what;
};
constexpr Foreign kForeign[] = {
    {"SQLite format 3\0"sv,
     "an SQLite database; if fendex made it, give its path to 'fendex import'"},
    {"Scid.si"sv, "a Scid database; export its games as PGN in Scid"},
    {"\x7f"
     "ELF"sv,
     "a program (ELF); give the files that hold the games"},
    {"%PDF-"sv, "a PDF document; give the files that hold the games"},
    {"\x89PNG"sv, "a picture (PNG); give the files that hold the games"},
};

constexpr std::string_view kBinary =
    "a binary file; export its games as PGN with the program that made it";
constexpr std::string_view kUtf16LittleEndian =
    "UTF-16 text without a byte order mark; convert it first: iconv -f UTF-16LE -t UTF-8 FILE";
constexpr std::string_view kUtf16BigEndian =
    "UTF-16 text without a byte order mark; convert it first: iconv -f UTF-16BE -t UTF-8 FILE";
constexpr std::string_view kNulBytes =
    "text with NUL bytes, as a damaged or padded file has; remove them first: tr -d '\\0' < FILE";
constexpr std::string_view kFens =
    "a list of positions (FEN or EPD); ask about them with 'fendex find DB --fens FILE', or check "
    "them with 'fendex fen --fens FILE'";
constexpr std::string_view kRecords =
    "records of positions (evaluations or EPD), which 'fendex import' reads";
constexpr std::string_view kProse =
    "text without games: no tag pair and no legal moves in its first 64 KiB; give the files that "
    "hold the games";

/// Counts what distinguishes a game from prose.
struct TagCounter : pgn::IgnoredText {
    unsigned tags = 0;

    void tag(std::string_view, std::string_view) { ++tags; }
    static bool move(std::string_view, const char*) { return false; }
};

/// Returns whether a batch has a game.
bool holds_games(const BatchTask& task) {
    bool prose = false;
    for (const pgn::Extent& extent : task.batch.extents) {
        if (extent.kind == pgn::Extent::Kind::kJunk) {
            prose = true;
            continue;
        }
        TagCounter counter;
        pgn::read_game(std::string_view(task.batch.text).substr(extent.offset, extent.size), true,
                       counter);
        if (counter.tags != 0) return true;
    }
    GameReplay replay;
    const store::NewGames read = read_batch(task, replay);
    if (!prose && read.errors.empty()) return true;  // only results
    return std::ranges::any_of(read.games, [&](const store::NewGame& game) {
        return game.facts.plies >= (prose ? kPliesAmongProse : 1);
    });
}

bool holds_games(std::string_view head, chess::Variant variant) {
    PrefixedSource source(std::string(head), nullptr);
    pgn::Splitter splitter(source, {.batch_bytes = head.size() + 1, .read_bytes = head.size() + 1});
    BatchTask task;
    task.variant = variant;
    return !splitter.next(task.batch) || holds_games(task);
}

bool begins_with_tag(std::string_view head) {
    const auto* begin = std::ranges::find_if_not(head, pgn::is_space);
    return !pgn::match_tag(begin, head.end()).name.empty();
}

bool begins_with_fen(std::string_view head) {
    const auto* begin = std::ranges::find_if_not(head, pgn::is_space);
    const auto* end = std::find_if(begin, head.end(), pgn::is_newline);
    return chess::any_position(chess::parse_any_fen({begin, static_cast<std::size_t>(end - begin)},
                                                    std::nullopt, chess::FenMode::kLenient))
        .has_value();
}

/// Returns what a text with NUL bytes looks like. In UTF-16, one half of most characters is NUL.
std::string_view what_has_nul_bytes(std::string_view head) {
    std::size_t zeros[2] = {0, 0};  // at even and at odd places
    for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0' ? 1U : 0U;
    const auto mostly = [&](std::size_t these, std::size_t others) {
        return these > head.size() / 3 && others <= head.size() / 64;
    };
    if (mostly(zeros[1], zeros[0])) return kUtf16LittleEndian;
    if (mostly(zeros[0], zeros[1])) return kUtf16BigEndian;
    return begins_with_tag(head) ? kNulBytes : kBinary;
}

/// Returns what a text that is not PGN looks like; empty for PGN.
std::string_view what_else(std::string_view head, chess::Variant variant) {
    for (const Foreign& foreign : kForeign) {
        if (head.starts_with(foreign.magic)) return foreign.what;
    }
    if (head.find('\0') != std::string_view::npos) return what_has_nul_bytes(head);
    if (begins_with_fen(head)) return kFens;
    if (head.size() == kCheckedBytes && std::ranges::all_of(head, pgn::is_space)) {
        return kProse;
    }
    return holds_games(head, variant) ? std::string_view() : kProse;
}

/// Reads up to kCheckedBytes. Returns false if the source fails before; then it fails again when
/// it is read on.
bool read_head(pgn::ByteSource& text, std::string& head) {
    head.resize(kCheckedBytes);
    std::size_t size = 0;
    bool failed = false;
    while (size < head.size() && !failed) {
        try {
            const std::size_t count = text.read(std::span(head).subspan(size));
            if (count == 0) break;
            size += count;
        } catch (const pgn::SourceError&) {
            failed = true;
        }
    }
    head.resize(size);
    return !failed;
}

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
    throw pgn::SourceError((path == "-" ? "standard input" : path) +
                               ": is not PGN, no games were read from it; it looks like " +
                               std::string(what),
                           0);
}

}  // namespace

RecognisedText recognise_text(std::unique_ptr<pgn::ByteSource> text, const std::string& path,
                              chess::Variant variant) {
    RecognisedText out;
    const bool is_whole = read_head(*text, out.head);
    if (begins_with_records(out.head)) {
        out.kind = TextKind::kRecords;
    } else if (is_whole) {
        const std::string_view what = what_else(out.head, variant);
        if (!what.empty()) refuse(path, what);
    }
    out.text = std::make_unique<PrefixedSource>(out.head, std::move(text));
    return out;
}

RecognisedText require_pgn(std::unique_ptr<pgn::ByteSource> text, const std::string& path,
                           chess::Variant variant) {
    RecognisedText out = recognise_text(std::move(text), path, variant);
    if (out.kind == TextKind::kRecords) refuse(path, kRecords);
    return out;
}

}  // namespace fendex::ingest
