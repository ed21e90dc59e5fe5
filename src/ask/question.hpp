// A kind of question, and how what was given for one is answered. Each kind is stated once, beside
// its answer; surfaces take it from questions.hpp.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "ask/fields.hpp"
#include "ask/given.hpp"
#include "ask/rows.hpp"
#include "ask/schema.hpp"
#include "ask/sources.hpp"
#include "base/json.hpp"

namespace fendex::ask {

/// Adds the members of a document.
using Fill = std::function<void(json::Object&)>;
/// Calls visit() for each of the next documents, a few at a time. Returns false if there are none
/// left.
using NextDocuments = std::function<bool(const std::function<void(const Fill&)>& visit)>;

/// About how long an answer takes.
enum class Cost {
    kLookUp,  // below a millisecond
    kSums,    // up to some 100 ms: sums over columns of all games
    kScan,    // seconds: reads games
};

/// How a question is answered, from databases that have its filter: one of the three.
struct Plan {
    store::GameFilter filter = {};
    Cost cost = Cost::kSums;
    std::function<std::unique_ptr<Rows>(const Context&)> rows = {};
    std::function<void(const Context&, json::Object&)> document = {};
    std::function<NextDocuments(const Context&)> documents = {};
};

struct QuestionKind {
    std::string_view name;     // "find"
    std::string_view summary;  // "the games that reached a position"
    /// The type of the document, or of each row, in the API's description. Empty: the API does not
    /// answer this question.
    std::string_view answer = {};
    Schemas schemas = {};  // this type, and others that only this question has
    bool is_list = true;   // answers rows or several documents
    /// The question that counts the rows; empty: none.
    std::string_view count = {};
    bool has_filter = true;  // takes the fields of the filter, too
    Fields fields = {};      // the others
    /// Throws QuestionError and store::FilterError.
    Plan (*plan)(const Given&);
};

}  // namespace fendex::ask
