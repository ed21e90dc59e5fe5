#include "pgn/libarchive.hpp"

#include <stdexcept>
#include <string>

#include "base/shared_library.hpp"

namespace fendex::pgn {
namespace {

constexpr const char* kLibraries[] = {"libarchive.so.13"};

LibArchive load() {
    LibArchive out{};
    try {
        const base::SharedLibrary library(kLibraries);
        library.find("archive_read_new", out.read_new);
        library.find("archive_read_free", out.read_free);
        library.find("archive_read_support_format_zip", out.read_support_format_zip);
        library.find("archive_read_support_format_7zip", out.read_support_format_7zip);
        library.find("archive_read_set_read_callback", out.read_set_read_callback);
        library.find("archive_read_set_seek_callback", out.read_set_seek_callback);
        library.find("archive_read_set_callback_data", out.read_set_callback_data);
        library.find("archive_read_open1", out.read_open1);
        library.find("archive_read_next_header", out.read_next_header);
        library.find("archive_read_data_block", out.read_data_block);
        library.find("archive_read_has_encrypted_entries", out.read_has_encrypted_entries);
        library.find("archive_error_string", out.error_string);
        library.find("archive_entry_pathname", out.entry_pathname);
        library.find("archive_entry_size", out.entry_size);
        library.find("archive_entry_size_is_set", out.entry_size_is_set);
        library.find("archive_entry_filetype", out.entry_filetype);
        library.find("archive_entry_is_encrypted", out.entry_is_encrypted);
    } catch (const std::runtime_error& why) {
        throw std::runtime_error(
            std::string(".zip and .7z archives need libarchive.so.13, which cannot be loaded (on "
                        "Debian, install the package libarchive13): ") +
            why.what());
    }
    return out;
}

}  // namespace

const LibArchive& libarchive() {
    static const LibArchive loaded = load();
    return loaded;
}

}  // namespace fendex::pgn
