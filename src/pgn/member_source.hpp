// The text of a file in a .zip or .7z archive. Offsets on disk are those of the archive.
#pragma once

#include <memory>
#include <string>

#include "pgn/archive_file.hpp"
#include "pgn/member_path.hpp"
#include "pgn/peeked_source.hpp"

namespace fendex::pgn {

/// Keeps the archive whose member was read last, so that the next member is found without decoding
/// those before it again. One thread at a time.
class OpenArchive {
  public:
    /// Hands over the kept archive; null if it is not the one at this path.
    std::unique_ptr<ArchiveFile> take(const std::string& path);
    void keep(std::unique_ptr<ArchiveFile> archive) { archive_ = std::move(archive); }

  private:
    std::unique_ptr<ArchiveFile> archive_;
};

/// Opens a member, which messages call `name`. Throws SourceError, also if it is encrypted.
[[nodiscard]] std::unique_ptr<PeekedSource> open_member(const std::string& name,
                                                        const MemberPath& path,
                                                        const SourceOptions& options);

}  // namespace fendex::pgn
