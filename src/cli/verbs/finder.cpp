#include "cli/verbs/finder.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/ordered_pipeline.hpp"
#include "cli/options/filters.hpp"
#include "cli/output/columns.hpp"
#include "emit/kept_texts.hpp"
#include "emit/pgn_game.hpp"

namespace fendex::cli {

namespace {

/// One thread prints up to this number of hits; several print more.
constexpr std::uint64_t kHitsOfOneThread = 4096;
constexpr unsigned kPrintingThreads = 2;
constexpr std::size_t kHitsAtOnce = 1024;

}  // namespace

Finder::Finder(const Arguments& arguments, ask::Sources& databases)
    : databases_(databases),
      format_(arguments.has("count")
                  ? format_of(arguments, {Format::kTable, Format::kJson, Format::kCsv})
                  : format_of(arguments)),
      paging_(paging_of(arguments, format_)),
      count_(arguments.has("count")),
      verify_(arguments.has("verify")),
      variations_(arguments.has("variations")),
      order_(order_of(arguments)),
      output_(arguments),
      batch_(databases[0].reader->games_at_once().first),
      row_{{databases.several(),
            variations_,
            {.numbered = format_ == Format::kTable && output_.screen().width != 0}},
           {}} {}

bool Finder::answer(const query::Question& question, QuestionLabel label) {
    begin(std::move(label));
    return answer([&](ask::Source& database) { return search_of(question, database); });
}

bool Finder::answer(const std::function<GameSearch(ask::Source&)>& search_in) {
    searches_.clear();
    for (ask::Source& database : databases_) searches_.push_back(search_in(database));
    printed_ = 0;
    return count_ ? answer_count() : answer_games();
}

void Finder::finish() {
    if (printer_) printer_->finish();
    output_.flush();
}

/// Begins the answers to another question.
void Finder::begin(QuestionLabel label) {
    const bool other_columns = label_.has_operations() || label.has_operations();
    label_ = std::move(label);
    ++asked_;
    if (!other_columns || format_ == Format::kCsv) return;
    if (printer_) printer_->finish();
    printer_.reset();
    if (format_ == Format::kTable) label_.append_heading(asked_ == 1, output_.buffer());
}

GameSearch Finder::search_of(const query::Question& question, ask::Source& database) {
    if (variations_) return search_with_variations_of(question, database);
    return {[this, &question, &database](const OnHit& visit) {
                query::Hit hit;
                hits_in_order_.emplace(database.positions, question);
                while (hits_in_order_->next(hit) && visit(hit)) {
                }
            },
            [&question, &database](std::span<const store::GameId> games, const auto& visit) {
                database.positions.find_in(question, games, visit);
            },
            [this, &question, &database] { return database.positions.count(question, verify_); },
            [&question, &database](query::GameOrder order, std::size_t most) {
                return database.positions.ranked_games(question, order, most);
            }};
}

/// Returns a search that also finds hits in variations. It returns hits only in the order of games,
/// because a game may have several hits.
GameSearch Finder::search_with_variations_of(const query::Question& question,
                                             ask::Source& database) {
    return {[&question, &database](const OnHit& visit) {
                database.positions.find_with_variations(question, visit);
            },
            {},
            [&question, &database] {
                query::Count count;
                store::GameId last = 0;
                database.positions.find_with_variations(question, [&](const query::Hit& hit) {
                    count.games += hit.game != last ? 1 : 0;
                    count.occurrences += hit.plies.size();
                    last = hit.game;
                    return true;
                });
                return count;
            }};
}

query::Count Finder::count_all() const {
    query::Count all;
    for (const GameSearch& search : searches_) {
        const query::Count count = search.count();
        all.games += count.games;
        all.occurrences += count.occurrences;
    }
    return all;
}

bool Finder::answer_count() {
    const query::Count count = count_all();
    if (!printer_) {
        std::vector<ColumnSpec> columns;
        label_.append_columns(columns);
        columns.push_back({"games"});
        columns.push_back({"occurrences"});
        printer_.emplace(output_, format_, std::move(columns));
    }
    std::vector<Cell> cells;
    label_.append_cells(cells);
    cells.push_back(static_cast<std::int64_t>(count.games));
    cells.push_back(static_cast<std::int64_t>(count.occurrences));
    printer_->row(cells);
    return count.games != 0;
}

bool Finder::answer_games() {
    if (format_ != Format::kPgn && !printer_) open_printer();
    const bool found = order_ == query::GameOrder::kId ? print_in_order() : print_sorted();
    if (!found && label_.is_of_several() && printer_) {
        label_.print_no_games(format_, *printer_, output_);
    }
    return found;
}

bool Finder::print_in_order() {
    std::uint64_t seen = 0;
    std::uint64_t left = paging_.limit;
    bool more = false;
    for (std::size_t i = 0; i < searches_.size() && !more; ++i) {
        enter(i);
        std::uint64_t printed = 0;
        bool many = false;
        try {
            searches_[i].find([&](const query::Hit& hit) {
                if (seen >= paging_.offset && left == 0) {
                    more = true;
                    return false;
                }
                if (seen++ < paging_.offset) return true;
                print(hit);
                --left;
                many = ++printed == kHitsOfOneThread && left != 0 && hits_in_order_ && printer_ &&
                       printer_->has_lines();
                return !many;
            });
        } catch (...) {
            print_waiting();
            throw;
        }
        print_waiting();
        if (many) left = print_rest(left);
    }
    if (more && format_ == Format::kTable) say_how_many_more(count_all().games, seen);
    return seen != 0 || more;
}

/// Returns at least the first `most` games in the order. Among equal ranks, games of databases that
/// were named earlier come first.
std::vector<Finder::Found> Finder::sorted_games(std::size_t most) const {
    std::vector<Found> all;
    for (std::size_t i = 0; i < searches_.size(); ++i) {
        if (searches_[i].ranked) {
            for (const query::RankedGame& game : searches_[i].ranked(order_, most)) {
                all.push_back({game, i});
            }
            continue;
        }
        std::vector<store::GameId> games;
        searches_[i].find([&](const query::Hit& hit) {
            games.push_back(hit.game);
            return true;
        });
        for (const query::RankedGame& game :
             query::rank_games(*databases_[i].reader, order_, games)) {
            all.push_back({game, i});
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Found& a, const Found& b) { return a.game.rank > b.game.rank; });
    return all;
}

bool Finder::print_sorted() {
    const std::uint64_t most =
        paging_.offset +
        std::min(paging_.limit, std::numeric_limits<std::uint64_t>::max() - paging_.offset);
    const std::vector<Found> games = sorted_games(most);
    const std::size_t begin = std::min<std::size_t>(paging_.offset, games.size());
    const std::size_t end = begin + std::min<std::size_t>(paging_.limit, games.size() - begin);
    for (std::size_t i = begin; i < end;) {
        enter(games[i].database);
        std::vector<store::GameId> some;
        while (i < end && games[i].database == database_ && some.size() < batch_) {
            some.push_back(games[i++].game.game);
        }
        searches_[database_].find_in(some, [&](const query::Hit& hit) { print(hit); });
    }
    print_waiting();
    if (format_ == Format::kTable) {
        const bool all_known = std::none_of(searches_.begin(), searches_.end(),
                                            [](const auto& search) { return bool(search.ranked); });
        const std::uint64_t found = all_known ? games.size() : count_all().games;
        if (end < found) say_how_many_more(found, end);
    }
    return !games.empty();
}

void Finder::open_printer() {
    std::vector<ColumnSpec> columns;
    label_.append_columns(columns);
    std::vector<std::string> names;
    row_.cells_of_hit.append_names(names);
    for (ColumnSpec& column : columns_of(List::kHits, names)) columns.push_back(std::move(column));
    printer_.emplace(output_, format_, std::move(columns));
}

/// Makes this the database of the hits that follow.
void Finder::enter(std::size_t database) {
    if (database == database_) return;
    print_waiting();
    database_ = database;
    printed_ = 0;
}

void Finder::print(const query::Hit& hit) {
    if (format_ == Format::kPgn) {
        if (hit.game == printed_) return;
        printed_ = hit.game;
    }
    if (waiting_ == hits_.size()) hits_.emplace_back();
    hits_[waiting_] = hit;  // may throw; then the hits before it are still printed
    ++waiting_;
    if (waiting_ < batch_) return;
    batch_ = std::min(2 * batch_, databases_[database_].reader->games_at_once().most);
    print_waiting();
}

/// Prints the hits that wait. Reads their games, or their headers, together.
void Finder::print_waiting() {
    const std::span<const query::Hit> hits(hits_.data(), std::exchange(waiting_, 0));
    store::StoreReader& reader = *databases_[database_].reader;
    if (format_ != Format::kPgn) {
        emit::for_each_header(hits, reader,
                              [&](const query::Hit& hit, const store::GameHeader& header) {
                                  printer_->row(cells(hit, header, row_));
                              });
        return;
    }
    std::vector<store::GameId> games;
    for (const query::Hit& hit : hits) games.push_back(hit.game);
    emit::KeptTexts kept;
    reader.games(games, [&](store::GameId id, const store::StoredGame& game) {
        output_.append_data(
            [&](std::string& out) { emit::append_pgn(reader, kept, id, game, out); });
        output_.maybe_flush();
    });
}

/// Prints at most `left` more hits of hits_in_order_; returns `left` minus the number printed. One
/// thread at a time searches; all threads read headers and write lines at the same time.
std::uint64_t Finder::print_rest(std::uint64_t left) {
    std::vector<store::Reader> readers;
    std::vector<RowMaker> rows(kPrintingThreads, row_);
    while (readers.size() < kPrintingThreads) {
        readers.push_back(databases_[database_].store->reader());
    }
    base::run_ordered(
        kPrintingThreads, 4 * kPrintingThreads,
        [&]() -> std::optional<std::vector<query::Hit>> {
            std::vector<query::Hit> hits;
            try {
                query::Hit hit;
                for (; left != 0 && hits.size() < kHitsAtOnce && hits_in_order_->next(hit);
                     --left) {
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
                                      printer_->append_line(cells(hit, header, rows[thread]),
                                                            lines);
                                  });
            return lines;
        },
        [&](const std::string& lines) { printer_->print_lines(lines); });
    return left;
}

const std::vector<Cell>& Finder::cells(const query::Hit& hit, const store::GameHeader& header,
                                       RowMaker& maker) const {
    std::vector<Cell>& cells = maker.cells;
    cells.clear();
    label_.append_cells(cells);
    maker.cells_of_hit.append_cells(databases_[database_], hit, header, cells);
    return cells;
}

void Finder::say_how_many_more(std::uint64_t games, std::uint64_t shown_up_to) {
    printer_->finish();
    output_.buffer() += more_line(games - std::min(games, shown_up_to), "game");
}

}  // namespace fendex::cli
