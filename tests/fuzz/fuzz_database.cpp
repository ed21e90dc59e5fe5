// Database files from anywhere: a small one of our own, with values, rows and bytes changed as the
// input says, is asked everything and checked. It may be refused (StoreError), but nothing else may
// happen; and what a check finds clean answers.
//
// The input: 16 bytes a change: what (a column, or a byte of the file), how, which row, a number.
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "check/database_check.hpp"
#include "fuzz.hpp"
#include "support/answers.hpp"
#include "support/damage_file.hpp"

using namespace fendex;

namespace {

constexpr std::size_t kChangeBytes = 16;
constexpr std::size_t kMaxChanges = 8;
constexpr std::uint8_t kFileByte = 255;

std::string scratch(const std::string& name) {
    static const std::string directory = std::filesystem::exists("/dev/shm")
                                             ? "/dev/shm"
                                             : std::filesystem::temp_directory_path().string();
    return directory + "/fendex-fuzz-" + std::to_string(::getpid()) + name;
}

std::string read_all(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_all(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

const std::string& intact() {
    static const std::string bytes = [] {
        const std::string pgn = scratch(".pgn");
        const std::string path = scratch("-intact.db");
        write_all(pgn, test::archive_with_everything());
        ingest::import_files(path, {pgn}, {});
        std::string out = read_all(path);
        std::filesystem::remove(pgn);
        std::filesystem::remove(path);
        return out;
    }();
    return bytes;
}

template <typename Number>
Number number_at(const std::uint8_t* data) {
    Number out;
    std::memcpy(&out, data, sizeof out);
    return out;
}

template <typename Ask>
void ask(Ask question) {
    try {
        question();
    } catch (const store::StoreError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes = intact();
    const std::string path = scratch(".db");
    write_all(path, bytes);
    bool file_changed = false;
    for (std::size_t i = 0; i < kMaxChanges && size >= kChangeBytes; ++i) {
        if (data[0] == kFileByte) {
            bytes = read_all(path);
            bytes[number_at<std::uint32_t>(data + 4) % bytes.size()] = static_cast<char>(data[1]);
            write_all(path, bytes);
            file_changed = true;
        } else if (!file_changed) {  // the shell's SQLite is not what is tested
            const auto kind = static_cast<test::DamageKind>(
                data[1] % static_cast<unsigned>(test::DamageKind::kCount));
            test::damage(path, {data[0], kind, number_at<std::uint32_t>(data + 4),
                                number_at<std::uint64_t>(data + 8)});
        }
        data += kChangeBytes;
        size -= kChangeBytes;
    }

    bool clean = false;
    ask([&] {
        check::CheckOptions options;
        options.memory_bytes = 1 << 20;
        clean = check::check_database(path, options).findings.empty();
        options.sample = 10;
        check::check_database(path, options);
    });
    chess::Position after_e4;
    after_e4.play(chess::Move(12, 28, chess::MoveKind::kDoublePush));
    std::size_t answered = 0;
    const auto answer = [&](std::string (test::Answers::*question)()) {
        ask([&] {
            (test::Answers(path).*question)();
            ++answered;
        });
    };
    answer(&test::Answers::games);
    answer(&test::Answers::repetitions);
    answer(&test::Answers::info);
    for (const chess::Position& position : {chess::Position(), after_e4}) {
        ask([&] {
            test::Answers(path).position(position);
            ++answered;
        });
    }
    fuzz::require(!clean || answered == 5);
    return 0;
}
