// The functions of libcurl that fendex uses. They are loaded by the first connection to a server,
// because a program that is linked with libcurl loads some 30 more libraries at every start, and
// only clusters need them.
#pragma once

#include <curl/curl.h>

#include "base/shared_library.hpp"

namespace fendex::clickhouse {

struct LibCurl : base::SharedLibrary {
    // Debian also has the second one, which uses another library for TLS.
    static constexpr const char* kLibraries[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

    LibCurl() : SharedLibrary(kLibraries) {}

    decltype(&::curl_global_init) global_init = find("curl_global_init");
    decltype(&::curl_easy_init) easy_init = find("curl_easy_init");
    decltype(&::curl_easy_cleanup) easy_cleanup = find("curl_easy_cleanup");
    decltype(&::curl_easy_reset) easy_reset = find("curl_easy_reset");
    decltype(&::curl_easy_setopt) easy_setopt = find("curl_easy_setopt");
    decltype(&::curl_easy_getinfo) easy_getinfo = find("curl_easy_getinfo");
    decltype(&::curl_easy_pause) easy_pause = find("curl_easy_pause");
    decltype(&::curl_easy_strerror) easy_strerror = find("curl_easy_strerror");
    decltype(&::curl_multi_init) multi_init = find("curl_multi_init");
    decltype(&::curl_multi_cleanup) multi_cleanup = find("curl_multi_cleanup");
    decltype(&::curl_multi_add_handle) multi_add_handle = find("curl_multi_add_handle");
    decltype(&::curl_multi_remove_handle) multi_remove_handle = find("curl_multi_remove_handle");
    decltype(&::curl_multi_perform) multi_perform = find("curl_multi_perform");
    decltype(&::curl_multi_poll) multi_poll = find("curl_multi_poll");
    decltype(&::curl_multi_info_read) multi_info_read = find("curl_multi_info_read");
    decltype(&::curl_slist_append) slist_append = find("curl_slist_append");
    decltype(&::curl_slist_free_all) slist_free_all = find("curl_slist_free_all");
    decltype(&::curl_mime_init) mime_init = find("curl_mime_init");
    decltype(&::curl_mime_free) mime_free = find("curl_mime_free");
    decltype(&::curl_mime_addpart) mime_addpart = find("curl_mime_addpart");
    decltype(&::curl_mime_name) mime_name = find("curl_mime_name");
    decltype(&::curl_mime_data) mime_data = find("curl_mime_data");
    decltype(&::curl_mime_filename) mime_filename = find("curl_mime_filename");
};

/// Loads the library at the first call and keeps it. Throws StoreError if it is not installed or
/// too old. Several threads may call this at once.
const LibCurl& libcurl();

}  // namespace fendex::clickhouse
