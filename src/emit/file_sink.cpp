#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/compressor.hpp"
#include "base/error_text.hpp"
#include "base/unfinished.hpp"
#include "emit/byte_sink.hpp"

namespace fendex::emit {

namespace {

[[noreturn]] void fail(const std::string& name, const char* doing, int error) {
    throw SinkError(name + ": cannot be " + doing + ": " + base::error_text(error));
}

int open_for_writing(const std::string& path, int flags) {
    constexpr mode_t kMode = 0666;  // as the umask allows
    int fd = -1;
    do {
        fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, kMode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

/// True for what cannot be replaced by a new file: a device, a pipe, a descriptor's name.
bool is_written_in_place(const std::string& path, const struct stat& status) {
    return !S_ISREG(status.st_mode) || path.starts_with("/dev/fd/") ||
           path.starts_with("/dev/std") || path.starts_with("/proc/");
}

class FileSink final : public ByteSink {
  public:
    explicit FileSink(const std::string& path) : name_(path) {
        if (path == "-" || path == "/dev/stdout") {
            name_ = "standard output";
            fd_ = STDOUT_FILENO;
            borrowed_ = true;
            return;
        }
        struct stat status {};
        const bool exists = ::stat(path.c_str(), &status) == 0;
        if (exists && S_ISDIR(status.st_mode)) fail(name_, "written", EISDIR);
        if (exists && is_written_in_place(path, status)) {
            fd_ = open_for_writing(path, 0);
            if (fd_ < 0) fail(name_, "written", errno);
            return;
        }
        // Follow symbolic links: replace the file that a link points to, not the link.
        std::error_code ignored;
        target_ = exists ? std::filesystem::canonical(path, ignored).string() : path;
        if (target_.empty()) target_ = path;
        if (exists && ::access(target_.c_str(), W_OK) != 0) fail(name_, "written", errno);
        try {
            file_.emplace(target_);
        } catch (const std::system_error& error) {
            fail(name_, "created", error.code().value());
        }
        fd_ = file_->fd();
        // If this fails, the file has the usual mode.
        if (exists) ::fchmod(fd_, status.st_mode & 07777U);
    }
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;

    ~FileSink() override { close(); }

    bool is_terminal() const { return ::isatty(fd_) != 0; }

    void write(std::string_view bytes) override {
        while (!bytes.empty()) {
            const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
            if (n < 0) {
                if (errno == EINTR) continue;
                if (errno == EPIPE) throw SinkClosed{};
                fail(name_, "written", errno);
            }
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
    }

    void finish() override {
        if (!file_) {
            if (close() != 0) fail(name_, "written", errno);
            return;
        }
        try {
            file_->finish();
        } catch (const std::system_error& error) {
            fail(name_, "written", error.code().value());
        }
    }

  private:
    int close() {
        const int fd = fd_;
        fd_ = -1;
        return fd < 0 || borrowed_ || file_ ? 0 : ::close(fd);
    }

    std::string name_;
    std::string target_;
    std::optional<base::UnfinishedFile> file_;  // empty if written in place
    int fd_ = -1;
    bool borrowed_ = false;
};

class CompressedSink final : public ByteSink {
  public:
    CompressedSink(std::unique_ptr<base::Compressor> compressor, std::unique_ptr<ByteSink> output)
        : compressor_(std::move(compressor)), output_(std::move(output)) {}

    void write(std::string_view bytes) override { write(bytes, base::Compressor::Then::kMore); }
    void finish() override {
        write({}, base::Compressor::Then::kEnd);
        output_->finish();
    }

  private:
    void write(std::string_view bytes, base::Compressor::Then then) {
        output_->write(compressor_->add(bytes, then));
    }

    std::unique_ptr<base::Compressor> compressor_;
    std::unique_ptr<ByteSink> output_;
};

}  // namespace

std::unique_ptr<ByteSink> open_file_sink(const std::string& path) {
    auto file = std::make_unique<FileSink>(path);
    if (file->is_terminal()) return make_terminal_sink(std::move(file));
    return file;
}

std::unique_ptr<ByteSink> open_sink(const std::string& path, unsigned threads) {
    // Plain text under such a name would look like a damaged archive.
    for (const char* const other : {".bz2", ".xz", ".lz4", ".zip"}) {
        if (path.ends_with(other)) {
            throw SinkError(path + ": " + other + " files cannot be written: choose .zst or .gz");
        }
    }
    std::unique_ptr<ByteSink> file = open_file_sink(path);
    std::unique_ptr<base::Compressor> compressor;
    if (path.ends_with(".zst")) compressor = base::make_zstd(0, threads);
    if (path.ends_with(".gz")) compressor = base::make_gzip();
    if (!compressor) return file;
    return std::make_unique<CompressedSink>(std::move(compressor), std::move(file));
}

}  // namespace fendex::emit
