// Files that say which names are one: CSV, and Scid's spelling file. A name of CSV is joined once,
// to a name that is not joined itself, and the joins, written as CSV, are read again. A right
// spelling of a spelling file is right itself.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz.hpp"
#include "ingest/name_file.hpp"
#include "ingest/spelling_file.hpp"
#include "store/name_join.hpp"

using namespace fendex;

namespace {

void read_spellings(std::string_view text) {
    const ingest::SpellingFile file(text);
    for (const auto& [kind, word] : store::kJoinableKinds) {
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            const auto right = file.right(kind, text.substr(begin, end - begin));
            if (right && right->is_known) {
                const auto again = file.right(kind, right->name);
                fuzz::require(!again || !again->is_known || again->name == right->name);
            }
            begin = end + 1;
        }
    }
}

void append_cell(std::string_view text, std::string& out) {
    out += '"';
    for (const char c : text) out.append(c == '"' ? 2 : 1, c);
    out += '"';
}

std::string csv_of(const std::vector<ingest::NamedJoin>& joins) {
    std::string out = "name,canonical,kind\r\n";
    for (const ingest::NamedJoin& each : joins) {
        append_cell(each.name, out);
        out += ',';
        append_cell(each.canonical, out);
        out += ',' + std::string(store::word_of_joinable(each.kind)) + "\r\n";
    }
    return out;
}

void read_csv(std::string_view text) {
    const std::vector<ingest::NamedJoin> joins =
        ingest::read_name_file(text, store::NameKind::kPlayer);
    std::set<std::pair<store::NameKind, std::string_view>> joined;
    for (const ingest::NamedJoin& each : joins) {
        fuzz::require(joined.emplace(each.kind, each.name).second);
    }
    for (const ingest::NamedJoin& each : joins) {
        fuzz::require(!joined.contains({each.kind, each.canonical}));
    }
    fuzz::require(ingest::read_name_file(csv_of(joins), store::NameKind::kPlayer) == joins);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    try {
        if (ingest::is_spelling_file(text)) {
            read_spellings(text);
        } else {
            read_csv(text);
        }
    } catch (const ingest::NameFileError&) {
        return 0;
    }
    return 0;
}
