#include "cli/verbs/export_tree.hpp"

#include <fmt/core.h>

#include <memory>

#include "ask/tree_pgn_question.hpp"
#include "base/unfinished.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/spelling.hpp"
#include "cli/options/tag_changes.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/verbs/export_evals.hpp"
#include "cli/verbs/export_format.hpp"
#include "cli/verbs/export_parts.hpp"
#include "cli/verbs/export_selection.hpp"
#include "cli/verbs/left_out.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/tree_depth.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/byte_sink.hpp"

namespace fendex::cli {

namespace {

/// Throws for options that choose games, rows or formats of these.
void refuse_options_of_games(const Arguments& arguments) {
    if (export_format_of(arguments) != "pgn") throw UsageError("--tree writes PGN");
    std::vector<Option> others = joined({part_options(),
                                         tag_change_options(),
                                         paging_options(),
                                         {evals_option(), option_of(ask::sort_field())}});
    for (const char* const name : {"columns", "max-ply"}) others.push_back(flag(name, {}));
    for (const Option& each : others) {
        if (arguments.has(each.name) && arguments.find(each.name) != each.fallback) {
            throw UsageError("--" + each.name + " is for games, and --tree writes a tree of moves");
        }
    }
    if (arguments.get("rows") != "games") throw UsageError("--rows is for --format json and csv");
    refuse_dialect_unless(false, arguments, "--format epd or fen, or --rows plies or positions");
}

}  // namespace

std::vector<Option> tree_pgn_options() {
    return {flag("tree",
                 "write the moves that were played from the position as one game with variations, "
                 "with numbers in comments"),
            option_of(ask::tree_depth_field())};
}

int run_export_tree(const Arguments& arguments) {
    refuse_options_of_games(arguments);
    ask::Given given = arguments.fields();
    if (const auto fen = fen_of_words(arguments)) given.add("fen", *fen);
    ask::TreePgnQuestion question = ask::tree_pgn_question(given);
    question.depth = tree_depth(arguments, ask::kUsualTreeDepth);
    ProgressLine progress(arguments);
    ask::Sources sources(open_databases(arguments), question.filter);
    const std::unique_ptr<emit::TreePgn> tree =
        ask::tree_pgn(sources, question, spelling_of(arguments));
    const base::RemoveFileOnSignal tidy;
    try {
        const auto sink =
            emit::open_sink(arguments.find("output").value_or("-"), threads_of(arguments));
        std::string piece;
        double megabytes = 0;
        while (tree->append_piece(piece)) {
            sink->write(piece);
            megabytes += static_cast<double>(piece.size()) / 1e6;
            piece.clear();
            if (progress.due()) progress.show(fmt::format("{:.1f} MB", megabytes));
        }
        sink->finish();
        progress.say(fmt::format("a tree of {}, {:.1f} MB in {:.2f} s",
                                 counted(tree->games(), "game"), megabytes, progress.seconds()));
    } catch (const emit::SinkClosed&) {
        throw BrokenPipe{};
    }
    if (tree->games() == 0) {
        explain_nothing(arguments, *sources[0].reader, question.filter, {question.line.end});
    }
    say_left_out(arguments, sources.readers(), question.filter);
    return tree->games() != 0 ? kFound : kNothingFound;
}

}  // namespace fendex::cli
