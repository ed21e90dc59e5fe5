#include "baseline.hpp"

#include <chrono>
#include <filesystem>
#include <memory>

#include "archive.hpp"
#include "chess/fen.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::bench {

namespace {

constexpr std::string_view kCreate =
    "CREATE TABLE posting(game INTEGER, ply INTEGER, key INTEGER, fen TEXT)";
constexpr std::string_view kInsert = "INSERT INTO posting(game, ply, key, fen) VALUES (?, ?, ?, ?)";
constexpr std::string_view kIndex = "CREATE INDEX posting_key ON posting(key)";

}  // namespace

BaselineResult run_baseline(const std::string& archive, std::uint64_t games,
                            const std::string& database, IndexMade index) {
    const auto start = std::chrono::steady_clock::now();
    BaselineResult result;
    {
        store::Connection connection(database, store::Connection::Mode::kCreate);
        connection.run("PRAGMA cell_size_check = OFF");  // SQLite's default
        connection.run(kCreate);
        if (index == IndexMade::kFirst) connection.run(kIndex);
        connection.run("BEGIN");
        {
            store::Statement insert(connection, kInsert);
            char fen[chess::kMaxFenLength];
            const std::unique_ptr<pgn::ByteSource> source = pgn::open_source(archive);
            const Census census = replay_games(
                *source,
                [&](const chess::Position& position, std::uint64_t game, std::uint32_t ply) {
                    const char* end = chess::write_fen(position, chess::FenDialect::kStandard, fen);
                    insert.bind(1, static_cast<std::int64_t>(game));
                    insert.bind(2, std::int64_t{ply});
                    insert.bind(3, static_cast<std::int64_t>(position.key()));
                    insert.bind(4, std::string_view(fen, static_cast<std::size_t>(end - fen)));
                    insert.run();
                },
                games);
            result.plies = census.plies;
        }
        connection.run("COMMIT");
        if (index == IndexMade::kLast) connection.run(kIndex);
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.bytes = std::filesystem::file_size(database);
    return result;
}

}  // namespace fendex::bench
