#include "ingest/record_lines.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>

#include "base/cut.hpp"
#include "chess/fen.hpp"
#include "chess/variant_names.hpp"
#include "codec/record_block.hpp"
#include "ingest/printable_text.hpp"
#include "ingest/record_line.hpp"

namespace fendex::ingest {

namespace {

namespace json = simdjson::dom;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r";
/// A packed record that is longer, without what others add to it, is not kept.
constexpr std::size_t kMostRecordBytes = 128 * 1024;

/// A line that is wrong; what() says why.
class LineError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Returns a value of this type. Throws if it has another type.
template <typename Value>
Value as(json::element element, const char* what) {
    Value value;
    if (element.get(value) != simdjson::SUCCESS) throw LineError(what);
    return value;
}

std::int64_t number_in(json::element element, std::int64_t least, std::int64_t most,
                       const char* what) {
    const auto number = as<std::int64_t>(element, what);
    if (number < least || number > most) throw LineError(what);
    return number;
}

void read_variation(json::object object, RecordLine& line) {
    constexpr std::int64_t kMost = INT32_MAX;
    std::optional<codec::Score> score;
    std::string_view moves;
    for (const json::key_value_pair& member : object) {
        if (member.key == "cp" || member.key == "mate") {
            if (score) throw LineError("a PV has two scores");
            score = {member.key == "mate",
                     static_cast<std::int32_t>(
                         number_in(member.value, -kMost, kMost, "a score that is not a number"))};
        } else if (member.key == "line") {
            moves = as<std::string_view>(member.value, "a PV that is not a text");
        }
    }
    if (!score) throw LineError("a PV has neither cp nor mate");
    read_pv(moves, false, line).score = *score;
}

void read_evaluation(json::object object, RecordLine& line) {
    std::uint32_t depth = 0;
    std::uint64_t thousands = 0;
    std::uint64_t nodes = 0;
    for (const json::key_value_pair& member : object) {
        if (member.key == "depth") {
            depth = static_cast<std::uint32_t>(number_in(member.value, 0, codec::kMostDepth,
                                                         "a depth that is not a number from 0 on"));
        } else if (member.key == "knodes") {
            thousands =
                static_cast<std::uint64_t>(number_in(member.value, 0, codec::kMostNodes / 1000,
                                                     "knodes that are not a number from 0 on"));
        } else if (member.key == "nodes") {
            nodes = static_cast<std::uint64_t>(number_in(member.value, 0, codec::kMostNodes,
                                                         "nodes that are not a number from 0 on"));
        } else if (member.key == "pvs") {
            for (const json::element pv :
                 as<json::array>(member.value, "pvs that are not a list")) {
                if (line.searches.new_variations() == codec::kMostPvs) {
                    throw LineError("more than 255 PVs");
                }
                read_variation(as<json::object>(pv, "a PV that is not an object"), line);
            }
        }
    }
    if (line.searches.new_variations() == 0) throw LineError("an evaluation without PVs");
    line.searches.add(line.position, depth, nodes != 0 ? nodes : thousands * 1000);
}

}  // namespace

struct RecordLineReader::Parts {
    json::parser parser;
    RecordLine line;
    codec::BitWriter bits;

