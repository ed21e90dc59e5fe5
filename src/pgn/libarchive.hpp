// The functions of libarchive that we use, loaded when the first .zip or .7z archive is read. If
// the program were linked with libarchive, it would load a dozen more libraries at every start.
#pragma once

#include <archive.h>
#include <archive_entry.h>

namespace fendex::pgn {

struct LibArchive {
    decltype(&::archive_read_new) read_new;
    decltype(&::archive_read_free) read_free;
    decltype(&::archive_read_support_format_zip) read_support_format_zip;
    decltype(&::archive_read_support_format_7zip) read_support_format_7zip;
    decltype(&::archive_read_set_read_callback) read_set_read_callback;
    decltype(&::archive_read_set_seek_callback) read_set_seek_callback;
    decltype(&::archive_read_set_callback_data) read_set_callback_data;
    decltype(&::archive_read_open1) read_open1;
    decltype(&::archive_read_next_header) read_next_header;
    decltype(&::archive_read_data_block) read_data_block;
    decltype(&::archive_read_has_encrypted_entries) read_has_encrypted_entries;
    decltype(&::archive_error_string) error_string;
    decltype(&::archive_entry_pathname) entry_pathname;
    decltype(&::archive_entry_size) entry_size;
    decltype(&::archive_entry_size_is_set) entry_size_is_set;
    decltype(&::archive_entry_filetype) entry_filetype;
    decltype(&::archive_entry_is_encrypted) entry_is_encrypted;
};

/// Loads the library at the first call and keeps it. Throws std::runtime_error, which names the
/// package, if it is not installed. Several threads may call this at once.
const LibArchive& libarchive();

}  // namespace fendex::pgn
