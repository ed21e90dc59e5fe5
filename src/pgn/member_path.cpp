#include "pgn/member_path.hpp"

#include <sys/stat.h>

namespace fendex::pgn {

std::optional<MemberPath> split_member(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) return std::nullopt;
    for (std::size_t slash = path.find('/', 1); slash != path.npos;
         slash = path.find('/', slash + 1)) {
        std::string archive = path.substr(0, slash);
        if (::stat(archive.c_str(), &status) != 0) return std::nullopt;
        if (S_ISREG(status.st_mode)) return MemberPath{std::move(archive), path.substr(slash + 1)};
    }
    return std::nullopt;
}

std::string file_of(const std::string& path) {
    const std::optional<MemberPath> member = split_member(path);
    return member ? member->archive : path;
}

}  // namespace fendex::pgn
