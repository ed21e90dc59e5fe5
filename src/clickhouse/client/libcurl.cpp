#include "clickhouse/client/libcurl.hpp"

#include <dlfcn.h>

#include <new>
#include <string>

#include "store/store_error.hpp"

namespace fendex::clickhouse {
namespace {

// Debian also has the second, which differs in its library for TLS.
constexpr const char* kLibraries[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

[[noreturn]] void refuse_libcurl(const std::string& why) {
    throw store::StoreError(
        store::StoreError::kOther,
        "ClickHouse is reached through libcurl 7.85 or later, which cannot be loaded (on Debian, "
        "install the package libcurl4): " +
            why);
}

void* open_library() {
    std::string why;
    for (const char* const name : kLibraries) {
        if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
        if (why.empty()) why = dlerror();
    }
    refuse_libcurl(why);
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
    // POSIX lets dlsym() return functions as pointers to data.
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) refuse_libcurl(dlerror());
}

LibCurl load() {
    void* const library = open_library();  // never closed
    LibCurl curl{};
    find(library, "curl_global_init", curl.global_init);
    find(library, "curl_easy_init", curl.easy_init);
    find(library, "curl_easy_cleanup", curl.easy_cleanup);
    find(library, "curl_easy_reset", curl.easy_reset);
    find(library, "curl_easy_setopt", curl.easy_setopt);
    find(library, "curl_easy_getinfo", curl.easy_getinfo);
    find(library, "curl_easy_pause", curl.easy_pause);
    find(library, "curl_easy_strerror", curl.easy_strerror);
    find(library, "curl_multi_init", curl.multi_init);
    find(library, "curl_multi_cleanup", curl.multi_cleanup);
    find(library, "curl_multi_add_handle", curl.multi_add_handle);
    find(library, "curl_multi_remove_handle", curl.multi_remove_handle);
    find(library, "curl_multi_perform", curl.multi_perform);
    find(library, "curl_multi_poll", curl.multi_poll);
    find(library, "curl_multi_info_read", curl.multi_info_read);
    find(library, "curl_slist_append", curl.slist_append);
    find(library, "curl_slist_free_all", curl.slist_free_all);
    find(library, "curl_mime_init", curl.mime_init);
    find(library, "curl_mime_free", curl.mime_free);
    find(library, "curl_mime_addpart", curl.mime_addpart);
    find(library, "curl_mime_name", curl.mime_name);
    find(library, "curl_mime_data", curl.mime_data);
    find(library, "curl_mime_filename", curl.mime_filename);
    // libcurl's one-time start, which is not safe from several threads.
    if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::bad_alloc();
    return curl;
}

}  // namespace

const LibCurl& libcurl() {
    static const LibCurl loaded = load();
    return loaded;
}

}  // namespace fendex::clickhouse
