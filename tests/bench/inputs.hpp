// The archives the benchmarks run on. Those of the corpus are taken where they are there; else
// made-up ones take their place, continued from samples/. All in a temporary directory, made when
// first asked for, and gone with it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "archive.hpp"

namespace fendex::bench {

/// A directory that is removed with all that is in it.
class TemporaryDirectory {
  public:
    explicit TemporaryDirectory(const std::string& parent);
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    std::string file(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

struct Archive {
    std::string name;  // as the report calls it
    std::string path;
    std::uint64_t bytes = 0;  // on disk
    Census census;
};

struct InputOptions {
    std::string corpus;  // empty, or without the archives: they are made up
    std::string samples;
    std::uint64_t games = 0;  // of a made-up archive that stands for human.pgn
    std::uint64_t seed = 1;
};

class Inputs {
  public:
    Inputs(InputOptions options, const TemporaryDirectory& directory)
        : options_(std::move(options)), directory_(directory) {}

    const InputOptions& options() const { return options_; }
    /// The archive of record, as plain text.
    const Archive& human();
    /// The same, compressed by zstd.
    const Archive& human_zst();
    /// An archive ten times as large, continued from its openings.
    const Archive& tenfold();
    /// The same, compressed by zstd.
    const Archive& tenfold_zst();
    /// Text that is mostly comments.
    struct Text {
        std::string name;
        std::string text;
    };
    Text commented() const;
    /// What human() is, or is continued from.
    std::string openings() const;

  private:
    Archive compressed(const Archive& plain) const;
    std::string corpus_file(const std::string& name) const;
    Archive make(const std::string& name, std::uint64_t games, const std::string& openings,
                 std::uint64_t seed) const;

    InputOptions options_;
    const TemporaryDirectory& directory_;
    std::optional<Archive> human_;
    std::optional<Archive> human_zst_;
    std::optional<Archive> tenfold_;
    std::optional<Archive> tenfold_zst_;
};

}  // namespace fendex::bench