    void read_json(std::string_view text, bool has_padding, chess::Variant variant);
    void read_line(std::string_view text, bool has_padding, chess::Variant variant,
                   store::NewGames& out);
};

/// `has_padding` says that after the text there are simdjson::SIMDJSON_PADDING bytes that can be
/// read; otherwise the text is copied.
void RecordLineReader::Parts::read_json(std::string_view text, bool has_padding,
                                        chess::Variant variant) {
    json::element document;
    const simdjson::error_code code =
        parser.parse(text.data(), text.size(), !has_padding).get(document);
    // The line is not to blame if memory runs out.
    if (code == simdjson::MEMALLOC) throw std::bad_alloc();
    if (code != simdjson::SUCCESS) throw LineError("damaged JSON");
    const auto object = as<json::object>(document, "no JSON object");
    // The members come in any order, and the position must be known first.
    json::element member;
    if (object["variant"].get(member) == simdjson::SUCCESS) {
        variant = chess::variant_of(as<std::string_view>(member, "a variant that is not a text"));
        if (variant == chess::Variant::kOther) throw LineError("a variant that is not known");
    }
    if (object["fen"].get(member) != simdjson::SUCCESS) throw LineError("no FEN");
    const auto fen = as<std::string_view>(member, "a FEN that is not a text");
    if (const std::string error = read_record_fen(fen, variant, line); !error.empty()) {
        throw LineError(error);
    }
    if (object["evals"].get(member) == simdjson::SUCCESS) {
        for (const json::element each : as<json::array>(member, "evals that are not a list")) {
            read_evaluation(as<json::object>(each, "an evaluation that is not an object"), line);
        }
    }
    if (object["epd"].get(member) == simdjson::SUCCESS) {
        add_operations(as<std::string_view>(member, "an epd that is not a text"), line);
    }
}

void RecordLineReader::Parts::read_line(std::string_view text, bool has_padding,
                                        chess::Variant variant, store::NewGames& out) {
    line.clear();
    if (text.front() == '{') {
        read_json(text, has_padding, variant);
    } else if (const std::string error = read_epd_line(text, variant, line); !error.empty()) {
        throw LineError(error);
    }
    const std::size_t begin = out.record_bits.size();
    codec::pack_record(line.position, line.searches, line.operations, bits, out.record_bits);
    const std::size_t size = out.record_bits.size() - begin;
    if (size > kMostRecordBytes) {
        out.record_bits.resize(begin);
        throw LineError("a record of more than 128 KiB");
    }
    out.records.push_back({line.position.key(), {begin, size}});
}

RecordLineReader::RecordLineReader() : parts_(std::make_unique<Parts>()) {}
RecordLineReader::~RecordLineReader() = default;
RecordLineReader::RecordLineReader(RecordLineReader&&) noexcept = default;
RecordLineReader& RecordLineReader::operator=(RecordLineReader&&) noexcept = default;

store::NewGames RecordLineReader::read(const pgn::Batch& batch, chess::Variant variant) {
    store::NewGames out;
    out.is_of_records = true;
    const std::string_view text = batch.text;
    // Lines take some six times as much as the records, and are rarely shorter than this.
    constexpr std::size_t kBytesOfBits = 4;
    constexpr std::size_t kBytesOfLine = 128;
    out.record_bits.reserve(text.size() / kBytesOfBits);
    out.records.reserve(text.size() / kBytesOfLine);
    const bool truncated = !batch.extents.empty() && batch.extents.back().truncated;
    std::uint64_t number = batch.first_line;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        const std::uint64_t byte = batch.stream_offset + begin;
        const bool is_cut = truncated && end == text.size();
        begin = end + 1;
        if (byte == 0 && line.starts_with(kByteOrderMark)) line.remove_prefix(3);
        line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
        line.remove_suffix(line.size() - std::min(line.find_last_not_of(kBlanks) + 1, line.size()));
        if (line.empty() || line.front() == '#') continue;
        const auto add_error = [&](std::string_view reason, std::string_view what, bool warning) {
            store::ImportError& error = out.errors.emplace_back().error;
            error.byte = byte;
            error.line = number;
            error.reason = reason;
            error.text = printable_text(what);
            error.warning = warning;
        };
        if (is_cut) {
            add_error("a line that is cut off: the text is damaged, or the line too long", line,
                      false);
            continue;
        }
        try {
            const bool has_padding = text.size() - end >= simdjson::SIMDJSON_PADDING;
            parts_->read_line(line, has_padding, variant, out);
            if (!parts_->line.warning.empty()) {
                add_error(parts_->line.warning, parts_->line.left_out, true);
            }
        } catch (const LineError& error) {
            add_error(error.what(), line, false);
        }
    }
    return out;
}

bool begins_with_records(std::string_view head) {
    constexpr unsigned kLines = 20;
    for (unsigned i = 0; i < kLines && !head.empty(); ++i) {
        std::string_view line = base::cut(head, '\n');
        if (line.starts_with(kByteOrderMark)) line.remove_prefix(3);
        line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
        if (line.starts_with('{')) {
            if (line.find("\"fen\"") < 200) return true;
            continue;
        }
        if (line.find(';') == std::string_view::npos) continue;
        const chess::FenResult fen = chess::parse_any_fen(line, std::nullopt);
        if (chess::any_position(fen) && !fen.operations.empty()) return true;
    }
    return false;
}

}  // namespace fendex::ingest
