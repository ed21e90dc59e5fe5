#include "clickhouse/client/row_binary.hpp"

#include "store/store_error.hpp"

namespace fendex::clickhouse {
namespace {

// Far more than any string or array of ours. A larger length means that the bytes are not rows.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

}  // namespace

void RowWriter::size(std::uint64_t value) {
    while (value >= 0x80) {
        u8(static_cast<std::uint8_t>(value | 0x80));
        value >>= 7;
    }
    u8(static_cast<std::uint8_t>(value));
}

void RowReader::fail(const char* what) const {
    const std::string place = place_.empty() ? "" : place_ + ": ";
    throw store::DamageError(place + "the server's answer is not what was asked for: " + what);
}

bool RowReader::more() {
    if (source_ == nullptr) return false;
    buffer_.erase(0, position_);
    position_ = 0;
    const bool is_more = source_->append_to(buffer_);
    bytes_ = buffer_;
    return is_more;
}

void RowReader::need(std::uint64_t size) {
    while (bytes_.size() - position_ < size) {
        if (!more()) fail("it ends inside a value");
    }
}

std::uint64_t RowReader::size() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint8_t byte = u8();
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
    }
    fail("a length has too many digits");
}

std::string_view RowReader::string() {
    const std::uint64_t length = size();
    if (length > kMostBytes) fail("a string is too long");
    if (bytes_.size() - position_ < length) need(length);
    const auto text = bytes_.substr(position_, length);
    position_ += length;
    return text;
}

std::string_view RowReader::line() {
    for (std::size_t searched = 0;;) {
        const std::string_view rest = bytes_.substr(position_);
        const std::size_t end = rest.find('\n', searched);
        if (end != std::string_view::npos) {
            position_ += end + 1;
            return rest.substr(0, end);
        }
        searched = rest.size();
        if (searched > kMostBytes) fail("a line is too long");
        if (!more()) fail("it ends inside a line");
    }
}

template <typename Number>
std::vector<Number> RowReader::numbers() {
    const std::uint64_t count = size();
    if (count > kMostBytes / sizeof(Number)) fail("an array is too long");
    need(count * sizeof(Number));
    std::vector<Number> values(count);
    for (Number& value : values) value = static_cast<Number>(number(sizeof value));
    return values;
}

std::vector<std::uint32_t> RowReader::u32s() { return numbers<std::uint32_t>(); }
std::vector<std::uint64_t> RowReader::u64s() { return numbers<std::uint64_t>(); }

}  // namespace fendex::clickhouse
