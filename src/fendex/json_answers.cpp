#include "fendex/json_answers.hpp"

#include <deque>
#include <utility>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "emit/repetition_rows.hpp"
#include "fendex/json_question.hpp"

namespace fendex {

namespace {

/// Adds a text. Absent texts are empty in values and null in JSON.
void add_text(json::Object& object, std::string_view name, const std::string& text) {
    if (text.empty()) return object.add_null(name);
    object.add(name, text);
}

/// Adds what lists show of a game, without its number.
void add_game(json::Object& object, const Game& game) {
    add_text(object, "white", game.white);
    add_text(object, "black", game.black);
    object.add("result", game.result);
    add_text(object, "date", game.date);
    add_text(object, "event", game.event);
    add_text(object, "site", game.site);
    add_text(object, "round", game.round);
    object.add("white_elo", game.white_elo);
    object.add("black_elo", game.black_elo);
    add_text(object, "eco", game.eco);
}

void add_score(json::Object& object, const Score& score) {
    object.add("white", score.white);
    object.add("draws", score.draws);
    object.add("black", score.black);
    object.add("games", score.games);
}

void add_opening(json::Object& object, const std::optional<Opening>& opening) {
    if (!opening) return object.add_null("opening");
    object.add_object("opening", [&](json::Object& named) {
        named.add("eco", opening->eco);
        named.add("name", opening->name);
    });
}

/// Returns the object to which fill(object) adds the members.
template <typename Fill>
std::string object_of(Fill fill) {
    std::string out;
    json::append_object(out, fill);
    return out;
}

std::string json_of(const Hit& hit, bool variations) {
    return object_of([&](json::Object& object) {
        object.add("game_id", hit.game.id);
        object.add("ply", hit.plies.front());
        object.add("plies", hit.plies);
        add_game(object, hit.game);
        add_text(object, "san", hit.san);
        add_text(object, "uci", hit.uci);
        if (!variations) return;
        object.add("variation", !hit.line.empty());
        add_text(object, "line", hit.line);
    });
}

std::string json_of(const Game& game) {
    return object_of([&](json::Object& object) {
        object.add("game_id", game.id);
        add_game(object, game);
        object.add("plies", game.plies);
    });
}

std::string json_of(const FullGame& game) {
    return object_of([&](json::Object& object) {
        object.add("game_id", game.game.id);
        add_game(object, game.game);
        object.add("plies", game.game.plies);
        object.add("variant", game.game.variant);
        object.add_object("tags", [&](json::Object& tags) {
            for (const auto& [name, value] : game.tags) tags.add(name, value);
        });
        object.add("pgn", game.pgn);
    });
}

std::string json_of(const Ply& ply) {
    return object_of([&](json::Object& object) {
        object.add("ply", ply.ply);
        add_text(object, "san", ply.san);
        add_text(object, "uci", ply.uci);
        object.add("key", base::hex_key(ply.key));
        object.add("fen", ply.fen);
        object.add("epd", ply.epd);
        object.add("occurrence", ply.occurrence);
    });
}

std::string json_of(const Count& count) {
    return object_of([&](json::Object& object) {
        object.add("games", count.games);
        object.add("occurrences", count.occurrences);
    });
}

void add_tree_game(json::Object& object, const TreeGame& named) {
    const Game& game = named.game;
    const auto add_player = [&](std::string_view side, const std::string& name,
                                const std::optional<std::int64_t>& rating) {
        object.add_object(side, [&](json::Object& player) {
            add_text(player, "name", name);
            player.add("rating", rating);
        });
    };
    add_text(object, "uci", named.uci);
    object.add("id", game.id);
    object.add("result", game.result);
    add_player("white", game.white, game.white_elo);
    add_player("black", game.black, game.black_elo);
    add_text(object, "date", game.date);
}

std::string json_of(const Tree& tree) {
    return object_of([&](json::Object& object) {
        object.add("fen", tree.fen);
        add_score(object, tree.score);
        object.add_objects("moves", tree.moves, [](json::Object& move, const TreeMove& value) {
            move.add("uci", value.uci);
            move.add("san", value.san);
            move.add("fen", value.fen);
            add_score(move, value.score);
            move.add("averageRating", value.average_rating);
            move.add("performance", value.performance);
            move.add("lastYear", value.last_year);
            move.add("reached", value.reached);
            add_opening(move, value.opening);
        });
        object.add_object("ended", [&](json::Object& ended) { add_score(ended, tree.ended); });
        object.add_objects("topGames", tree.top_games, add_tree_game);
        object.add_objects("recentGames", tree.recent_games, add_tree_game);
        add_opening(object, tree.opening);
    });
}

std::optional<std::string_view> side_name(const std::optional<Side>& side) {
    if (!side) return std::nullopt;
    return *side == Side::kWhite ? "white" : "black";
}

/// `claims` adds the members for claims by announcing a move.
std::string json_of(const Repeat& repeat, bool claims) {
    return object_of([&](json::Object& object) {
        object.add("game_id", repeat.game.id);
        object.add("key", base::hex_key(repeat.key));
        object.add("fen", repeat.fen);
        object.add("count", repeat.plies.size());
        object.add("plies", repeat.plies);
        object.add("third_ply", repeat.third_ply);
        object.add("fifth_ply", repeat.fifth_ply);
        object.add("played_on", repeat.played_on);
        add_game(object, repeat.game);
        object.add("claimant", side_name(repeat.claimant));
        object.add("checks", emit::checks_text(repeat.white_checks, repeat.black_checks));
        if (!claims) return;
        object.add("announcer", side_name(repeat.announcer));
        if (!repeat.announcer) {
            for (const char* const name : {"announced_ply", "announced_move", "announced_plies"}) {
                object.add_null(name);
            }
            return;
        }
        object.add("announced_ply", repeat.announced_plies.front());
        object.add("announced_move", repeat.announced_move);
        object.add("announced_plies", repeat.announced_plies);
    });
}

/// A page of objects that next_object() returns one by one.
class PagedAnswers : public JsonAnswers {
  public:
    explicit PagedAnswers(Page page) : page_(page) {}

