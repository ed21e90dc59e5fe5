#include "serve/http/content_coding.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "base/trimmed.hpp"

namespace fendex::serve {

namespace {

constexpr std::size_t kWorthBytes = 1024;
constexpr int kGzipHeader = 16;  // added to the window size: selects the gzip format
constexpr int kMemoryLevel = 8;  // zlib's default

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

/// Returns as many bytes as one call of zlib can take, which counts in unsigned int.
uInt portion_of(std::size_t bytes) {
    return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

void set_input(z_stream& stream, std::string_view bytes) {
    // zlib does not write to its input, but its interface has no const.
    // NOLINTNEXTLINE
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = portion_of(bytes.size());
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
    bool any = false;
    while (!accept_encoding.empty()) {
        const std::string_view each = accept_encoding.substr(0, accept_encoding.find(','));
        accept_encoding.remove_prefix(std::min(each.size() + 1, accept_encoding.size()));
        const std::size_t semicolon = std::min(each.find(';'), each.size());
        const std::string_view name = base::trimmed(each.substr(0, semicolon));
        const bool wanted = !unwanted(each.substr(semicolon));
        if (name == "gzip" || name == "x-gzip") return wanted;
        if (name == "*") any = wanted;
    }
    return any;
}

struct Gzip::Stream {
    Stream() {
        if (::deflateInit2(&zlib, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzipHeader, kMemoryLevel,
                           Z_DEFAULT_STRATEGY) != Z_OK) {
            throw std::runtime_error("zlib has no memory");
        }
    }
    ~Stream() { ::deflateEnd(&zlib); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    z_stream zlib{};
};

Gzip::Gzip() : stream_(std::make_unique<Stream>()) {}
Gzip::~Gzip() = default;
Gzip::Gzip(Gzip&&) noexcept = default;
Gzip& Gzip::operator=(Gzip&&) noexcept = default;

std::string Gzip::add(std::string_view piece, bool last) {
    z_stream& zlib = stream_->zlib;
    std::string out;
    std::array<char, 16384> bytes;
    do {
        set_input(zlib, piece);
        piece.remove_prefix(zlib.avail_in);
        const int flush = !piece.empty() ? Z_NO_FLUSH : last ? Z_FINISH : Z_SYNC_FLUSH;
        do {
            zlib.next_out = reinterpret_cast<Bytef*>(bytes.data());
            zlib.avail_out = bytes.size();
            ::deflate(&zlib, flush);
            out.append(bytes.data(), bytes.size() - zlib.avail_out);
        } while (zlib.avail_out == 0);
    } while (!piece.empty());
    return out;
}

std::optional<std::string> gunzip(std::string_view packed) {
    z_stream zlib{};
    if (::inflateInit2(&zlib, MAX_WBITS + kGzipHeader) != Z_OK) return std::nullopt;
    std::string out;
    std::array<char, 16384> bytes;
    set_input(zlib, packed);
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

std::optional<Gzip> encode(Answer& answer, const Coding& coding) {
    if (!answer.encoding.empty()) {
        if (coding.gzip) return std::nullopt;
        std::optional<std::string> unpacked = gunzip(answer.body);
        if (!unpacked) throw std::runtime_error("a packed answer is damaged");
        answer.body = std::move(*unpacked);
        answer.encoding.clear();
        return std::nullopt;
    }
    const bool goes_on = static_cast<bool>(answer.more);
    if (!coding.gzip || coding.near || !is_text(answer.type) ||
        (!goes_on && answer.body.size() <= kWorthBytes)) {
        return std::nullopt;
    }
    answer.encoding = "gzip";
    Gzip gzip;
    if (!answer.body.empty() || !goes_on) answer.body = gzip.add(answer.body, !goes_on);
    if (!goes_on) return std::nullopt;
    return gzip;
}

}  // namespace fendex::serve
