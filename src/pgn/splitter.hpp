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
#include "pgn/batch.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/lexer.hpp"

namespace fendex::pgn {

struct SplitterOptions {
    std::size_t batch_bytes = 512 * 1024;
    /// A batch is also cut when it has this many games, because a game without moves takes about a
    /// hundred times as much memory as its text.
    std::size_t batch_games = 4096;
    std::size_t read_bytes = 256 * 1024;
    std::size_t max_game_bytes = 64 * 1024 * 1024;
};

class Splitter final : public BatchSource {
  public:
    static constexpr std::size_t kLookbehind = TextBefore::kLastBytes;

    explicit Splitter(ByteSource& source, SplitterOptions options = {});
    /// Resumes after `before`, which the caller has already read from the source. Lines and bytes
    /// are counted from the beginning of the whole text.
    Splitter(ByteSource& source, SplitterOptions options, TextBefore before);

    [[nodiscard]] bool next(Batch& out) override;
    std::optional<std::uint64_t> unclosed_comment() const override;
    const Checkpoint& checkpoint() const override { return checkpoint_; }
    std::uint64_t text_bytes() const override { return stream_offset_ + buffer_.size(); }
    std::string digest() const override { return digest_.hex(); }

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
