#include <algorithm>
#include <filesystem>
#include <new>
#include <system_error>
#include <thread>

#include "ask/filter_fields.hpp"
#include "ask/given.hpp"
#include "base/stop_check.hpp"
#include "emit/pgn_game.hpp"
#include "fendex/fendex.hpp"
#include "fendex/state.hpp"
#include "fendex/values.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "query/variation_cursor.hpp"

namespace fendex {

namespace {

/// The filter and the search of one question.
struct FilteredSearch {
    FilteredSearch(store::StoreReader& reader, query::GameFilter filter, std::stop_token stop)
        : matcher(reader, std::move(filter), std::move(stop)), search(reader, matcher) {}
    query::GameMatcher matcher;
    query::PositionSearch search;
};

ingest::ImportOptions options_of(const ImportOptions& options, const std::stop_token& stop) {
    ingest::ImportOptions out;
    out.threads =
        options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
    out.memory_bytes = options.memory_bytes;
    if (options.ply_rows) {
        out.ply_rows = *options.ply_rows ? ingest::PlyRowChoice::kYes : ingest::PlyRowChoice::kNo;
    }
    out.annotations = options.annotations || options.variations;
    out.variations = options.variations;
    out.skip_duplicates = options.skip_duplicates;
    out.strict = options.strict;
    out.stop = [stop] { return stop.stop_requested(); };
    if (options.progress) {
        out.progress = [report = options.progress](const ingest::ImportProgress& progress) {
            report({progress.bytes, progress.total_bytes, progress.games});
        };
    }
    return out;
}

/// Returns the files of the inputs. Throws Error(kImport) if there is no such input.
std::vector<std::string> files_of(const std::vector<std::string>& inputs) {
    try {
        return pgn::expand_inputs(inputs);
    } catch (const std::runtime_error& error) {
        throw Error(ErrorKind::kImport, error.what());
    }
}

ErrorKind kind_of(const store::StoreError& error) {
    switch (error.kind()) {
        case store::StoreError::kAbsent: return ErrorKind::kAbsent;
        case store::StoreError::kBusy: return ErrorKind::kBusy;
        case store::StoreError::kDamaged: return ErrorKind::kDamaged;
        case store::StoreError::kNotADatabase: return ErrorKind::kNotADatabase;
        case store::StoreError::kNewerFormat:
        case store::StoreError::kOlderFormat:
        case store::StoreError::kUpgraded: return ErrorKind::kOtherFormat;
        case store::StoreError::kFull:
        case store::StoreError::kUnreachable:
        case store::StoreError::kUnsupported:
        case store::StoreError::kOther: break;
    }
    return ErrorKind::kSystem;
}

}  // namespace

void rethrow_as_error() {
    try {
        throw;
    } catch (const Error&) {
        throw;
    } catch (const store::StoreError& error) {
        throw Error(kind_of(error), error.what());
    } catch (const base::Stopped&) {
        throw Error(ErrorKind::kStopped, "stopped");
    } catch (const ingest::ImportFailed& error) {
        throw Error(ErrorKind::kImport, error.what());
    } catch (const ask::QuestionError& error) {
        const bool is_absent = error.code().starts_with("no_such_");
        throw Error(is_absent ? ErrorKind::kAbsent : ErrorKind::kQuestion, error.what());
    } catch (const std::invalid_argument& error) {
        throw Error(ErrorKind::kQuestion, error.what());
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::kSystem, "there is not enough memory");
    } catch (const std::exception& error) {
        throw Error(ErrorKind::kSystem, error.what());
    }
}

Database::Database(std::shared_ptr<State> state) : state_(std::move(state)) {}
Database::Database(const Database&) = default;
Database& Database::operator=(const Database&) = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Database Database::open(const std::string& path, Open mode) {
    return with_errors([&] {
        auto state = std::make_shared<State>(path);
        if (!std::filesystem::exists(path)) {
            if (mode == Open::kExisting) {
                throw Error(ErrorKind::kAbsent, "there is no database '" + path + "'");
            }
        } else {
            static_cast<void>(state->reader());
        }
        return Database(std::move(state));
    });
}

ImportResult Database::import(const std::vector<std::string>& inputs, const ImportOptions& options,
                              std::stop_token stop) {
    return with_errors([&] {
        require_going_on(stop);
        const ingest::ImportSummary summary =
            ingest::import_files(state_->store(), files_of(inputs), options_of(options, stop));
        if (summary.stopped) require_going_on(stop);
        if (!summary.failures.empty() && summary.games == 0) {
            throw Error(ErrorKind::kImport, summary.failures.front());
        }
        return ImportResult{summary.games,    summary.plies,      summary.errors,
                            summary.warnings, summary.duplicates, summary.failures};
    });
}

