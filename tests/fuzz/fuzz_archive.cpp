// The bytes of a .zip or .7z archive: what is listed can be opened and read, or gives an error; a
// second reading, with the archive kept open, gives the same.
#include <optional>
#include <string>
#include <vector>

#include "fuzz.hpp"
#include "pgn/archive_contents.hpp"
#include "pgn/member_source.hpp"
#include "scratch.hpp"

namespace {

using namespace fendex;

/// More of a text is not read: a few bytes can be a bomb.
constexpr std::size_t kMaxText = std::size_t{1} << 20;

/// Returns the text of an input, and how reading it ended.
std::string read(const std::string& input, const pgn::SourceOptions& options) {
    std::string text;
    try {
        const auto source = pgn::open_source(input, options);
        std::vector<char> buffer(4000);
        while (text.size() < kMaxText) {
            const std::size_t count = source->read(buffer);
            if (count == 0) break;
            text.append(buffer.data(), count);
        }
    } catch (const pgn::SourceError& error) {
        fuzz::require(!std::string_view(error.what()).empty());
        text += " failed";
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string path = fuzz::scratch("archive");
    fuzz::write_all(path, std::string(fuzz::text_of(data, size)));
    if (!pgn::is_archive_file(path)) return 0;
    const pgn::ArchiveContents contents = pgn::list_archive(path);
    fuzz::require(contents.problem || !contents.inputs.empty());
    pgn::SourceOptions options;
    options.open_archive = std::make_shared<pgn::OpenArchive>();
    for (const std::string& input : contents.inputs) {
        const std::string text = read(input, {});
        fuzz::require(read(input, options) == text);
    }
    return 0;
}
