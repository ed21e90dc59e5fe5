// Which games reached this position? Every game that is named has been replayed to that ply and
// compared.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/game_filter.hpp"
#include "query/position_match.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// The positions that answer, any of them; or a bare key (then "compared" means by key).
struct Question {
    struct Answer {
        std::uint64_t key = 0;
        std::optional<chess::AnyPosition> position;
        bool mirrored = false;
    };
    std::vector<Answer> answers;

    static Question of(const chess::AnyPosition& position, Match match = Match::kExact);
    static Question of_key(std::uint64_t key) { return {{{key, std::nullopt, false}}}; }
};

struct Hit {
    store::GameId game = 0;
    std::vector<std::uint32_t> plies;  // every one, ascending
    chess::Variant variant = chess::Variant::kStandard;
    /// As it stood in the game the first time, and the move played from there (none at the game's
    /// end).
    chess::AnyPosition position;
    std::optional<chess::Move> next;
    /// Of a hit in a variation: its moves from where it left the game. Empty in the game itself.
    std::string line;
};

struct Count {
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;
};

/// A stay of a game in the position, and what it played from there (codec::kGameEndsHere: nothing).
struct Visit {
    store::GameId game = 0;
    chess::Move next;
    bool mirrored = false;  // the position stood there with colours exchanged, and so is the move
};

class GamesInOrder;
class HitCursor;

class PositionSearch {
  public:
    /// Only games that fit are found; both must outlive the search.
    PositionSearch(store::StoreReader& reader, GameMatcher& matcher)
        : reader_(reader), matcher_(matcher) {}

    /// Games in order, until visit() returns false.
    void find(const Question& question, const std::function<bool(const Hit&)>& visit);
    /// The same with the variations that are indexed: a hit for each place where one reached the
    /// position, behind that of the game itself, in the order of the text.
    void find_with_variations(const Question& question,
                              const std::function<bool(const Hit&)>& visit);
    /// The same game again; false where it never reached the position.
    bool find_in(const Question& question, store::GameId game, Hit& out);

    /// Positions with several postings are counted by their 64-bit key; with `verify` those games
    /// are replayed too.
    Count count(const Question& question, bool verify);

    /// The visits of games that fit among candidates for one answer, in their order.
    void append_visits(const Question::Answer& answer, std::span<const store::Candidate> candidates,
                       std::vector<Visit>& out);
    /// The visits for all answers, in no particular order.
    std::vector<Visit> visits(const Question& question);

    /// Whether a position's own sums answer: it alone is asked for, and of all games.
    bool sums_suffice(const Question& question) const {
        return question.answers.size() == 1 && matcher_.takes_all();
    }

  private:
    friend class HitCursor;
    bool replay(std::span<const Question::Answer* const> answers, store::GameId game,
                std::optional<std::uint32_t> last, Hit& hit);

    std::vector<store::GameId> games_with_variations(const Question& question);
    std::vector<Hit> variation_hits(const Question& question, store::GameId game);

    store::StoreReader& reader_;
    GameMatcher& matcher_;
    store::StoredMoves moves_;
    Hit hit_;
    std::string annotation_;
};

/// The same hits one by one, when they are asked for.
class HitCursor {
  public:
    /// The search must outlive it. With `variations` it finds what find_with_variations() does.
    HitCursor(PositionSearch& search, Question question, bool variations = false);
    ~HitCursor();
    HitCursor(const HitCursor&) = delete;
    HitCursor& operator=(const HitCursor&) = delete;

    bool next(Hit& out);

  private:
    bool next_in_games(Hit& out);
    bool next_in_variations(Hit& out);

    PositionSearch& search_;
    Question question_;
    std::unique_ptr<GamesInOrder> games_;
    std::vector<const Question::Answer*> answers_;
    bool variations_;
    std::vector<store::GameId> with_variations_;  // games whose variations come next, last first
    std::vector<Hit> pending_;                    // of one game's variations, last first
    std::optional<Hit> main_;                     // the next hit of a game itself
    bool games_are_over_ = false;
};

}  // namespace fendex::query
