// ClickHouse's format RowBinary: the values of a row one after the other, little-endian, without
// separators. Writers and readers call the functions for the types of the columns in their order.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fendex::clickhouse {

/// Collects rows in memory.
class RowWriter {
  public:
    void u8(std::uint8_t value) { bytes_ += static_cast<char>(value); }
    void u16(std::uint16_t value) { number(value); }
    void u32(std::uint32_t value) { number(value); }
    void u64(std::uint64_t value) { number(value); }
    void i8(std::int8_t value) { u8(static_cast<std::uint8_t>(value)); }
    /// Writes the length of an array, before its values.
    void size(std::uint64_t value);
    void string(std::string_view text) {
        size(text.size());
        bytes_ += text;
    }

    /// Appends rows that another writer has made.
    void append(std::string_view rows) { bytes_ += rows; }

    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
    void clear() noexcept { bytes_.clear(); }  // keeps the memory

  private:
    template <std::unsigned_integral Number>
    void number(Number value) {
        char text[sizeof value];
        for (unsigned byte = 0; byte < sizeof value; ++byte) {
            text[byte] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte) & 0xFF);
        }
        bytes_.append(text, sizeof value);
    }

    std::string bytes_;
};

/// The source of a RowReader's bytes.
class RowSource {
  public:
    virtual ~RowSource() = default;

    /// Appends at least one byte. Returns false at the end. May throw.
    virtual bool append_to(std::string& bytes) = 0;
};

/// Reads rows. The functions throw store::StoreError (kDamaged) if the bytes end inside a value, or
/// if a length is absurd. For one thread.
class RowReader {
  public:
    explicit RowReader(std::string_view bytes) : bytes_(bytes) {}
    /// Reads from the source when bytes are needed; the source must outlive the reader. `place`
    /// says in messages where the rows come from.
    explicit RowReader(RowSource& source, std::string place = {})
        : source_(&source), place_(std::move(place)) {}

    std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
    std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
    std::uint64_t u64() { return number(8); }
    std::int8_t i8() { return static_cast<std::int8_t>(u8()); }
    std::int64_t i64() { return static_cast<std::int64_t>(u64()); }
    /// Reads the length of an array, before its values.
    std::uint64_t size();
    /// The view is valid until the next call.
    std::string_view string();
    /// Reads a line of a text format, without its end. The view is valid until the next call.
    std::string_view line();
    std::vector<std::uint32_t> u32s();
    std::vector<std::uint64_t> u64s();

    /// Returns true if there are no more bytes.
    bool at_end() { return position_ == bytes_.size() && !more(); }

  private:
    std::uint64_t number(unsigned size) {
        if (bytes_.size() - position_ < size) need(size);
        std::uint64_t value = 0;
        for (unsigned byte = 0; byte < size; ++byte) {
            value |= std::uint64_t{static_cast<unsigned char>(bytes_[position_ + byte])}
                     << (8 * byte);
        }
        position_ += size;
        return value;
    }

    template <typename Number>
    std::vector<Number> numbers();
    bool more();
    void need(std::uint64_t size);
    [[noreturn]] void fail(const char* what) const;

    RowSource* source_ = nullptr;
    std::string place_;
    std::string buffer_;      // bytes of source_, if set; bytes_ is then a view of it
    std::string_view bytes_;  // the unread bytes begin at position_
    std::size_t position_ = 0;
};

}  // namespace fendex::clickhouse
