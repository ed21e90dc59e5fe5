#include "fendex/json_answers.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "ask/questions.hpp"
#include "base/joined.hpp"
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
using Add = OpenAnswers::Add;
using Opener = JsonAnswers::Opener;

constexpr std::uint64_t kMostAtOnce = 256;

/// A question that C asks of a database.
struct JsonRequest {
    OpenedDatabase database;
    Given given;
    std::stop_token stop;

    [[nodiscard]] ask::Context context(const store::GameFilter& filter) const {
        const std::uint64_t limit = given.number("limit").value_or(ask::kAllRows);
        const std::uint64_t offset = given.number("offset").value_or(0);
        const std::uint64_t end = limit < ask::kAllRows - offset ? limit + offset : ask::kAllRows;
        return {database.sources(filter, stop), stop, {}, {.limit = end}};
    }
};

template <typename Fill>
std::string object_of(Fill fill) {
    std::string object;
    json::append_object(object, fill);
    return object;
}

std::string row_of(std::span<const std::string> columns, std::span<const Cell> cells) {
    return object_of([&](json::Object& object) { emit::add_members(columns, cells, object); });
}

Opener one_document(ask::Fill fill) {
    return [fill = std::move(fill)]() -> OpenAnswers {
        return {[fill, made = false](std::uint64_t, const Add& add) mutable {
            if (!std::exchange(made, true)) add(object_of(fill));
            return false;
        }};
    };
}

Opener answers_of(const JsonRequest& asked, const ask::Plan& plan) {
    if (plan.document) {
        return one_document([asked, plan](json::Object& object) {
            plan.document(asked.context(plan.filter), object);
        });
    }
    return [asked, plan]() -> OpenAnswers {
        const ask::Context context = asked.context(plan.filter);
        if (plan.documents) {
            return {[next = plan.documents(context)](std::uint64_t, const Add& add) {
                return next([&](const ask::Fill& fill) { add(object_of(fill)); });
            }};
        }
        const std::shared_ptr<ask::Rows> rows = plan.rows(context);
        const auto read = [rows](std::uint64_t most, const Add& add) {
            return rows->read(
                most, [&](const std::vector<Cell>& cells) { add(row_of(rows->columns(), cells)); });
        };
        return {read, [rows](std::uint64_t answers) { rows->skip(answers); }};
    };
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

Opener game(const JsonRequest& asked) {
    return one_document([asked](json::Object& object) {
        with_game(asked, [&](store::StoreReader& reader, store::GameId id,
                             const store::StoredGame& stored) {
            store::GameHeader header;
            reader.header(id, header);
            store::StoreReader* const readers[] = {&reader};
            query::Evaluations evaluations(readers);
            emit::add_game(id, stored, header, asked.given.dialect(), {}, evaluations, object);
        });
    });
}

Opener pgn(const JsonRequest& asked) {
    return one_document([asked](json::Object& object) {
        with_game(asked,
                  [&](store::StoreReader& reader, store::GameId id, const store::StoredGame&) {
                      std::string text;
                      emit::append_pgn(reader, id, text);
                      object.add("game_id", id);
                      object.add("pgn", text);
                  });
    });
}

Opener sql(const JsonRequest& asked) {
    const auto script = std::make_shared<SqlScript>(asked.database.path, asked.given.text("query"));
    // The columns are those of the current query; none if no query was begun.
    return [script]() -> OpenAnswers {
        return {[script, columns = std::vector<std::string>(), cells = std::vector<Cell>()](
                    std::uint64_t most, const Add& add) mutable {
            for (; most != 0; --most) {
                while (columns.empty() || !script->next_row(cells)) {
                    if (!script->next_query()) return false;
                    columns = script->columns();
                }
                add(row_of(columns, cells));
            }
            return true;
        }};
    };
}

/// A question, from the table of all surfaces or of C alone.
struct JsonQuestion {
    std::string_view name;
    std::string_view summary;
    bool is_list;
    ask::Fields fields;
    /// Checks the question. The returned function finds the answers.
    std::function<Opener(const JsonRequest&)> answer;
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
                                 ask::joined({kind.fields, paging, ask::all_fields(kind)}),
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
    for (const JsonQuestion& each : questions()) {
        if (ask != members.end() && *ask == each.name) return each;
    }
    throw Error(ErrorKind::kQuestion,
                "\"ask\" says what: " + base::joined(", ", questions(), &JsonQuestion::name));
}

}  // namespace

JsonAnswers::JsonAnswers(const Given& question, Opener open, std::stop_token stop)
    : open_(std::move(open)),
      stop_(std::move(stop)),
      skipped_(question.number("offset").value_or(0)),
      left_(question.number("limit").value_or(ask::kAllRows)) {}

std::optional<std::string> JsonAnswers::next() {
    return with_errors([&]() -> std::optional<std::string> {
        require_going_on(stop_);
        if (!answers_.read) answers_ = open_();
        if (skipped_ != 0) skip(std::exchange(skipped_, 0));
        if (objects_.empty() && failure_) std::rethrow_exception(std::exchange(failure_, {}));
        try {
            while (objects_.empty() && left_ != 0 && read(std::min(left_, batch_))) {
                batch_ = std::min(2 * batch_, kMostAtOnce);
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

bool JsonAnswers::read(std::uint64_t most) {
    return answers_.read(most, [&](std::string object) { objects_.push_back(std::move(object)); });
}

void JsonAnswers::skip(std::uint64_t answers) {
    if (answers_.skip) return answers_.skip(answers);
    for (; answers != 0; --answers) {
        while (objects_.empty() && read(1)) {
        }
        if (objects_.empty()) return;
        objects_.pop_front();
    }
}

JsonAnswers json_answers(const OpenedDatabase& database, const std::string& text,
                         const std::stop_token& stop) {
    return with_errors([&] {
        const nlohmann::json members = members_of(text);
        const JsonQuestion& question = question_of(members);
        const JsonRequest asked{database, given_of(members, question.fields), stop};
        return JsonAnswers(asked.given, question.answer(asked), stop);
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
