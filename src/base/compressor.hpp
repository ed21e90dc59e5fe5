// Compresses bytes piece by piece. For one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fendex::base {

class Compressor {
  public:
    /// Says whether another piece follows. With kFlush, all pieces so far can be unpacked before it
    /// comes (gzip only).
    enum class Then { kMore, kFlush, kEnd };

    virtual ~Compressor() = default;

    /// Returns the compressed bytes that are ready after this piece.
    [[nodiscard]] virtual std::string add(std::string_view piece, Then then) = 0;
};

// The levels are those of the libraries; without one, their default.

[[nodiscard]] std::unique_ptr<Compressor> make_gzip(int level = -1);
/// Compresses with `threads` further threads, if the library was built with threads.
[[nodiscard]] std::unique_ptr<Compressor> make_zstd(int level = 0, unsigned threads = 0);

}  // namespace fendex::base
