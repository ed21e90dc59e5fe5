// A text as a stream: a named pipe and a thread that writes the text to it.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <string>
#include <thread>

namespace fendex::test {

class Fifo {
  public:
    /// Creates the pipe `path`, which the test must open. Its reader may stop early.
    Fifo(std::string path, std::string text) : path_(std::move(path)) {
        std::signal(SIGPIPE, SIG_IGN);
        REQUIRE(::mkfifo(path_.c_str(), 0600) == 0);
        writer_ = std::thread([this, text = std::move(text)] {
            const int fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
            for (std::size_t done = 0; done < text.size();) {
                const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
                if (count < 0) break;
                done += static_cast<std::size_t>(count);
            }
            ::close(fd);
        });
    }
    ~Fifo() {
        writer_.join();
        ::unlink(path_.c_str());
    }
    Fifo(const Fifo&) = delete;
    Fifo& operator=(const Fifo&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
    std::thread writer_;
};

}  // namespace fendex::test
