#include "emit/position_records.hpp"

#include <algorithm>
#include <string_view>

#include "base/json.hpp"
#include "chess/san.hpp"
#include "chess/variant_names.hpp"

namespace fendex::emit {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} << 10;

/// Returns whether an opcode could be read as part of an evaluation.
bool is_of_evaluation(std::string_view opcode) {
    return opcode == "acd" || opcode == "acn" || opcode.starts_with("ce") ||
           opcode.starts_with("dm") || opcode.starts_with("pv");
}

/// Returns whether an operand keeps its bytes only in quotes, or is written in quotes by custom.
bool is_quoted(const chess::EpdOperation& operation) {
    const std::string_view opcode = operation.opcode;
    const std::string_view operand = operation.operand;
    const bool is_comment = opcode.size() == 2 && opcode[0] == 'c' && opcode[1] <= '9';
    return opcode == "id" || is_comment || operand.find(';') != std::string_view::npos ||
           operand.find("  ") != std::string_view::npos || operand.starts_with(' ') ||
           operand.ends_with(' ') ||
           std::any_of(operand.begin(), operand.end(), [](char c) { return c < ' ' || c > '~'; });
}

void append_operation(std::string_view opcode, std::string_view operand, std::string& out) {
    out += ' ';
    out += opcode;
    if (!operand.empty()) out += ' ';
    out += operand;
    out += ';';
}

void append_operations(const codec::PositionRecord& record, std::string& out) {
    for (const chess::EpdOperation& each : record.operations) {
        append_operation(each.opcode, is_quoted(each) ? '"' + each.operand + '"' : each.operand,
                         out);
    }
}

/// Returns how castling is written in UCI: as king takes rook if a right is not a standard one.
chess::Variant uci_variant(const chess::AnyPosition& position) {
    if (position.standard() == nullptr) return position.variant();
    return chess::has_chess960_rights(position) ? chess::Variant::kChess960
                                                : chess::Variant::kStandard;
}

/// Appends the moves of a PV in UCI notation, separated by blanks.
std::string uci_of(const chess::AnyPosition& position, const std::vector<chess::Move>& moves) {
    const chess::Variant variant = uci_variant(position);
    std::string out;
    chess::AnyPosition board = position;
    for (const chess::Move move : moves) {
        if (!out.empty()) out += ' ';
        chess::append_uci(board, move, variant, out);
        board.play(move);
    }
    return out;
}

std::string san_of(const chess::AnyPosition& position, const std::vector<chess::Move>& moves) {
    std::string out;
    chess::AnyPosition board = position;
    for (const chess::Move move : moves) {
        if (!out.empty()) out += ' ';
        chess::append_san(board, move, out);
        board.play(move);
    }
    return out;
}

void append_epd_evaluation(const chess::AnyPosition& position, const codec::Evaluation& evaluation,
                           std::string& out) {
    if (evaluation.depth != 0) append_operation("acd", std::to_string(evaluation.depth), out);
    if (evaluation.nodes != 0) append_operation("acn", std::to_string(evaluation.nodes), out);
    const int sign = position.side_to_move() == chess::Color::kWhite ? 1 : -1;
    for (std::size_t i = 0; i < evaluation.pvs.size(); ++i) {
        const codec::Variation& pv = evaluation.pvs[i];
        const std::string number = i == 0 ? "" : std::to_string(i + 1);
        append_operation((pv.score.is_mate ? "dm" : "ce") + number,
                         std::to_string(sign * pv.score.value), out);
        if (!pv.moves.empty()) append_operation("pv" + number, san_of(position, pv.moves), out);
    }
}

void append_json_evaluation(const chess::AnyPosition& position, const codec::Evaluation& evaluation,
                            std::string& out) {
    constexpr std::uint64_t kThousand = 1000;
    out += "{\"pvs\":";
    json::append_array(evaluation.pvs, out, [&](const codec::Variation& pv) {
        out += pv.score.is_mate ? "{\"mate\":" : "{\"cp\":";
        json::append_value(pv.score.value, out);
        out += ",\"line\":";
        json::append_value(std::string_view(uci_of(position, pv.moves)), out);
        out += '}';
    });
    out += ",\"knodes\":";
    json::append_value(evaluation.nodes / kThousand, out);
    if (evaluation.nodes % kThousand != 0) {
        out += ",\"nodes\":";
        json::append_value(evaluation.nodes, out);
    }
    out += ",\"depth\":";
    json::append_value(evaluation.depth, out);
    out += '}';
}

}  // namespace

void append_epd_lines(const chess::AnyPosition& position, const codec::PositionRecord& record,
                      std::string& out) {
    std::string epd = chess::to_epd(position);
    if (position.of_variant() != nullptr) {
        append_operation("variant", chess::name_of(position.variant()), epd);
    }
    const bool apart = !record.evaluations.empty() &&
                       std::any_of(record.operations.begin(), record.operations.end(),
                                   [](const auto& each) { return is_of_evaluation(each.opcode); });
    bool has_operations = false;
    if (apart || record.evaluations.empty()) {
        out += epd;
        append_operations(record, out);
        out += '\n';
        has_operations = true;
    }
    for (const codec::Evaluation& each : record.evaluations) {
        out += epd;
        append_epd_evaluation(position, each, out);
        if (!has_operations) append_operations(record, out);
        has_operations = true;
        out += '\n';
    }
}

void append_json_line(const chess::AnyPosition& position, const codec::PositionRecord& record,
                      std::string& out) {
    out += "{\"fen\":";
    json::append_value(std::string_view(chess::to_epd(position)), out);
    if (position.of_variant() != nullptr) {
        out += ",\"variant\":";
        json::append_value(chess::name_of(position.variant()), out);
    }
    out += ",\"evals\":";
    json::append_array(record.evaluations, out, [&](const codec::Evaluation& each) {
        append_json_evaluation(position, each, out);
    });
    if (!record.operations.empty()) {
        std::string operations;
        append_operations(record, operations);
        out += ",\"epd\":";
        json::append_value(std::string_view(operations).substr(1), out);
    }
    out += "}\n";
}

std::uint64_t export_records(store::PositionRecords& records, RecordsAs format, ByteSink& sink,
                             const std::function<void(std::uint64_t)>& progress) {
    std::string buffer;
    std::uint64_t count = 0;
    const auto write = [&] {
        sink.write(buffer);
        buffer.clear();
        progress(count);
    };
    records.for_each([&](const chess::AnyPosition& position, const codec::PositionRecord& record) {
        if (format == RecordsAs::kEpd) {
            append_epd_lines(position, record, buffer);
        } else {
            append_json_line(position, record, buffer);
        }
        ++count;
        if (buffer.size() >= kBufferBytes) write();
        return true;
    });
    write();
    return count;
}

}  // namespace fendex::emit
