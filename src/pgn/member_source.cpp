#include "pgn/member_source.hpp"

#include <algorithm>
#include <utility>

namespace fendex::pgn {
namespace {

class MemberSource final : public PeekedSource {
  public:
    MemberSource(std::string name, std::unique_ptr<ArchiveFile> archive,
                 std::shared_ptr<OpenArchive> keeper)
        : PeekedSource(std::move(name)), archive_(std::move(archive)), keeper_(std::move(keeper)) {}
    MemberSource(const MemberSource&) = delete;
    MemberSource& operator=(const MemberSource&) = delete;
    ~MemberSource() override {
        if (keeper_ != nullptr) keeper_->keep(std::move(archive_));
    }

    std::optional<std::uint64_t> size() const override { return archive_->member().size; }
    std::uint64_t compressed_offset() const override { return archive_->offset(); }
    /// The checksum of the whole text is compared at its end.
    std::optional<std::uint64_t> unchecked_from() const override {
        return checked_ || taken() == 0 ? std::nullopt : std::optional<std::uint64_t>(0);
    }

  private:
    std::size_t read_some(std::span<char> out) override {
        if (piece_.empty()) {
            try {
                piece_ = archive_->read(name());
            } catch (const SourceError& error) {
                fail(error);
                return 0;
            }
            checked_ = piece_.empty();
        }
        const std::size_t count = std::min(out.size(), piece_.size());
        std::copy_n(piece_.begin(), count, out.begin());
        piece_ = piece_.subspan(count);
        return count;
    }

    std::unique_ptr<ArchiveFile> archive_;
    std::shared_ptr<OpenArchive> keeper_;
    std::span<const char> piece_;  // of the text, not delivered yet
    bool checked_ = false;
};

/// Moves forward to the member. Returns false if it is not in the rest of the archive.
bool find(ArchiveFile& archive, const std::string& member) {
    while (const ArchiveFile::Member* const each = archive.next()) {
        if (each->is_file && each->name == member) return true;
    }
    return false;
}

/// Returns the archive that was read last, moved to the start of the member's text; null if the
/// rest of it does not hold the member.
std::unique_ptr<ArchiveFile> find_in_rest(const MemberPath& path, OpenArchive& keeper) {
    std::unique_ptr<ArchiveFile> archive = keeper.take(path.archive);
    try {
        if (archive != nullptr && find(*archive, path.member)) return archive;
    } catch (const SourceError&) {
        // The member may come before the damage: the caller searches from the start.
    }
    return nullptr;
}

}  // namespace

std::unique_ptr<ArchiveFile> OpenArchive::take(const std::string& path) {
    std::unique_ptr<ArchiveFile> archive = std::move(archive_);
    if (archive != nullptr && (archive->path() != path || !archive->can_go_on())) archive.reset();
    return archive;
}

std::unique_ptr<PeekedSource> open_member(const std::string& name, const MemberPath& path,
                                          const SourceOptions& options) {
    const std::shared_ptr<OpenArchive>& keeper = options.open_archive;
    std::unique_ptr<ArchiveFile> archive;
    if (keeper != nullptr) archive = find_in_rest(path, *keeper);
    if (archive == nullptr) {
        archive = std::make_unique<ArchiveFile>(path.archive, options.stop);
        if (!find(*archive, path.member)) {
            throw SourceError(name + ": is not in the archive " + path.archive, archive->offset());
        }
    }
    if (archive->member().is_encrypted) {
        const SourceError error(name + ": is encrypted; unpack " + path.archive + " first",
                                archive->offset());
        if (keeper != nullptr) keeper->keep(std::move(archive));
        throw SourceError(error);
    }
    return std::make_unique<MemberSource>(name, std::move(archive), keeper);
}

}  // namespace fendex::pgn
