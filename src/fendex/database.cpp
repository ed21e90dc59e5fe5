#include <algorithm>
#include <filesystem>
#include <new>
#include <system_error>
#include <thread>

#include "ask/filter_fields.hpp"
#include "ask/find_question.hpp"
#include "ask/repeats_question.hpp"
#include "base/stop_check.hpp"
#include "emit/pgn_game.hpp"
#include "fendex/fendex.hpp"
#include "fendex/state.hpp"
#include "fendex/values.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"

namespace fendex {

namespace {

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
        auto state = std::make_shared<State>(State{{path, store::file_store(path)}});
        if (!std::filesystem::exists(path)) {
            if (mode == Open::kExisting) {
                throw Error(ErrorKind::kAbsent, "there is no database '" + path + "'");
            }
        } else {
            static_cast<void>(state->store->reader());
        }
        return Database(std::move(state));
    });
}

ImportResult Database::import(const std::vector<std::string>& inputs, const ImportOptions& options,
                              std::stop_token stop) {
    return with_errors([&] {
        require_going_on(stop);
        const ingest::ImportSummary summary =
            ingest::import_files(*state_->store, files_of(inputs), options_of(options, stop));
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
        const ask::HitsQuestion asked = ask::hits_question(given_of(question));
        const auto sources = state_->sources(asked.filter, stop);
        const query::Count count = ask::count_hits(*sources, asked, false, stop);
        return Count{count.games, count.occurrences};
    });
}

Tree Database::tree(const Question& question, std::stop_token stop) const {
    return with_errors([&] {
        const ask::Given given = given_of(question);
        query::TreeOptions options;
        options.match = given.match();
        options.lists = query::GameLists::kOfTree;
        const ask::Line line = ask::line_of(given, options.match);
        const auto sources = state_->sources(ask::for_position(given.filter()), stop);
        return tree_of(*(*sources)[0].reader,
                       query::opening_tree(sources->of_trees(), line.end, options, stop));
    });
}

void Database::repeats(const RepeatQuestion& question,
                       const std::function<bool(const Repeat&)>& visit,
                       std::stop_token stop) const {
    with_errors([&] {
        const ask::RepeatsQuestion asked = ask::repeats_question(given_of(question));
        auto query = std::get<query::RepetitionQuery>(asked.what);
        query.first_game = question.first_game;
        const auto sources = state_->sources(asked.filter, stop);
        ask::Source& source = (*sources)[0];
        query::RepetitionAnalysis analysis(*source.reader, source.matcher);
        analysis.for_each(
            query,
            [&](const query::RepeatedPosition& row) {
                return visit(repeat_of(*source.reader, analysis, row));
            },
            stop);
    });
}

std::vector<std::uint64_t> Database::games(const Filter& filter, Order order,
                                           std::stop_token stop) const {
    return with_errors([&] {
        const auto sources = state_->sources(ask::given_of(filter).filter(), stop);
        ask::Source& source = (*sources)[0];
        return query::select_games(*source.reader, source.matcher, order_of(order),
                                   query::kAllGames, stop);
    });
}

Game Database::header(std::uint64_t id) const {
    return with_errors([&] { return game_of(*state_->store->reader(), id); });
}

FullGame Database::game(std::uint64_t id) const {
    return with_errors([&] {
        const store::Reader reader = state_->store->reader();
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
        : asked_(ask::hits_question(given_of(question))),
          sources_(state.sources(asked_.filter, stop)),
          next_(ask::hits_in((*sources_)[0], asked_, 0, stop)),
          stop_(stop) {}

    bool next(Hit& out) {
        require_going_on(stop_);
        if (!next_(hit_)) return false;
        out = hit_of(*(*sources_)[0].reader, hit_);
        return true;
    }

  private:
    ask::HitsQuestion asked_;
    std::shared_ptr<ask::Sources> sources_;
    ask::NextHit next_;
    std::stop_token stop_;
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
