#include "pgn/archive_contents.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "base/joined.hpp"
#include "pgn/archive_file.hpp"
#include "pgn/file_names.hpp"
#include "pgn/file_source.hpp"

namespace fendex::pgn {
namespace {

/// Returns whether a file is one of those that macOS adds to every archive.
bool is_of_macos(std::string_view name) {
    const std::string_view last = name.substr(name.rfind('/') + 1);
    return name.starts_with("__MACOSX/") || last.starts_with("._") || last == ".DS_Store";
}

/// The names of the files in an archive, by kind.
struct Names {
    std::vector<std::string> pgn;
    std::vector<std::string> archives;
    std::vector<std::string> others;

    void add(const ArchiveFile::Member& member) {
        const std::string& given = member.given_name;
        if (!member.is_file || is_of_macos(given)) return;
        (is_pgn_name(given)         ? pgn
         : is_container_name(given) ? archives
                                    : others)
            .push_back(member.name);
    }
};

std::string counted(std::size_t count, const std::string& one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

/// Returns the first names of a list.
std::string first_of(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 3;
    return base::joined(", ", std::span(names).first(std::min(names.size(), kShown))) +
           (names.size() > kShown ? ", ..." : "");
}

/// Returns why files of a complete list cannot be read; empty if all can.
std::string problem_of(const Names& names, const std::string& path) {
    if (!names.archives.empty()) {
        return "holds " + counted(names.archives.size(), "archive") +
               ", and an archive inside an archive is not read (" + first_of(names.archives) +
               "); unpack it first";
    }
    if (!names.pgn.empty()) return "";
    if (names.others.empty()) return "is an archive without files";
    return "none of its " + counted(names.others.size(), "file") + " is named .pgn (" +
           first_of(names.others) + "); name the one to read: " + path + "/" + names.others.front();
}

}  // namespace

ArchiveContents list_archive(const std::string& path) {
    ArchiveContents out;
    Names names;
    try {
        ArchiveFile archive(path);
        while (const ArchiveFile::Member* const member = archive.next()) names.add(*member);
        if (names.pgn.empty() && names.archives.empty() && names.others.size() == 1) {
            std::swap(names.pgn, names.others);
        }
        const std::string problem = problem_of(names, path);
        if (!problem.empty()) out.problem.emplace(path + ": " + problem, 0);
    } catch (const SourceError& error) {
        out.problem = error;
    }
    for (const std::string& name : names.pgn) out.inputs.push_back(path + "/" + name);
    if (!names.pgn.empty() && !names.others.empty()) {
        const bool one = names.others.size() == 1;
        out.left_out = path + ": " + counted(names.others.size(), "file") + " in it " +
                       (one ? "is not named .pgn and was" : "are not named .pgn and were") +
                       " left out (" + first_of(names.others) + ")";
    }
    return out;
}

bool is_archive_file(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    try {
        return archive_kind(FileSource(path).peek()).has_value();
    } catch (const SourceError&) {
        return false;  // opening it for reading will report the reason
    }
}

}  // namespace fendex::pgn
