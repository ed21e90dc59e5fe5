#include "clickhouse/client/libcurl.hpp"

#include <new>
#include <stdexcept>
#include <string>

#include "store/store_error.hpp"

namespace fendex::clickhouse {
namespace {

LibCurl load() {
    try {
        const LibCurl curl;
        // Starts libcurl; that must be done once, by one thread.
        if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::bad_alloc();
        return curl;
    } catch (const std::runtime_error& why) {
        throw store::StoreError(
            store::StoreError::kOther,
            std::string("ClickHouse is reached through libcurl 7.85 or later, which cannot be "
                        "loaded (on Debian, install the package libcurl4): ") +
                why.what());
    }
}

}  // namespace

const LibCurl& libcurl() {
    static const LibCurl loaded = load();
    return loaded;
}

}  // namespace fendex::clickhouse
