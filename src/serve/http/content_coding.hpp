// Compressed answers: whether a client accepts gzip, and whether it gets it. Any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/compressor.hpp"
#include "serve/http/answer.hpp"

namespace fendex::serve {

/// Returns whether the value of the header Accept-Encoding allows gzip.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

/// Returns the unpacked text; nullopt if it is damaged.
[[nodiscard]] std::optional<std::string> gunzip(std::string_view packed);

/// What a client accepts.
struct Coding {
    bool gzip = false;  // it accepts gzip
    bool near = false;  // it is on this machine, where compressing takes longer than sending
};

/// Compresses the body of an answer if that is worthwhile, or unpacks it if the client does not
/// accept gzip. If more pieces follow and must be compressed, too, returns the compressor for them.
std::unique_ptr<base::Compressor> encode(Answer& answer, const Coding& coding);

}  // namespace fendex::serve
