#include "pgn/libarchive.hpp"

#include <stdexcept>
#include <string>

namespace fendex::pgn {
namespace {

LibArchive load() {
    try {
        return {};
    } catch (const std::runtime_error& why) {
        throw std::runtime_error(
            std::string(".zip and .7z archives need libarchive.so.13, which cannot be loaded (on "
                        "Debian, install the package libarchive13): ") +
            why.what());
    }
}

}  // namespace

const LibArchive& libarchive() {
    static const LibArchive loaded = load();
    return loaded;
}

}  // namespace fendex::pgn