    std::optional<std::string> next() final {
        for (; page_.offset != 0; --page_.offset) {
            if (!next_object()) return std::nullopt;
        }
        if (page_.limit == 0) return std::nullopt;
        --page_.limit;
        return next_object();
    }

  protected:
    virtual std::optional<std::string> next_object() = 0;

  private:
    Page page_;
};

class FoundGames final : public PagedAnswers {
  public:
    FoundGames(const Database& database, const Question& question, Page page, std::stop_token stop)
        : PagedAnswers(page),
          variations_(question.variations),
          hits_(database.find(question, std::move(stop))) {}

  private:
    std::optional<std::string> next_object() override {
        started_ ? static_cast<void>(++hit_) : static_cast<void>(hit_ = hits_.begin());
        started_ = true;
        if (hit_ == Hits::end()) return std::nullopt;
        return json_of(*hit_, variations_);
    }

    bool variations_;
    Hits hits_;
    Hits::Iterator hit_;
    bool started_ = false;
};

class ListedGames final : public PagedAnswers {
  public:
    ListedGames(Database database, Filter filter, Order order, Page page, std::stop_token stop)
        : PagedAnswers(page),
          database_(std::move(database)),
          filter_(std::move(filter)),
          order_(order),
          stop_(std::move(stop)) {}

  private:
    std::optional<std::string> next_object() override {
        if (!games_) games_ = database_.games(filter_, order_, stop_);
        if (next_ == games_->size()) return std::nullopt;
        return json_of(database_.header((*games_)[next_++]));
    }

    Database database_;
    Filter filter_;
    Order order_;
    std::stop_token stop_;
    std::optional<std::vector<std::uint64_t>> games_;
    std::size_t next_ = 0;
};

/// Fetches some rows at a time, always all rows of a game.
class RepeatedPositions final : public PagedAnswers {
  public:
    RepeatedPositions(Database database, RepeatQuestion question, Page page, std::stop_token stop)
        : PagedAnswers(page),
          database_(std::move(database)),
          question_(std::move(question)),
          stop_(std::move(stop)) {}

  private:
    static constexpr std::size_t kRowsAtOnce = 1000;

    std::optional<std::string> next_object() override {
        if (rows_.empty() && !is_over_) fetch();
        if (rows_.empty()) return std::nullopt;
        std::string row = std::move(rows_.front());
        rows_.pop_front();
        return row;
    }

