#include "support/corpus.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "pgn/splitter.hpp"

namespace fendex::test {

std::string corpus_file(const std::string& name) {
    const std::string path = std::string(FENDEX_CORPUS) + "/" + name;
    if (std::filesystem::exists(path)) return path;
    WARN("there is no corpus here");
    return {};
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

}  // namespace fendex::test
