// fendex as a library. It imports PGN archives and finds which games reached a position, what was
// played there, and which games repeated a position.
//
//     fendex::Database db = fendex::Database::open("my.db", fendex::Open::kCreate);
//     db.import({"mega.pgn.zst"});
//     for (const fendex::Hit& hit : db.find({.fen = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"}))
//         std::cout << hit.game.white << " - " << hit.game.black << '\n';
//
// Values: everything that is returned owns what it holds. Texts are UTF-8; a tag that a game does
// not have is an empty text. Plies count from the start of the game, 0.
//
// Threads: several threads may use a Database at once. Each question reads with a connection of its
// own and sees everything that was committed before it began. One Hits belongs to one thread at a
// time.
//
// Errors: fendex::Error, whose kind says what to do about it. If a stop token is requested, the
// call ends with ErrorKind::kStopped within a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "ask/filter.hpp"
#include "fendex/version.h"

namespace fendex {

enum class ErrorKind {
    kAbsent,        // there is no such database or game
    kBusy,          // another process has locked the database: try again later
    kDamaged,       // the database is damaged: `fendex check` says where
    kNotADatabase,  // the file is something else
    kOtherFormat,   // the database needs a newer fendex, or `fendex upgrade`
    kQuestion,      // a FEN, a move or a filter cannot be understood: the message names it
    kImport,        // nothing could be imported from an input
    kStopped,       // the stop token was requested
    kSystem,        // the disk, memory or permissions
};

class Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

  private:
    ErrorKind kind_;
};

enum class Match {
    kExact,     // the same position by FIDE 9.2
    kBoard,     // the same placement, whoever is to move
    kMirrored,  // the same position, or the same position with colours swapped
};

enum class Order {
    kNumber,
    kDate,   // latest first
    kElo,    // highest mean rating first
    kPlies,  // longest first
};

/// A position, and which games to search.
struct Question {
    std::string fen = {};      // in any dialect; empty: the start of the game
    std::string moves = {};    // played from there, "1.e4 c5 2.Nf3"
    std::string variant = {};  // "atomic"; empty: the FEN decides, else standard chess
    Match match = Match::kExact;
    bool variations = false;  // find() also looks in variations that are indexed
    std::string eval = {};    // for find() and count(): "-50..50", evaluations of the position
    Filter filter = {};
};

struct Game {
    std::uint64_t id = 0;
    std::string white;
    std::string black;
    std::string result;
    std::string date;
    std::string event;
    std::string site;
    std::string round;
    std::string eco;
    std::optional<std::int64_t> white_elo;
    std::optional<std::int64_t> black_elo;
    std::uint32_t plies = 0;
    std::string variant;  // "standard", "chess960", "atomic" ...
};

/// A game that reached the position.
struct Hit {
    Game game;
    std::vector<std::uint32_t> plies;  // all plies with the position
    std::string fen;                   // at the first of them
    std::string san;                   // the move played then; empty at the end of the game
    std::string uci;
    std::string line;  // if a variation reached it: its moves, from where it left the game
};

struct Count {
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;
};

/// Games with their results. Games without a result count in `games` only.
struct Score {
    std::uint64_t games = 0;
    std::uint64_t white = 0;
    std::uint64_t draws = 0;
    std::uint64_t black = 0;
};

struct Opening {
    std::string eco;
    std::string name;
};

struct TreeMove {
    std::string san;
    std::string uci;
    std::string fen;                         // after the move
    Score score;                             // games that played the move here
    std::optional<unsigned> average_rating;  // of the players who played it
    std::optional<unsigned> performance;
    std::optional<unsigned> last_year;
    std::optional<std::uint64_t> reached;  // games that got to `fen` by any order of moves
    std::optional<Opening> opening;
};

/// A game that reached a position, and what it played there.
struct TreeGame {
    Game game;
    std::string uci;  // empty if it ended there
};

struct Tree {
    std::string fen;
    Score score;
    std::vector<TreeMove> moves;         // most played first
    Score ended;                         // games that ended here
    std::vector<TreeGame> top_games;     // best rated first
    std::vector<TreeGame> recent_games;  // latest first
    std::optional<Opening> opening;
};

enum class Side { kWhite, kBlack };

/// A position that a game reached more than once.
struct Repeat {
    Game game;
    std::uint64_t key = 0;
    std::string fen;                   // as it stood the first time
    std::vector<std::uint32_t> plies;  // all occurrences
    std::optional<std::uint32_t> third_ply;
    std::optional<std::uint32_t> fifth_ply;
    std::optional<std::uint32_t> played_on;  // plies after the third occurrence
    std::optional<Side> claimant;            // who could have claimed a draw
    // The side gave check with every move from the first occurrence to the last.
    bool white_checks = false;
    bool black_checks = false;
    // The player who could have claimed a draw by announcing a move to the position, played or not.
    // Only if the question looks for such claims.
    std::optional<Side> announcer;
    std::vector<std::uint32_t> announced_plies;  // at which plies
    std::string announced_move;                  // the first time, in SAN
};

