#include "fendex/json_answers.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <functional>
#include <span>
#include <utility>

#include "ask/filter_fields.hpp"
#include "ask/game_rows.hpp"
#include "ask/novelty_documents.hpp"
#include "ask/player_document.hpp"
#include "ask/ply_rows.hpp"
#include "ask/questions.hpp"
#include "ask/sum_rows.hpp"
#include "ask/tree_document.hpp"
#include "base/json.hpp"
#include "emit/game_json.hpp"
#include "emit/pgn_game.hpp"
#include "fendex/given_json.hpp"
#include "fendex/sql_rows.hpp"
#include "fendex/state.hpp"

namespace fendex {

namespace {

using ask::Cell;
using ask::Given;
using ask::Sources;

/// What a question was asked with.
struct AskedQuestion {
    AskedDatabase database;
    Given given;
    std::stop_token stop;

    [[nodiscard]] std::unique_ptr<Sources> sources(const store::GameFilter& filter) const {
        std::vector<ask::OpenDatabase> open;
        open.push_back(ask::open_database(database.path, 0, database.store));
        return std::make_unique<Sources>(std::move(open), filter, stop);
    }
    [[nodiscard]] ask::Page page() const {
        const std::uint64_t limit = given.number("limit").value_or(ask::kAllRows);
        const std::uint64_t offset = given.number("offset").value_or(0);
        return {{}, limit < ask::kAllRows - offset ? limit + offset : ask::kAllRows};
    }
};

/// Answers that are found some at a time.
class BatchedAnswers : public JsonAnswers {
  public:
    explicit BatchedAnswers(const AskedQuestion& asked)
        : stop_(asked.stop),
          skipped_(asked.given.number("offset").value_or(0)),
          left_(asked.given.number("limit").value_or(ask::kAllRows)) {}

    std::optional<std::string> next() final {
        return with_errors([&]() -> std::optional<std::string> {
            require_going_on(stop_);
            if (skipped_ != 0) skip(std::exchange(skipped_, 0));
            if (objects_.empty() && failure_) std::rethrow_exception(std::exchange(failure_, {}));
            try {
                while (objects_.empty() && left_ != 0 && read(std::min(left_, batch_))) {
                    batch_ = std::min<std::uint64_t>(2 * batch_, kMostAtOnce);
                }
            } catch (...) {
                // The answers before the error come first.
                if (objects_.empty()) throw;
                failure_ = std::current_exception();
            }
            if (objects_.empty() || left_ == 0) return std::nullopt;
            --left_;
            std::string object = std::move(objects_.front());
            objects_.pop_front();
            return object;
        });
    }

  protected:
    /// Adds the next answers, about `most`, by add(). Returns false if there are no more.
    virtual bool read(std::uint64_t most) = 0;
    virtual void skip(std::uint64_t answers) {
        for (; answers != 0; --answers) {
            while (objects_.empty() && read(1)) {
            }
            if (objects_.empty()) return;
            objects_.pop_front();
        }
    }
    template <typename Fill>
    void add(Fill fill) {
        std::string object;
        json::append_object(object, fill);
        objects_.push_back(std::move(object));
    }
    void add_row(std::span<const std::string> columns, std::span<const Cell> cells) {
        add([&](json::Object& object) { emit::add_members(columns, cells, object); });
    }

  private:
    static constexpr std::uint64_t kMostAtOnce = 256;

    std::stop_token stop_;
    std::uint64_t skipped_;  // answers before "offset" that are still to be skipped
    std::uint64_t left_;
    std::uint64_t batch_ = 4;  // few at first, so that the first answer comes soon
    std::deque<std::string> objects_;
    std::exception_ptr failure_;
};

class RowAnswers final : public BatchedAnswers {
  public:
    using Open = std::function<std::unique_ptr<ask::Rows>(const AskedQuestion&)>;

    RowAnswers(const AskedQuestion& asked, Open open)
        : BatchedAnswers(asked), asked_(asked), open_(std::move(open)) {}

