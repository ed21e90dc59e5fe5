// The functions of libarchive that we use, loaded when the first .zip or .7z archive is read. If
// the program were linked with libarchive, it would load a dozen more libraries at every start.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include "base/shared_library.hpp"

namespace fendex::pgn {

struct LibArchive : base::SharedLibrary {
    static constexpr const char* kLibraries[] = {"libarchive.so.13"};

    LibArchive() : SharedLibrary(kLibraries) {}

    decltype(&::archive_read_new) read_new = find("archive_read_new");
    decltype(&::archive_read_free) read_free = find("archive_read_free");
    decltype(&::archive_read_support_format_zip) read_support_format_zip =
        find("archive_read_support_format_zip");
    decltype(&::archive_read_support_format_7zip) read_support_format_7zip =
        find("archive_read_support_format_7zip");
    decltype(&::archive_read_set_read_callback) read_set_read_callback =
        find("archive_read_set_read_callback");
    decltype(&::archive_read_set_seek_callback) read_set_seek_callback =
        find("archive_read_set_seek_callback");
    decltype(&::archive_read_set_callback_data) read_set_callback_data =
        find("archive_read_set_callback_data");
    decltype(&::archive_read_open1) read_open1 = find("archive_read_open1");
    decltype(&::archive_read_next_header) read_next_header = find("archive_read_next_header");
    decltype(&::archive_read_data_block) read_data_block = find("archive_read_data_block");
    decltype(&::archive_read_has_encrypted_entries) read_has_encrypted_entries =
        find("archive_read_has_encrypted_entries");
    decltype(&::archive_error_string) error_string = find("archive_error_string");
    decltype(&::archive_entry_pathname) entry_pathname = find("archive_entry_pathname");
    decltype(&::archive_entry_size) entry_size = find("archive_entry_size");
    decltype(&::archive_entry_size_is_set) entry_size_is_set = find("archive_entry_size_is_set");
    decltype(&::archive_entry_filetype) entry_filetype = find("archive_entry_filetype");
    decltype(&::archive_entry_is_encrypted) entry_is_encrypted = find("archive_entry_is_encrypted");
};

/// Loads the library at the first call and keeps it. Throws std::runtime_error, which names the
/// package, if it is not installed. Several threads may call this at once.
const LibArchive& libarchive();

}  // namespace fendex::pgn
