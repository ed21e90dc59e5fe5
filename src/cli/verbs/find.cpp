#include <optional>
#include <utility>

#include "ask/find_question.hpp"
#include "ask/sources.hpp"
#include "cli/options/arguments.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/store_at.hpp"
#include "cli/verbs/finder.hpp"
#include "cli/verbs/left_out.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/position_search.hpp"

namespace fendex::cli {

namespace {

/// All questions of a command line: FENs, files and moves in their order, then keys.
class Questions {
  public:
    explicit Questions(const Arguments& arguments)
        : match_(query::match_of(arguments.get("match"))),
          positions_(arguments, "--moves", arguments.all("moves"), false) {
        for (const std::string& key : arguments.all("key")) {
            if (match_ != query::Match::kExact) {
                throw UsageError("--match works with a FEN or --moves, not with --key");
            }
            keys_.push_back(query::Question::of_key(parse_key(key)));
        }
    }

    struct Item {
        std::optional<query::Question> question;  // empty: the error says why
        std::string error;
        CarriedOperations operations;
        std::string where;  // like PositionRequest::where
    };

    std::optional<Item> next() {
        if (std::optional<PositionRequest> asked = positions_.next()) {
            Item item{std::nullopt, std::move(asked->error), std::move(asked->operations),
                      std::move(asked->where)};
            if (item.error.empty()) item.question = query::Question::of(*asked->position, match_);
            return item;
        }
        if (next_key_ == keys_.size()) return std::nullopt;
        return Item{keys_[next_key_++], {}, {}, {}};
    }
    bool has_records() const { return positions_.has_records(); }

  private:
    query::Match match_;
    PositionRequests positions_;
    std::vector<query::Question> keys_;
    std::size_t next_key_ = 0;
};

/// Returns whether a pattern, material or a move is given, and no position.
bool has_pattern(const Arguments& arguments) {
    const ask::Given fields = arguments.fields();
    if (!ask::has_pattern(fields)) {
        const char* const name = ask::field_of_patterns(fields);
        if (name == nullptr) return false;
        throw UsageError("--" + std::string(name) + " goes with --pattern, --material or --move");
    }
    if (arguments.has("variations")) {
        throw UsageError(
            "--variations goes with positions, not with --pattern, --material or --move");
    }
    if (!position_words(arguments).empty() || arguments.has("moves") || arguments.has("key") ||
        arguments.has("fens")) {
        throw UsageError("give positions, or --pattern, --material and --move, but not both");
    }
    return true;
}

/// Answers all questions about positions; returns the exit status.
int answer_questions(const Arguments& arguments, Questions& questions, ask::Sources& databases,
                     const query::GameFilter& filter) {
    ask::HitsQuestion asked{.variations = arguments.has("variations"),
                            .evaluation = ask::evaluation_of(arguments.fields()),
                            .filter = filter,
                            .order = order_of(arguments)};
    Finder finder(arguments, databases, asked.columns());
    Unanswered unanswered;
    const auto answer = [&](const Questions::Item& item, QuestionLabel label) {
        const std::string where = label.is_of_several() ? item.where : std::string();
        asked.positions = item.question;
        const bool found = finder.answer(asked, std::move(label));
        if (!found && asked.evaluation) {
            unanswered.add({.where = where});
        } else if (!found) {
            unanswered.add({item.question->targets.front().position,
                            query::match_of(arguments.get("match")), asked.variations, where});
        }
        return found;
    };
    const int status =
        answer_each([&] { return questions.next(); }, answer, finder.output(), finder.format(),
                    questions.has_records() ? kNoneInFile
                                            : "which position? Give a FEN, --moves, --key, --fens, "
                                              "--pattern, --material or --move");
    finder.finish();
    unanswered.explain(arguments, databases.readers(), filter);
    say_left_out(arguments, databases.readers(), filter);
    return status;
}

int find_pattern(const Arguments& arguments) {
    ask::HitsQuestion question = ask::hits_question(arguments.fields());
    question.threads = 0;
    question.filter = filter_of(arguments);  // a pattern is not found in games of other variants
    ask::Sources databases(open_databases(arguments), question.filter);
    Finder finder(arguments, databases, question.columns());
    const bool found = finder.answer(question);
    finder.finish();
    say_left_out(arguments, databases.readers(), question.filter);
    if (found) return kFound;
    Unanswered pattern_question;
    pattern_question.add({});
    pattern_question.explain(arguments, databases.readers(), question.filter);
    return kNothingFound;
}

int run_find(const Arguments& arguments) {
    if (has_pattern(arguments)) return find_pattern(arguments);
    if (arguments.has("variations") && order_of(arguments) != query::GameOrder::kId) {
        throw UsageError("--variations goes with the order of games, without --sort");
    }
    Questions questions(arguments);
    // A key does not say which variant its position has.
    const query::GameFilter filter =
        arguments.has("key") ? filter_of(arguments) : filter_for_position(arguments);
    ask::Sources databases(open_databases(arguments), filter);
    return answer_questions(arguments, questions, databases, filter);
}

Option key_option() {
    Option option = options_of(ask::hits_fields(), {"key"}).front();
    option.repeatable = true;
    return option;
}

Option verify_option() {
    Option option = option_of(ask::verify_field());
    option.help = "with --count: " + option.help;
    return option;
}

}  // namespace

Verb find_verb() {
    return {
        "find",
        "DB... FEN|FILE...",
        "Lists games that reached a position, pattern or sequence.\n"
        "FENs may be in any dialect, or EPD, with _ or %20 for blanks. Files that end with\n"
        ".fen or .epd have a position on each line. Every game in the answer has been\n"
        "replayed and compared. san and uci are the move that was played next, from the\n"
        "position. Several databases are searched one after the other, and rows name theirs;\n"
        "--count and --sort take their games together.",
        "fendex find my.db \"r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23\"\n"
        "fendex find my.db samples/positions.fen --count\n"
        "fendex find my.db --pattern \"*/*/*/*/??PP*/*/*/*\" --then dxc5 --within 10",
        joined(
            {{repeatable("moves", "MOVES",
                         "the position after these moves, as in \"1.e4 c5 2.Nf3\", from each FEN, "
                         "or from the start if there is no FEN"),
              key_option()},
             options_of(ask::hits_fields(),
                        {"pattern", "material", "move", "then", "within", "streak", "either-side"}),
             {fen_option(), fens_option(),
              flag("count", "print only how many games and occurrences there are"),
              verify_option()},
             options_of(ask::hits_fields(), {"variations", "match", "eval"}),
             {format_option({"table", "json", "csv", "pgn"}, "pgn not with --count"),
              option_of(ask::sort_field()), password_file_option()},
             paging_options(),
             filter_options()}),
        run_find,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