  private:
    ask::Rows& rows() {
        if (!rows_) rows_ = open_(asked_);
        return *rows_;
    }
    bool read(std::uint64_t most) override {
        return rows().read(
            most, [&](const std::vector<Cell>& cells) { add_row(rows_->columns(), cells); });
    }
    void skip(std::uint64_t answers) override { rows().skip(answers); }

    AskedQuestion asked_;
    Open open_;
    std::unique_ptr<ask::Rows> rows_;  // opened when the first row is fetched
};

/// One document.
class Document final : public BatchedAnswers {
  public:
    using Fill = std::function<void(const AskedQuestion&, json::Object&)>;

    Document(const AskedQuestion& asked, Fill fill)
        : BatchedAnswers(asked), asked_(asked), fill_(std::move(fill)) {}

  private:
    bool read(std::uint64_t) override {
        if (!fill_) return false;
        add([fill = std::exchange(fill_, {}), this](json::Object& object) {
            fill(asked_, object);
        });
        return true;
    }

    AskedQuestion asked_;
    Fill fill_;  // empty: the document was made
};

class Novelties final : public BatchedAnswers {
  public:
    explicit Novelties(const AskedQuestion& asked)
        : BatchedAnswers(asked),
          documents_(asked.sources(ask::for_position(asked.given.filter())),
                     asked.given.text("pgn"), "the PGN", asked.given, {}, asked.stop) {}

  private:
    bool read(std::uint64_t) override {
        return documents_.read([&](const auto& fill) { add(fill); });
    }

    ask::NoveltyDocuments documents_;
};

class SqlAnswers final : public BatchedAnswers {
  public:
    explicit SqlAnswers(const AskedQuestion& asked)
        : BatchedAnswers(asked), script_(asked.database.path, asked.given.text("query")) {}

  private:
    bool read(std::uint64_t most) override {
        for (; most != 0; --most) {
            while (columns_.empty() || !script_.next_row(cells_)) {
                if (!script_.next_query()) return false;
                columns_ = script_.columns();
            }
            add_row(columns_, cells_);
        }
        return true;
    }