Count Database::count(const Question& question, std::stop_token stop) const {
    return with_errors([&] {
        require_going_on(stop);
        const store::Reader reader = state_->reader();
        FilteredSearch asked(*reader, filter_for_position(question), stop);
        const query::Count count = asked.search.count(
            query::Question::of(position_of(question), match_of(question.match)), false, stop);
        return Count{count.games, count.occurrences};
    });
}

Tree Database::tree(const Question& question, std::stop_token stop) const {
    return with_errors([&] {
        require_going_on(stop);
        const store::Reader reader = state_->reader();
        FilteredSearch asked(*reader, filter_for_position(question), stop);
        query::TreeOptions options;
        options.match = match_of(question.match);
        options.lists = query::GameLists::kOfTree;
        return tree_of(*reader, query::opening_tree(*reader, asked.search, position_of(question),
                                                    options, stop));
    });
}

void Database::repeats(const RepeatQuestion& question,
                       const std::function<bool(const Repeat&)>& visit,
                       std::stop_token stop) const {
    with_errors([&] {
        require_going_on(stop);
        const store::Reader reader = state_->reader();
        query::GameMatcher matcher(*reader, ask::filter_of(question.filter), stop);
        query::RepetitionAnalysis analysis(*reader, matcher);
        query::RepetitionQuery query;
        query.min_count = question.min_count;
        query.missed = question.missed;
        query.announced = question.claims;
        query.perpetual = question.perpetual;
        query.first_game = question.first_game;
        if (!question.fen.empty()) {
            query.position = position_of_fen(question.fen, question.filter.variant);
        }
        analysis.for_each(
            query,
            [&](const query::RepeatedPosition& row) {
                return visit(repeat_of(*reader, analysis, row));
            },
            stop);
    });
}

std::vector<std::uint64_t> Database::games(const Filter& filter, Order order,
                                           std::stop_token stop) const {
    return with_errors([&] {
        require_going_on(stop);
        const store::Reader reader = state_->reader();
        query::GameMatcher matcher(*reader, ask::filter_of(filter), stop);
        return query::select_games(*reader, matcher, order_of(order), query::kAllGames, stop);
    });
}

Game Database::header(std::uint64_t id) const {
    return with_errors([&] { return game_of(*state_->reader(), id); });
}

FullGame Database::game(std::uint64_t id) const {
    return with_errors([&] {
        const store::Reader reader = state_->reader();
        FullGame out;
        out.game = game_of(*reader, id);
        store::StoredGame stored;
        reader->game(id, stored);
        out.tags = std::move(stored.tags);
        out.plies = plies_of(*reader, id, stored.moves);
        emit::append_pgn(*reader, id, out.pgn);
        return out;
    });
}

class Hits::Search {
  public:
    Search(const Database::State& state, const Question& question, const std::stop_token& stop)
        : reader_(state.reader()),
          asked_(*reader_, filter_for_position(question), stop),
          stop_(stop) {
        query::Question position =
            query::Question::of(position_of(question), match_of(question.match));
        if (question.variations) {
            with_variations_.emplace(asked_.search, std::move(position), stop);
        } else {
            games_.emplace(asked_.search, std::move(position), stop);
        }
    }

    bool next(Hit& out) {
        require_going_on(stop_);
        if (!(games_ ? games_->next(hit_) : with_variations_->next(hit_))) return false;
        out = hit_of(*reader_, hit_);
        return true;
    }

  private:
    store::Reader reader_;
    FilteredSearch asked_;
    std::stop_token stop_;
    std::optional<query::HitCursor> games_;
    std::optional<query::VariationHitCursor> with_variations_;
    query::Hit hit_;
};

Hits::Hits(std::unique_ptr<Search> search) : search_(std::move(search)) {}
Hits::Hits(Hits&&) noexcept = default;
Hits& Hits::operator=(Hits&&) noexcept = default;
Hits::~Hits() = default;

bool Hits::next() {
    return with_errors([&] { return search_->next(hit_); });
}

Hits Database::find(const Question& question, std::stop_token stop) const {
    return with_errors(
        [&] { return Hits(std::make_unique<Hits::Search>(*state_, question, stop)); });
}

}  // namespace fendex