struct RepeatQuestion {
    std::uint32_t min_count = 3;   // occurrences
    std::string fen = {};          // only this position; empty: all
    bool missed = false;           // only if the player who could have claimed lost
    bool claims = false;           // looks for announced moves as well, as `missed` does
    bool perpetual = false;        // only if one side checked with every move
    std::uint64_t first_game = 1;  // games with lower numbers are skipped
    Filter filter = {};
};

/// A position of a game, and the move that led to it.
struct Ply {
    std::uint32_t ply = 0;
    std::string san;  // empty at the start
    std::string uci;
    std::uint64_t key = 0;
    std::string fen;
    std::string epd;
    std::uint32_t occurrence = 1;  // how often the game has been in this position
};

/// A game with everything that is stored about it.
struct FullGame {
    Game game;
    std::vector<std::pair<std::string, std::string>> tags;
    std::vector<Ply> plies;  // empty if the game's rules are not known
    std::string pgn;
};

struct ImportProgress {
    std::uint64_t bytes = 0;        // read from the inputs, as they are on disk
    std::uint64_t total_bytes = 0;  // 0 if an input is a stream
    std::uint64_t games = 0;
};

struct ImportOptions {
    unsigned threads = 0;  // 0: as many as the machine has
    std::size_t memory_bytes = std::size_t{1} << 30;
    bool annotations = false;  // keep comments, NAGs and variations
    bool variations = false;   // and index the positions of variations
    bool skip_duplicates = false;
    bool strict = false;                                       // the first error undoes the import
    std::optional<bool> ply_rows = {};                         // empty: the program's default
    std::function<void(const ImportProgress&)> progress = {};  // called in the calling thread
};

struct ImportResult {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t errors = 0;
    std::uint64_t warnings = 0;
    std::uint64_t duplicates = 0;
    std::vector<std::string> failures;  // one for each input that could not be read to its end
};

enum class Open {
    kExisting,
    kCreate,  // the first import creates the database if it is absent
};

class Hits;

class Database {
  public:
    /// Throws Error: kAbsent, kNotADatabase, kOtherFormat, kDamaged, kBusy, kSystem.
    [[nodiscard]] static Database open(const std::string& path, Open mode = Open::kExisting);
    // A copy is the same database.
    Database(const Database&);
    Database& operator=(const Database&);
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    /// Imports archives and directories. Inputs that were imported before are skipped; a stopped
    /// import continues when it is called again. Throws Error: kImport if an input cannot be opened
    /// or holds no games, and nothing was imported.
    ImportResult import(const std::vector<std::string>& inputs, const ImportOptions& options = {},
                        std::stop_token stop = {});

    /// Returns games in the order of their numbers; they are found one by one during the iteration.
    [[nodiscard]] Hits find(const Question& question, std::stop_token stop = {}) const;
    [[nodiscard]] Count count(const Question& question, std::stop_token stop = {}) const;
    [[nodiscard]] Tree tree(const Question& question, std::stop_token stop = {}) const;
    /// Calls visit for each repeated position, by games, until it returns false.
    void repeats(const RepeatQuestion& question, const std::function<bool(const Repeat&)>& visit,
                 std::stop_token stop = {}) const;

    /// Returns the numbers of the games that match the filter.
    [[nodiscard]] std::vector<std::uint64_t> games(const Filter& filter = {},
                                                   Order order = Order::kNumber,
                                                   std::stop_token stop = {}) const;
    /// Returns the facts that lists show of a game. Throws Error(kAbsent) if there is no such game.
    [[nodiscard]] Game header(std::uint64_t id) const;
    [[nodiscard]] FullGame game(std::uint64_t id) const;

  private:
    friend class Hits;
    struct State;
    explicit Database(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

/// The games that answer a question, as a range to iterate over once. It may outlive its Database.
class Hits {
  public:
    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Hit;
        using difference_type = std::ptrdiff_t;
        using pointer = const Hit*;
        using reference = const Hit&;

        Iterator() = default;
        reference operator*() const { return hits_->hit_; }
        pointer operator->() const { return &hits_->hit_; }
        Iterator& operator++() {
            if (!hits_->next()) hits_ = nullptr;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const Iterator& a, const Iterator& b) = default;

      private:
        friend class Hits;
        explicit Iterator(Hits* hits) : hits_(hits) {}
        Hits* hits_ = nullptr;  // null at the end
    };

    Hits(Hits&&) noexcept;
    Hits& operator=(Hits&&) noexcept;
    ~Hits();

    /// Finds the first game.
    [[nodiscard]] Iterator begin() { return next() ? Iterator(this) : Iterator(); }
    [[nodiscard]] static Iterator end() { return {}; }

  private:
    friend class Database;
    class Search;
    explicit Hits(std::unique_ptr<Search> search);
    bool next();

    std::unique_ptr<Search> search_;
    Hit hit_;
};

}  // namespace fendex
