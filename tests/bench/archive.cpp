#include "archive.hpp"

#include <algorithm>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace fendex::bench {

std::string read_text(const std::string& path) {
    const std::unique_ptr<pgn::ByteSource> source = pgn::open_source(path);
    std::string text;
    std::size_t size = 0;
    while (true) {
        if (text.size() - size < (std::size_t{1} << 20)) {
            text.resize(std::max<std::size_t>(std::size_t{4} << 20, 2 * text.size()));
        }
        const std::size_t n = source->read(std::span(text).subspan(size));
        if (n == 0) break;
        size += n;
    }
    text.resize(size);
    return text;
}

void write_text(const std::string& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) throw std::runtime_error(path + ": cannot be written");
}

Census take_census(const std::string& path) {
    const std::unique_ptr<pgn::ByteSource> source = pgn::open_source(path);
    return replay_games(*source, [](const chess::Position&, std::uint64_t, std::uint32_t) {});
}

}  // namespace fendex::bench
