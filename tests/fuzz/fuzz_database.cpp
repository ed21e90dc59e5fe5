// Hostile database files: the input changes values, rows and bytes of a small database of our own,
// and then one verb reads or changes it. The verb may throw StoreError, but nothing else may go
// wrong. If a check found nothing before, the verb must succeed, and a check must find nothing
// afterwards.
//
// The input: the verb; the database, and whether it is checked first; then 16 bytes for each
// change: what is changed (a column, or a byte of the file), how, in which row, and a number.
#include <cstring>

#include "fuzz.hpp"
#include "query/duplicate_games.hpp"
#include "scratch.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/answers.hpp"
#include "support/damage_file.hpp"
#include "upkeep/backup.hpp"
#include "upkeep/compact.hpp"
#include "upkeep/database_check.hpp"
#include "upkeep/materialize.hpp"
#include "upkeep/repair.hpp"

namespace {

using namespace fendex;

constexpr std::size_t kHeaderBytes = 2;
constexpr std::size_t kChangeBytes = 16;
constexpr std::size_t kMaxChanges = 3;
constexpr std::uint8_t kFileByte = 255;
constexpr std::size_t kMemory = 1 << 20;

constexpr char kMoreGames[] =
    "[White \"M1\"]\n[Date \"1912.01.02\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n"
    "[White \"New\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Qxx *\n";

/// Big positions need many games, and most kinds of damage do not need big positions.
std::string intact_database(bool ply_rows, int games) {
    const std::string pgn = fuzz::scratch("intact.pgn");
    const std::string path = fuzz::scratch("intact.db");
    std::filesystem::remove(path);
    ingest::ImportOptions options{.ply_rows = ply_rows ? ingest::PlyRowChoice::kYes
                                                       : ingest::PlyRowChoice::kNo};
    options.segment_postings = 1;  // a segment for each import
    fuzz::write_all(pgn, test::archive_with_everything(games));
    ingest::import_files(path, {pgn}, options);
    options.annotations = options.variations = true;
    fuzz::write_all(pgn, "[White \"Z\"]\n\n1. c4 {x} (1. d4 d5) c5 2. Nc3 Qxx 0-1\n");
    ingest::import_files(path, {pgn}, options);
    const auto writer = store::file_store(path)->writer("fuzz");
    const store::GameId deleted[] = {2};
    writer->remove_games(deleted);
    writer->commit();
    writer->close();
    return fuzz::read_all(path);
}

const std::string& intact(unsigned which) {
    static const std::string databases[] = {intact_database(true, 4), intact_database(false, 8),
                                            intact_database(false, 270)};
    return databases[which % std::size(databases)];
}

template <typename Number>
Number number_at(const std::uint8_t* data) {
    Number out;
    std::memcpy(&out, data, sizeof out);
    return out;
}

/// False if the verb was refused.
template <typename Verb>
bool succeeds(Verb verb) {
    try {
        verb();
        return true;
    } catch (const store::StoreError&) {
        return false;
    }
}

upkeep::CheckReport check_all(const std::string& path) {
    return upkeep::check_database(path, {.memory_bytes = kMemory});
}

bool is_clean(const std::string& path) {
    bool clean = false;
    return succeeds([&] { clean = check_all(path).findings.empty(); }) && clean;
}

void check_sample(const std::string& path) {
    static_cast<void>(upkeep::check_database(path, {.memory_bytes = kMemory, .sample = 3}));
}

void ask_games(const std::string& path) { test::Answers(path).games(); }
void ask_repetitions(const std::string& path) { test::Answers(path).repetitions(); }
void ask_info(const std::string& path) { test::Answers(path).info(); }
void ask_start(const std::string& path) { test::Answers(path).position(chess::Position()); }
void ask_after_e4(const std::string& path) {
    chess::Position position;
    position.play(chess::Move(12, 28, chess::MoveKind::kDoublePush));
    test::Answers(path).position(position);
}

void find_duplicates(const std::string& path) {
    const auto reader = store::file_store(path)->reader();
    query::GameMatcher matcher(*reader);
    static_cast<void>(query::find_duplicates(*reader, matcher, query::kDuplicateKinds));
}

void delete_games(const std::string& path) {
    const auto writer = store::file_store(path)->writer("delete");
    const store::GameId games[] = {1, 3, 5, 6};
    writer->remove_games(games);
    writer->commit();
    writer->close();
}

void append_games(const std::string& path, bool skip_duplicates) {
    const std::string pgn = fuzz::scratch("more.pgn");
    fuzz::write_all(pgn, kMoreGames);
    const ingest::ImportOptions options{
        .memory_bytes = kMemory, .skip_duplicates = skip_duplicates, .again = true};
    ingest::import_files(path, {pgn}, options);
}
void append(const std::string& path) { append_games(path, false); }
void append_new_only(const std::string& path) { append_games(path, true); }

void compact(const std::string& path) {
    upkeep::CompactOptions options;
    options.memory_bytes = kMemory;
    upkeep::compact(path, options);
}

void repair(const std::string& path) {
    upkeep::RepairOptions options;
    options.memory_bytes = kMemory;
    upkeep::repair_database(path, options);
}

void materialize(const std::string& path) { upkeep::materialize(path); }
void drop_rows(const std::string& path) { upkeep::drop_ply_rows(path); }

void back_up(const std::string& path, bool compacted) {
    const std::string copy = fuzz::scratch("copy.db");
    std::filesystem::remove(copy);
    static_cast<void>(upkeep::back_up(path, copy, {.compact = compacted, .memory_bytes = kMemory}));
}
void back_up_plain(const std::string& path) { back_up(path, false); }
void back_up_compacted(const std::string& path) { back_up(path, true); }
void check_only(const std::string& path) { check_all(path); }

using Verb = void (*)(const std::string& path);
constexpr Verb kVerbs[] = {
    check_only,   check_sample,    ask_games,    ask_repetitions, ask_info,          ask_start,
    ask_after_e4, find_duplicates, delete_games, append,          append_new_only,   compact,
    repair,       materialize,     drop_rows,    back_up_plain,   back_up_compacted,
};

/// Returns the path of the damaged database.
std::string damaged_file(std::string_view changes, const std::string& intact_bytes) {
    std::string path = fuzz::scratch("games.db");
    for (const char* const part : {"-wal", "-shm", "-journal"}) {
        std::filesystem::remove(path + part);
    }
    fuzz::write_all(path, intact_bytes);
    std::string bytes;
    const auto* data = static_cast<const std::uint8_t*>(static_cast<const void*>(changes.data()));
    for (std::size_t left = changes.size(), i = 0; i < kMaxChanges && left >= kChangeBytes; ++i) {
        if (data[0] == kFileByte) {
            if (bytes.empty()) bytes = fuzz::read_all(path);
            bytes[number_at<std::uint32_t>(data + 4) % bytes.size()] = static_cast<char>(data[1]);
        } else if (bytes.empty()) {  // the shell's SQLite is not under test
            const auto kind = static_cast<test::DamageKind>(
                data[1] % static_cast<unsigned>(test::DamageKind::kCount));
            test::damage(path, {data[0], kind, number_at<std::uint32_t>(data + 4),
                                number_at<std::uint64_t>(data + 8)});
        }
        data += kChangeBytes;
        left -= kChangeBytes;
    }
    if (!bytes.empty()) fuzz::write_all(path, bytes);
    return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < kHeaderBytes) return 0;
    const Verb verb = kVerbs[data[0] % std::size(kVerbs)];
    const bool checked = data[1] >= 128;
    const std::string path =
        damaged_file(fuzz::text_of(data + kHeaderBytes, size - kHeaderBytes), intact(data[1]));
    const bool clean = checked && is_clean(path);
    const bool done = succeeds([&] { verb(path); });
    fuzz::require(!clean || done);
    if (clean || (checked && done && verb == repair)) fuzz::require(is_clean(path));
    return 0;
}
