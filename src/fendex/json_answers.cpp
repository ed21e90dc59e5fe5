#include "fendex/json_answers.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <functional>
#include <span>
#include <utility>

#include "ask/questions.hpp"
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

/// A question that C asks of a database.
struct JsonRequest {
    OpenedDatabase database;
    Given given;
    std::stop_token stop;

    [[nodiscard]] std::shared_ptr<Sources> sources(const store::GameFilter& filter) const {
        return database.sources(filter, stop);
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
    explicit BatchedAnswers(const JsonRequest& asked)
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

/// Rows, opened when the first one is fetched.
class RowAnswers final : public BatchedAnswers {
  public:
    RowAnswers(JsonRequest asked, ask::Plan plan)
        : BatchedAnswers(asked), asked_(std::move(asked)), plan_(std::move(plan)) {}

  private:
    ask::Rows& rows() {
        if (!rows_) {
            rows_ = plan_.rows(asked_.sources(plan_.filter), asked_.page(), {}, asked_.stop);
        }
        return *rows_;
    }
    bool read(std::uint64_t most) override {
        return rows().read(
            most, [&](const std::vector<Cell>& cells) { add_row(rows_->columns(), cells); });
    }
    void skip(std::uint64_t answers) override { rows().skip(answers); }

    JsonRequest asked_;
    ask::Plan plan_;
    std::unique_ptr<ask::Rows> rows_;
};

/// Documents, opened when the first one is fetched.
class Documents final : public BatchedAnswers {
  public:
    using Open = std::function<ask::NextDocuments()>;

    Documents(const JsonRequest& asked, Open open)
        : BatchedAnswers(asked), open_(std::move(open)) {}

  private:
    bool read(std::uint64_t) override {
        if (!next_) next_ = open_();
        return next_([&](const ask::Fill& fill) { add(fill); });
    }

    Open open_;
    ask::NextDocuments next_;
};

std::unique_ptr<JsonAnswers> one_document(const JsonRequest& asked, ask::Fill fill) {
    return std::make_unique<Documents>(asked, [fill = std::move(fill)] {
        return [fill, made = false](const std::function<void(const ask::Fill&)>& visit) mutable {
            if (!std::exchange(made, true)) visit(fill);
            return false;
        };
    });
}

class SqlAnswers final : public BatchedAnswers {
  public:
    explicit SqlAnswers(const JsonRequest& asked)
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

std::unique_ptr<JsonAnswers> answers_of(const JsonRequest& asked, ask::Plan plan) {
    if (plan.rows) return std::make_unique<RowAnswers>(asked, std::move(plan));
    if (plan.document) {
        return one_document(asked, [asked, plan](json::Object& object) {
            plan.document(*asked.sources(plan.filter), {}, object, asked.stop);
        });
    }
    return std::make_unique<Documents>(asked, [asked, plan] {
        return plan.documents(asked.sources(plan.filter), {}, asked.stop);
    });
}

/// Calls use(reader, id, game) with the game of a question. Throws Error(kAbsent).
template <typename Use>
void with_game(const JsonRequest& asked, Use use) {
    const store::Reader reader = asked.database.store->reader();
    const store::GameId id = asked.given.number("game").value_or(0);
    store::StoredGame game;
    if (!reader->game(id, game)) {
        throw Error(ErrorKind::kAbsent, "there is no game " + std::to_string(id));
    }
    use(*reader, id, game);
}

std::unique_ptr<JsonAnswers> game(const JsonRequest& asked) {
    return one_document(asked, [asked](json::Object& object) {
        with_game(asked, [&](store::StoreReader& reader, store::GameId id,
                             const store::StoredGame& stored) {
            store::GameHeader header;
            reader.header(id, header);
            emit::add_game(id, stored, header, asked.given.dialect(), {}, object);
        });
    });
}

std::unique_ptr<JsonAnswers> pgn(const JsonRequest& asked) {
    return one_document(asked, [asked](json::Object& object) {
        with_game(asked,
                  [&](store::StoreReader& reader, store::GameId id, const store::StoredGame&) {
                      std::string text;
                      emit::append_pgn(reader, id, text);
                      object.add("game_id", id);
                      object.add("pgn", text);
                  });
    });
}

std::unique_ptr<JsonAnswers> sql(const JsonRequest& asked) {
    return std::make_unique<SqlAnswers>(asked);
}

/// A question, from the table of all surfaces or of C alone.
struct JsonQuestion {
    std::string_view name;
    std::string_view summary;
    bool is_list;
    ask::Fields fields;
    std::function<std::unique_ptr<JsonAnswers>(const JsonRequest&)> answer;
};

ask::FieldText required(ask::FieldText field) {
    field.required = true;
    return field;
}

const std::vector<JsonQuestion>& questions() {
    static const std::vector<JsonQuestion> all = [] {
        const ask::Fields page{ask::number_field("limit", "at most this many answers"),
                               ask::number_field("offset", "skip this many answers")};
        const ask::FieldText of_game = required(ask::number_field("game", "the game's number", 1));
        std::vector<JsonQuestion> questions;
        for (const ask::QuestionKind& kind : ask::questions()) {
            const ask::Fields paging = kind.is_list ? page : ask::Fields{};
            questions.push_back({kind.name, kind.summary, kind.is_list,
                                 ask::joined({kind.fields, paging, ask::fields_of_filter()}),
                                 [&kind](const JsonRequest& asked) {
                                     return answers_of(asked, kind.plan(asked.given));
                                 }});
        }
        questions.insert(
            questions.end(),
            {{"game",
              "one game with its moves and tags",
              false,
              {of_game, ask::dialect_field()},
              game},
             {"pgn", "one game as PGN", false, {of_game}, pgn},
             {"sql", "the rows of SQL statements", true,
              ask::joined({{required({"query", "SQL", "statements, which can only read"})}, page}),
              sql}});
        return questions;
    }();
    return all;
}

const JsonQuestion& question_of(const nlohmann::json& members) {
    const auto ask = members.find("ask");
    std::string names;
    for (const JsonQuestion& each : questions()) {
        if (ask != members.end() && *ask == each.name) return each;
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    throw Error(ErrorKind::kQuestion, "\"ask\" says what: " + names);
}

}  // namespace

std::unique_ptr<JsonAnswers> json_answers(const OpenedDatabase& database, const std::string& text,
                                          const std::stop_token& stop) {
    return with_errors([&] {
        const nlohmann::json members = members_of(text);
        const JsonQuestion& question = question_of(members);
        return question.answer({database, given_of(members, question.fields), stop});
    });
}

std::string described_questions() {
    std::string out;
    json::append_object(out, [](json::Object& object) {
        for (const JsonQuestion& question : questions()) {
            object.add_object(question.name, [&](json::Object& described) {
                described.add("summary", question.summary);
                described.add("list", question.is_list);
                described.add_objects("members", question.fields,
                                      [](json::Object& member, const ask::FieldText& field) {
                                          add_description(field, member);
                                      });
            });
        }
    });
    return out;
}

}  // namespace fendex
