// Compressed answers: whether a client takes gzip, and gzip itself. Any thread; a Gzip belongs to
// one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "serve/http/answer.hpp"

namespace fendex::serve {

/// Reads the header Accept-Encoding.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

/// Compresses a body piece by piece, so that the client can read each piece when it has got it.
class Gzip {
  public:
    Gzip();
    ~Gzip();
    Gzip(Gzip&&) noexcept;
    Gzip& operator=(Gzip&&) noexcept;

    /// Returns the compressed bytes of a piece.
    [[nodiscard]] std::string add(std::string_view piece, bool last);

  private:
    struct Stream;
    std::unique_ptr<Stream> stream_;
};

/// Returns the unpacked text; nullopt if it is damaged.
[[nodiscard]] std::optional<std::string> gunzip(std::string_view packed);

/// What a client takes.
struct Coding {
    bool gzip = false;  // it accepts gzip
    bool near = false;  // it is on this machine, where compressing takes longer than sending
};

/// Compresses the body of an answer if it is worth it, or unpacks it if the client does not take it
/// as it is. If the answer goes on and its pieces must be compressed, returns what does that.
std::optional<Gzip> encode(Answer& answer, const Coding& coding);

}  // namespace fendex::serve
