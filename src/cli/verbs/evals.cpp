#include <utility>

#include "ask/fields.hpp"
#include "ask/sources.hpp"
#include "chess/fen.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/search_text.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/evaluations.hpp"

namespace fendex::cli {

namespace {

/// Prints the best search, a line for each PV.
void print_search(const chess::AnyPosition& position, const codec::PositionRecord& record,
                  chess::FenDialect dialect, Output& output) {
    std::string& out = output.buffer();
    out += chess::to_fen(position, dialect) + '\n';
    const codec::Evaluation* const best = record.best();
    if (best == nullptr) {
        out += "no evaluation\n";
        return;
    }
    append_search(position, *best, output);
}

int run_evals(const Arguments& arguments) {
    const Format format = format_of(arguments);
    const chess::FenDialect dialect = dialect_of(arguments);
    PositionRequests positions(arguments, "--moves", arguments.all("moves"), true);
    ask::Sources databases(open_databases(arguments), {});
    const std::vector<store::StoreReader*> readers = databases.readers();
    query::Evaluations evaluations(readers);
    Output output(arguments);
    bool first = true;
    const auto answer = [&](const PositionRequest& asked, const QuestionLabel& label) {
        const codec::PositionRecord record = evaluations.record(*asked.position);
        if (format == Format::kJson) {
            json::append_line(output.buffer(), [&](json::Object& object) {
                label.add_members(object);
                object.add("fen", chess::to_fen(*asked.position, dialect));
                query::add_evaluations(*asked.position, record, object);
            });
        } else {
            label.append_heading(std::exchange(first, false), output.buffer());
            print_search(*asked.position, record, dialect, output);
        }
        output.maybe_flush();
        return record.best() != nullptr;
    };
    const int status =
        answer_each([&] { return positions.next(); }, answer, output, format, kNoneInFile);
    output.flush();
    return status;
}

}  // namespace

Verb evals_verb() {
    return {
        "evals",
        "DB... [FEN|FILE...]",
        "Shows what engines said of a position.\n"
        "The evaluations are those that were imported, from Lichess's evaluation file or from\n"
        "EPD. Scores are White's, as in +0.31 and #-4. Of the searches with the same number of\n"
        "variations the deepest is kept; the deepest of all is shown, and JSON has the others.",
        "fendex evals my.db --moves \"1.e4 c5\"",
        joined(
            {{repeatable("moves", "MOVES",
                         "the position after these moves, SAN or UCI, from each FEN, or "
                         "from the start"),
              fen_option(), fens_option(), options_of(ask::position_fields(), {"variant"}).front(),
              option_of(ask::dialect_field()), format_option({"table", "json"}),
              password_file_option()}}),
        run_evals,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