    void fetch() {
        is_over_ = true;
        std::uint64_t last = 0;
        database_.repeats(
            question_,
            [&](const Repeat& repeat) {
                is_over_ = rows_.size() < kRowsAtOnce || repeat.game.id == last;
                if (!is_over_) return false;
                last = repeat.game.id;
                rows_.push_back(json_of(repeat, question_.claims || question_.missed));
                return true;
            },
            stop_);
        question_.first_game = last + 1;
    }

    Database database_;
    RepeatQuestion question_;
    std::stop_token stop_;
    std::deque<std::string> rows_;
    bool is_over_ = false;
};

/// Objects that are computed together, when the first one is fetched.
class ComputedObjects final : public PagedAnswers {
  public:
    using Compute = std::function<std::deque<std::string>()>;
    explicit ComputedObjects(Compute compute, Page page = {})
        : PagedAnswers(page), compute_(std::move(compute)) {}

  private:
    std::optional<std::string> next_object() override {
        if (compute_) objects_ = std::exchange(compute_, {})();
        if (objects_.empty()) return std::nullopt;
        std::string object = std::move(objects_.front());
        objects_.pop_front();
        return object;
    }

    Compute compute_;
    std::deque<std::string> objects_;
};

Order order_named(const std::string& name) {
    if (name.empty() || name == "id") return Order::kNumber;
    if (name == "date") return Order::kDate;
    if (name == "elo") return Order::kElo;
    if (name == "plies") return Order::kPlies;
    throw Error(ErrorKind::kQuestion,
                R"("sort" is "id", "date", "elo" or "plies", not ")" + name + '"');
}

}  // namespace

std::unique_ptr<JsonAnswers> ask(const Database& database, const std::string& text,
                                 std::stop_token stop) {
    JsonQuestion asked(text);
    const std::string what = asked.text("ask");
    if (what == "find") {
        Question question = asked.position();
        question.variations = asked.flag("variations");
        const Page page(asked);
        asked.require_nothing_else();
        return std::make_unique<FoundGames>(database, question, page, std::move(stop));
    }
    if (what == "count" || what == "tree") {
        const Question question = asked.position();
        asked.require_nothing_else();
        return std::make_unique<ComputedObjects>([database, question, stop, what] {
            return std::deque{what == "count" ? json_of(database.count(question, stop))
                                              : json_of(database.tree(question, stop))};
        });
    }
    if (what == "repeats") {
        RepeatQuestion question;
        question.fen = asked.text("fen");
        question.missed = asked.flag("missed");
        question.claims = asked.flag("claims");
        question.perpetual = asked.flag("perpetual");
        const std::uint64_t min = asked.number("min").value_or(question.min_count);
        if (min < 2 || min > std::numeric_limits<std::uint32_t>::max()) {
            throw Error(ErrorKind::kQuestion, "\"min\" takes a number of occurrences, 2 or more");
        }
        question.min_count = static_cast<std::uint32_t>(min);
        question.filter = asked.filter();
        question.filter.variant = asked.text("variant");
        const Page page(asked);
        asked.require_nothing_else();
        return std::make_unique<RepeatedPositions>(database, std::move(question), page,
                                                   std::move(stop));
    }
    if (what == "games") {
        Filter filter = asked.filter();
        filter.variant = asked.text("variant");
        const Order order = order_named(asked.text("sort"));
        const Page page(asked);
        asked.require_nothing_else();
        return std::make_unique<ListedGames>(database, filter, order, page, std::move(stop));
    }
    if (what == "game" || what == "plies") {
        const std::optional<std::uint64_t> id = asked.number("game");
        const Page page = what == "plies" ? Page(asked) : Page();
        asked.require_nothing_else();
        if (!id) throw Error(ErrorKind::kQuestion, "\"game\" says which: give its number");
        return std::make_unique<ComputedObjects>(
            [database, id, what] {
                const FullGame game = database.game(*id);
                if (what == "game") return std::deque{json_of(game)};
                std::deque<std::string> objects;
                for (const Ply& ply : game.plies) objects.push_back(json_of(ply));
                return objects;
            },
            page);
    }
    throw Error(ErrorKind::kQuestion,
                "\"ask\" says what: find, count, tree, repeats, games, game or plies");
}

}  // namespace fendex
