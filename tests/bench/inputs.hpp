// The archives of the benchmarks: those of the corpus if they exist, otherwise made-up ones,
// continued from samples/. They are made in a temporary directory when first used, and removed with
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "archive.hpp"

namespace fendex::bench {

/// A directory that is removed with its contents.
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
    std::string name;  // as in the report
    std::string path;
    std::uint64_t bytes = 0;  // on disk
    Census census;
};

struct InputOptions {
    std::string corpus;  // if empty or without the archives, they are made up
    std::string samples;
    std::uint64_t games = 0;  // of the made-up archive that replaces human.pgn
    std::uint64_t seed = 1;
};

class Inputs {
  public:
    Inputs(InputOptions options, const TemporaryDirectory& directory)
        : options_(std::move(options)), directory_(directory) {}

    const InputOptions& options() const { return options_; }
    /// The archive of record, as plain text and compressed by zstd.
    const Archive& human();
    const Archive& human_zst();
    /// An archive ten times as large, continued from its openings, in both forms.
    const Archive& tenfold();
    const Archive& tenfold_zst();
    /// Text that is mostly comments.
    struct Text {
        std::string name;
        std::string text;
    };
    Text commented() const;
    /// Path of the archive whose openings made-up games continue: human.pgn of the corpus, else a
    /// sample.
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
