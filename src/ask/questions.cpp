#include "ask/questions.hpp"

#include <algorithm>

namespace fendex::ask {

std::span<const QuestionKind> questions() {
    static const std::vector<QuestionKind> all = [] {
        std::vector<QuestionKind> made;
        for (const auto make : kKinds) made.push_back(make());
        return made;
    }();
    return all;
}

const QuestionKind& question_named(std::string_view name) {
    const std::span<const QuestionKind> all = questions();
    return *std::find_if(all.begin(), all.end(),
                         [&](const QuestionKind& each) { return each.name == name; });
}

Fields all_fields(const QuestionKind& kind) {
    return joined({kind.fields, kind.has_filter ? fields_of_filter() : Fields{}});
}

}  // namespace fendex::ask
