#include "cli/verbs/finder.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "ask/ranked_hits.hpp"
#include "base/ordered_pipeline.hpp"
#include "cli/verbs/search_text.hpp"
#include "emit/kept_texts.hpp"
#include "emit/pgn_game.hpp"
#include "query/evaluations.hpp"

namespace fendex::cli {

namespace {

/// One thread prints up to this number of hits; several print more.
constexpr std::uint64_t kHitsOfOneThread = 4096;
constexpr unsigned kPrintingThreads = 2;
constexpr std::size_t kHitsAtOnce = 1024;

Format find_format(const Arguments& arguments) {
    return arguments.has("count")
               ? format_of(arguments, {Format::kTable, Format::kJson, Format::kCsv})
               : format_of(arguments);
}

}  // namespace

Finder::Finder(const Arguments& arguments, ask::Sources& databases, const emit::HitColumns& columns)
    : databases_(databases),
      lister_(arguments, find_format(arguments), List::kHits),
      count_(arguments.has("count")),
      verify_(arguments.has("verify")),
      database_(&databases[0]),
      batch_(databases[0].reader->games_at_once().first),
      row_{{databases.several(), columns, {.numbered = lister_.on_terminal()}}, {}} {}

bool Finder::answer(const ask::HitsQuestion& question, QuestionLabel label) {
    const bool is_only_one = !label.is_of_several();
    lister_.begin(std::move(label));
    if (count_) return answer_count(question);
    if (format() != Format::kPgn) {
        std::vector<std::string> columns;
        row_.hit.append_names(columns);
        lister_.open(columns);
    }
    printed_ = 0;
    const bool found =
        question.order == store::GameOrder::kId ? print_in_order(question) : print_sorted(question);
    if (!found) lister_.say_none();
    if (is_only_one && format() == Format::kTable) print_evaluation(question);
    return found;
}

/// Prints what records say of the position, below its games.
void Finder::print_evaluation(const ask::HitsQuestion& question) {
    if (!question.positions || question.positions->targets.size() != 1) return;
    const auto& position = question.positions->targets.front().position;
    if (!position) return;
    const std::vector<store::StoreReader*> readers = databases_.readers();
    query::Evaluations evaluations(readers);
    if (evaluations.empty()) return;
    const codec::PositionRecord record = evaluations.record(*position);
    if (record.best() == nullptr) return;
    lister_.finish();
    append_search(*position, *record.best(), output());
}

bool Finder::answer_count(const ask::HitsQuestion& question) {
    const query::Count count = ask::count_hits(databases_, question, verify_);
    lister_.open({"games", "occurrences"});
    lister_.row(
        {static_cast<std::int64_t>(count.games), static_cast<std::int64_t>(count.occurrences)});
    return count.games != 0;
}

bool Finder::print_in_order(const ask::HitsQuestion& question) {
    const Paging& paging = lister_.paging();
    std::uint64_t seen = 0;
    std::uint64_t left = paging.limit;
    bool more = false;
    for (std::size_t i = 0; i < databases_.size() && !more; ++i) {
        enter(databases_[i]);
        std::uint64_t printed = 0;
        bool many = false;
        ask::NextHit next;
        const auto take = [&](const query::Hit& hit) {
            if (seen >= paging.offset && left == 0) {
                more = true;
                return false;
            }
            if (seen++ < paging.offset) return true;
            print(hit);
            --left;
            many = ++printed == kHitsOfOneThread && left != 0 && next && lister_.has_lines();
            return !many;
        };
        try {
            if (question.pattern) {
                ask::for_each_pattern_hit(*database_, question, take);
            } else {
                next = ask::hits_in(*database_, question, 0, {});
                query::Hit hit;
                while (next(hit) && take(hit)) {
                }
            }
        } catch (...) {
            print_waiting();
            throw;
        }
        print_waiting();
        if (many) left = print_rest(next, left);
    }
    if (more) lister_.say_more(ask::count_hits(databases_, question, false).games - seen, "game");
    return seen != 0 || more;
}

bool Finder::print_sorted(const ask::HitsQuestion& question) {
    ask::RankedHits games(databases_, question, lister_.page());
    games.skip(lister_.paging().offset);
    std::uint64_t left = lister_.paging().limit;
    while (left != 0) {
        const auto some = games.next(std::min<std::uint64_t>(left, batch_));
        if (!some) break;
        enter(some->source);
        for (const query::Hit& hit : some->hits) print(hit);
        left -= some->games.size();
    }
    print_waiting();
    if (!games.at_end() && format() == Format::kTable) {
        const std::uint64_t all = question.pattern || question.evaluation
                                      ? games.size()
                                      : ask::count_hits(databases_, question, false).games;
        lister_.say_more(all - std::min<std::uint64_t>(all, games.passed()), "game");
    }
    return games.size() != 0;
}

/// Makes this the database of the hits that follow.
void Finder::enter(ask::Source& database) {
    if (&database == database_) return;
    print_waiting();
    database_ = &database;
    printed_ = 0;
}

void Finder::print(const query::Hit& hit) {
    if (format() == Format::kPgn) {
        if (hit.game == printed_) return;
        printed_ = hit.game;
    }
    if (waiting_ == hits_.size()) hits_.emplace_back();
    hits_[waiting_] = hit;  // may throw; then the hits before it are still printed
    ++waiting_;
    if (waiting_ < batch_) return;
    batch_ = std::min(2 * batch_, database_->reader->games_at_once().most);
    print_waiting();
}

/// Prints the hits that wait. Reads their games, or their headers, together.
void Finder::print_waiting() {
    const std::span<const query::Hit> hits(hits_.data(), std::exchange(waiting_, 0));
    store::StoreReader& reader = *database_->reader;
    if (format() != Format::kPgn) {
        emit::for_each_header(hits, reader,
                              [&](const query::Hit& hit, const store::GameHeader& header) {
                                  lister_.row(row_.of(*database_, hit, header));
                              });
        return;
    }
    std::vector<store::GameId> games;
    for (const query::Hit& hit : hits) games.push_back(hit.game);
    emit::KeptTexts kept;
    reader.games(games, [&](store::GameId id, const store::StoredGame& game) {
        output().append_data(
            [&](std::string& out) { emit::append_pgn(reader, kept, id, game, out); });
        output().maybe_flush();
    });
}

/// Prints at most `left` more hits; returns `left` minus the number printed. One thread at a time
/// searches; all threads read headers and write lines at the same time.
std::uint64_t Finder::print_rest(const ask::NextHit& next, std::uint64_t left) {
    std::vector<store::Reader> readers;
    std::vector<RowMaker> rows(kPrintingThreads, row_);
    while (readers.size() < kPrintingThreads) readers.push_back(database_->store->reader());
    base::run_ordered(
        kPrintingThreads, 4 * kPrintingThreads,
        [&]() -> std::optional<std::vector<query::Hit>> {
            std::vector<query::Hit> hits;
            try {
                query::Hit hit;
                for (; left != 0 && hits.size() < kHitsAtOnce && next(hit); --left) {
                    hits.push_back(std::move(hit));
                }
            } catch (...) {
                // The hits before the error are printed; the next call throws again.
                if (hits.empty()) throw;
            }
            if (hits.empty()) return std::nullopt;
            return hits;
        },
        [&](unsigned thread, const std::vector<query::Hit>& hits) {
            std::string lines;
            emit::for_each_header(hits, *readers[thread],
                                  [&](const query::Hit& hit, const store::GameHeader& header) {
                                      lister_.append_line(rows[thread].of(*database_, hit, header),
                                                          lines);
                                  });
            return lines;
        },
        [&](const std::string& lines) { lister_.print_lines(lines); });
    return left;
}

/// The cells are valid until the next call, as long as the arguments live.
const std::vector<Cell>& Finder::RowMaker::of(const ask::Source& database, const query::Hit& found,
                                              const store::GameHeader& header) {
    cells.clear();
    hit.append_cells(database, found, header, cells);
    return cells;
}

}  // namespace fendex::cli
