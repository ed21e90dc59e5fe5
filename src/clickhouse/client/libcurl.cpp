#include "clickhouse/client/libcurl.hpp"

#include <new>
#include <stdexcept>
#include <string>

#include "base/shared_library.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {
namespace {

// Debian also has the second one, which uses another library for TLS.
constexpr const char* kLibraries[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

LibCurl load() {
    LibCurl curl{};
    try {
        const base::SharedLibrary library(kLibraries);
        library.find("curl_global_init", curl.global_init);
        library.find("curl_easy_init", curl.easy_init);
        library.find("curl_easy_cleanup", curl.easy_cleanup);
        library.find("curl_easy_reset", curl.easy_reset);
        library.find("curl_easy_setopt", curl.easy_setopt);
        library.find("curl_easy_getinfo", curl.easy_getinfo);
        library.find("curl_easy_pause", curl.easy_pause);
        library.find("curl_easy_strerror", curl.easy_strerror);
        library.find("curl_multi_init", curl.multi_init);
        library.find("curl_multi_cleanup", curl.multi_cleanup);
        library.find("curl_multi_add_handle", curl.multi_add_handle);
        library.find("curl_multi_remove_handle", curl.multi_remove_handle);
        library.find("curl_multi_perform", curl.multi_perform);
        library.find("curl_multi_poll", curl.multi_poll);
        library.find("curl_multi_info_read", curl.multi_info_read);
        library.find("curl_slist_append", curl.slist_append);
        library.find("curl_slist_free_all", curl.slist_free_all);
        library.find("curl_mime_init", curl.mime_init);
        library.find("curl_mime_free", curl.mime_free);
        library.find("curl_mime_addpart", curl.mime_addpart);
        library.find("curl_mime_name", curl.mime_name);
        library.find("curl_mime_data", curl.mime_data);
        library.find("curl_mime_filename", curl.mime_filename);
    } catch (const std::runtime_error& why) {
        throw store::StoreError(
            store::StoreError::kOther,
            std::string("ClickHouse is reached through libcurl 7.85 or later, which cannot be "
                        "loaded (on Debian, install the package libcurl4): ") +
                why.what());
    }
    // Starts libcurl; that must be done once, by one thread.
    if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::bad_alloc();
    return curl;
}

}  // namespace

const LibCurl& libcurl() {
    static const LibCurl loaded = load();
    return loaded;
}

}  // namespace fendex::clickhouse
