// The column `tags`: all tag pairs of a game in a few bytes. Values that another column has are not
// repeated. Order, duplicates and empty values are restored exactly. Pure functions. Do not change:
// stored (schema/FORMAT.md).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/game_facts.hpp"
#include "store/records.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

class AnswerRow;

using TagPairs = std::vector<std::pair<std::string, std::string>>;

/// The columns of table `game` that have values of tags. Each is the value of the first tag with
/// that name, or empty; `termination` has the values of all tags Termination, one per line.
struct TagColumns {
    std::string_view white;
    std::string_view black;
    std::string_view event;
    std::string_view site;
    std::string_view round;
    std::string_view eco;
    std::string_view termination;
    std::string_view start;  // the FEN that the game stores, or empty
    codec::GameFacts facts;  // result, ratings and date are used
};

/// Sets the texts of the columns, except `start` and `facts`, to views of the tags. If there are
/// several tags Termination, `termination` holds the text of that column.
void set_tag_columns(const TagPairs& tags, TagColumns& columns, std::string& termination);

/// Appends the column `tags`.
void encode_tags(const TagPairs& tags, const TagColumns& columns, std::string& out);

/// Reads the tag pairs of a game; reuses the strings of `out`. Returns false if encode_tags() does
/// not write such bytes.
[[nodiscard]] bool decode_tags(std::string_view bytes, const TagColumns& columns, TagPairs& out);

/// The columns of table game that read_tags() reads, after others of a query.
inline constexpr char kTagColumns[] = ", white, black, event, site, round, eco, termination, tags";
/// Reads the tag pairs of a game whose start and facts have been read.
void read_tags(AnswerRow& row, std::string_view start, const codec::GameFacts& facts,
               TagPairs& out);

/// Returns the header of a game with these tags. Its texts are views of the tags. An absent tag
/// gives an empty optional. A rating is set only if the tag's text is exactly a number.
[[nodiscard]] store::GameHeader header_of(store::GameId id, const TagPairs& tags,
                                          const codec::GameFacts& facts);

}  // namespace fendex::clickhouse
