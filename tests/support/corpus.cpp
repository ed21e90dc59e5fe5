#include "support/corpus.hpp"

#include <algorithm>
#include <filesystem>

#include "pgn/splitter.hpp"
#include "support/test_size.hpp"

namespace fendex::test {

namespace fs = std::filesystem;

std::string whole_corpus() { return FENDEX_CORPUS; }

std::string corpus_cut() { return FENDEX_TEST_DATA "/corpus"; }

bool use_whole_corpus() { return full_size() && fs::exists(whole_corpus()); }

std::string corpus_in_use() { return use_whole_corpus() ? whole_corpus() : corpus_cut(); }

std::vector<std::string> files_below(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

void for_each_game(const std::string& path,
                   const std::function<bool(std::string_view text, bool truncated)>& visit) {
    const auto source = pgn::open_source(path);
    pgn::Splitter splitter(*source);
    for (pgn::Batch batch; splitter.next(batch);) {
        for (const pgn::Extent& extent : batch.extents) {
            if (extent.kind != pgn::Extent::Kind::kGame) continue;
            const std::string_view text =
                std::string_view(batch.text).substr(extent.offset, extent.size);
            if (!visit(text, extent.truncated)) return;
        }
    }
}

std::string first_games(const std::string& path, unsigned games) {
    std::string text;
    for_each_game(path, [&](std::string_view game, bool) {
        text.append(game).append("\n\n");
        return --games != 0;
    });
    return text;
}

}  // namespace fendex::test
