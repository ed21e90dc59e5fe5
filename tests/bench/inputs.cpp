#include "inputs.hpp"

#include <zstd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "game_maker.hpp"

namespace fendex::bench {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory(const std::string& parent) {
    std::string pattern = (fs::path(parent) / "fendex-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error(parent +
                                 ": cannot create a directory there: " + std::strerror(errno));
    }
    path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string Inputs::corpus_file(const std::string& name) const {
    const fs::path path = fs::path(options_.corpus) / name;
    return !options_.corpus.empty() && fs::exists(path) ? path.string() : std::string();
}

std::string Inputs::openings() const {
    for (const char* name : {"human.pgn", "human.pgn.zst"}) {
        if (std::string path = corpus_file(name); !path.empty()) return path;
    }
    return (fs::path(options_.samples) / "tournament.pgn.zst").string();
}

Archive Inputs::make(const std::string& name, std::uint64_t games, const std::string& openings,
                     std::uint64_t seed) const {
    Archive archive{name, directory_.file(name), 0, {}};
    {
        const Openings beginnings(openings, kMinOpeningPlies, kMaxOpeningPlies);
        const GameMaker maker(beginnings, {.seed = seed, .crlf = true});
        std::ofstream file(archive.path, std::ios::binary);
        make_games(maker, games, std::max(1U, std::thread::hardware_concurrency()),
                   [&](std::string_view text) {
                       file.write(text.data(), static_cast<std::streamsize>(text.size()));
                   });
        file.close();
        if (!file) throw std::runtime_error(archive.path + ": cannot be written");
    }
    archive.bytes = fs::file_size(archive.path);
    archive.census = take_census(archive.path);
    if (archive.census.games != games || archive.census.broken != 0) {
        throw std::runtime_error(name + ": the generator made games that cannot be read");
    }
    return archive;
}

const Archive& Inputs::human() {
    if (human_) return *human_;
    if (std::string plain = corpus_file("human.pgn"); !plain.empty()) {
        human_ = {"human.pgn", plain, fs::file_size(plain), take_census(plain)};
    } else if (std::string packed = corpus_file("human.pgn.zst"); !packed.empty()) {
        const std::string path = directory_.file("human.pgn");
        write_text(path, read_text(packed));
        human_ = {"human.pgn", path, fs::file_size(path), take_census(path)};
    } else {
        human_ = make("made.pgn", options_.games, openings(), options_.seed);
    }
    return *human_;
}

Archive Inputs::compressed(const Archive& plain) const {
    constexpr int kLevel = 9;
    Archive packed = plain;
    packed.name += ".zst";
    packed.path = directory_.file(packed.name);
    const std::string text = read_text(plain.path);
    std::string bytes(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size =
        ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), kLevel);
    if (ZSTD_isError(size) != 0) throw std::runtime_error(ZSTD_getErrorName(size));
    bytes.resize(size);
    write_text(packed.path, bytes);
    packed.bytes = size;
    return packed;
}

const Archive& Inputs::human_zst() {
    if (human_zst_) return *human_zst_;
    if (std::string path = corpus_file("human.pgn.zst"); !path.empty()) {
        human_zst_ = human();
        human_zst_->name += ".zst";
        human_zst_->path = path;
        human_zst_->bytes = fs::file_size(path);
    } else {
        human_zst_ = compressed(human());
    }
    return *human_zst_;
}

const Archive& Inputs::tenfold() {
    if (!tenfold_) {
        tenfold_ = make("tenfold.pgn", 10 * human().census.games, openings(), options_.seed + 1);
    }
    return *tenfold_;
}

const Archive& Inputs::tenfold_zst() {
    if (!tenfold_zst_) tenfold_zst_ = compressed(tenfold());
    return *tenfold_zst_;
}

Inputs::Text Inputs::commented() const {
    for (const char* name : {"engine.pgn", "engine.pgn.zst"}) {
        if (std::string path = corpus_file(name); !path.empty()) {
            return {"engine.pgn", read_text(path)};
        }
    }
    // A few games with a comment for every move, repeated.
    const std::string games =
        read_text((fs::path(options_.samples) / "online.pgn").string()) + "\n\n";
    Text text{"online.pgn", {}};
    while (text.text.size() < (std::size_t{16} << 20)) text.text += games;
    return text;
}

}  // namespace fendex::bench
