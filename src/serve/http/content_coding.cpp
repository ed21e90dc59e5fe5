#include "serve/http/content_coding.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/cut.hpp"
#include "base/trimmed.hpp"

namespace fendex::serve {

namespace {

constexpr std::size_t kWorthBytes = 1024;

/// Returns whether the parameters of a coding, ";q=0.0", say that the client does not want it.
bool unwanted(std::string_view parameters) {
    const std::size_t at = parameters.find("q=");
    return at != std::string_view::npos &&
           parameters.find_first_not_of("0. \t", at + 2) == std::string_view::npos;
}

bool is_text(std::string_view type) {
    return type.starts_with("text/") || type.starts_with("application/") ||
           type.starts_with("image/svg");
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
    bool any = false;
    while (!accept_encoding.empty()) {
        const std::string_view each = base::cut(accept_encoding, ',');
        const std::size_t semicolon = std::min(each.find(';'), each.size());
        const std::string_view name = base::trimmed(each.substr(0, semicolon));
        const bool wanted = !unwanted(each.substr(semicolon));
        if (name == "gzip" || name == "x-gzip") return wanted;
        if (name == "*") any = wanted;
    }
    return any;
}

std::optional<std::string> gunzip(std::string_view packed) {
    constexpr int kGzip = 15 + 16;
    z_stream zlib{};
    if (::inflateInit2(&zlib, kGzip) != Z_OK) return std::nullopt;

    std::string out;
    std::array<char, 16384> bytes;
    // zlib does not write to its input.
    zlib.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    zlib.avail_in = static_cast<uInt>(packed.size());

    int state = Z_OK;
    while (state == Z_OK) {
        zlib.next_out = reinterpret_cast<Bytef*>(bytes.data());
        zlib.avail_out = bytes.size();
        state = ::inflate(&zlib, Z_NO_FLUSH);
        out.append(bytes.data(), bytes.size() - zlib.avail_out);
    }
    ::inflateEnd(&zlib);
    if (state != Z_STREAM_END) return std::nullopt;
    return out;
}

std::unique_ptr<base::Compressor> encode(Answer& answer, const Coding& coding) {
    if (!answer.encoding.empty()) {
        if (coding.gzip) return nullptr;
        std::optional<std::string> unpacked = gunzip(answer.body);
        if (!unpacked) throw std::runtime_error("a packed answer is damaged");
        answer.body = std::move(*unpacked);
        answer.encoding.clear();
        return nullptr;
    }
    const bool goes_on = static_cast<bool>(answer.more);
    if (!coding.gzip || coding.near || !is_text(answer.type) ||
        (!goes_on && answer.body.size() <= kWorthBytes)) {
        return nullptr;
    }
    answer.encoding = "gzip";
    std::unique_ptr<base::Compressor> gzip = base::make_gzip(Z_BEST_SPEED);
    if (goes_on && answer.body.empty()) return gzip;
    answer.body = gzip->add(
        answer.body, goes_on ? base::Compressor::Then::kFlush : base::Compressor::Then::kEnd);
    return goes_on ? std::move(gzip) : nullptr;
}

}  // namespace fendex::serve
