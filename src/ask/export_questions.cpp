// Rows of plies and of distinct positions, as `export` writes them.
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>
#include <utility>

#include "ask/questions.hpp"
#include "base/cut.hpp"
#include "base/stop_check.hpp"
#include "emit/game_rows.hpp"
#include "emit/ply_row_writer.hpp"
#include "emit/position_export.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::ask {

namespace {

/// Games whose rows are written at once.
constexpr std::size_t kGamesWritten = 16;

/// Visits the objects of a text of JSON lines.
void visit_lines(std::string_view lines, const std::function<void(const Fill&)>& visit) {
    while (!lines.empty()) {
        const std::string_view line = base::cut(lines, '\n');
        visit([&](json::Object& object) { object.add_members(line); });
    }
}

/// The plies of one game, which must exist, or of all games that fit. Games that cannot be replayed
/// have none.
class PlyDocuments {
  public:
    PlyDocuments(const Context& context, std::optional<store::GameId> game, emit::PlyRowStyle style)
        : sources_(context.sources), game_(game), writer_(std::move(style)), stop_(context.stop) {}

    bool read(const std::function<void(const Fill&)>& visit) {
        const std::vector<store::GameId> games = next_games();
        if (games.empty()) return false;
        store::StoreReader& reader = *(*sources_)[database_].reader;
        base::StopCheck check(stop_);
        lines_.clear();
        for (const store::GameId id : games) {
            check();
            store::StoredGame game;
            if (!reader.game(id, game)) {
                throw QuestionError("no_such_game", "game",
                                    "there is no game " + std::to_string(id));
            }
            if (!replay::has_positions(game.moves)) continue;
            writer_.append_rows(reader, id, game.moves, game.tags, {}, lines_);
        }
        visit_lines(lines_, visit);
        return true;
    }

  private:
    /// Returns the next games of one database; none after the last.
    std::vector<store::GameId> next_games() {
        if (game_) {
            if (last_ != 0) return {};
            last_ = *game_;
            return {*game_};
        }
        for (; database_ < sources_->size(); ++database_, last_ = 0) {
            Source& source = (*sources_)[database_];
            std::vector<store::GameId> games =
                query::games_after(*source.reader, source.matcher, last_, kGamesWritten, stop_);
            if (games.empty()) continue;
            last_ = games.back();
            return games;
        }
        return {};
    }

    std::shared_ptr<Sources> sources_;
    std::optional<store::GameId> game_;
    emit::PlyRowWriter writer_;
    std::stop_token stop_;
    std::size_t database_ = 0;
    store::GameId last_ = 0;
    std::string lines_;
};

std::vector<emit::PlyColumn> ply_columns(const Given& given) {
    try {
        if (const std::string* const names = given.find("columns")) {
            return emit::ply_columns_of(*names);
        }
    } catch (const std::invalid_argument& error) {
        throw QuestionError("bad_columns", "columns", "columns: " + std::string(error.what()));
    }
    return given.find("game") != nullptr ? emit::shown_ply_columns() : emit::default_ply_columns();
}

/// A file without a name, which the system removes when it is closed.
class TemporaryLines final : public emit::ByteSink {
  public:
    TemporaryLines() : file_(std::tmpfile()) {
        if (file_ == nullptr) throw std::runtime_error("cannot make a temporary file");
    }
    ~TemporaryLines() override { static_cast<void>(std::fclose(file_)); }
    TemporaryLines(const TemporaryLines&) = delete;
    TemporaryLines& operator=(const TemporaryLines&) = delete;

    void write(std::string_view bytes) override {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
            throw std::runtime_error("cannot write a temporary file: is the disk full?");
        }
    }
    void finish() override { std::rewind(file_); }

    /// Reads the next lines. Returns false after the last one.
    bool read(const std::function<void(const Fill&)>& visit) {
        std::array<char, 64 * 1024> bytes{};
        const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), file_);
        text_.append(bytes.data(), count);
        const std::size_t end = text_.rfind('\n') + 1;
        visit_lines(std::string_view(text_).substr(0, end), visit);
        text_.erase(0, end);
        return count != 0;
    }

  private:
    std::FILE* file_;
    std::string text_;  // read, but not visited
};

/// Counts the distinct positions of a database.
std::shared_ptr<TemporaryLines> counted_positions(Source& source,
                                                  const emit::PositionChoice& choice,
                                                  chess::FenDialect dialect,
                                                  const std::stop_token& stop) {
    emit::ExportJob job{
        source.store,
        emit::GameList(query::select_games(*source.reader, source.matcher, store::GameOrder::kId,
                                           query::kAllGames, stop)),
        std::max(1U, std::thread::hardware_concurrency()), dialect};
    job.progress = [stop](std::uint64_t) {
        if (stop.stop_requested()) throw base::Stopped();
    };
    auto lines = std::make_shared<TemporaryLines>();
    emit::export_position_rows(job, choice, emit::RowFormat::kJson, *lines);
    lines->finish();
    return lines;
}

}  // namespace

QuestionKind plies_kind() {
    return {.name = "plies",
            .summary = "every ply of one game, or of all games that fit, the start included",
            .fields = {number_field("game", "only this game", 1),
                       {"columns", "NAMES",
                        "columns, separated by commas: " + emit::ply_column_names()},
                       dialect_field()},
            .plan = [](const Given& given) {
                Plan plan{given.filter(), Cost::kScan};
                const emit::PlyRowStyle style{ply_columns(given), emit::RowFormat::kJson,
                                              given.dialect()};
                plan.documents =
                    [style, game = given.number("game")](const Context& context) -> NextDocuments {
                    auto plies = std::make_shared<PlyDocuments>(context, game, style);
                    return [plies](const auto& visit) { return plies->read(visit); };
                };
                return plan;
            }};
}

QuestionKind positions_kind() {
    return {
        .name = "positions",
        .summary = "each position that games reached, with how many reached it and how they ended",
        .fields = {number_field("min-games", "only positions that so many games reached", 1),
                   number_field("max-ply", "only positions up to this ply"), dialect_field()},
        .plan = [](const Given& given) {
            Plan plan{given.filter(), Cost::kScan};
            // Positions of several variants are not mixed.
            if (!plan.filter.variant) plan.filter.variant = chess::Variant::kStandard;
            emit::PositionChoice choice;
            choice.min_games = given.number("min-games").value_or(1);
            if (const auto last = given.number("max-ply")) {
                choice.max_ply = static_cast<std::uint32_t>(*last);
            }
            choice.directory = std::filesystem::temp_directory_path().string();
            plan.documents = [choice,
                              dialect = given.dialect()](const Context& context) -> NextDocuments {
                auto lines =
                    counted_positions((*context.sources)[0], choice, dialect, context.stop);
                return [lines](const auto& visit) { return lines->read(visit); };
            };
            return plan;
        }};
}

}  // namespace fendex::ask