    SqlScript script_;
    std::vector<std::string> columns_;  // of the current query; empty: none was begun
    std::vector<Cell> cells_;
};

ask::Fields page_fields() {
    return {ask::number_field("limit", "at most this many answers"),
            ask::number_field("offset", "skip this many answers")};
}

ask::FieldText game_field() {
    ask::FieldText field = ask::number_field("game", "the game's number", 1);
    field.required = true;
    return field;
}

ask::FieldText required(ask::FieldText field) {
    field.required = true;
    return field;
}

/// Calls use(reader, id, game) with the game of a question. Throws Error(kAbsent).
template <typename Use>
void with_game(const AskedQuestion& asked, Use use) {
    const store::Reader reader = asked.database.store->reader();
    const store::GameId id = asked.given.number("game").value_or(0);
    store::StoredGame game;
    if (!reader->game(id, game)) {
        throw Error(ErrorKind::kAbsent, "there is no game " + std::to_string(id));
    }
    use(*reader, id, game);
}

using Answers = std::unique_ptr<JsonAnswers>;

Answers find(const AskedQuestion& asked) {
    ask::HitsQuestion question = ask::hits_question(asked.given);
    return std::make_unique<RowAnswers>(asked, [question](const AskedQuestion& of) {
        return ask::hit_rows(of.sources(question.filter), question, of.page(), {}, of.stop);
    });
}

Answers count(const AskedQuestion& asked) {
    ask::HitsQuestion question = ask::hits_question(asked.given);
    return std::make_unique<Document>(
        asked, [question](const AskedQuestion& of, json::Object& object) {
            const query::Count found = ask::count_hits(*of.sources(question.filter), question,
                                                       of.given.flag("verify"), of.stop);
            object.add("games", found.games);
            object.add("occurrences", found.occurrences);
        });
}

Answers tree(const AskedQuestion& asked) {
    ask::TreeQuestion question = ask::tree_question(asked.given);
    return std::make_unique<Document>(
        asked, [question](const AskedQuestion& of, json::Object& object) {
            ask::add_tree(*of.sources(question.filter), question, {}, object, of.stop);
        });
}

Answers repeats(const AskedQuestion& asked) {
    ask::RepeatsQuestion question = ask::repeats_question(asked.given);
    return std::make_unique<RowAnswers>(asked, [question](const AskedQuestion& of) {
        return ask::repetition_rows(of.sources(question.filter), question, of.page(), {},
                                    {.dialect = of.given.dialect()}, of.stop);
    });
}

Answers games(const AskedQuestion& asked) {
    const store::GameFilter filter = asked.given.filter();
    const store::GameOrder order = asked.given.order();
    return std::make_unique<RowAnswers>(asked, [filter, order](const AskedQuestion& of) {
        return ask::game_rows(of.sources(filter), order, of.page(), {}, of.stop);
    });
}

Answers game(const AskedQuestion& asked) {
    return std::make_unique<Document>(asked, [](const AskedQuestion& of, json::Object& object) {
        with_game(
            of, [&](store::StoreReader& reader, store::GameId id, const store::StoredGame& stored) {
                store::GameHeader header;
                reader.header(id, header);
                emit::add_game(id, stored, header, of.given.dialect(), {}, object);
            });
    });
}

Answers pgn(const AskedQuestion& asked) {
    return std::make_unique<Document>(asked, [](const AskedQuestion& of, json::Object& object) {
        with_game(of, [&](store::StoreReader& reader, store::GameId id, const store::StoredGame&) {
            std::string text;
            emit::append_pgn(reader, id, text);
            object.add("game_id", id);
            object.add("pgn", text);
        });
    });
}

Answers plies(const AskedQuestion& asked) {
    const store::GameFilter filter = asked.given.filter();
    return std::make_unique<RowAnswers>(asked, [filter](const AskedQuestion& of) {
        return ask::ply_rows(of.sources(filter), of.given.number("game"), of.given.dialect(),
                             of.stop);
    });
}

Answers players(const AskedQuestion& asked) {
    const store::GameFilter filter = asked.given.filter();
    return std::make_unique<RowAnswers>(asked, [filter](const AskedQuestion& of) {
        return ask::player_rows(*of.sources(filter), of.given.text("prefix"), of.page(), of.stop);
    });
}

Answers player(const AskedQuestion& asked) {
    ask::PlayerQuestion question =
        ask::player_question(asked.given, asked.given.text("name"), asked.given.text("against"));
    return std::make_unique<Document>(
        asked, [question](const AskedQuestion& of, json::Object& object) {
            ask::add_player(*of.sources(question.filter), question, object, of.stop);
        });
}

Answers prepare(const AskedQuestion& asked) {
    ask::PlayerQuestion question = ask::player_question(asked.given, asked.given.text("name"), {});
    return std::make_unique<Document>(
        asked, [question](const AskedQuestion& of, json::Object& object) {
            const chess::Color color =
                of.given.text("color") == "white" ? chess::Color::kWhite : chess::Color::kBlack;
            ask::add_preparation((*of.sources(question.filter))[0], question, color, false, object,
                                 of.stop);
        });
}

Answers openings(const AskedQuestion& asked) {
    const store::GameFilter filter = asked.given.filter();
    return std::make_unique<RowAnswers>(asked, [filter](const AskedQuestion& of) {
        return ask::opening_rows(*of.sources(filter), ask::opening_order(of.given), of.page(),
                                 of.stop);
    });
}

/// A question: what it answers (rows or one document), the fields that it takes, what answers it.
struct Kind {
    const char* name;
    const char* summary;
    bool is_list;
    ask::Fields (*fields)();
    Answers (*answer)(const AskedQuestion&);
};

constexpr Kind kQuestions[] = {
    {"find", "the games that reached a position, a pattern or material", true,
     [] {
         return ask::joined(
             {ask::hits_fields(), {ask::sort_field()}, page_fields(), ask::fields_of_filter()});
     },
     find},
    {"count", "how many games reached a position, a pattern or material, and how often", false,
     [] {
         return ask::joined({ask::hits_fields(), {ask::verify_field()}, ask::fields_of_filter()});
     },
     count},
    {"tree", "what was played from a position, with results", false,
     [] {
         return ask::joined({ask::tree_fields(), ask::fields_of_filter()});
     },
     tree},
    {"repeats", "the positions that games repeated, or long runs without capture and pawn move",
     true,
     [] {
         return ask::joined({ask::position_fields(),
                             ask::repeats_fields(),
                             {ask::dialect_field(), ask::sort_field()},
                             page_fields(),
                             ask::fields_of_filter()});
     },
     repeats},
    {"games", "a list of games", true,
     [] {
         return ask::joined({{ask::sort_field()}, page_fields(), ask::fields_of_filter()});
     },
     games},
    {"game", "one game with its moves and tags", false,
     [] {
         return ask::Fields{game_field(), ask::dialect_field()};
     },
     game},
    {"pgn", "one game as PGN", false, [] { return ask::Fields{game_field()}; }, pgn},
    {"plies", "every ply of one game, or of all games that fit, the start included", true,
     [] {
         return ask::joined({{ask::number_field("game", "only this game", 1), ask::dialect_field()},
                             page_fields(),
                             ask::fields_of_filter()});
     },
     plies},
    {"players", "the players and their numbers of games, those with most games first", true,
     [] {
         return ask::joined({{ask::prefix_field()}, page_fields(), ask::fields_of_filter()});
     },
     players},
    {"player", "a player's score by colour, year and opponents, ratings and openings", false,
     [] {
         return ask::joined(
             {{required({"name", "NAME", "the player's name, or words that only one player has"}),
               {"against", "NAME", "only games against players of this name"},
               ask::together_field()},
              ask::fields_of_filter()});
     },
     player},
    {"prepare", "what a player plays with a colour, and where the results are worst", false,
     [] {
         return ask::joined(
             {{required({"name", "NAME", "the player's name, or words that only one player has"}),
               ask::color_field(), ask::together_field()},
              ask::fields_of_filter()});
     },
     prepare},
    {"openings", "the openings of games, by their moves, with results", true,
     [] {
         return ask::joined({{ask::opening_order_field()}, page_fields(), ask::fields_of_filter()});
     },
     openings},
    {"novelty",
     "for each game of a PGN text, the last position that earlier games reached, and the move that "
     "was new there",
     true,
     [] {
         return ask::joined({{required({"pgn", "PGN", "games as PGN"}), ask::dialect_field()},
                             page_fields(),
                             ask::fields_of_filter()});
     },
     [](const AskedQuestion& asked) -> Answers { return std::make_unique<Novelties>(asked); }},
    {"sql", "the rows of SQL statements", true,
     [] {
         return ask::joined(
             {{required({"query", "SQL", "statements, which can only read"})}, page_fields()});
     },
     [](const AskedQuestion& asked) -> Answers { return std::make_unique<SqlAnswers>(asked); }}};

const Kind& kind_of(const nlohmann::json& members) {
    const auto ask = members.find("ask");
    std::string names;
    for (const Kind& each : kQuestions) {
        if (ask != members.end() && *ask == each.name) return each;
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    throw Error(ErrorKind::kQuestion, "\"ask\" says what: " + names);
}

}  // namespace

std::unique_ptr<JsonAnswers> json_answers(const AskedDatabase& database, const std::string& text,
                                          const std::stop_token& stop) {
    return with_errors([&] {
        const nlohmann::json members = members_of(text);
        const Kind& question = kind_of(members);
        return question.answer({database, given_of(members, question.fields()), stop});
    });
}

std::string described_questions() {
    std::string out;
    json::append_object(out, [](json::Object& object) {
        for (const Kind& question : kQuestions) {
            object.add_object(question.name, [&](json::Object& described) {
                described.add("summary", question.summary);
                described.add("list", question.is_list);
                described.add_objects("members", question.fields(),
                                      [](json::Object& member, const ask::FieldText& field) {
                                          add_description(field, member);
                                      });
            });
        }
    });
    return out;
}

}  // namespace fendex
