// What a ClickHouse server may send, and a URL of one. The first byte selects: 0 a URL, which is
// written and read back; 1 the text of an error, which becomes one printable line; 2 the stored
// tags of a game; 3 a question to a cluster, which the second byte selects (128 more: a current
// server), and then the answers to all that it asks, each after its length (2 bytes, the lower one
// first); else rows, whose types the second byte selects, and that arrive so many bytes at a time.
// Of an answer that no database of ours gives, the error is one line that names the server.
#include <algorithm>
#include <string>

#include "clickhouse/client/row_binary.hpp"
#include "clickhouse/client/server_error.hpp"
#include "clickhouse/client/url.hpp"
#include "clickhouse/fake_transport.hpp"
#include "clickhouse/game_tags.hpp"
#include "cluster_questions.hpp"
#include "fuzz.hpp"
#include "store/store_error.hpp"

namespace {

using namespace fendex;
using namespace fendex::clickhouse;

class Pieces : public RowSource {
  public:
    Pieces(std::string_view bytes, std::size_t size) : bytes_(bytes), size_(size) {}

    bool append_to(std::string& out) override {
        const auto piece = bytes_.substr(0, size_);
        out += piece;
        bytes_.remove_prefix(piece.size());
        return !piece.empty();
    }

  private:
    std::string_view bytes_;
    std::size_t size_;
};

/// Reads rows to the end, or to an error; returns what was read, written again.
std::string read_rows(RowReader& in, unsigned types, bool& failed) {
    RowWriter out;
    try {
        for (unsigned type = types; !in.at_end(); type = type * 5 + 1) {
            switch (type / 16 % 6) {
                case 0: out.u8(in.u8()); break;
                case 1: out.u16(in.u16()); break;
                case 2: out.u32(in.u32()); break;
                case 3: out.string(in.string()); break;
                case 4: {
                    const auto values = in.u32s();
                    out.size(values.size());
                    for (const auto value : values) out.u32(value);
                    break;
                }
                default: {
                    const auto values = in.u64s();
                    out.size(values.size());
                    for (const auto value : values) out.u64(value);
                }
            }
        }
    } catch (const store::StoreError& error) {
        fuzz::require(error.kind() == store::StoreError::kDamaged);
        failed = true;
    }
    return out.bytes();
}

void try_url(std::string_view text) {
    try {
        const Url url = parse_url(text);
        fuzz::require(parse_url(to_text(url)) == url);
    } catch (const store::StoreError&) {
    }
}

void try_error(std::string_view text) {
    try {
        throw_server_error("host:1/d", 500, 0, text);
    } catch (const store::StoreError& error) {
        const std::string_view what = error.what();
        fuzz::require(what.starts_with("host:1/d: ") && what.find('\n') == what.npos);
    }
}

void try_tags(std::string_view bytes) {
    const TagColumns columns{.white = "Carlsen, Magnus",
                             .black = "?",
                             .event = "",
                             .site = "a",
                             .round = "1.1",
                             .eco = "C50",
                             .termination = "normal\nabandoned",
                             .start = "",
                             .facts = {}};
    TagPairs tags;
    if (!decode_tags(bytes, columns, tags)) return;
    // Names and values are parts of the columns or of the bytes.
    std::string again;
    encode_tags(tags, columns, again);
    TagPairs same;
    fuzz::require(decode_tags(again, columns, same) && same == tags);
}

/// Takes the next answer off the input.
std::string take_answer(std::string_view& rest) {
    if (rest.size() < 2) return {};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
    const std::size_t length = byte(0) | static_cast<std::size_t>(byte(1)) << 8;
    const std::string answer(rest.substr(2, length));
    rest.remove_prefix(2 + answer.size());
    return answer;
}

void try_question(unsigned selected, std::string_view answers) {
    struct TooMany {};
    constexpr int kMostStatements = 100;
    int statements = 0;
    const auto answer = [&](std::string_view) {
        if (++statements > kMostStatements) throw TooMany();
        return take_answer(answers);
    };
    try {
        fuzz::ask(selected % 128 % fuzz::kQuestions,
                  test::connect_to_fake(answer, selected >= 128 ? "26.7.1" : "18.16.1"));
    } catch (const store::StoreError& error) {
        const std::string_view what = error.what();
        fuzz::require(what.find("fake:1/chess: ") != what.npos && what.find('\n') == what.npos);
    } catch (const TooMany&) {
    }
}

void try_rows(unsigned types, std::size_t piece, std::string_view bytes) {
    bool failed = false;
    RowReader in(bytes);
    const std::string written = read_rows(in, types, failed);
    Pieces pieces(bytes, piece);
    RowReader slow(pieces);
    bool slow_failed = false;
    fuzz::require(read_rows(slow, types, slow_failed) == written && slow_failed == failed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::string_view text = fuzz::text_of(data + 1, size - 1);
    switch (data[0]) {
        case 0: try_url("clickhouse://" + std::string(text)); break;
        case 1: try_error(text); break;
        case 2: try_tags(text); break;
        case 3: try_question(data[1], text.substr(1)); break;
        default: try_rows(data[1], data[0], text.substr(1));
    }
    return 0;
}
