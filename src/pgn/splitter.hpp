// Cuts a stream of PGN text into batches of whole games. Only the Splitter decides where a game
// begins and ends; the Reader parses the text it receives. The Splitter is a state machine that can
// stop at any byte, so neither the size of reads nor the size of batches changes what a game is.
// Memory: one batch, and at most max_game_bytes of a game.
//
// A game ends after a termination marker outside variations; before a tag pair that follows
// movetext; before a tag pair that repeats the first one's name after a blank line; before a second
// [Event]; and at the end of the input. Outside games, words that are neither tags nor moves are
// junk: reported, never silently skipped.
//
// Not thread-safe; use one per stream.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/digest.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/checkpoint.hpp"
#include "pgn/lexer.hpp"

namespace fendex::pgn {

struct Extent {
    enum class Kind : std::uint8_t { kGame, kJunk };
    std::size_t offset = 0;  // in Batch::text
    std::size_t size = 0;
    Kind kind = Kind::kGame;
    /// The text was cut short (by a damaged archive, or because the game is longer than
    /// max_game_bytes): the last word may be half a word.
    bool truncated = false;
};

/// The text before a checkpoint, as far as a Splitter that resumes there must know it.
struct TextBefore {
    Checkpoint checkpoint;
    base::Digest digest;     // of all the text before
    std::string last_bytes;  // its last Splitter::kLookbehind bytes, or all
    std::uint64_t last_mark = 0;
};

struct Batch {
    std::string text;
    std::vector<Extent> extents;
    std::uint64_t stream_offset = 0;      // of text[0] in the uncompressed stream
    std::uint64_t first_line = 1;         // the number of the line text[0] is in
    std::uint64_t compressed_offset = 0;  // bytes of the input consumed when the batch was cut
    /// The last checkpoint, usually the end of the last game. It may be followed by a game that is
    /// longer than max_game_bytes, by an unfinished game at the end of the input, or by junk.
    Checkpoint checkpoint;
    std::vector<Mark> marks;  // of this batch
    /// True if the text before the checkpoint has passed the checksums of the source.
    bool checked = true;

    std::size_t games() const;
};

struct SplitterOptions {
    std::size_t batch_bytes = 512 * 1024;
    /// A batch is also cut when it has this many games, because a game without moves takes about a
    /// hundred times as much memory as its text.
    std::size_t batch_games = 4096;
    std::size_t read_bytes = 256 * 1024;
    std::size_t max_game_bytes = 64 * 1024 * 1024;
};

class Splitter {
  public:
    /// Bytes kept before the first byte that is still needed: decisions may depend on preceding
    /// bytes.
    static constexpr std::size_t kLookbehind = 4;

    explicit Splitter(ByteSource& source, SplitterOptions options = {});
    /// Resumes after `before`, which the caller has already read from the source. Lines and bytes
    /// are counted from the beginning of the whole text.
    Splitter(ByteSource& source, SplitterOptions options, TextBefore before);

    /// Returns the next batch; false at the end. If the source throws a SourceError, next() throws
    /// it after it has returned all text before the failure.
    [[nodiscard]] bool next(Batch& out);

    /// Valid at the end: the offset of a comment outside games that is never closed; empty if there
    /// is none. The text after it has not been read as games.
    std::optional<std::uint64_t> unclosed_comment() const;

    /// Valid at the end, even if that is a failure: the last checkpoint, the text's size and its
    /// digest.
    const Checkpoint& checkpoint() const { return checkpoint_; }
    std::uint64_t text_bytes() const { return stream_offset_ + buffer_.size(); }
    std::string digest() const { return digest_.hex(); }

  private:
    /// The kinds of text being scanned. Between games there are blanks and comments.
    struct Between {};
    struct Junk {};
    struct Tags {
        std::string first_name;
        bool has_event = false;
    };
    struct Moves {
        unsigned depth = 0;  // of variations
    };
    using Item = std::variant<Between, Junk, Tags, Moves>;

    /// A token that is scanned to its end before anything else is decided.
    enum class Inside : std::uint8_t {
        kNothing,
        kTagValue,
        kBrokenTag,
        kWord,
        kComment,
        kLineComment,
        kJunkWord,
    };

    bool fill();
    bool is_full() const;
    void scan();
    bool at_line_start() const;
    bool step_inside(const char* stop);
    void step(const char* stop);
    void step_bracket();
    void step_outside();
    void step_moves(const char* stop);
    void skip_moves(const char* stop);
    bool in_game() const { return is_in<Tags>() || is_in<Moves>(); }
    template <typename State>
    bool is_in() const {
        return std::holds_alternative<State>(item_);
    }
    void begin_game(Item item);
    void end_game();
    void begin_junk();
    void end_junk();
    void end_item(Extent::Kind kind);
    void add_extent(Extent::Kind kind, bool truncated);
    void limit_item();
    void cut(Batch& out);
    std::size_t checked_extents(std::uint64_t unchecked) const;
    void add_marks(const std::vector<Extent>& extents);
    std::uint64_t lines_before(std::size_t end);
    void add_checkpoint(std::size_t end);
    void digest_to(std::size_t end);
    void pass(std::size_t end);
    void drop(std::size_t end);
    const char* at(std::size_t offset) const { return buffer_.data() + offset; }

    ByteSource& source_;
    SplitterOptions options_;
    std::string buffer_;
    std::size_t pos_ = 0;       // scanned up to here
    std::size_t boundary_ = 0;  // all text before belongs to finished extents
    std::size_t digested_ = 0;
    /// The end of the last game, if it is after the last checkpoint.
    std::optional<std::size_t> game_end_;
    std::uint64_t stream_offset_ = 0;
    std::uint64_t line_ = 1;           // of buffer_[0]
    std::size_t counted_ = 0;          // bytes of buffer_ in which line ends have been counted
    std::uint64_t lines_counted_ = 0;  // the line ends in them
    base::Digest digest_;
    Checkpoint checkpoint_;
    std::vector<Mark> marks_;  // since the last batch
    std::uint64_t next_mark_ = next_mark(0);
    std::vector<Extent> extents_;
    std::exception_ptr failure_;
    bool eof_ = false;
    bool scanned_ = true;  // all that was read; false if the batch was full before

    Item item_;
    /// Where the current game or junk begins. Empty between games, and if the item was too long:
    /// then its beginning is already in a batch and the rest is skipped.
    std::optional<std::size_t> item_start_;
    Inside inside_ = Inside::kNothing;
    /// Where the last comment outside games begins, in the stream.
    std::uint64_t outside_comment_ = 0;
    unsigned newlines_ = 2;  // line ends since the last tag pair or game; 0 right after a game
    TagScan tag_scan_;
    CommentScan comment_scan_;
};

}  // namespace fendex::pgn
